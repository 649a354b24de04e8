/* SPDX-License-Identifier: BSD-3-Clause */
#include "pmtud/cmt_plpmtu.h"

#include "util/cmt_time.h"

/* As many large packets as probes of a size have to be lost. */
enum { LOST_PKTS_MAX = CMT_PLPMTU_MAX_PROBES };

static uint32_t round_down(uint32_t bytes)
{
	return bytes - bytes % CMT_PLPMTU_STEP_BYTES;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static uint32_t base_bytes(const struct cmt_plpmtu *p)
{
	return smaller(p->limits.base_bytes, p->limits.max_bytes);
}

static uint32_t min_bytes(const struct cmt_plpmtu *p)
{
	return smaller(p->limits.min_bytes, base_bytes(p));
}

/* What is used when the present size does not pass. */
static uint32_t floor_bytes(const struct cmt_plpmtu *p)
{
	return p->plpmtu_bytes > base_bytes(p) ? base_bytes(p) : min_bytes(p);
}

/* The size to try next; 0 = none. */
static uint32_t candidate(const struct cmt_plpmtu *p)
{
	if (!p->ceiling_failed && (p->state == CMT_PLPMTU_BASE || p->ceiling_bytes > p->plpmtu_bytes))
		return p->ceiling_bytes;
	if (p->state == CMT_PLPMTU_BASE)
		return p->plpmtu_bytes;
	if (p->ceiling_bytes <= p->plpmtu_bytes)
		return 0;
	return p->ceiling_bytes - round_down((p->ceiling_bytes - p->plpmtu_bytes) / 2);
}

static void forget_probe(struct cmt_plpmtu *p)
{
	p->probe_bytes = 0;
	p->lost_probes = 0;
}

/* Something larger may pass, up to `ceiling_bytes`. */
static void search(struct cmt_plpmtu *p, uint32_t ceiling_bytes, uint64_t now_us)
{
	p->ceiling_bytes = ceiling_bytes;
	p->ceiling_failed = false;
	p->at_us = now_us;
	forget_probe(p);
}

/* Nothing is under way: goes on with the search, or ends it. */
static void go_on(struct cmt_plpmtu *p, uint64_t now_us)
{
	bool done = candidate(p) == 0;

	if (p->plpmtu_bytes < base_bytes(p))
		p->state = CMT_PLPMTU_ERROR;
	else if (p->state != CMT_PLPMTU_BASE)
		p->state = done ? CMT_PLPMTU_COMPLETE : CMT_PLPMTU_SEARCHING;
	p->at_us = now_us;
	if (done)
		p->at_us =
		    p->plpmtu_bytes < p->limits.max_bytes ? now_us + CMT_PLPMTU_RAISE_US : CMT_NEVER_US;
}

void cmt_plpmtu_start(struct cmt_plpmtu *p, const struct cmt_plpmtu_limits *limits, uint64_t now_us)
{
	*p = (struct cmt_plpmtu){.state = CMT_PLPMTU_BASE, .limits = *limits};
	p->limits.max_bytes = round_down(limits->max_bytes);
	p->plpmtu_bytes = base_bytes(p);
	search(p, p->limits.max_bytes, now_us);
}

void cmt_plpmtu_stop(struct cmt_plpmtu *p)
{
	p->state = CMT_PLPMTU_DISABLED;
}

void cmt_plpmtu_set_max(struct cmt_plpmtu *p, uint32_t max_bytes, uint64_t now_us)
{
	uint32_t before_bytes = p->limits.max_bytes;

	max_bytes = round_down(max_bytes);
	if (p->state == CMT_PLPMTU_DISABLED || max_bytes == before_bytes)
		return;
	p->limits.max_bytes = max_bytes;
	p->plpmtu_bytes = smaller(p->plpmtu_bytes, max_bytes);
	search(p, max_bytes > before_bytes ? max_bytes : smaller(p->ceiling_bytes, max_bytes), now_us);
	go_on(p, now_us);
}

/* What was used is tried once more. */
static void fall_back(struct cmt_plpmtu *p, uint32_t to_bytes, uint64_t now_us)
{
	uint32_t from_bytes = p->plpmtu_bytes;

	p->plpmtu_bytes = to_bytes;
	p->state = p->plpmtu_bytes < base_bytes(p) ? CMT_PLPMTU_ERROR : CMT_PLPMTU_BASE;
	p->evidence = (struct cmt_plpmtu_evidence){.lost_pkts = 0};
	search(p, from_bytes, now_us);
}

/* No probe of the size passed. */
static void exclude(struct cmt_plpmtu *p, uint32_t bytes)
{
	p->ceiling_failed = true;
	if (bytes > p->plpmtu_bytes) {
		p->ceiling_bytes = bytes - CMT_PLPMTU_STEP_BYTES;
	} else {
		p->state = CMT_PLPMTU_ERROR;
		p->plpmtu_bytes = min_bytes(p);
		p->ceiling_bytes = bytes > p->plpmtu_bytes ? bytes - CMT_PLPMTU_STEP_BYTES : p->plpmtu_bytes;
	}
	forget_probe(p);
}

uint32_t cmt_plpmtu_probe(struct cmt_plpmtu *p, uint64_t now_us, uint64_t timeout_us)
{
	uint32_t bytes;

	if (p->state == CMT_PLPMTU_DISABLED || now_us < p->at_us)
		return 0;
	if (p->probe_bytes != 0 && ++p->lost_probes == CMT_PLPMTU_MAX_PROBES)
		exclude(p, p->probe_bytes);
	else if (p->probe_bytes == 0 && candidate(p) == 0)
		search(p, p->limits.max_bytes, now_us); /* PMTU_RAISE_TIMER */
	go_on(p, now_us);
	bytes = candidate(p);
	if (bytes == 0)
		return 0;
	p->probe_bytes = bytes;
	p->at_us = now_us + timeout_us;
	return bytes;
}

void cmt_plpmtu_on_probe_arrived(struct cmt_plpmtu *p, uint32_t bytes, uint64_t now_us)
{
	bytes = round_down(bytes);
	if (p->state == CMT_PLPMTU_DISABLED || bytes > p->limits.max_bytes || bytes < p->plpmtu_bytes ||
	    (bytes == p->plpmtu_bytes && p->state != CMT_PLPMTU_BASE))
		return;
	p->plpmtu_bytes = bytes;
	if (p->ceiling_bytes < bytes)
		p->ceiling_bytes = bytes;
	p->state = CMT_PLPMTU_SEARCHING;
	p->evidence = (struct cmt_plpmtu_evidence){.lost_pkts = 0};
	forget_probe(p);
	go_on(p, now_us);
}

void cmt_plpmtu_on_path_failed(struct cmt_plpmtu *p)
{
	forget_probe(p);
}

void cmt_plpmtu_on_too_big(struct cmt_plpmtu *p, uint32_t bytes, uint64_t now_us)
{
	bytes = round_down(bytes);
	if (p->state == CMT_PLPMTU_DISABLED || bytes < min_bytes(p))
		return;
	if (bytes < p->plpmtu_bytes)
		fall_back(p, bytes < base_bytes(p) ? min_bytes(p) : base_bytes(p), now_us);
	else if (bytes < p->probe_bytes)
		search(p, bytes, now_us);
}

/* --- black holes --- */

static bool counts(const struct cmt_plpmtu *p, const struct cmt_plpmtu_packet *packet)
{
	return p->state != CMT_PLPMTU_DISABLED && packet->bytes <= p->plpmtu_bytes;
}

static void judge(struct cmt_plpmtu *p, uint64_t now_us)
{
	const struct cmt_plpmtu_evidence *e = &p->evidence;

	if (e->small_arrived_us > e->first_lost_us && (e->lost_pkts >= LOST_PKTS_MAX || e->timed_out))
		fall_back(p, floor_bytes(p), now_us);
}

void cmt_plpmtu_on_arrived(struct cmt_plpmtu *p, const struct cmt_plpmtu_packet *packet, uint64_t now_us)
{
	struct cmt_plpmtu_evidence *e = &p->evidence;

	if (!counts(p, packet))
		return;
	if (packet->bytes <= floor_bytes(p)) {
		if (packet->sent_us > e->small_arrived_us)
			e->small_arrived_us = packet->sent_us;
		judge(p, now_us);
		return;
	}
	if (packet->sent_us > e->large_arrived_us)
		e->large_arrived_us = packet->sent_us;
	if (e->first_lost_us <= e->large_arrived_us) {
		e->lost_pkts = 0;
		e->timed_out = false;
	}
}

void cmt_plpmtu_on_lost(struct cmt_plpmtu *p, const struct cmt_plpmtu_packet *packet, uint64_t now_us)
{
	struct cmt_plpmtu_evidence *e = &p->evidence;

	if (!counts(p, packet) || packet->bytes <= floor_bytes(p) || packet->sent_us <= e->large_arrived_us ||
	    (e->lost_pkts > 0 && packet->number == e->last_lost_number))
		return;
	if (e->lost_pkts == 0 || packet->sent_us < e->first_lost_us)
		e->first_lost_us = packet->sent_us;
	e->last_lost_number = packet->number;
	if (e->lost_pkts < LOST_PKTS_MAX)
		e->lost_pkts++;
	judge(p, now_us);
}

void cmt_plpmtu_on_timeout(struct cmt_plpmtu *p, uint64_t now_us)
{
	p->evidence.timed_out = p->evidence.lost_pkts > 0;
	judge(p, now_us);
}
