/* SPDX-License-Identifier: BSD-3-Clause
 *
 * osia - out-of-order scheduling for in-order arriving (Wang, Liao, Li 2013): progressive water filling
 * (fill/cmt_pwf.h) enforced by cascaded leaky buckets with several faucets (section 4.1).
 *
 * Bucket h is chunk h, the water between the levels d_h and d_{h+1}. Faucet i of it drips a packet of size s
 * every s / b_i, or, with random faucets, lets each packet of the chunk pass with probability g_ih; it is open
 * while path i's level, the time at which its next packet arrives, is in that bucket, which is the paper's
 * [d_h - d_i, d_{h+1} - d_i]. A packet's place in the flow is what all faucets drip below its level
 * (cmt_course.h). The last bucket stays open until the period ends.
 *
 * What differs from the paper, because this runs on windows and measured delays:
 *  - b_i is what congestion control and the receive window let through at present, d_i contains the path's own
 *    queue: so a period may begin while packets are under way, its chunks continue those of the one before;
 *  - paths of equal delay (merge_us) share a bucket, but each keeps what it lags behind the first of them;
 *  - a faucet that could not drip in its turn does not make up for it: other paths carry the packet;
 *  - whether a path may send at all: cmt_ahead.h. */
#include "cmt_course.h"
#include "../fill/cmt_pwf.h"
#include "../util/cmt_options.h"
#include "../util/cmt_random.h"
#include "../util/cmt_serial.h"

enum {
	DUPACKS = 3,
	RANDOM_DRIFTS = 8, /* random faucets may be so many times farther out of step */
	/* Draws for one packet of a thin path are bounded: each then stands for several packets of the chunk. */
	DRAW_PPM_MIN = 31250,
	DRAWS_MAX = 512,
	PPM = 1000000
};

struct osia {
	struct cmt_ahead_options options;
	uint64_t merge_us, drift_us, rate_part, dupacks_max;
	bool random;
	uint64_t seed;
	struct cmt_course course;
	struct cmt_pwf pwf;
	uint64_t dupack_events; /* in this period */
	struct cmt_acked acked; /* last */
	uint32_t recent_tsn[DUPACKS]; /* as acknowledged, newest first; runs of one path count once */
	unsigned n_recent;
};

static int osia_init(void *st, const char *text)
{
	struct osia *s = st;
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	uint64_t merge_us = 10000, drift_us = 10000, rate_part = 16, dupacks = 10, random = 0, seed = 1;
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

static void fill(struct osia *s, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	struct cmt_pwf_path filled[CMT_SCHED_MAX_PATHS];
	uint8_t n = 0;

	for (unsigned i = 0; i < v->n_paths; i++) {
		if (paths[i].usable && paths[i].has_share)
			filled[n++] = (struct cmt_pwf_path){
			    .delay_us = cmt_course_delay_us(&paths[i]),
			    .rate_bps = (uint64_t)v->packet_bytes * 8000000u / (uint64_t)paths[i].interval_us};
	}
	cmt_pwf_plan(&s->pwf, filled, n, s->merge_us);
}

/* A new period begins when the old one has caused too many events or no longer describes the paths. */
static void osia_plan(void *st, const struct cmt_view *v)
{
	struct osia *s = st;
	const struct cmt_course_limits limits = {
	    .rate_part = (int64_t)s->rate_part,
	    .drift_us = (int64_t)s->drift_us * (s->random ? RANDOM_DRIFTS : 1)};
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	int64_t delays_us[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&s->options, v, paths);
	if (s->dupack_events <= s->dupacks_max && cmt_course_holds(&s->course, v, paths, &limits))
		return;
	for (unsigned i = 0; i < v->n_paths; i++)
		delays_us[i] = paths[i].usable ? cmt_course_delay_us(&paths[i]) : 0;
	cmt_course_make(&s->course, v, paths, delays_us);
	fill(s, v, paths);
	s->dupack_events = 0;
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct osia *s = st;

	(void)paths;
	return cmt_course_ahead(&s->course, v, index);
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

/* By how much the path's next packet is farther from the one before than its share says: draws packets of the
 * chunk until one is the path's. */
static int64_t drawn_us(struct osia *s, const struct cmt_course_path *p)
{
	uint64_t chunk_bps = cmt_pwf_rate_bps(&s->pwf, cmt_pwf_chunk_at(&s->pwf, p->delay_us));
	uint64_t g_ppm, chance_ppm;
	int64_t draws = 1;

	(void)chunk_bps;
	g_ppm = PPM;
	chance_ppm = g_ppm > DRAW_PPM_MIN ? g_ppm : DRAW_PPM_MIN;
	while (cmt_random_take(&s->seed) % PPM >= chance_ppm && draws < DRAWS_MAX)
		draws++;
	return draws * p->packet_us;
}

static void osia_on_sent(void *st, const struct cmt_sent *e)
{
	struct osia *s = st;
	struct cmt_course_path *p = &s->course.paths[e->path_id];

	cmt_course_on_sent(&s->course, e);
	if (s->random && !e->retransmission && p->planned)
		p->delay_us += drawn_us(s, p);
}

/* The receiver sends a third duplicate acknowledgement for a packet behind which three larger ones arrived
 * just before (RFC 4737, section 5.4). */
static void osia_on_acked(void *st, const struct cmt_acked *e)
{
	struct osia *s = st;
	bool event = s->n_recent == DUPACKS;

	if (s->n_recent > 0 && e->path_id == s->acked.path_id && e->now_us == s->acked.now_us &&
	    e->tsn == s->acked.tsn + 1) {
		s->acked = *e;
		return;
	}
	for (unsigned i = 0; i < s->n_recent; i++)
		event = event && cmt_serial_gt(s->recent_tsn[i], e->tsn);
	s->dupack_events += event;
	for (unsigned i = DUPACKS - 1; i > 0; i--)
		s->recent_tsn[i] = s->recent_tsn[i - 1];
	s->recent_tsn[0] = e->tsn;
	s->n_recent += s->n_recent < DUPACKS;
	s->acked = *e;
}

const struct cmt_sched_ops cmt_sched_osia = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "osia",
    .summary = "water filling, leaky buckets with faucets: sent out of order to arrive in order (Wang, Liao, Li)",
    .option_help =
        "random=0: 1 draws the packets of a chunk for its paths instead of keeping to their shares; seed=1: of "
        "the draws; merge_us=10000: delays that agree when rounded to this are one path's; drift_us=10000: a "
        "period ends when paths are out of step by more (random: eight times that); rate_part=16: and when a "
        "rate has changed by more than one part in so many; dupacks=10: and after more than so many packets "
        "overtaken by three; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct osia),
    .init = osia_init,
    .plan = osia_plan,
    .next = osia_next,
    .look_ahead = osia_look_ahead,
    .on_sent = osia_on_sent,
    .on_acked = osia_on_acked,
};
