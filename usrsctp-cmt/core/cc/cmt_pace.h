/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_pace.h - when may the next packet of a path leave? Packets follow each other at the rate that
 * congestion control spreads them at, or at the one that the application allows if that is lower.
 *
 * Pure: the caller passes `now_us` from one monotonic clock, never decreasing. */
#ifndef CMT_PACE_H
#define CMT_PACE_H

#include <stdbool.h>
#include <stdint.h>

struct cmt_pace {
	/* What the application allows. Zeroed but for a weight of 100: anything. */
	uint32_t weight_pct; /* of what the path could carry, 1 to 100; 100 = all: no limit */
	uint64_t cap_bps;    /* 0 = none */
	/* Ours. */
	uint64_t best_bps; /* largest rate measured: what the weight is a part of, as it lowers the rate */
	uint64_t at_us;    /* the next packet may leave then; 0 = at once */
	bool limited;      /* it waits for an acknowledgement, not for that time */
};

/* The path's rate as measured; 0 = it is not. */
void cmt_pace_on_rate(struct cmt_pace *p, uint64_t rate_bps);

/* The rate that the application allows, by cap or weight; 0 = any. `settled`: it is known what the path can
 * carry. Until then there is nothing to take a part of: a path that is held back shows no higher rate any
 * more. */
uint64_t cmt_pace_limit_bps(const struct cmt_pace *p, bool settled);

/* A packet that left. */
struct cmt_pace_packet {
	uint64_t now_us;
	uint32_t wire_bytes;
	uint64_t control_bps, limit_bps; /* congestion control's rate and the application's; 0 = none */
	bool limited;                    /* it has filled the window of congestion avoidance */
};

/* Timers may be late: what they cost is made up for, to a limit. What a full window cost is not: a radio link
 * gives SACKs back together, and a window that they open at once would be a queue. Slow start is bursts
 * anyway, which show the rate sooner. */
void cmt_pace_on_sent(struct cmt_pace *p, const struct cmt_pace_packet *packet);

/* When to look again whether a packet may leave; 0 = it may now. */
uint64_t cmt_pace_opens_us(const struct cmt_pace *p, uint64_t now_us);

#endif
