/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_lcm.h - the plan of delay aware scheduling (Sarwar et al. 2013, section II-B: Eq. 3 and 4, Algorithms 1
 * to 3).
 *
 * Pure. Path i emits a burst of C_i packets every D_i, its forward delay, from when the plan begins; a burst
 * is there D_i later. After lcm(D_i) all paths are where they began. In such a cycle path i emits m_i bursts
 * and K_i packets, and all paths N:
 *
 *     m_i = lcm / D_i      K_i = m_i C_i      N = sum K_i                            Eq. 3, 4
 *
 * O is the paths in the order in which their bursts arrive, of those at the same time that of the shorter
 * delay first (Algorithm 1). Numbered in that order, burst k of path i begins with packet SEQ_i[k] (Algorithm
 * 2); it leaves at k D_i (Algorithm 3).
 *
 * Measured delays have no small multiple, so it is bounded (erratum 7, docs/adr/0003): a cycle is the
 * shortest multiple of the longest delay that has m_i and K_i whole to within 1/64, else the one that comes
 * closest, of those with at most 64 bursts per path. Delays that have a multiple so small keep it. Where C_i
 * = K_i / m_i is no whole number, bursts differ by one packet. */
#ifndef CMT_LCM_H
#define CMT_LCM_H

#include "../cmt_sched.h"

#define CMT_LCM_BURSTS_MAX  64
#define CMT_LCM_TIME_MAX_US (INT64_C(1) << 26)  /* longer delays and intervals are taken for that */
#define CMT_LCM_PKTS_MAX    (UINT32_C(1) << 24) /* of a path in a cycle: more are taken for that */

struct cmt_lcm_path {
	int64_t delay_us;    /* D_i, quantised by the caller; > 0 */
	int64_t interval_us; /* D_i / C_i: between packets on average; > 0 */
};

struct cmt_lcm_part {
	uint8_t bursts;                   /* m_i */
	uint32_t pkts;                    /* K_i; >= 1 */
	uint32_t seq[CMT_LCM_BURSTS_MAX]; /* SEQ_i, from 0 */
};

struct cmt_lcm_plan {
	unsigned n_paths;
	uint32_t packet_bytes;
	int64_t cycle_us;                               /* lcm */
	uint32_t pkts;                                  /* N */
	struct cmt_lcm_part parts[CMT_SCHED_MAX_PATHS]; /* in the order of the paths given */
	unsigned n_order;
	uint8_t order[CMT_SCHED_MAX_PATHS * CMT_LCM_BURSTS_MAX]; /* O: places of paths */
};

/* Where a path is. */
struct cmt_lcm_turn {
	uint64_t burst;      /* that it sends: counted from the plan's beginning, through all cycles */
	uint64_t sent_bytes; /* of it */
};

/* 1 .. CMT_SCHED_MAX_PATHS paths in any order, packets of `packet_bytes`. */
void cmt_lcm_plan(struct cmt_lcm_plan *out, const struct cmt_lcm_path *paths, unsigned n_paths,
                  uint32_t packet_bytes);

/* The turn of path i `elapsed_us` after the plan's beginning: what it has not sent of a burst when the next
 * one is due is none of its any more. */
struct cmt_lcm_turn cmt_lcm_turn_at(const struct cmt_lcm_plan *plan, unsigned i, struct cmt_lcm_turn last,
                                    uint64_t elapsed_us);

/* The turn after so many bytes: the next burst, due or not, when less than half a packet is left of this one.
 */
struct cmt_lcm_turn cmt_lcm_after(const struct cmt_lcm_plan *plan, unsigned i, struct cmt_lcm_turn turn,
                                  uint32_t bytes);

/* Whether path i has sent the burst that is due and the one behind it: C_i is more than was planned. */
bool cmt_lcm_is_outrun(const struct cmt_lcm_plan *plan, unsigned i, struct cmt_lcm_turn turn,
                       uint64_t elapsed_us);

/* Bytes that the other paths have yet to send of what comes before the burst of path i. `turns`: of all. */
uint64_t cmt_lcm_ahead_bytes(const struct cmt_lcm_plan *plan, const struct cmt_lcm_turn *turns, unsigned i);

#endif
