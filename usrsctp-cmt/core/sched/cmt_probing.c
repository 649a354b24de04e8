/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_probing.h"

/* Two doubling windows, the first of ten packets (RFC 6928), show the rate; where echoes do not come, data
 * must go on. */
enum { TRIAL_PKTS = 10 + 20 };

/* Data that have begun on a path go on there until something is measured: the first packet's min RTT contains
 * its transmission, that of a HEARTBEAT on another path of the same delay is shorter. */
static bool is_better(const struct cmt_path_view *a, const struct cmt_path_view *b)
{
	if (a->rate_measured != b->rate_measured)
		return a->rate_measured;
	return a->sent_pkts != b->sent_pkts ? a->sent_pkts > b->sent_pkts : a->min_rtt_us < b->min_rtt_us;
}

void cmt_probing_mark(const struct cmt_view *v, struct cmt_ahead_path *paths)
{
	const struct cmt_ahead_path *best = NULL;

	for (unsigned i = 0; i < v->n_paths; i++) {
		if (paths[i].usable && (best == NULL || is_better(paths[i].path, best->path)))
			best = &paths[i];
	}
	for (unsigned i = 0; i < v->n_paths; i++)
		paths[i].probing = v->copies && paths[i].usable && &paths[i] != best &&
		                   !paths[i].path->rate_measured && paths[i].path->sent_pkts < TRIAL_PKTS;
}

uint64_t cmt_probing_ahead(const struct cmt_view *v, struct cmt_ahead_path *paths, unsigned index)
{
	paths[index].arrival_us = (int64_t)v->now_us + paths[index].path->base_us;
	return cmt_ahead_by_arrival(NULL, v, paths, index);
}

struct cmt_decision cmt_probing_copy(const void *st, const struct cmt_view *v)
{
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];

	cmt_ahead_paths(st, v, paths);
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = paths[i].path;
		uint64_t before;
		uint32_t tsn;

		if (paths[i].probing && p->has_copy && p->room_bytes > 0 &&
		    cmt_units_at(v->units, cmt_probing_ahead(v, paths, i), &tsn, &before))
			return (struct cmt_decision){.verdict = CMT_SEND,
			                             .path_id = p->id,
			                             .tsn = p->copy_tsn,
			                             .wake_us = CMT_NEVER_US};
	}
	return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}
