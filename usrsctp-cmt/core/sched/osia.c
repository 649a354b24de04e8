/* SPDX-License-Identifier: BSD-3-Clause
 *
 * osia - out-of-order scheduling for in-order arriving (Wang, Liao, Li 2013): progressive water filling
 * (fill/cmt_pwf.h) enforced by cascaded leaky buckets with several faucets (fill/cmt_bucket.h).
 *
 * A period begins with what the paths are: b_i, what congestion control and the receive window let through,
 * and d_i, the forward delay behind the path's own queue. Packets may be under way then; its flow is what is
 * unsent. Each path sends the packets of its faucets, one after the other. The period ends after more than
 * ten third duplicate acknowledgements (section 3.3); when the paths that take part, or a rate, have changed;
 * and when paths are out of step, because a delay has changed or one does not keep up with its faucets, by
 * more than half of what merging takes for equal.
 *
 * The paper knows all rates and they last. Here probing measures them (cmt_probing.h), and while a window
 * grows faucets drip what it lets through, when that arrives (cmt_growth.h). Whether a path may send at all:
 * cmt_ahead.h. */
#include "cmt_ahead.h"
#include "cmt_growth.h"
#include "cmt_probing.h"
#include "../fill/cmt_bucket.h"
#include "../util/cmt_options.h"
#include "../util/cmt_serial.h"
#include "../util/cmt_wide.h"

enum { DUPACKS = 3 };

struct osia {
	struct cmt_ahead_options options;
	uint64_t merge_us, drift_us, rate_part, dupacks_max;
	bool random;
	uint64_t seed;
	struct cmt_buckets buckets;
	uint8_t place_of[CMT_SCHED_MAX_PATHS];  /* by path id: place in the buckets + 1; 0 = not in them */
	int64_t delays_us[CMT_SCHED_MAX_PATHS]; /* by place: when the period began, before merging */
	uint32_t wire_bytes;                    /* of a packet then */
	uint64_t periods;
	uint64_t dupack_events;       /* in this period */
	struct cmt_acked acked;       /* newest */
	uint32_t recent_tsn[DUPACKS]; /* as acknowledged, newest first; runs on one path count once */
	unsigned n_recent;
};

static int osia_init(void *st, const char *text)
{
	struct osia *s = st;
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	uint64_t merge_us = 10000, drift_us = 5000, rate_part = 16, dupacks = 10, random = 0, seed = 1;
	const struct cmt_option options[] = {CMT_AHEAD_OPTIONS(o),
	                                     {"random", &random, 0, 1},
	                                     {"seed", &seed, 0, UINT32_MAX},
	                                     {"merge_us", &merge_us, 1, 1000000},
	                                     {"drift_us", &drift_us, 100, 10000000},
	                                     {"rate_part", &rate_part, 1, 1000},
	                                     {"dupacks", &dupacks, 0, 1000000}};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0)
		*s = (struct osia){.options = o,
		                   .merge_us = merge_us,
		                   .drift_us = drift_us,
		                   .rate_part = rate_part,
		                   .dupacks_max = dupacks,
		                   .random = random != 0,
		                   .seed = seed};
	return error;
}

/* --- periods --- */

static bool takes_part(const struct cmt_ahead_path *p)
{
	return p->usable && p->has_share;
}

/* What a path is to water filling: user data per second, and the forward delay of a packet sent now. */
static struct cmt_pwf_path now_on(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	const uint64_t wire_bps = p->interval_us == p->tx_time_us
	                              ? p->path->rate_bps
	                              : v->wire_bytes * CMT_BPS_PER_BYTE_PER_US / (uint64_t)p->interval_us;
	const int64_t queue_us = p->path->start_us - (int64_t)v->now_us - p->path->base_us;

	return (struct cmt_pwf_path){
	    .delay_us = p->path->delay_us + queue_us,
	    .rate_bps =
	        1 + cmt_wide_mul_div(wire_bps, v->packet_bytes, v->wire_bytes, CMT_PWF_RATE_MAX_BPS - 1),
	};
}

static bool rate_changed(const struct osia *s, uint64_t now_bps, uint64_t planned_bps)
{
	const uint64_t change = now_bps > planned_bps ? now_bps - planned_bps : planned_bps - now_bps;

	return change > planned_bps / s->rate_part;
}

/* Paths are out of step when their next packets would arrive at other distances from each other than those at
 * which they are planned. */
static bool period_holds(const struct osia *s, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	int64_t least_us = INT64_MAX, most_us = INT64_MIN;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const unsigned place = s->place_of[v->paths[i].id];
		struct cmt_pwf_path now;
		int64_t late_us;

		if ((place != 0) != takes_part(&paths[i]))
			return false;
		if (place == 0)
			continue;
		now = now_on(v, &paths[i]);
		if (rate_changed(s, now.rate_bps, s->buckets.paths[place - 1].rate_bps))
			return false;
		late_us = now.delay_us - s->delays_us[place - 1] -
		          cmt_buckets_taken_us(&s->buckets, (uint8_t)(place - 1));
		least_us = cmt_min_us(least_us, late_us);
		most_us = cmt_max_us(most_us, late_us);
	}
	return least_us == INT64_MAX || most_us - least_us <= (int64_t)s->drift_us;
}

