/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_sched.h"

#include <errno.h>
#include <string.h>

#include "util/cmt_serial.h"

extern const struct cmt_sched_ops cmt_sched_arrival, cmt_sched_auto, cmt_sched_lcm, cmt_sched_osia,
    cmt_sched_bulk, cmt_sched_fps, cmt_sched_f2p, cmt_sched_fps_ocps, cmt_sched_f2p_ocps, cmt_sched_minrtt,
    cmt_sched_blest, cmt_sched_ecf, cmt_sched_redundant, cmt_sched_flow, cmt_sched_cwnd, cmt_sched_rr;

static const struct cmt_sched_ops *const builtins[] = {
    &cmt_sched_arrival,   &cmt_sched_auto,   &cmt_sched_lcm,   &cmt_sched_osia,
    &cmt_sched_bulk,      &cmt_sched_fps,    &cmt_sched_f2p,   &cmt_sched_fps_ocps,
    &cmt_sched_f2p_ocps,  &cmt_sched_minrtt, &cmt_sched_blest, &cmt_sched_ecf,
    &cmt_sched_redundant, &cmt_sched_flow,   &cmt_sched_cwnd,  &cmt_sched_rr,
};

enum { NAME_MAX_CHARS = 31 };

const struct cmt_sched_ops *cmt_sched_builtin(size_t i)
{
	return i < sizeof(builtins) / sizeof(builtins[0]) ? builtins[i] : NULL;
}

int cmt_sched_check_ops(const struct cmt_sched_ops *ops)
{
	size_t length;

	if (ops == NULL || ops->size != CMT_SCHED_CONTRACT_BYTES || ops->name == NULL || ops->next == NULL ||
	    ops->state_bytes > CMT_SCHED_STATE_MAX ||
	    (ops->window_tsns > 0 && ops->window_tsns < CMT_SCHED_WINDOW_MIN_TSNS))
		return -EINVAL;
	length = strspn(ops->name, "abcdefghijklmnopqrstuvwxyz0123456789+-_");
	return length > 0 && length <= NAME_MAX_CHARS && ops->name[length] == '\0' ? 0 : -EINVAL;
}

bool cmt_sched_window_ahead(const struct cmt_view *v)
{
	return v->peer_rwnd_bytes >= v->window_packet_bytes + v->window_reserve_bytes;
}

/* The path of the decision if it is usable and has room, else NULL. */
static const struct cmt_path_view *open_path(const struct cmt_view *v, const struct cmt_decision *d)
{
	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];

		if (p->id == d->path_id)
			return p->usable && p->room_bytes > 0 ? p : NULL;
	}
	return NULL;
}

bool cmt_sched_legal(const struct cmt_view *v, const struct cmt_decision *d)
{
	switch (d->verdict) {
	case CMT_WAIT: return true;
	case CMT_SEND: break;
	}
	if (open_path(v, d) == NULL || !cmt_units_has(v->units, d->tsn))
		return false;
	if (d->tsn == cmt_units_first(v->units))
		return true;
	return cmt_serial_ge(v->limit_tsn, d->tsn) && cmt_sched_window_ahead(v);
}

bool cmt_sched_copy_legal(const struct cmt_view *v, const struct cmt_decision *d)
{
	const struct cmt_path_view *p;

	switch (d->verdict) {
	case CMT_WAIT: return true;
	case CMT_SEND: break;
	}
	p = open_path(v, d);
	return p != NULL && p->has_copy && p->copy_tsn == d->tsn;
}

bool cmt_sched_stalls(const struct cmt_view *v, const struct cmt_decision *d)
{
	return d->verdict == CMT_WAIT && v->total_flight_bytes == 0 && d->wake_us == CMT_NEVER_US;
}

/* Which paths count, and from when on. */
enum openness { WHATEVER_ROOM, WITH_ROOM, WHEN_READY };

static bool counts(const struct cmt_path_view *p, enum openness openness)
{
	return p->usable && (openness != WITH_ROOM || p->room_bytes > 0);
}

/* How long ago the congestion window should have opened. */
static int64_t overdue_us(const struct cmt_view *v, const struct cmt_path_view *p)
{
	return p->flight_bytes >= p->cwnd_bytes && v->now_us > p->ready_at_us
	           ? (int64_t)(v->now_us - p->ready_at_us)
	           : 0;
}

/* What is overdue is believed to take as long again: jitter is waited out, and a dead path for no longer than
 * the other one takes. */
static int64_t arrival_us(const struct cmt_view *v, const struct cmt_path_view *p, enum openness openness)
{
	int64_t start_us = p->start_us;

	if (openness == WHEN_READY && p->room_bytes == 0)
		start_us = cmt_max_us(start_us, (int64_t)p->ready_at_us + p->base_us) + overdue_us(v, p);
	return start_us + (p->rate_bps > 0 ? cmt_transmission_us(v->wire_bytes, p->rate_bps) : 0);
}

static int first_arrival(const struct cmt_view *v, enum openness openness)
{
	const struct cmt_path_view *best = NULL;

	for (unsigned i = 0; i < v->n_paths; i++) {
		const struct cmt_path_view *p = &v->paths[i];
		bool better;

		if (!counts(p, openness))
			continue;
		if (best == NULL)
			better = true;
		else if (p->start_us == CMT_UNKNOWN_US || best->start_us == CMT_UNKNOWN_US)
			better = p->start_us == best->start_us ? p->srtt_us < best->srtt_us
			                                       : p->start_us != CMT_UNKNOWN_US;
		else
			better = arrival_us(v, p, openness) < arrival_us(v, best, openness);
		if (better)
			best = p;
	}
	return best == NULL ? -1 : best->id;
}

int cmt_sched_first_arrival(const struct cmt_view *v, bool with_room)
{
	return first_arrival(v, with_room ? WITH_ROOM : WHATEVER_ROOM);
}

int cmt_sched_first_when_ready(const struct cmt_view *v)
{
	return first_arrival(v, WHEN_READY);
}

void cmt_sched_go_behind(struct cmt_path_view *p, uint64_t waiting_bytes)
{
	int64_t later_us = p->rate_bps > 0 ? cmt_transmission_us(waiting_bytes, p->rate_bps) : 0;

	p->ready_at_us += (uint64_t)later_us;
	if (p->start_us != CMT_UNKNOWN_US)
		p->start_us += later_us;
}
