/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lcm - delay aware scheduling (Sarwar et al. 2013, Algorithms 1 to 3; cmt_lcm.h): path i sends C_i packets
 * every D_i, and the order in which these bursts arrive says which units they carry.
 *
 * D_i is the path's forward delay without a queue, rounded to `quantum_us`; C_i is what cwnd and window let
 * through in it. What a path has not sent when its next burst is due is left to the other paths. One that has
 * sent its burst goes on with the next: C_i is an estimate, and a path held back to it would never show more.
 * The plan is made again when a delay, a rate or the set of paths has changed, or a path is more than a burst
 * ahead of it. Whether a path may send at all: cmt_ahead.h. */
#include "cmt_lcm.h"
#include "cmt_probing.h"
#include "../util/cmt_options.h"

enum { RATE_PART = 16 /* a rate that changed by more than 1/16 makes a new plan */ };

struct lcm {
	struct cmt_ahead_options options;
	uint64_t quantum_us;
	uint64_t made_at_us;
	uint8_t index_of[CMT_SCHED_MAX_PATHS];          /* by path id: place in the plan + 1; 0 = not in it */
	struct cmt_lcm_path paths[CMT_SCHED_MAX_PATHS]; /* as planned; delays as measured */
	struct cmt_lcm_turn turns[CMT_SCHED_MAX_PATHS]; /* when the path last sent */
	struct cmt_lcm_plan plan;
};

static int lcm_init(void *st, const char *text)
{
	struct lcm *l = st;
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	uint64_t quantum_us = 5000;
	const struct cmt_option options[] = {CMT_AHEAD_OPTIONS(o), {"quantum_us", &quantum_us, 100, 1000000}};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0) {
		l->options = o;
		l->quantum_us = quantum_us;
	}
	return error;
}

/* --- the plan --- */

static struct cmt_lcm_path now_on(const struct cmt_ahead_path *p)
{
	return (struct cmt_lcm_path){.delay_us = p->path->delay_us + p->tx_time_us,
	                             .interval_us = p->interval_us};
}

static bool changed(int64_t now, int64_t planned, int64_t tolerance)
{
	return now - planned > tolerance || planned - now > tolerance;
}

static bool plan_holds(const struct lcm *l, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->n_paths; i++) {
		unsigned place = l->index_of[v->paths[i].id];
		const struct cmt_lcm_path *planned;
		struct cmt_lcm_path now;

		if ((place != 0) != paths[i].has_share)
			return false;
		if (place == 0)
			continue;
		planned = &l->paths[place - 1];
		now = now_on(&paths[i]);
		if (changed(now.delay_us, planned->delay_us, (int64_t)l->quantum_us) ||
		    changed(now.interval_us, planned->interval_us, planned->interval_us / RATE_PART))
			return false;
		if (cmt_lcm_is_outrun(&l->plan, place - 1, l->turns[place - 1], v->now_us - l->made_at_us))
			return false;
		n++;
	}
	return n == l->plan.n_paths;
}

static int64_t quantise(const struct lcm *l, int64_t us)
{
	int64_t q = (int64_t)l->quantum_us;

	return cmt_max_us(q, (us + q / 2) / q * q);
}

static void make_plan(struct lcm *l, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	struct cmt_lcm_path quantised[CMT_SCHED_MAX_PATHS];
	unsigned n = 0;

	*l = (struct lcm){.options = l->options, .quantum_us = l->quantum_us, .made_at_us = v->now_us};
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (!paths[i].has_share)
			continue;
		l->paths[n] = quantised[n] = now_on(&paths[i]);
		quantised[n].delay_us = quantise(l, quantised[n].delay_us);
		l->index_of[v->paths[i].id] = (uint8_t)++n;
	}
	if (n > 0)
		cmt_lcm_plan(&l->plan, quantised, n, v->packet_bytes);
}

static void lcm_plan(void *st, const struct cmt_view *v)
{
	struct lcm *l = st;
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&l->options, v, paths);
	if (!plan_holds(l, v, paths))
		make_plan(l, v, paths);
}

/* --- decisions --- */

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct lcm *l = st;
	unsigned place = l->index_of[v->paths[index].id];
	struct cmt_lcm_turn turns[CMT_SCHED_MAX_PATHS];

	(void)paths;
	if (place == 0)
		return UINT64_MAX;
	for (unsigned i = 0; i < l->plan.n_paths; i++)
		turns[i] = cmt_lcm_turn_at(&l->plan, i, l->turns[i], v->now_us - l->made_at_us);
	return cmt_lcm_ahead_bytes(&l->plan, turns, place - 1);
}

static struct cmt_decision lcm_next(const void *st, const struct cmt_view *v)
{
	const struct lcm *l = st;

	return cmt_ahead_next(st, &l->options, v, ahead);
}

static uint64_t lcm_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct lcm *l = st;

	return cmt_ahead_look_ahead(st, &l->options, v, ahead);
}

static void lcm_on_sent(void *st, const struct cmt_sent *e)
{
	struct lcm *l = st;
	unsigned place = l->index_of[e->path_id];
	struct cmt_lcm_turn *turn;

	if (e->retransmission || e->copy || place == 0)
		return;
	turn = &l->turns[place - 1];
	*turn = cmt_lcm_turn_at(&l->plan, place - 1, *turn, e->now_us - l->made_at_us);
	*turn = cmt_lcm_after(&l->plan, place - 1, *turn, e->bytes);
}

const struct cmt_sched_ops cmt_sched_lcm = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "lcm",
    .summary = "delay aware scheduling: bursts of C packets per delay D, in order of arrival (Sarwar et al.)",
    .option_help = "quantum_us=5000 [100..1000000]: delays are rounded to this; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct lcm),
    .init = lcm_init,
    .plan = lcm_plan,
    .next = lcm_next,
    .copy = cmt_probing_copy,
    .copies_to_measure = true,
    .look_ahead = lcm_look_ahead,
    .on_sent = lcm_on_sent,
};
