/* SPDX-License-Identifier: BSD-3-Clause
 *
 * osia - out-of-order scheduling for in-order arriving (Wang, Liao, Li 2013): progressive water filling
 * (fill/cmt_pwf.h) enforced by cascaded leaky buckets with several faucets (section 4.1).
 *
 * Bucket h is chunk h, the water between the levels d_h and d_{h+1}. A path's level is the time at which its
 * next packet arrives; while it is in bucket h, which is the paper's [d_h - d_i, d_{h+1} - d_i], faucet i of
 * that bucket drips: a packet of size s every s / b_i, or, with random faucets, each packet of the chunk with
 * probability g_ih. A packet's place in the flow is what all faucets drip below its level (cmt_course.h). The
 * last bucket stays open until the period ends.
 *
 * What differs from the paper, because this runs on windows and on measured delays and rates:
 *  - b_i is what congestion control and the receive window let through, d_i contains the path's own queue;
 *    so a period may begin with packets under way, its chunks continue those of the period before;
 *  - paths of equal delay (merge_us) share a bucket, but each keeps what it lags behind the first of them;
 *  - a faucet that could not drip in its turn does not make up for it, other paths carry the packet;
 *  - levels are half a packet late: of two paths the thin one's packets are then early rather than late.
 *    Three packets that overtake one make a third duplicate acknowledgement; a thin path's early packet
 *    overtakes alone;
 *  - a path in start-up, whose rate is not known yet, drips without bursts at up to twice the rate measured,
 *    and buckets behind it stay closed: how much it carries in their time is not known either;
 *  - whether a path may send at all: cmt_ahead.h. */
#include "cmt_course.h"
#include "../fill/cmt_pwf.h"
#include "../util/cmt_options.h"
#include "../util/cmt_random.h"
#include "../util/cmt_serial.h"

enum {
	DUPACKS = 3,
	/* Random faucets may be so many times farther out of step. */
	RANDOM_DRIFTS = 8,
	/* Draws for one packet of a thin path are bounded: each then stands for several packets of the chunk.
	 */
	DRAW_PPM_MIN = 31250,
	DRAWS_MAX = 512,
	PPM = 1000000,
	/* A path that carries less than one part in so many of what the others do can do no good by growing
	   fast, and harm by overshooting: its drips in start-up are this much (per cent) farther apart. */
	THIN_PARTS = 3,
	THIN_DRIP_PCT = 180,
	/* Most of the predicted queue that is believed in start-up. */
	START_QUEUE_US = 30000,
	/* Timers tick at a millisecond. */
	DRIP_SLACK_US = 500
};

struct osia {
	struct cmt_ahead_options options;
	uint64_t merge_us, drift_us, rate_part, dupacks_max;
	bool random;
	uint64_t seed;
	struct cmt_course course;
	struct cmt_pwf pwf;
	struct osia_faucet {         /* by path id, in start-up */
		uint64_t drip_us;    /* between drips */
		uint64_t drip_at_us; /* not before */
	} faucets[CMT_SCHED_MAX_PATHS];
	uint64_t dupack_events;       /* in this period */
	struct cmt_acked acked;       /* newest */
	uint32_t recent_tsn[DUPACKS]; /* as acknowledged, newest first; runs on one path count once */
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
		                   .course = {.learns = true},
		                   .merge_us = merge_us,
		                   .drift_us = drift_us,
		                   .rate_part = rate_part,
		                   .dupacks_max = dupacks,
		                   .random = random != 0,
		                   .seed = seed};
	return error;
}

/* --- the plan --- */

static bool takes_part(const struct cmt_ahead_path *p)
{
	return p->usable && p->has_share;
}

static uint64_t rate_bps(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	return (uint64_t)v->packet_bytes * 8000000u / (uint64_t)p->interval_us;
}

static uint64_t others_bps(const struct cmt_view *v, const struct cmt_ahead_path *paths, unsigned index)
{
	uint64_t sum = 0;

	for (unsigned j = 0; j < v->n_paths; j++)
		sum += j != index && takes_part(&paths[j]) ? rate_bps(v, &paths[j]) : 0;
	return sum;
}

/* Paths with a longer delay than one in start-up take no part. */
static void close_buckets(const struct osia *s, const struct cmt_view *v, struct cmt_ahead_path *paths)
{
	int64_t shortest_us = INT64_MAX;

	for (unsigned i = 0; i < v->n_paths; i++) {
		if (takes_part(&paths[i]) && v->paths[i].starting)
			shortest_us = cmt_min_us(shortest_us, v->paths[i].delay_us);
	}
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (takes_part(&paths[i]) && shortest_us != INT64_MAX &&
		    v->paths[i].delay_us - shortest_us > (int64_t)s->merge_us / 2)
			paths[i].has_share = false;
	}
}

/* In start-up the queue may be as long as the measured rate says, or shorter, since the rate may be higher.
 * The longer one makes packets early, which is good while the path is thin; when it is not, the shorter one
 * is. */
static int64_t start_queue_us(const struct cmt_view *v, const struct cmt_ahead_path *paths, unsigned index)
{
	const struct cmt_path_view *p = &v->paths[index];
	int64_t queue_us =
	    cmt_min_us(START_QUEUE_US, cmt_max_us(0, p->start_us - p->base_us - (int64_t)v->now_us));
	uint64_t others = others_bps(v, paths, index), own = rate_bps(v, &paths[index]) * 3 / 2;

	return others == 0 || own >= others ? 0 : queue_us - (int64_t)((uint64_t)queue_us * own / others);
}

