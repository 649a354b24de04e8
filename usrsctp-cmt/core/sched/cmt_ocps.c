/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_ocps.h"

#include "../util/cmt_serial.h"

enum { OFFSET_MAX_PKTS = 1000, TRY_RTTS = 16, TRY_MIN_US = 100000 };

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

void cmt_ocps_init(struct cmt_ocps *o, uint32_t threshold_pkts, bool every_sack)
{
	o->every_sack = every_sack;
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		o->paths[i].offset = (struct cmt_ocps_offset){.a_threshold_pkts = -(int32_t)threshold_pkts,
		                                              .b_threshold_pkts = (int32_t)threshold_pkts};
}

static uint8_t *carrier(struct cmt_ocps *o, uint32_t tsn)
{
	return &o->carrier[tsn % CMT_OCPS_TSNS];
}

/* Which of both arrives says nothing about the order of paths. That the first one was still out does. */
static void on_sent_again(struct cmt_ocps *o, uint32_t tsn)
{
	uint8_t *c = carrier(o, tsn);
	struct cmt_ocps_path *p = *c == 0 ? NULL : &o->paths[*c - 1];

	if (p != NULL && p->out && (!p->again || cmt_serial_gt(p->again_tsn, tsn))) {
		p->again_tsn = tsn;
		p->again = true;
	}
	*c = 0;
}

void cmt_ocps_on_sent(struct cmt_ocps *o, const struct cmt_sent *e)
{
	struct cmt_ocps_path *p = &o->paths[e->path_id];

	if (e->retransmission) {
		on_sent_again(o, e->first_tsn);
		return;
	}
	*carrier(o, e->first_tsn) = (uint8_t)(e->path_id + 1);
	p->kept_us = e->now_us;
	p->tried = true;
	if (!p->out || cmt_serial_gt(p->oldest_tsn, e->first_tsn))
		p->oldest_tsn = e->first_tsn;
	if (!p->out || cmt_serial_gt(e->first_tsn, p->newest_tsn))
		p->newest_tsn = e->first_tsn;
	p->out = true;
}

/* Moves to the path's oldest packet above `tsn` that is out; those up to it have arrived, or were overtaken.
 * The distance is walked once in the life of a packet. */
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

/* What is out from before the last two rounds was given up: no loss and no acknowledgement will tell. */
static void clear(struct cmt_ocps *o, uint8_t path_id, uint32_t tsn)
{
	struct cmt_ocps_path *p = &o->paths[path_id];

	*carrier(o, tsn) = 0;
	if (p->waiting && !cmt_serial_ge(tsn, p->end_tsn))
		return;
	if (p->waiting)
		sweep(o, path_id, p->start_tsn);
	p->start_tsn = p->waiting ? p->end_tsn : p->oldest_tsn - 1;
	p->end_tsn = p->newest_tsn;
	p->waiting = true;
}

void cmt_ocps_on_acked(struct cmt_ocps *o, const struct cmt_acked *e)
{
	struct cmt_ocps_path *p = &o->paths[e->path_id];

	if (!p->out || *carrier(o, e->tsn) != e->path_id + 1 || cmt_serial_gt(p->oldest_tsn, e->tsn))
		return;
	if (o->every_sack)
		clear(o, e->path_id, e->tsn);
	else
		sweep(o, e->path_id, e->tsn);
	if (!p->acked || cmt_serial_gt(e->tsn, p->acked_tsn))
		p->acked_tsn = e->tsn;
	p->acked = true;
}

/* What is out belongs to no round. */
static void start_afresh(struct cmt_ocps_path *p)
{
	p->waiting = p->out;
	p->start_tsn = p->newest_tsn;
	p->judged = p->early = p->late = 0;
}

void cmt_ocps_on_lost(struct cmt_ocps *o, const struct cmt_lost *e)
{
	if (*carrier(o, e->tsn) == e->path_id + 1)
		*carrier(o, e->tsn) = 0;
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++) {
		if (i != e->path_id && !o->every_sack)
			start_afresh(&o->paths[i]);
	}
}

