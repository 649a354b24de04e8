/* SPDX-License-Identifier: BSD-3-Clause
 *
 * redundant - every chunk on every path: what arrives first counts, and what one path loses another one
 * delivers (Froemmgen et al., "ReMP TCP: Low Latency Multipath TCP", IEEE ICC 2016, section III; `redundant`
 * of Linux MPTCP 0.9x).
 *
 * Of the paths with room, the one whose packet arrives first is served first. A path carries the lowest TSN
 * that it has not carried and that is not acknowledged: a copy of what is under way elsewhere, or, when there
 * is none, the head of the queue. So a path that falls behind skips what others have delivered. A path whose
 * predicted queue is above the bound of cmt_ahead.h waits: copies in a long queue would come too late. */
#include "cmt_ahead.h"

struct redundant {
	struct cmt_ahead_options options;
};

/* Whether the path may send now; else, when only its queue forbids it, `*wake_us` is brought forward. */
static bool may_send(const struct redundant *r, const struct cmt_view *v, const struct cmt_ahead_path *p,
                     uint64_t *wake_us)
{
	int64_t excess_us = p->usable ? cmt_ahead_queue_excess_us(&r->options, p) : 0;
	uint64_t drained_us = v->now_us + (uint64_t)cmt_max_us(0, excess_us);

	if (!p->path->usable || p->path->room_bytes == 0)
		return false;
	if (excess_us > 0 && drained_us < *wake_us)
		*wake_us = drained_us;
	return excess_us <= 0;
}

static bool arrives_before(const struct cmt_ahead_path *a, const struct cmt_ahead_path *b)
{
	if (a->usable != b->usable)
		return a->usable;
	return a->usable ? a->arrival_us < b->arrival_us : a->path->srtt_us < b->path->srtt_us;
}

/* The path that is served now: of those with a copy to carry, or of those without. NULL: none. */
static const struct cmt_path_view *first(const struct redundant *r, const struct cmt_view *v, bool has_copy,
                                         uint64_t *wake_us)
{
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	const struct cmt_ahead_path *best = NULL;

	cmt_ahead_paths(&r->options, v, paths);
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (v->paths[i].has_copy == has_copy && may_send(r, v, &paths[i], wake_us) &&
		    (best == NULL || arrives_before(&paths[i], best)))
			best = &paths[i];
	}
	return best != NULL ? best->path : NULL;
}

static struct cmt_decision send_on(const struct cmt_path_view *path, uint32_t tsn)
{
	return (struct cmt_decision){
	    .verdict = CMT_SEND, .path_id = path->id, .tsn = tsn, .wake_us = CMT_NEVER_US};
}

static struct cmt_decision redundant_next(const void *st, const struct cmt_view *v)
{
	uint64_t wake_us = CMT_NEVER_US;
	const struct cmt_path_view *path = first(st, v, false, &wake_us);
	int any = path == NULL && v->total_flight_bytes == 0 ? cmt_sched_first_arrival(v, true) : -1;

	if (path != NULL)
		return send_on(path, cmt_units_first(v->units));
	/* Nothing in flight: nothing would come to ask again. */
	if (any >= 0)
		return (struct cmt_decision){.verdict = CMT_SEND,
		                             .path_id = (uint8_t)any,
		                             .tsn = cmt_units_first(v->units),
		                             .wake_us = CMT_NEVER_US};
	return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = wake_us};
}

static struct cmt_decision redundant_copy(const void *st, const struct cmt_view *v)
{
	uint64_t wake_us = CMT_NEVER_US;
	const struct cmt_path_view *path = first(st, v, true, &wake_us);

	return path != NULL ? send_on(path, path->copy_tsn)
	                    : (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = wake_us};
}

const struct cmt_sched_ops cmt_sched_redundant = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "redundant",
    .summary = "every chunk on every path with room, what arrives first counts (ReMP TCP)",
    .option_help = CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct redundant),
    .init = cmt_ahead_init,
    .next = redundant_next,
    .copy = redundant_copy,
};
