/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_arrival_plan.h"

int64_t cmt_arrival_plan_delay_us(const struct cmt_view *v, const struct cmt_ahead_path *p)
{
	int64_t queue_us = p->path->start_us - (int64_t)v->now_us - p->path->base_us;

	return p->path->delay_us + queue_us + p->tx_time_us;
}

int64_t cmt_arrival_plan_next_us(const struct cmt_arrival_plan *c, const struct cmt_arrival_plan_path *p,
                                 uint64_t now_us)
{
	int64_t elapsed_us = (int64_t)(now_us - c->made_at_us);
	int64_t sent_us = (int64_t)(p->sent_bytes / c->packet_bytes) * p->tx_time_us;

	return p->delay_us + cmt_max_us(elapsed_us, sent_us);
}

static bool changed(int64_t now, int64_t planned, int64_t part)
{
	int64_t change = now - planned;

	return (change < 0 ? -change : change) > planned / part;
}

bool cmt_arrival_plan_holds(const struct cmt_arrival_plan *c, const struct cmt_view *v,
                            const struct cmt_ahead_path *paths, const struct cmt_arrival_plan_limits *limits)
{
	int64_t least = INT64_MAX, most = INT64_MIN;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_arrival_plan_path *p = &c->paths[v->paths[i].id];
		int64_t arrives;

		if (p->planned != (paths[i].usable && paths[i].has_share))
			return false;
		if (!p->planned)
			continue;
		if (changed(paths[i].interval_us, p->interval_us, limits->rate_part) ||
		    changed(paths[i].tx_time_us, p->tx_time_us, limits->rate_part))
			return false;
		arrives = cmt_arrival_plan_next_us(c, p, v->now_us) - cmt_arrival_plan_delay_us(v, &paths[i]);
		least = cmt_min_us(least, arrives);
		most = cmt_max_us(most, arrives);
	}
	return least == INT64_MAX || most - least <= limits->drift_us;
}

void cmt_arrival_plan_make(struct cmt_arrival_plan *c, const struct cmt_view *v,
                           const struct cmt_ahead_path *paths, const int64_t *delays_us)
{
	*c = (struct cmt_arrival_plan){.made_at_us = v->now_us, .packet_bytes = v->packet_bytes};
	for (unsigned i = 0; i < v->n_paths; i++) {
		struct cmt_arrival_plan_path *p = &c->paths[v->paths[i].id];

		if (!paths[i].usable || !paths[i].has_share)
			continue;
		p->planned = true;
		p->delay_us = delays_us[i];
		p->tx_time_us = paths[i].tx_time_us;
		p->interval_us = paths[i].interval_us;
	}
}

uint64_t cmt_arrival_plan_ahead(const struct cmt_arrival_plan *c, const struct cmt_view *v, unsigned index)
{
	const struct cmt_arrival_plan_path *own = &c->paths[v->paths[index].id];
	uint64_t pkts = 0;

	if (!own->planned)
		return UINT64_MAX;
	for (unsigned j = 0; j < v->n_paths; j++) {
		const struct cmt_arrival_plan_path *other = &c->paths[v->paths[j].id];
		int64_t lead_us;

		if (j == index || !other->planned)
			continue;
		lead_us = cmt_arrival_plan_next_us(c, own, v->now_us) -
		          cmt_arrival_plan_next_us(c, other, v->now_us);
		if (lead_us > 0 || (lead_us == 0 && j < index))
			pkts += (uint64_t)(lead_us / other->interval_us) + 1;
	}
	return pkts * v->packet_bytes;
}

void cmt_arrival_plan_on_sent(struct cmt_arrival_plan *c, const struct cmt_sent *e)
{
	struct cmt_arrival_plan_path *p = &c->paths[e->path_id];

	if (e->retransmission || e->copy || !p->planned)
		return;
	p->sent_bytes += e->bytes;
}