/* An offset that may no longer hold is tried with one packet. */
static void try_anew(struct cmt_ocps_path *p)
{
	p->trying = p->offset.a_pkts != 0 || p->offset.b_pkts != 0;
	p->tried = false;
	p->said = CMT_OCPS_IN_TIME;
	start_afresh(p);
}

void cmt_ocps_on_path(struct cmt_ocps *o, uint8_t path_id, bool usable)
{
	struct cmt_ocps_path *p = &o->paths[path_id];

	(void)usable;
	p->out = p->acked = p->again = p->heard = p->waiting = false;
	if (!o->every_sack)
		try_anew(p);
}

/* The round is over: the offset moves when the one before said the same, or is cleared. What is out under
 * the old one does not count. */
static void end_round(struct cmt_ocps_path *p)
{
	enum cmt_ocps_said before = p->said;

	p->said = 2 * p->early > p->judged  ? CMT_OCPS_TOO_LARGE
	          : 2 * p->late > p->judged ? CMT_OCPS_TOO_SMALL
	                                    : CMT_OCPS_IN_TIME;
	start_afresh(p);
	if (p->said == CMT_OCPS_TOO_LARGE && (before == p->said || p->offset.b_pkts > 0)) {
		cmt_ocps_too_large(&p->offset);
	} else if (p->said == CMT_OCPS_TOO_SMALL && (before == p->said || p->offset.a_pkts < 0)) {
		cmt_ocps_too_small(&p->offset);
	} else {
		p->waiting = false;
	}
}

/* A packet had to be sent again on another path, whatever offset it had. */
static void miss(struct cmt_ocps_path *p)
{
	p->offset.a_pkts = 0;
	cmt_ocps_too_small(&p->offset);
	p->trying = p->tried = true;
	p->said = CMT_OCPS_IN_TIME;
	start_afresh(p);
}

static void count(struct cmt_ocps_path *p, bool early, bool late)
{
	if (p->waiting && !cmt_serial_gt(p->acked_tsn, p->start_tsn))
		return;
	p->waiting = false;
	if (p->trying && early)
		p->offset.b_pkts = 0;
	p->trying = false;
	if (p->judged == 0)
		p->end_tsn = p->out ? p->newest_tsn : p->acked_tsn;
	p->judged++;
	p->early += early ? 1 : 0;
	p->late += late && !early ? 1 : 0;
	if (cmt_serial_ge(p->acked_tsn, p->end_tsn))
		end_round(p);
}

static void forget(struct cmt_ocps_path *p)
{
	p->offset.a_pkts = p->offset.b_pkts = 0;
	try_anew(p);
}

/* Path k's packets, just acknowledged or sent again: how do they arrive among those of faster paths? */
static void judge(struct cmt_ocps *o, const struct cmt_view *v, const struct cmt_path_view *k)
{
	struct cmt_ocps_path *pk = &o->paths[k->id];
	bool slave = false, early = cmt_serial_gt(pk->acked_tsn, cmt_units_first(v->units));
	bool late = false, overdue = false;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_ocps_path *pl = &o->paths[v->paths[i].id];

		if (v->paths[i].min_rtt_us >= k->min_rtt_us)
			continue;
		slave = true;
		early = early || (pl->out && cmt_serial_gt(pk->acked_tsn, pl->oldest_tsn));
		late = late || (pl->heard && cmt_serial_gt(pl->highest_tsn, pk->acked_tsn));
		overdue = overdue || (pl->heard && cmt_serial_gt(pl->highest_tsn, pk->again_tsn));
	}
	if (!slave)
		forget(pk);
	else if (pk->again && overdue)
		miss(pk);
	else if (pk->acked)
		count(pk, early, late);
}

/* Nothing was sent for long: half of the offset is tried. */
static void age(struct cmt_ocps_path *p, const struct cmt_path_view *path, uint64_t now_us)
{
	uint64_t patience_us = (uint64_t)TRY_RTTS * path->min_rtt_us;

	if (now_us - p->kept_us <= (patience_us > TRY_MIN_US ? patience_us : TRY_MIN_US))
		return;
	p->kept_us = now_us;
	p->offset.a_pkts /= 2;
	p->offset.b_pkts /= 2;
	try_anew(p);
}

