/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_ocps.h"

#include "../util/cmt_serial.h"

enum { OFFSET_MAX_PKTS = 1000, FORGET_LOOPS = 4, FORGET_MIN_US = 100000 };

/* The magnitude that follows `pkts`. */
static int32_t step(int32_t pkts, int32_t threshold_pkts)
{
	if (pkts == 0)
		return 1;
	if (pkts >= threshold_pkts)
		return pkts < OFFSET_MAX_PKTS ? pkts + 1 : OFFSET_MAX_PKTS;
	return 2 * pkts < threshold_pkts ? 2 * pkts : threshold_pkts;
}

void cmt_ocps_too_large(struct cmt_ocps_offset *offset)
{
	if (offset->b_pkts > 0) {
		offset->b_threshold_pkts = offset->b_pkts / 2;
		offset->b_pkts = 0;
	} else {
		offset->a_pkts = -step(-offset->a_pkts, -offset->a_threshold_pkts);
	}
}

void cmt_ocps_too_small(struct cmt_ocps_offset *offset)
{
	if (offset->a_pkts < 0) {
		offset->a_threshold_pkts = offset->a_pkts / 2;
		offset->a_pkts = 0;
	} else {
		offset->b_pkts = step(offset->b_pkts, offset->b_threshold_pkts);
	}
}

void cmt_ocps_init(struct cmt_ocps *o, uint32_t threshold_pkts)
{
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		o->paths[i].offset = (struct cmt_ocps_offset){.a_threshold_pkts = -(int32_t)threshold_pkts,
		                                              .b_threshold_pkts = (int32_t)threshold_pkts};
}

static uint8_t *carrier(struct cmt_ocps *o, uint32_t tsn)
{
	return &o->carrier[tsn % CMT_OCPS_TSNS];
}

void cmt_ocps_on_sent(struct cmt_ocps *o, const struct cmt_sent *e)
{
	struct cmt_ocps_path *p = &o->paths[e->path_id];

	if (e->retransmission) {
		/* Which of both arrives says nothing about the order of paths. */
		*carrier(o, e->first_tsn) = 0;
		return;
	}
	*carrier(o, e->first_tsn) = (uint8_t)(e->path_id + 1);
	p->sent_us = e->now_us;
	if (!p->out || cmt_serial_gt(p->oldest_tsn, e->first_tsn))
		p->oldest_tsn = e->first_tsn;
	if (!p->out || cmt_serial_gt(e->first_tsn, p->newest_tsn))
		p->newest_tsn = e->first_tsn;
	p->out = true;
}

/* Packets of the path up to `tsn` have arrived, or were overtaken. The distance is walked once in the life of
 * a packet. */
static void sweep(struct cmt_ocps *o, uint8_t path_id, uint32_t tsn)
{
	struct cmt_ocps_path *p = &o->paths[path_id];
	uint32_t left = CMT_OCPS_TSNS;

	for (; left > 0 && cmt_serial_ge(p->newest_tsn, p->oldest_tsn); p->oldest_tsn++, left--) {
		uint8_t *c = carrier(o, p->oldest_tsn);

		if (*c != path_id + 1)
			continue;
		if (cmt_serial_gt(p->oldest_tsn, tsn))
			return;
		*c = 0;
	}
	p->out = false;
}

void cmt_ocps_on_acked(struct cmt_ocps *o, const struct cmt_acked *e)
{
	struct cmt_ocps_path *p = &o->paths[e->path_id];

	if (!p->out || *carrier(o, e->tsn) != e->path_id + 1 || cmt_serial_gt(p->oldest_tsn, e->tsn))
		return;
	sweep(o, e->path_id, e->tsn);
	if (!p->acked || cmt_serial_gt(e->tsn, p->acked_tsn))
		p->acked_tsn = e->tsn;
	p->acked = true;
}

void cmt_ocps_on_path(struct cmt_ocps *o, uint8_t path_id, bool usable)
{
	(void)usable;
	o->paths[path_id].out = false;
	o->paths[path_id].acked = false;
	o->paths[path_id].offset.a_pkts = o->paths[path_id].offset.b_pkts = 0;
}

/* Whether the packet with this TSN was sent under the present offset. */
static bool is_new(const struct cmt_ocps_path *p, uint32_t tsn)
{
	return !p->changed || cmt_serial_gt(tsn, p->changed_tsn);
}

static void move(struct cmt_ocps_path *p, void (*how)(struct cmt_ocps_offset *), uint32_t evidence_tsn)
{
	if (!is_new(p, evidence_tsn))
		return;
	how(&p->offset);
	p->changed_tsn = p->out && cmt_serial_gt(p->newest_tsn, evidence_tsn) ? p->newest_tsn : evidence_tsn;
	p->changed = true;
}

/* What the arrival of `k`'s packet before others says. */
static void judge(struct cmt_ocps *o, const struct cmt_view *v, const struct cmt_path_view *k)
{
	struct cmt_ocps_path *pk = &o->paths[k->id];
	bool too_large = cmt_serial_gt(pk->acked_tsn, cmt_units_first(v->units));

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *l = &v->paths[i];
		struct cmt_ocps_path *pl = &o->paths[l->id];

		if (l == k || !pl->out || !cmt_serial_gt(pk->acked_tsn, pl->oldest_tsn))
			continue;
		if (l->loop_us < k->loop_us)
			too_large = true;
		else if (l->loop_us > k->loop_us)
			move(pl, cmt_ocps_too_small, pl->oldest_tsn);
	}
	if (too_large)
		move(pk, cmt_ocps_too_large, pk->acked_tsn);
}

void cmt_ocps_plan(struct cmt_ocps *o, const struct cmt_view *v)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *path = &v->paths[i];
		struct cmt_ocps_path *p = &o->paths[path->id];
		uint64_t patience_us = (uint64_t)FORGET_LOOPS * path->loop_us;

		if (v->now_us - p->sent_us > (patience_us > FORGET_MIN_US ? patience_us : FORGET_MIN_US))
			p->offset.a_pkts = p->offset.b_pkts = 0;
		if (p->acked)
			judge(o, v, path);
	}
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		o->paths[i].acked = false;
}

uint64_t cmt_ocps_correct(const struct cmt_ocps *o, const struct cmt_view *v, uint8_t path_id,
                          uint64_t ahead_bytes)
{
	const struct cmt_ocps_offset *offset = &o->paths[path_id].offset;
	uint64_t less_bytes = (uint64_t)-offset->a_pkts * v->packet_bytes;

	if (ahead_bytes == UINT64_MAX)
		return ahead_bytes;
	ahead_bytes += (uint64_t)offset->b_pkts * v->packet_bytes;
	return ahead_bytes > less_bytes ? ahead_bytes - less_bytes : 0;
}
