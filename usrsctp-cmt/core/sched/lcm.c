/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lcm - the LCM sequence scheduler (Sarwar et al. 2013, Algorithms 1-3) in closed form.
 *
 * Path i emits C_i packets per D_i and the k-th packet since the plan was made arrives at D_i + k *
 * interval_i. The paper merges these arrivals into a vector over one least common multiple of all delays; the
 * position of a packet in that merge is a sum of quotients, so neither the multiple nor the vector is needed
 * and nothing grows with the numbers that a peer can choose (docs/adr/0003-lcm-closed-form.md). Delays are
 * quantised; the plan is anchored again when a delay, a rate or the set of paths changes or the paths'
 * progress drifts apart. While a window still grows, the order is that of arrivals (cmt_growth.h). */
#include "cmt_arrival_plan.h"
#include "cmt_growth.h"
#include "cmt_probing.h"
#include "../util/cmt_options.h"

enum {
	RATE_PART = 16, /* a rate that changed by more than 1/16 makes a new plan */
	DRIFT_QUANTA = 2
};

struct lcm {
	struct cmt_ahead_options options;
	uint64_t quantum_us;
	struct cmt_arrival_plan plan;
};

static int lcm_init(void *st, const char *text)
{
	struct lcm *l = st;
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	uint64_t quantum_us = 1000;
	const struct cmt_option options[] = {CMT_AHEAD_OPTIONS(o), {"quantum_us", &quantum_us, 100, 1000000}};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0) {
		l->options = o;
		l->quantum_us = quantum_us;
	}
	return error;
}

static int64_t quantise(const struct lcm *l, int64_t us)
{
	int64_t q = (int64_t)l->quantum_us;

	return cmt_max_us(q, (us + q / 2) / q * q);
}

static void lcm_plan(void *st, const struct cmt_view *v)
{
	struct lcm *l = st;
	const struct cmt_arrival_plan_limits limits = {.rate_part = RATE_PART,
	                                               .drift_us = (int64_t)(DRIFT_QUANTA * l->quantum_us)};
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	int64_t delays_us[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&l->options, v, paths);
	if (cmt_arrival_plan_holds(&l->plan, v, paths, &limits))
		return;
	for (unsigned i = 0; i < v->n_paths; i++)
		delays_us[i] = paths[i].usable ? quantise(l, cmt_arrival_plan_delay_us(v, &paths[i])) : 0;
	cmt_arrival_plan_make(&l->plan, v, paths, delays_us);
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct lcm *l = st;

	return cmt_growth_of_any(v, paths) ? cmt_ahead_by_arrival(st, v, paths, index)
	                                   : cmt_arrival_plan_ahead(&l->plan, v, index);
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

	cmt_arrival_plan_on_sent(&l->plan, e);
}

const struct cmt_sched_ops cmt_sched_lcm = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "lcm",
    .summary = "LCM sequence scheduling: arrivals merged from quantised delays and rates (Sarwar et al.)",
    .option_help = "quantum_us=1000 [100..1000000]: delays are rounded to this; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct lcm),
    .init = lcm_init,
    .plan = lcm_plan,
    .next = lcm_next,
    .copy = cmt_probing_copy,
    .copies_to_measure = true,
    .look_ahead = lcm_look_ahead,
    .on_sent = lcm_on_sent,
};
