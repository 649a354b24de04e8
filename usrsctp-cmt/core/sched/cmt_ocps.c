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

static void forget(struct cmt_ocps_path *p)
{
	p->offset.a_pkts = p->offset.b_pkts = 0;
	p->judged = p->early = p->late = 0;
	p->waiting = false;
}

void cmt_ocps_on_path(struct cmt_ocps *o, uint8_t path_id, bool usable)
{
	struct cmt_ocps_path *p = &o->paths[path_id];

	(void)usable;
	p->out = p->acked = p->heard = false;
	forget(p);
}

/* The round is over: its majority moves the offset, and what is out under the old one does not count. */
static void end_round(struct cmt_ocps_path *p)
{
	bool too_large = 2 * p->early > p->judged, too_small = 2 * p->late > p->judged;

	if (too_large)
		cmt_ocps_too_large(&p->offset);
	else if (too_small)
		cmt_ocps_too_small(&p->offset);
	p->waiting = (too_large || too_small) && p->out;
	p->start_tsn = p->newest_tsn;
	p->judged = p->early = p->late = 0;
}

static void count(struct cmt_ocps_path *p, bool early, bool late)
{
	if (p->waiting && !cmt_serial_gt(p->acked_tsn, p->start_tsn))
		return;
	p->waiting = false;
	if (p->judged == 0)
		p->end_tsn = p->out ? p->newest_tsn : p->acked_tsn;
	p->judged++;
	p->early += early ? 1 : 0;
	p->late += late && !early ? 1 : 0;
	if (cmt_serial_ge(p->acked_tsn, p->end_tsn))
		end_round(p);
}

/* Path k's packet, just acknowledged: how did it arrive among those of faster paths? */
static void judge(struct cmt_ocps *o, const struct cmt_view *v, const struct cmt_path_view *k)
{
	struct cmt_ocps_path *pk = &o->paths[k->id];
	bool slave = false, early = cmt_serial_gt(pk->acked_tsn, cmt_units_first(v->units)), late = false;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_ocps_path *pl = &o->paths[v->paths[i].id];

		if (v->paths[i].loop_us >= k->loop_us)
			continue;
		slave = true;
		early = early || (pl->out && cmt_serial_gt(pk->acked_tsn, pl->oldest_tsn));
		late = late || (pl->heard && cmt_serial_gt(pl->highest_tsn, pk->acked_tsn));
	}
	if (slave)
		count(pk, early, late);
}

void cmt_ocps_plan(struct cmt_ocps *o, const struct cmt_view *v)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *path = &v->paths[i];
		struct cmt_ocps_path *p = &o->paths[path->id];
		uint64_t patience_us = (uint64_t)FORGET_LOOPS * path->loop_us;

		if (v->now_us - p->sent_us > (patience_us > FORGET_MIN_US ? patience_us : FORGET_MIN_US))
			forget(p);
		if (p->acked)
			judge(o, v, path);
	}
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++) {
		struct cmt_ocps_path *p = &o->paths[i];

		if (p->acked && (!p->heard || cmt_serial_gt(p->acked_tsn, p->highest_tsn)))
			p->highest_tsn = p->acked_tsn;
		p->heard = p->heard || p->acked;
		p->acked = false;
	}
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
