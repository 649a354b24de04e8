/* SPDX-License-Identifier: BSD-3-Clause
 *
 * osia - out-of-order scheduling for in-order arriving (Wang, Liao, Li 2013): progressive water filling
 * (fill/cmt_pwf.h) enforced by cascaded leaky buckets with several faucets (section 4.1).
 *
 * Bucket h is chunk h, the water between the levels d_h and d_{h+1}. A path's level is the time at which its
 * next packet arrives; while it is in bucket h, which is the paper's [d_h - d_i, d_{h+1} - d_i], faucet i of
 * that bucket drips: a packet of size s every s / b_i, or, with random faucets, each packet of the chunk with
 * probability g_ih. A packet's place in the flow is what all faucets drip below its level
 * (cmt_arrival_plan.h). The last bucket stays open until the period ends.
 *
 * What differs from the paper, because this runs on windows and on measured delays and rates:
 *  - b_i is what congestion control and the receive window let through, d_i contains the path's own queue;
 *    so a period may begin with packets under way, its chunks continue those of the period before;
 *  - paths of equal delay (merge_us) share a bucket, but each keeps what it lags behind the first of them;
 *  - a faucet that could not drip in its turn does not make up for it, other paths carry the packet;
 *  - levels are half a packet late: of two paths the thin one's packets are then early rather than late.
 *    Three packets that overtake one make a third duplicate acknowledgement; a thin path's early packet
 *    overtakes alone;
 *  - while a window still grows, the order is that of arrivals (cmt_growth.h): a period needs rates that
 * last;
 *  - whether a path may send at all: cmt_ahead.h. */
#include "cmt_arrival_plan.h"
#include "cmt_growth.h"
#include "cmt_probing.h"
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
	PPM = 1000000
};

struct osia {
	struct cmt_ahead_options options;
	uint64_t merge_us, drift_us, rate_part, dupacks_max;
	bool random;
	uint64_t seed;
	struct cmt_arrival_plan plan;
	struct cmt_pwf pwf;
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

/* A new period begins when the old one has caused too many events or no longer describes the paths. */
static void osia_plan(void *st, const struct cmt_view *v)
{
	struct osia *s = st;
	const struct cmt_arrival_plan_limits limits = {.rate_part = (int64_t)s->rate_part,
	                                               .drift_us = (int64_t)s->drift_us *
	                                                           (s->random ? RANDOM_DRIFTS : 1)};
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	int64_t delays_us[CMT_SCHED_MAX_PATHS] = {0};

	cmt_ahead_paths(&s->options, v, paths);
	if (s->dupack_events <= s->dupacks_max && cmt_arrival_plan_holds(&s->plan, v, paths, &limits))
		return;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (takes_part(&paths[i]))
			delays_us[i] = cmt_arrival_plan_delay_us(v, &paths[i]) + paths[i].tx_time_us / 2;
	}
	cmt_arrival_plan_make(&s->plan, v, paths, delays_us);
	fill(s, v, paths, delays_us);
	s->dupack_events = 0;
}

/* --- decisions --- */

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct osia *s = st;

	return cmt_growth_of_any(v, paths) ? cmt_ahead_by_arrival(st, v, paths, index)
	                                   : cmt_arrival_plan_ahead(&s->plan, v, index);
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

/* How far the path's next packet is behind the one before, beyond its interval: draws packets of the chunk
 * that it is in until one is the path's. With probability p = g_ih a packet of the chunk is, and packets of
 * the chunk are g_ih * interval apart. */
static int64_t drawn_us(struct osia *s, const struct cmt_arrival_plan_path *p, uint64_t now_us)
{
	uint8_t chunk = cmt_pwf_chunk_at(&s->pwf, cmt_arrival_plan_next_us(&s->plan, p, now_us));
	uint64_t own_bps = (uint64_t)s->plan.packet_bytes * 8000000u / (uint64_t)p->interval_us;
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
	struct cmt_arrival_plan_path *p = &s->plan.paths[e->path_id];

	if (e->retransmission || e->copy || !p->planned)
		return;
	cmt_arrival_plan_on_sent(&s->plan, e);
	if (s->random)
		p->delay_us += drawn_us(s, p, e->now_us);
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
        "random=0 [0..1]: 1 draws the packets of a chunk for its paths instead of keeping to their shares; "
        "seed=1 [0..4294967295]: of the draws; "
        "merge_us=10000 [1..1000000]: delays that agree when rounded to this are one path's; "
        "drift_us=10000 [100..10000000]: a period ends when paths are out of step by more (random: eight "
        "times that); "
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
};
