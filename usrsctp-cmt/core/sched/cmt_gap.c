/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_gap.h"

#include "../util/cmt_serial.h"

bool cmt_gap_is_unsent(const struct cmt_gap *g)
{
	return g->unsent_tsn == g->lowest_tsn && cmt_serial_gt(g->highest_tsn, g->unsent_tsn);
}

bool cmt_gap_is_refused(const struct cmt_gap *g, uint32_t lost_tsn, uint32_t transmissions)
{
	return cmt_serial_gt(lost_tsn, g->highest_tsn) && transmissions > 1;
}

bool cmt_gap_has_no_room(const struct cmt_gap *g)
{
	return g->a_rwnd_bytes < g->packet_bytes;
}

bool cmt_gap_goes_first(const struct cmt_gap *g)
{
	if (cmt_gap_is_unsent(g))
		return g->window_bytes < g->packet_bytes || g->refuses;
	return cmt_gap_has_no_room(g) && !g->resends_lowest && g->flight_bytes < g->unsent_bytes;
}

struct cmt_decision cmt_gap_decide(const struct cmt_view *v)
{
	int path = cmt_sched_first_when_ready(v);
	struct cmt_decision d = {
	    .verdict = CMT_SEND, .path_id = (uint8_t)path, .tsn = cmt_units_first(v->units)};

	return path >= 0 && cmt_sched_legal(v, &d)
	           ? d
	           : (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}

bool cmt_gap_window_is_open(const struct cmt_view *v, bool goes_first)
{
	return goes_first || v->total_flight_bytes == 0 || v->peer_rwnd_bytes >= v->window_unit_bytes;
}
