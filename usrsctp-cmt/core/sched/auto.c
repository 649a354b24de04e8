/* SPDX-License-Identifier: BSD-3-Clause
 *
 * auto - order of predicted arrival over the paths that are worth it (docs/adr/0017-auto.md).
 *
 * A backlog goes over all paths as with arrival. A source that the fast paths keep up with has no unit so far
 * ahead that a slow path could carry it in time, so the fast paths carry all of it. Besides, a path is left
 * out while
 *  - its delay is above the latency budget, if one is given, and another path has less;
 *  - cheaper paths suffice: they deliver what waits by when it is needed (cmt_in_time.h), or, where nobody
 *    told when that is, within CMT_SUFFICE_US;
 *  - its jitter costs more than it brings.
 * A path of which nothing is known carries a first window of copies, in place of waiting for the HEARTBEAT
 * that asks for its delay.
 *
 * What the others deliver while a packet of a jittery path is late waits in the peer's buffer, and where that
 * does not fit they stand still:
 *
 *     held_i = jitter_i sum_{j != i} b_j       spare_i = window - sum_{j != i} loop_j b_j
 *     left out when  held_i > spare_i  and  held_i / spare_i > CMT_LEAVE_TIMES b_i / sum_{j != i} b_j
 *
 * and taken back when half of spare_i would do. spare_i counts as an eighth of the window at least.
 * With weights and caps the stack paces paths; both are in the limit that the view shows. */
#include "cmt_ahead.h"
#include "cmt_in_time.h"
#include "../util/cmt_options.h"
#include "../util/cmt_tuned.h"

#define STAY_OUT_SPARE 0.5

struct auto_choice {
	struct cmt_ahead_options options;
	uint64_t latency_budget_ms; /* 0 = none */
	uint32_t jittery;           /* paths left out for their jitter, a bit for each id */
	struct cmt_in_time in_time;
	uint64_t window_bytes; /* the largest seen: what is held in the peer's buffer is missing in others */
};

/* A view with the left out paths marked as not usable. */
struct filtered {
	struct cmt_view view;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	uint64_t
	    cheap_bytes;   /* what the cheaper ones of paths with different costs deliver in CMT_SUFFICE_US */
	uint64_t again_us; /* when a path that costs more may be needed; CMT_NEVER_US */
};

static int auto_init(void *st, const char *text)
{
	struct auto_choice *a = st;
	struct auto_choice o = {.options = CMT_AHEAD_OPTIONS_DEFAULT};
	const struct cmt_option options[] = {{"latency_budget_ms", &o.latency_budget_ms, 0, 60000},
	                                     CMT_AHEAD_OPTIONS(o.options)};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	o.options.no_probing = true;
	if (error == 0)
		*a = o;
	return error;
}

static int64_t delay_us(const struct cmt_view *v, const struct cmt_path_view *p)
{
	return p->start_us == CMT_UNKNOWN_US || p->rate_bps == 0
	           ? CMT_UNKNOWN_US
	           : p->delay_us + cmt_transmission_us(v->wire_bytes, p->rate_bps);
}

static void keep_to_budget(int64_t budget_us, struct filtered *f)
{
	int64_t least_us = INT64_MAX;

	for (unsigned i = 0; i < f->view.n_paths; i++) {
		int64_t us = delay_us(&f->view, &f->paths[i]);

		if (f->paths[i].usable && us != CMT_UNKNOWN_US)
			least_us = cmt_min_us(least_us, us);
	}
	for (unsigned i = 0; i < f->view.n_paths; i++) {
		int64_t us = delay_us(&f->view, &f->paths[i]);

		if (us != CMT_UNKNOWN_US && us > budget_us && us > least_us)
			f->paths[i].usable = false;
	}
}

/* What the usable paths that cost less than `cost` deliver in that time; *any: there is one. */
static uint64_t cheaper_bytes(const struct filtered *f, uint32_t cost, int64_t us, bool *any)
{
	uint64_t bytes = 0;

	*any = false;
	for (unsigned i = 0; i < f->view.n_paths; i++) {
		const struct cmt_path_view *p = &f->view.paths[i];
		uint64_t bps = p->limit_bps != 0 && p->limit_bps < p->rate_bps ? p->limit_bps : p->rate_bps;

		if (!p->usable || p->cost >= cost)
			continue;
		*any = true;
		bytes += bps * (uint64_t)us / CMT_BPS_PER_BYTE_PER_US;
	}
	return bytes;
}

