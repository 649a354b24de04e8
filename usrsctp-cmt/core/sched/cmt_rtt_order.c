/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_rtt_order.h"

/* Without a measurement: behind all. */
static uint32_t rank(const struct cmt_path_view *p)
{
	return p->srtt_us == 0 ? UINT32_MAX : p->srtt_us;
}

const struct cmt_path_view *cmt_rtt_first(const struct cmt_view *v, bool with_room)
{
	const struct cmt_path_view *first = NULL;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (p->usable && (!with_room || p->room_bytes > 0) &&
		    (first == NULL || rank(p) < rank(first)))
			first = p;
	}
	return first;
}

struct cmt_decision cmt_rtt_send(const struct cmt_view *v, const struct cmt_path_view *path)
{
	if (path == NULL)
		return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
	return (struct cmt_decision){.verdict = CMT_SEND,
	                             .path_id = path->id,
	                             .tsn = cmt_units_first(v->units),
	                             .wake_us = CMT_NEVER_US};
}

uint64_t cmt_rtt_cwnd_pkts(const struct cmt_view *v, const struct cmt_path_view *path)
{
	uint64_t pkts = path->cwnd_bytes / v->packet_bytes;

	return pkts > 0 ? pkts : 1;
}
