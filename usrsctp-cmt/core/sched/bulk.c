/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bulk - one continuous bulk per path and step, the slowest path's first (Yabandeh et al.; cmt_bulk.h).
 *
 * The paper sends one bulk after the other, each at the rate of all paths together. Here paths send at their
 * own rates at the same time, with short queues, and a path whose bulk is not due yet carries the data before
 * it instead of idling. A step is as long as the slowest link takes for `bulk_pkts` packets, but no longer
 * than the paper's, and the bulk of the highest rate comes first in it; 0 = the paper's step and order.
 *
 * The plan is made again when a delay, a rate or the set of paths has changed. The path whose bulk is the
 * step's last fills bulk after bulk; where the others are in theirs follows, at every SACK, from when their
 * next packets are predicted to arrive. */
#include "cmt_ahead.h"
#include "cmt_bulk.h"

#include "../util/cmt_options.h"

enum { CHANGE_DIVISOR = 16, BULK_PKTS_DEFAULT = 1 };

struct bulk {
	struct cmt_ahead_options options;
	uint64_t bulk_pkts;
	unsigned n_paths;
	unsigned lead;                         /* the path with the step's last bulk: index in the plan */
	uint8_t index_of[CMT_SCHED_MAX_PATHS]; /* by path id: index in the plan + 1; 0 = not in it */
	struct cmt_bulk_path paths[CMT_SCHED_MAX_PATHS]; /* as planned */
	int64_t sent_bytes[CMT_SCHED_MAX_PATHS];
	struct cmt_bulk_plan plan;
};

static int bulk_init(void *st, const char *text)
{
	struct bulk *b = st;
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	uint64_t bulk_pkts = BULK_PKTS_DEFAULT;
	const struct cmt_option options[] = {CMT_AHEAD_OPTIONS(o), {"bulk_pkts", &bulk_pkts, 0, 10000}};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0) {
		b->options = o;
		b->bulk_pkts = bulk_pkts;
	}
	return error;
}

static struct cmt_bulk_path now_on(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	/* The effective bandwidth: what windows let through. */
	return (struct cmt_bulk_path){
	    .rate_bps = (uint64_t)v->packet_bytes * 8000000 / (uint64_t)p->interval_us + 1,
	    .delay_us = p->path->delay_us + p->tx_time_us,
	};
}

static bool changed(int64_t now, int64_t planned)
{
	int64_t change = now > planned ? now - planned : planned - now;

	return change > cmt_max_us(planned, -planned) / CHANGE_DIVISOR + 1;
}

static bool plan_holds(const struct bulk *b, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->n_paths; i++) {
		unsigned place = b->index_of[v->paths[i].id];
		struct cmt_bulk_path now;

		if ((place != 0) != paths[i].has_share)
			return false;
		if (place == 0)
			continue;
		now = now_on(v, &paths[i]);
		if (changed((int64_t)now.rate_bps, (int64_t)b->paths[place - 1].rate_bps) ||
		    changed(now.delay_us, b->paths[place - 1].delay_us))
			return false;
		n++;
	}
	return n == b->n_paths;
}

static void make_plan(struct bulk *b, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	struct cmt_bulk_step step = {.most_us = INT64_MAX, .by_rate = b->bulk_pkts > 0};
	int64_t tx_time_us = 0;
	uint64_t sum_bps = 0;

	b->n_paths = 0;
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		b->index_of[i] = 0;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (!paths[i].has_share)
			continue;
		tx_time_us = cmt_max_us(tx_time_us, paths[i].interval_us);
		b->paths[b->n_paths] = now_on(v, &paths[i]);
		sum_bps += b->paths[b->n_paths].rate_bps;
		b->index_of[v->paths[i].id] = (uint8_t)++b->n_paths;
	}
	if (b->n_paths == 0)
		return;
	tx_time_us *= (int64_t)b->bulk_pkts;
	step.least_us =
	    b->n_paths == 2 ? tx_time_us : cmt_transmission_us(b->n_paths * v->packet_bytes, sum_bps);
	if (b->bulk_pkts > 0)
		step.most_us = tx_time_us;
	cmt_bulk_plan(&b->plan, b->paths, b->n_paths, step);
	for (b->lead = 0; b->plan.parts[b->lead].place + 1u < b->n_paths;)
		b->lead++;
	b->sent_bytes[b->lead] = 0;
}

/* When the path's next packet arrives, once its window opens. */
static int64_t arrival_us(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	uint64_t ready_at_us = p->path->ready_at_us;
	int64_t wait_us =
	    ready_at_us != CMT_NEVER_US && ready_at_us > v->now_us ? (int64_t)(ready_at_us - v->now_us) : 0;

	return p->arrival_us + cmt_max_us(0, wait_us - p->path->queue_us);
}

static void take_places(struct bulk *b, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	int64_t *lead_bytes = &b->sent_bytes[b->lead], begin_us = 0;

	*lead_bytes %= b->plan.parts[b->lead].bytes;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (b->index_of[v->paths[i].id] == b->lead + 1)
			begin_us = arrival_us(v, &paths[i]) -
			           cmt_bulk_lead_us(b->paths[b->lead].rate_bps, *lead_bytes, v->packet_bytes);
	}
	for (unsigned i = 0; i < v->n_paths; i++) {
		unsigned place = b->index_of[v->paths[i].id];

		if (place != 0 && place != b->lead + 1)
			b->sent_bytes[place - 1] =
			    cmt_bulk_sent_bytes(b->paths[place - 1].rate_bps,
			                        arrival_us(v, &paths[i]) - begin_us, v->packet_bytes);
	}
}

static void bulk_plan(void *st, const struct cmt_view *v)
{
	struct bulk *b = st;
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&b->options, v, paths);
	if (!plan_holds(b, v, paths))
		make_plan(b, v, paths);
	if (b->n_paths > 0)
		take_places(b, v, paths);
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct bulk *b = st;
	unsigned place = b->index_of[v->paths[index].id];

	(void)paths;
	return place == 0 ? UINT64_MAX : cmt_bulk_ahead(&b->plan, b->sent_bytes, place - 1, v->packet_bytes);
}

static struct cmt_decision bulk_next(const void *st, const struct cmt_view *v)
{
	const struct bulk *b = st;

	return cmt_ahead_next(st, &b->options, v, ahead);
}

static uint64_t bulk_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct bulk *b = st;

	return cmt_ahead_look_ahead(st, &b->options, v, ahead);
}

static void bulk_on_sent(void *st, const struct cmt_sent *e)
{
	struct bulk *b = st;
	unsigned place = b->index_of[e->path_id];

	if (place != 0 && !e->retransmission)
		b->sent_bytes[place - 1] += e->bytes;
}

const struct cmt_sched_ops cmt_sched_bulk = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "bulk",
    .summary = "one bulk per path and step, the slowest path's first (Yabandeh et al.)",
    .option_help = "bulk_pkts=1 [0..10000]: packets that the slowest link takes in a step, 0 for the paper's "
                   "step and order; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct bulk),
    .init = bulk_init,
    .plan = bulk_plan,
    .next = bulk_next,
    .look_ahead = bulk_look_ahead,
    .on_sent = bulk_on_sent,
};