/* Within what time cheaper paths have to deliver what waits. A quarter of what is left of the time is soon
 * enough to see that they do not, and to do without them. */
static int64_t suffice_us(const struct cmt_view *v, const struct cmt_path_view *path)
{
	return v->needed_bps == 0 ? CMT_SUFFICE_US
	                          : cmt_min_us(CMT_SUFFICE_US,
	                                       cmt_max_us(0, cmt_in_time_left_us(v, path) / CMT_LARGE_SHARE));
}

static void drop_costlier_paths(const struct cmt_view *v, struct filtered *f)
{
	uint64_t waiting = cmt_units_total_bytes(v->units);

	for (unsigned i = 0; i < v->n_paths; i++) {
		bool any;
		uint64_t bytes = cheaper_bytes(f, v->paths[i].cost, suffice_us(v, &v->paths[i]), &any);

		if (!any)
			continue;
		if (bytes > f->cheap_bytes)
			f->cheap_bytes = bytes;
		if (waiting <= bytes)
			f->paths[i].usable = false;
	}
}

/* Besides, where it is known by when what waits is needed. */
static void drop_until_needed(const struct cmt_in_time *in_time, const struct cmt_view *v, struct filtered *f)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		int64_t spare_us = v->paths[i].usable ? cmt_in_time_spare_us(in_time, v, &v->paths[i]) : 0;
		uint64_t again_us = v->now_us + (uint64_t)cmt_max_us(spare_us / 2, CMT_TICK_US);

		if (spare_us <= 0)
			continue;
		f->paths[i].usable = false;
		if (again_us < f->again_us)
			f->again_us = again_us;
	}
}

static double bytes_in(const struct cmt_path_view *p, int64_t us)
{
	return (double)p->rate_bps * (double)us / (double)CMT_BPS_PER_BYTE_PER_US;
}

/* Whether the path's jitter costs more than it brings. `window`: charged bytes; `part`: of what the others
 * leave of it. */
static bool costs_more(const struct cmt_view *v, const struct cmt_path_view *path, double window, double part)
{
	double held = 0, spare = window, others_bps = 0;

	if (path->rate_bps == 0 || path->jitter_us == 0)
		return false;
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (!p->usable || p == path || p->cost > path->cost)
			continue;
		others_bps += (double)p->rate_bps;
		held += bytes_in(p, path->jitter_us);
		spare -= bytes_in(p, p->min_rtt_us) * v->window_packet_bytes / v->packet_bytes;
	}
	held = held * v->window_packet_bytes / v->packet_bytes;
	spare = (spare > window / CMT_LITTLE_SHARE ? spare : window / CMT_LITTLE_SHARE) * part;
	return held > spare && held * others_bps > CMT_LEAVE_TIMES * (double)path->rate_bps * spare;
}

static void auto_plan(void *st, const struct cmt_view *v)
{
	struct auto_choice *a = st;
	uint64_t window_bytes = (uint64_t)v->peer_rwnd_bytes + v->total_flight_bytes;

	if (window_bytes > a->window_bytes)
		a->window_bytes = window_bytes;
	if (v->needed_bps > 0)
		cmt_in_time_look(&a->in_time, v);
	for (unsigned i = 0; i < v->n_paths; i++) {
		uint32_t bit = UINT32_C(1) << v->paths[i].id;

		if (costs_more(v, &v->paths[i], (double)a->window_bytes,
		               (a->jittery & bit) != 0 ? STAY_OUT_SPARE : 1))
			a->jittery |= bit;
		else
			a->jittery &= ~bit;
	}
}

static void auto_on_sent(void *st, const struct cmt_sent *e)
{
	cmt_in_time_on_sent(&((struct auto_choice *)st)->in_time, e);
}

static void leave_jittery(uint32_t jittery, struct filtered *f)
{
	bool others = false;

	for (unsigned i = 0; i < f->view.n_paths; i++)
		others |= f->paths[i].usable && (jittery & UINT32_C(1) << f->paths[i].id) == 0;
	for (unsigned i = 0; others && i < f->view.n_paths; i++) {
		if ((jittery & UINT32_C(1) << f->paths[i].id) != 0)
			f->paths[i].usable = false;
	}
}

/* Nothing makes one path worth less than another. */
static bool keeps_all(const struct auto_choice *a, const struct cmt_view *v)
{
	if (v->needed_bps > 0 || a->latency_budget_ms > 0 || a->jittery != 0)
		return false;
	for (unsigned i = 1; i < v->n_paths; i++) {
		if (v->paths[i].cost != v->paths[0].cost)
			return false;
	}
	return true;
}

