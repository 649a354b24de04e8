/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lcm - the LCM sequence scheduler (Sarwar et al. 2013, Algorithms 1-3) in closed form.
 *
 * Path i emits C_i packets per D_i and the k-th packet since the plan was made arrives at D_i + k *
 * interval_i. The paper merges these arrivals into a vector over one least common multiple of all delays; the
 * position of a packet in that merge is a sum of quotients, so neither the multiple nor the vector is needed
 * and nothing grows with the numbers that a peer can choose (docs/adr/0003-lcm-closed-form.md). Delays are
 * quantised; the plan is anchored again when a delay, a rate or the set of paths changes or the paths'
 * progress drifts apart. */
#include "cmt_ahead.h"
#include "../util/cmt_options.h"

enum {
	RATE_CHANGE_DIVISOR = 16, /* a rate that changed by more than 1/16 makes a new plan */
	DRIFT_QUANTA = 2
};

struct lcm_path {
	bool planned;
	int64_t delay_us;    /* quantised, queue included: arrival of the first packet of the plan */
	int64_t packet_us;   /* that a packet takes on the link: spaces what the path has sent */
	int64_t interval_us; /* between packets at the rate that cwnd and window let through: spaces what it
	                        will send */
	uint64_t sent_bytes; /* since the plan was made */
};

struct lcm {
	struct cmt_ahead_options options;
	uint64_t quantum_us;
	uint64_t planned_at_us;
	struct lcm_path paths[CMT_SCHED_MAX_PATHS]; /* by path id */
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

static int64_t quantise(const struct lcm *l, int64_t us)
{
	int64_t q = (int64_t)l->quantum_us;

	return cmt_max_us(q, (us + q / 2) / q * q);
}

/* Forward delay of a packet sent now, until its last bit is there. */
static int64_t forward_delay(const struct cmt_ahead_path *p)
{
	return p->path->delay_us + p->path->queue_us + p->packet_us;
}

/* When the path's next packet arrives, counted from the start of the plan; a turn that the path let pass is
 * gone. */
static int64_t next_arrival_us(const struct lcm *l, const struct lcm_path *p, const struct cmt_view *v)
{
	int64_t elapsed_us = (int64_t)(v->now_us - l->planned_at_us);

	return p->delay_us +
	       cmt_max_us(elapsed_us, (int64_t)(p->sent_bytes / v->packet_bytes) * p->packet_us);
}

static bool changed(int64_t now, int64_t planned)
{
	int64_t change = now - planned;

	return (change < 0 ? -change : change) > planned / RATE_CHANGE_DIVISOR;
}

static bool plan_holds(const struct lcm *l, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	int64_t least = INT64_MAX, most = INT64_MIN;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct lcm_path *p = &l->paths[v->paths[i].id];
		int64_t arrives;

		if (p->planned != (paths[i].usable && paths[i].has_share))
			return false;
		if (!p->planned)
			continue;
		if (changed(paths[i].interval_us, p->interval_us) ||
		    changed(paths[i].packet_us, p->packet_us))
			return false;
		/* Where the plan expects the next packet, seen from the plan's start, against the delay it
		 * would have now. */
		arrives = next_arrival_us(l, p, v) - forward_delay(&paths[i]);
		least = cmt_min_us(least, arrives);
		most = cmt_max_us(most, arrives);
	}
	return least == INT64_MAX || most - least <= (int64_t)(DRIFT_QUANTA * l->quantum_us);
}

static void lcm_plan(void *st, const struct cmt_view *v)
{
	struct lcm *l = st;
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&l->options, v, paths);
	if (plan_holds(l, v, paths))
		return;
	l->planned_at_us = v->now_us;
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		l->paths[i] = (struct lcm_path){.planned = false};
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (paths[i].usable && paths[i].has_share)
			l->paths[v->paths[i].id] =
			    (struct lcm_path){.planned = true,
			                      .delay_us = quantise(l, forward_delay(&paths[i])),
			                      .packet_us = paths[i].packet_us,
			                      .interval_us = paths[i].interval_us};
	}
}

/* Bytes that the other paths still send before the next packet of the path at `index`. */
static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct lcm *l = st;
	const struct lcm_path *own = &l->paths[v->paths[index].id];
	uint64_t pkts = 0;

	(void)paths;
	if (!own->planned)
		return UINT64_MAX;
	for (unsigned j = 0; j < v->n_paths; j++) {
		const struct lcm_path *other = &l->paths[v->paths[j].id];
		int64_t lead_us;

		if (j == index || !other->planned)
			continue;
		lead_us = next_arrival_us(l, own, v) - next_arrival_us(l, other, v);
		if (lead_us > 0 || (lead_us == 0 && j < index))
			pkts += (uint64_t)(lead_us / other->interval_us) + 1;
	}
	return pkts * v->packet_bytes;
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

	if (!e->retransmission)
		l->paths[e->path_id].sent_bytes += e->bytes;
}

const struct cmt_sched_ops cmt_sched_lcm = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "lcm",
    .summary = "LCM sequence scheduling: arrivals merged from quantised delays and rates (Sarwar et al.)",
    .option_help = "quantum_us=5000: delays are rounded to this; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct lcm),
    .init = lcm_init,
    .plan = lcm_plan,
    .next = lcm_next,
    .look_ahead = lcm_look_ahead,
    .on_sent = lcm_on_sent,
};
