/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_growth.h"

static uint64_t pkts_of(const struct cmt_view *v, uint32_t bytes)
{
	return ((uint64_t)bytes + v->packet_bytes - 1) / v->packet_bytes;
}

/* At the link's rate, `most` at most; the first one at once. */
static uint64_t burst(const struct cmt_ahead_path *p, int64_t time_us, uint64_t most)
{
	uint64_t pkts = time_us < 0 ? 0 : (uint64_t)(time_us / p->tx_time_us) + 1;

	return pkts < most ? pkts : most;
}

bool cmt_growth_counts(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	return p->has_share && p->path->rate_measured && p->path->cwnd_bytes < p->path->ssthresh_bytes &&
	       p->interval_us > p->tx_time_us && p->path->cwnd_bytes / v->packet_bytes < p->window_pkts;
}

bool cmt_growth_of_any(const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (cmt_growth_counts(v, &paths[i]))
			return true;
	}
	return false;
}

uint64_t cmt_growth_pkts(const struct cmt_view *v, const struct cmt_ahead_path *p, int64_t lead_us)
{
	const struct cmt_path_view *path = p->path;
	uint64_t flight = pkts_of(v, path->flight_bytes), room = 0;
	int64_t acked_us = (int64_t)path->acked_at_us + path->base_us + p->tx_time_us - p->arrival_us;

	if (path->flight_bytes < path->cwnd_bytes)
		room = pkts_of(v, path->cwnd_bytes - path->flight_bytes);
	acked_us = cmt_max_us(acked_us, (int64_t)room * p->tx_time_us);
	if (lead_us - acked_us >= path->min_rtt_us)
		return burst(p, lead_us, UINT64_MAX);
	return burst(p, lead_us, room) + burst(p, lead_us - acked_us, 2 * flight);
}