/* Where nothing is left out the view stays as it is, and `f->paths` empty. */
static void filter(const struct auto_choice *a, const struct cmt_view *v, struct filtered *f)
{
	f->view = *v;
	f->cheap_bytes = 0;
	f->again_us = CMT_NEVER_US;
	if (keeps_all(a, v))
		return;
	for (unsigned i = 0; i < v->n_paths; i++)
		f->paths[i] = v->paths[i];
	drop_costlier_paths(v, f);
	if (v->needed_bps > 0)
		drop_until_needed(&a->in_time, v, f);
	f->view.paths = f->paths;
	leave_jittery(a->jittery, f);
	if (a->latency_budget_ms > 0)
		keep_to_budget((int64_t)a->latency_budget_ms * 1000, f);
}

static uint32_t least_cost(const struct cmt_view *v)
{
	uint32_t least = UINT32_MAX;

	for (unsigned i = 0; i < v->n_paths; i++) {
		if (v->paths[i].usable && v->paths[i].cost < least)
			least = v->paths[i].cost;
	}
	return least;
}

/* Paths that cost less take what they bring in time, though others would be sooner. */
static bool cheap_first(const struct auto_choice *a, const struct filtered *f, struct cmt_decision *d)
{
	const uint32_t least = least_cost(&f->view);
	struct filtered cheap = *f;
	bool any_costs_more = false;

	cheap.view.paths = cheap.paths;
	for (unsigned i = 0; i < f->view.n_paths; i++) {
		any_costs_more |= cheap.paths[i].usable && cheap.paths[i].cost > least;
		cheap.paths[i].usable = cheap.paths[i].usable && cheap.paths[i].cost == least;
	}
	if (!any_costs_more)
		return false;
	*d = cmt_ahead_next(a, &a->options, &cheap.view, cmt_ahead_by_arrival);
	for (unsigned i = 0; d->verdict == CMT_SEND && i < f->view.n_paths; i++) {
		if (f->paths[i].id == d->path_id)
			return cmt_in_time_by(&f->view, &f->paths[i]);
	}
	return false;
}

static struct cmt_decision auto_next(const void *st, const struct cmt_view *v)
{
	const struct auto_choice *a = st;
	struct filtered f;
	struct cmt_decision d;

	filter(a, v, &f);
	if (v->needed_bps > 0 && cheap_first(a, &f, &d))
		return d;
	d = cmt_ahead_next(st, &a->options, &f.view, cmt_ahead_by_arrival);
	if (d.verdict == CMT_WAIT && f.again_us < d.wake_us)
		d.wake_us = f.again_us;
	/* Nothing would come to ask again: any path is better than none. */
	if (d.verdict == CMT_WAIT && d.wake_us == CMT_NEVER_US && v->total_flight_bytes == 0)
		d = cmt_ahead_next(st, &a->options, v, cmt_ahead_by_arrival);
	return d;
}

static uint64_t auto_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct auto_choice *a = st;
	struct filtered f;
	uint64_t bytes = cmt_ahead_look_ahead(st, &a->options, v, cmt_ahead_by_arrival);

	filter(a, v, &f);
	return f.cheap_bytes + v->packet_bytes > bytes ? f.cheap_bytes + v->packet_bytes : bytes;
}

/* Copies that open a window a round trip sooner are worth it where data wait and the path is no dearer. */
static struct cmt_decision auto_copy(const void *st, const struct cmt_view *v)
{
	const uint32_t cost = least_cost(v);

	(void)st;
	for (unsigned i = 0; cmt_units_count(v->units) > 0 && i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (p->usable && p->has_copy && p->room_bytes > 0 && p->start_us == CMT_UNKNOWN_US &&
		    p->cost == cost)
			return (struct cmt_decision){.verdict = CMT_SEND,
			                             .path_id = p->id,
			                             .tsn = p->copy_tsn,
			                             .wake_us = CMT_NEVER_US};
	}
	return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}

const struct cmt_sched_ops cmt_sched_auto = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "auto",
    .summary = "arrival over the paths that are worth it: latency budget, costs, jitter (default)",
    .option_help = "latency_budget_ms=0 [0..60000]: leave out paths with a longer delay while there is one "
                   "with less, 0 = "
                   "none; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct auto_choice),
    .init = auto_init,
    .plan = auto_plan,
    .on_sent = auto_on_sent,
    .next = auto_next,
    .look_ahead = auto_look_ahead,
    .copy = auto_copy,
    .copies_to_measure = true,
};