static void begin_period(struct osia *s, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	struct cmt_pwf_path filled[CMT_SCHED_MAX_PATHS];
	uint8_t n = 0;

	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		s->place_of[i] = 0;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (!takes_part(&paths[i]))
			continue;
		filled[n] = now_on(v, &paths[i]);
		s->delays_us[n] = filled[n].delay_us;
		s->place_of[v->paths[i].id] = ++n;
	}
	cmt_buckets_open(&s->buckets, &(struct cmt_buckets_open){.merge_us = s->merge_us,
	                                                         .packet_bytes = v->packet_bytes,
	                                                         .n = n,
	                                                         .paths = filled});
	s->wire_bytes = v->wire_bytes;
	s->dupack_events = 0;
	s->periods++;
}

static void osia_plan(void *st, const struct cmt_view *v)
{
	struct osia *s = st;
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&s->options, v, paths);
	if (s->dupack_events > s->dupacks_max || !period_holds(s, v, paths))
		begin_period(s, v, paths);
}

/* --- decisions --- */

/* When the path's next packet arrives; as soon as that of the first of the paths that it is merged with. */
static int64_t arrival_us(const struct osia *s, const struct cmt_ahead_path *p)
{
	const unsigned place = s->place_of[p->path->id];

	if (place == 0)
		return p->arrival_us;
	return p->arrival_us - s->delays_us[place - 1] +
	       s->buckets.pwf.paths[s->buckets.pwf.merged[place - 1]].delay_us;
}

/* While windows grow: what faucets drip before the path's next packet arrives. */
static uint64_t ahead_in_growth(const struct osia *s, const struct cmt_view *v,
                                const struct cmt_ahead_path *paths, unsigned index)
{
	uint64_t pkts = 0;

	for (unsigned j = 0; j < v->n_paths; j++) {
		const int64_t lead_us = arrival_us(s, &paths[index]) - arrival_us(s, &paths[j]);

		if (j == index || !paths[j].has_share || lead_us < 0 || (lead_us == 0 && j > index))
			continue;
		pkts += cmt_growth_counts(v, &paths[j]) ? cmt_growth_pkts(v, &paths[j], lead_us)
		                                        : (uint64_t)(lead_us / paths[j].interval_us) + 1;
	}
	return pkts * v->packet_bytes;
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct osia *s = st;
	const unsigned place = s->place_of[v->paths[index].id];

	if (cmt_growth_of_any(v, paths))
		return ahead_in_growth(s, v, paths, index);
	return place == 0 ? UINT64_MAX : cmt_buckets_ahead(&s->buckets, (uint8_t)(place - 1));
}

static struct cmt_decision osia_next(const void *st, const struct cmt_view *v)
{
	const struct osia *s = st;

	return cmt_ahead_next(st, &s->options, v, ahead);
}

static uint64_t osia_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct osia *s = st;

	return cmt_ahead_look_ahead(st, &s->options, v, ahead);
}

/* --- events --- */

static void osia_on_sent(void *st, const struct cmt_sent *e)
{
	struct osia *s = st;
	const uint8_t place = s->place_of[e->path_id];

	if (e->retransmission || e->copy || place == 0)
		return;
	cmt_buckets_take(&s->buckets, (uint8_t)(place - 1), e->bytes);
	if (s->random)
		cmt_buckets_draw(&s->buckets, (uint8_t)(place - 1), &s->seed);
}

/* The receiver sends a third duplicate acknowledgement when the three packets that came before one were all
 * larger (RFC 4737, section 5.4, n = 3). */
static void osia_on_acked(void *st, const struct cmt_acked *e)
{
	struct osia *s = st;
	bool event = s->n_recent == DUPACKS;
	bool in_a_run = s->n_recent > 0 && e->path_id == s->acked.path_id && e->now_us == s->acked.now_us &&
	                e->tsn == s->acked.tsn + 1;

	s->acked = *e;
	if (in_a_run) {
		s->recent_tsn[0] = e->tsn;
		return;
	}
	for (unsigned i = 0; i < s->n_recent; i++)
		event = event && cmt_serial_gt(s->recent_tsn[i], e->tsn);
	s->dupack_events += event;
	for (unsigned i = DUPACKS - 1; i > 0; i--)
		s->recent_tsn[i] = s->recent_tsn[i - 1];
	s->recent_tsn[0] = e->tsn;
	s->n_recent += s->n_recent < DUPACKS;
}

static void osia_report(const void *st, struct cmt_sched_report *out)
{
	const struct osia *s = st;

	out->periods = s->periods;
	out->prefetch_bytes = cmt_pwf_prefetch_bytes(&s->buckets.pwf);
	out->timeout_ppm = cmt_pwf_timeout_ppm(&s->buckets.pwf, s->wire_bytes);
}

const struct cmt_sched_ops cmt_sched_osia = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "osia",
    .summary =
        "water filling, leaky buckets with faucets: sent out of order to arrive in order (Wang, Liao, Li)",
    .option_help =
        "random=0 [0..1]: 1 draws the packets of a chunk for its paths instead of keeping to their shares; "
        "seed=1 [0..4294967295]: of the draws; "
        "merge_us=10000 [1..1000000]: delays that agree when rounded to this are one path's; "
        "drift_us=5000 [100..10000000]: a period ends when paths are out of step by more; "
        "rate_part=16 [1..1000]: and when a rate has changed by more than one part in so many; "
        "dupacks=10 [0..1000000]: and after more than so many packets overtaken by "
        "three; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct osia),
    .init = osia_init,
    .plan = osia_plan,
    .next = osia_next,
    .copy = cmt_probing_copy,
    .copies_to_measure = true,
    .look_ahead = osia_look_ahead,
    .on_sent = osia_on_sent,
    .on_acked = osia_on_acked,
    .report = osia_report,
};
