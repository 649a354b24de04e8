/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bulk - one continuous bulk per path and step, the slowest path's first (Yabandeh et al.; cmt_bulk.h).
 *
 * The paper sends one bulk after the other, each at the rate of all paths together, and lets queues in the
 * network spread them. Here paths send at their own rates at the same time, with short queues, and a path
 * whose bulk is not due yet carries the data before it instead of idling. A path's bulk therefore arrives
 * over a whole step, beside that of the next step on the faster paths: the receiver holds a bulk at most.
 *
 * The plan is made again when a delay, a rate or the set of paths has changed, or when the paths' progress
 * has drifted apart. */
#include "cmt_ahead.h"
#include "cmt_bulk.h"

enum { CHANGE_DIVISOR = 16, DRIFT_PKTS = 2 };

struct bulk {
	struct cmt_ahead_options options;
	unsigned n_paths;
	uint8_t index_of[CMT_SCHED_MAX_PATHS]; /* by path id: place in the plan + 1; 0 = not in it */
	struct cmt_bulk_path paths[CMT_SCHED_MAX_PATHS]; /* as planned */
	int64_t sent_bytes[CMT_SCHED_MAX_PATHS];
	struct cmt_bulk_plan plan;
};

static struct cmt_bulk_path now_on(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	/* The effective bandwidth: what windows let through. */
	return (struct cmt_bulk_path){
	    .rate_bps = (uint64_t)v->packet_bytes * 8000000 / (uint64_t)p->interval_us + 1,
	    .delay_us = p->path->delay_us + p->packet_us,
	};
}

static bool changed(int64_t now, int64_t planned)
{
	int64_t change = now > planned ? now - planned : planned - now;

	return change > cmt_max_us(planned, -planned) / CHANGE_DIVISOR + 1;
}

/* How long path `i` of the plan has been sending, by what it sent. */
static int64_t progress_us(const struct bulk *b, unsigned i)
{
	int64_t bytes = b->sent_bytes[i] - cmt_bulk_start_bytes(&b->plan, b->paths, i);

	return bytes / (int64_t)(b->paths[i].rate_bps / 8 + 1) * 1000000 +
	       bytes % (int64_t)(b->paths[i].rate_bps / 8 + 1) * 1000000 /
	           (int64_t)(b->paths[i].rate_bps / 8 + 1);
}

static bool plan_holds(const struct bulk *b, const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	int64_t least_us = INT64_MAX, most_us = INT64_MIN, packet_us = 0;
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
		least_us = cmt_min_us(least_us, progress_us(b, place - 1));
		most_us = cmt_max_us(most_us, progress_us(b, place - 1));
		packet_us = cmt_max_us(packet_us, paths[i].interval_us);
		n++;
	}
	return n == b->n_paths &&
	       (n == 0 || most_us - least_us <= b->plan.step_us / 2 + DRIFT_PKTS * packet_us);
}

static void bulk_plan(void *st, const struct cmt_view *v)
{
	struct bulk *b = st;
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(&b->options, v, paths);
	if (plan_holds(b, v, paths))
		return;
	b->n_paths = 0;
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		b->index_of[i] = 0;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (!paths[i].has_share)
			continue;
		b->paths[b->n_paths] = now_on(v, &paths[i]);
		b->index_of[v->paths[i].id] = (uint8_t)++b->n_paths;
	}
	if (b->n_paths == 0)
		return;
	cmt_bulk_plan(&b->plan, b->paths, b->n_paths, (uint64_t)b->n_paths * v->packet_bytes);
	for (unsigned i = 0; i < b->n_paths; i++)
		b->sent_bytes[i] = cmt_bulk_start_bytes(&b->plan, b->paths, i);
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct bulk *b = st;
	unsigned place = b->index_of[v->paths[index].id];

	(void)paths;
	return place == 0 ? UINT64_MAX : cmt_bulk_ahead(&b->plan, b->sent_bytes, place - 1);
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
    .option_help = CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct bulk),
    .init = cmt_ahead_init,
    .plan = bulk_plan,
    .next = bulk_next,
    .look_ahead = bulk_look_ahead,
    .on_sent = bulk_on_sent,
};