static bool has_hole(const struct cmt_ocps_path *p, uint32_t highest_tsn)
{
	return p->out && cmt_serial_gt(highest_tsn, p->oldest_tsn);
}

/* Algorithm 1: a SACK of path k came, and the peer has TSNs up to highest_tsn. */
static void at_sack(struct cmt_ocps *o, const struct cmt_view *v, const struct cmt_path_view *k,
                    uint32_t highest_tsn)
{
	bool of_slave = cmt_serial_gt(highest_tsn, cmt_units_first(v->units)), of_master = false;
	bool slave = false;

	if (has_hole(&o->paths[k->id], o->paths[k->id].acked_tsn))
		return;
	for (unsigned i = 0; i < v->n_paths; i++) {
		bool hole = has_hole(&o->paths[v->paths[i].id], highest_tsn);

		slave = slave || v->paths[i].min_rtt_us < k->min_rtt_us;
		of_slave = of_slave || (hole && v->paths[i].min_rtt_us < k->min_rtt_us);
		of_master = of_master || (hole && v->paths[i].min_rtt_us > k->min_rtt_us);
	}
	if (slave && of_slave)
		cmt_ocps_too_large(&o->paths[k->id].offset);
	for (unsigned i = 0; i < v->n_paths && of_master; i++) {
		if (v->paths[i].min_rtt_us > k->min_rtt_us)
			cmt_ocps_too_small(&o->paths[v->paths[i].id].offset);
	}
}

static void note_highest(uint32_t *highest_tsn, bool *heard, uint32_t tsn)
{
	if (!*heard || cmt_serial_gt(tsn, *highest_tsn))
		*highest_tsn = tsn;
	*heard = true;
}

static void at_every_sack(struct cmt_ocps *o, const struct cmt_view *v)
{
	uint32_t highest_tsn = 0;
	bool heard = false;

	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++) {
		struct cmt_ocps_path *p = &o->paths[i];

		if (p->out)
			sweep(o, (uint8_t)i, p->oldest_tsn - 1);
		if (p->heard)
			note_highest(&highest_tsn, &heard, p->highest_tsn);
		if (p->acked)
			note_highest(&highest_tsn, &heard, p->acked_tsn);
	}
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (o->paths[v->paths[i].id].acked)
			at_sack(o, v, &v->paths[i], highest_tsn);
	}
}

static void at_rounds(struct cmt_ocps *o, const struct cmt_view *v)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		struct cmt_ocps_path *p = &o->paths[v->paths[i].id];

		age(p, &v->paths[i], v->now_us);
		if (p->acked || p->again)
			judge(o, v, &v->paths[i]);
		p->again = false;
	}
}

void cmt_ocps_plan(struct cmt_ocps *o, const struct cmt_view *v)
{
	if (o->every_sack)
		at_every_sack(o, v);
	else
		at_rounds(o, v);
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++) {
		struct cmt_ocps_path *p = &o->paths[i];

		if (p->acked)
			note_highest(&p->highest_tsn, &p->heard, p->acked_tsn);
		p->acked = false;
	}
}

uint64_t cmt_ocps_correct(const struct cmt_ocps *o, const struct cmt_view *v, uint8_t path_id,
                          uint64_t ahead_bytes)
{
	const struct cmt_ocps_offset *offset = &o->paths[path_id].offset;
	uint64_t less_bytes = (uint64_t)-offset->a_pkts * v->packet_bytes;

	if (ahead_bytes == UINT64_MAX || (o->paths[path_id].trying && o->paths[path_id].tried))
		return UINT64_MAX;
	ahead_bytes += (uint64_t)offset->b_pkts * v->packet_bytes;
	return ahead_bytes > less_bytes ? ahead_bytes - less_bytes : 0;
}