/* When a packet sent now arrives, as levels count it. */
static int64_t delay_us(const struct cmt_view *v, const struct cmt_ahead_path *paths, unsigned index)
{
	const struct cmt_ahead_path *p = &paths[index];

	if (!v->paths[index].starting)
		return cmt_course_delay_us(p) + p->packet_us / 2;
	/* Without a rate the base delay is that of a whole packet. */
	return p->path->delay_us + (p->path->rate_measured ? p->packet_us : 0) +
	       start_queue_us(v, paths, index);
}

static void fill(struct osia *s, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                 const int64_t *delays_us)
{
	struct cmt_pwf_path filled[CMT_SCHED_MAX_PATHS];
	uint8_t n = 0;

	for (unsigned i = 0; i < v->n_paths; i++) {
		if (takes_part(&paths[i]))
			filled[n++] = (struct cmt_pwf_path){.delay_us = delays_us[i],
			                                    .rate_bps = rate_bps(v, &paths[i])};
	}
	cmt_pwf_plan(&s->pwf, filled, n, s->merge_us);
}

/* The course counts packets of paths in start-up at twice the measured rate. */
static void set_drips(struct osia *s, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_course_path *p = &s->course.paths[v->paths[i].id];
		bool thin =
		    takes_part(&paths[i]) && rate_bps(v, &paths[i]) * THIN_PARTS < others_bps(v, paths, i);

		s->faucets[v->paths[i].id].drip_us =
		    p->starting ? (uint64_t)(thin ? p->packet_us * THIN_DRIP_PCT / 100 : p->packet_us) : 0;
	}
}

/* A new period begins when the old one has caused too many events or no longer describes the paths. */
static void osia_plan(void *st, const struct cmt_view *v)
{
	struct osia *s = st;
	const struct cmt_course_limits limits = {.rate_part = (int64_t)s->rate_part,
	                                         .drift_us =
	                                             (int64_t)s->drift_us * (s->random ? RANDOM_DRIFTS : 1)};
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	int64_t delays_us[CMT_SCHED_MAX_PATHS] = {0};

	cmt_ahead_paths(&s->options, v, paths);
	close_buckets(s, v, paths);
	if (s->dupack_events <= s->dupacks_max && cmt_course_holds(&s->course, v, paths, &limits))
		return;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (takes_part(&paths[i]))
			delays_us[i] = delay_us(v, paths, i);
	}
	cmt_course_make(&s->course, v, paths, delays_us);
	fill(s, v, paths, delays_us);
	set_drips(s, v, paths);
	s->dupack_events = 0;
}

/* --- decisions --- */

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct osia *s = st;

	(void)paths;
	return cmt_course_ahead(&s->course, v, index);
}

/* A closed faucet is a path without room. */
static struct cmt_decision osia_next(const void *st, const struct cmt_view *v)
{
	const struct osia *s = st;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_view open = *v;
	struct cmt_decision d;
	uint64_t wake_us = CMT_NEVER_US;

	open.paths = paths;
	for (unsigned i = 0; i < v->n_paths; i++) {
		uint64_t drip_at_us = s->faucets[v->paths[i].id].drip_at_us;

		paths[i] = v->paths[i];
		if (v->total_flight_bytes == 0 || paths[i].room_bytes == 0 ||
		    drip_at_us <= v->now_us + DRIP_SLACK_US)
			continue;
		paths[i].room_bytes = 0;
		wake_us = drip_at_us < wake_us ? drip_at_us : wake_us;
	}
	d = cmt_ahead_next(st, &s->options, &open, ahead);
	if (d.verdict == CMT_WAIT && wake_us < d.wake_us)
		d.wake_us = wake_us;
	return d;
}

static uint64_t osia_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct osia *s = st;

	return cmt_ahead_look_ahead(st, &s->options, v, ahead);
}

/* --- events --- */

/* How far the path's next packet is behind the one before, beyond its interval: draws packets of the chunk
 * that it is in until one is the path's. With probability p = g_ih a packet of the chunk is, and packets of
 * the chunk are g_ih * interval apart. */
static int64_t drawn_us(struct osia *s, const struct cmt_course_path *p, uint64_t now_us)
{
	uint8_t chunk = cmt_pwf_chunk_at(&s->pwf, cmt_course_turn_us(&s->course, p, now_us));
	uint64_t own_bps = (uint64_t)s->course.packet_bytes * 8000000u / (uint64_t)p->interval_us;
	uint64_t all_bps = cmt_pwf_rate_bps(&s->pwf, chunk);
	uint64_t p_ppm = own_bps >= all_bps ? PPM : own_bps * PPM / all_bps;
	int64_t draws = 1;

	if (p_ppm < DRAW_PPM_MIN)
		p_ppm = DRAW_PPM_MIN;
	while (cmt_random_take(&s->seed) % PPM >= p_ppm && draws < DRAWS_MAX)
		draws++;
	return draws * (int64_t)p_ppm * p->interval_us / PPM - p->interval_us;
}

static void osia_on_sent(void *st, const struct cmt_sent *e)
{
	struct osia *s = st;
	struct osia_faucet *faucet = &s->faucets[e->path_id];
	struct cmt_course_path *p = &s->course.paths[e->path_id];

	if (e->retransmission || !p->planned)
		return;
	cmt_course_on_sent(&s->course, e);
	faucet->drip_at_us = e->now_us + faucet->drip_us;
	if (s->random) {
		p->floor_us = 0;
		p->delay_us += drawn_us(s, p, e->now_us);
	}
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

const struct cmt_sched_ops cmt_sched_osia = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "osia",
    .summary =
        "water filling, leaky buckets with faucets: sent out of order to arrive in order (Wang, Liao, Li)",
    .option_help =
        "random=0: 1 draws the packets of a chunk for its paths instead of keeping to their shares; "
        "seed=1: of the draws; merge_us=10000: delays that agree when rounded to this are one path's; drift_us=10000: a "
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
