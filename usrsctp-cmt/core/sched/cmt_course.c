/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_course.h"

int64_t cmt_course_delay_us(const struct cmt_ahead_path *p)
{
	return p->path->delay_us + p->path->queue_us + p->packet_us;
}

int64_t cmt_course_turn_us(const struct cmt_course *c, const struct cmt_course_path *p, uint64_t now_us)
{
	int64_t elapsed_us = (int64_t)(now_us - c->made_at_us);
	int64_t sent_us = (int64_t)(p->sent_bytes / c->packet_bytes) * p->packet_us;

	return cmt_max_us(p->delay_us + cmt_max_us(elapsed_us, sent_us),
	                  (int64_t)(p->floor_us - c->made_at_us));
}

int64_t cmt_course_next_us(const struct cmt_course *c, const struct cmt_path_view *path,
                           const struct cmt_view *v)
{
	const struct cmt_course_path *p = &c->paths[path->id];
	int64_t turn_us = cmt_course_turn_us(c, p, v->now_us), wait_us = 0;

	if (!c->learns || path->delay_us == CMT_UNKNOWN_US)
		return turn_us;
	if (path->ready_at_us > v->now_us)
		wait_us = (int64_t)(path->ready_at_us - c->made_at_us);
	return cmt_max_us(turn_us, wait_us + path->delay_us + p->packet_us);
}

static bool changed(int64_t now, int64_t planned, int64_t part)
{
	int64_t change = now - planned;

	return (change < 0 ? -change : change) > planned / part;
}

bool cmt_course_holds(const struct cmt_course *c, const struct cmt_view *v,
                      const struct cmt_ahead_path *paths, const struct cmt_course_limits *limits)
{
	int64_t least = INT64_MAX, most = INT64_MIN;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_course_path *p = &c->paths[v->paths[i].id];
		int64_t arrives;

		if (p->planned != (paths[i].usable && paths[i].has_share))
			return false;
		if (!p->planned)
			continue;
		if ((c->learns && v->paths[i].starting) ||
		    changed(paths[i].interval_us, p->interval_us, limits->rate_part) ||
		    changed(paths[i].packet_us, p->packet_us, limits->rate_part))
			return false;
		arrives = cmt_course_turn_us(c, p, v->now_us) - cmt_course_delay_us(&paths[i]);
		least = cmt_min_us(least, arrives);
		most = cmt_max_us(most, arrives);
	}
	return least == INT64_MAX || most - least <= limits->drift_us;
}

void cmt_course_make(struct cmt_course *c, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                     const int64_t *delays_us)
{
	struct cmt_course old = *c;

	*c = (struct cmt_course){
	    .learns = old.learns, .made_at_us = v->now_us, .packet_bytes = v->packet_bytes};
	for (unsigned i = 0; i < v->n_paths; i++) {
		struct cmt_course_path *p = &c->paths[v->paths[i].id];

		p->floor_us = old.paths[v->paths[i].id].floor_us;
		if (!paths[i].usable || !paths[i].has_share)
			continue;
		p->planned = true;
		p->starting = c->learns && v->paths[i].starting;
		p->delay_us = delays_us[i];
		p->packet_us = p->starting ? (paths[i].packet_us + 1) / 2 : paths[i].packet_us;
		p->interval_us = paths[i].interval_us;
	}
}

uint64_t cmt_course_ahead(const struct cmt_course *c, const struct cmt_view *v, unsigned index)
{
	const struct cmt_course_path *own = &c->paths[v->paths[index].id];
	uint64_t pkts = 0;

	if (!own->planned)
		return UINT64_MAX;
	for (unsigned j = 0; j < v->n_paths; j++) {
		const struct cmt_course_path *other = &c->paths[v->paths[j].id];
		int64_t lead_us;

		if (j == index || !other->planned)
			continue;
		lead_us = cmt_course_next_us(c, &v->paths[index], v) - cmt_course_next_us(c, &v->paths[j], v);
		if (lead_us > 0 || (lead_us == 0 && j < index))
			pkts += (uint64_t)(lead_us / other->interval_us) + 1;
	}
	return pkts * v->packet_bytes;
}

void cmt_course_on_sent(struct cmt_course *c, const struct cmt_sent *e)
{
	struct cmt_course_path *p = &c->paths[e->path_id];

	if (e->retransmission || !p->planned)
		return;
	if (c->learns && !p->starting)
		p->floor_us =
		    c->made_at_us + (uint64_t)(cmt_course_turn_us(c, p, e->now_us) + p->packet_us / 2);
	p->sent_bytes += e->bytes;
}
