/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_bulk.h - the plan of one bulk per path and step (Yabandeh et al., "Reducing Buffer Space in Multipath
 * Schemes", section III). Pure.
 *
 * Paths are numbered by delay, d_1 <= ... <= d_n. A step takes T = d_n - d_1. In it every path sends one
 * continuous bulk for t_i = f_i T at the rate B of all paths together, f_i = b_i / B; the slowest path's
 * bulk leaves first and holds the step's last data. Two paths are as printed, and pause at the beginning for
 * BPT = d_1 + t_2 = sum f_i d_i. For n > 2 Eq. 1 and 3 contradict each other (erratum 4): T and f_i stay, and
 * bulk i is held back by h_i from the beginning of the step so that it arrives when bulk i - 1 is complete,
 *
 *     a_1 = d_1 + t_n ,  a_i+1 = a_i + t_i ,  h_i = a_i - d_i - min_k( a_k - d_k ) ,  BPT = d_1 + h_1
 *
 * and bulk n of one step ends its arrival when bulk 1 of the next begins.
 *
 * That is a model of paths that take a bulk at the rate B. Links take theirs at b_i, side by side: all bulks
 * of a step arrive together, over the whole of it, and what lies behind another path's bulk waits for that. A
 * step of T then pauses (1 - f_i) T longer, i the path whose bulk comes first. So links can have shorter
 * steps, the bulk of the highest rate first, and what belongs together follows from when it arrives (ADR 20).
 */
#ifndef CMT_BULK_H
#define CMT_BULK_H

#include "../cmt_sched.h"

struct cmt_bulk_path {
	uint64_t rate_bps; /* > 0 */
	int64_t delay_us;
};

struct cmt_bulk_part {
	uint8_t rank;       /* 0 = shortest delay */
	uint8_t place;      /* of the bulk in its step on links: 0 = first */
	uint32_t share_ppm; /* f_i */
	int64_t send_us;    /* t_i */
	int64_t hold_us;    /* h_i */
	int64_t bytes;      /* of the bulk on a link, f_i B bulk_us, at least 1 */
};

struct cmt_bulk_plan {
	unsigned n_paths;
	int64_t step_us;                                 /* T */
	int64_t pause_us;                                /* BPT */
	int64_t bulk_us;                                 /* how long a link takes for its bulk */
	struct cmt_bulk_part parts[CMT_SCHED_MAX_PATHS]; /* in the order of the paths given */
};

/* Steps on links. The paper's: as long as T, the bulk of the shortest delay first. */
struct cmt_bulk_step {
	int64_t least_us, most_us; /* a bulk takes T, but no less and no more */
	bool by_rate;              /* the bulk of the highest rate first, whatever its delay */
};

/* 1 .. CMT_SCHED_MAX_PATHS paths in any order. */
void cmt_bulk_plan(struct cmt_bulk_plan *out, const struct cmt_bulk_path *paths, unsigned n_paths,
                   struct cmt_bulk_step step);

/* What path i of rate `rate_bps` has sent of the steps from the one on that begins to arrive `lead_us` before
 * the path's next packet of `packet_bytes` is there. Below 0 for steps before. */
int64_t cmt_bulk_sent_bytes(uint64_t rate_bps, int64_t lead_us, uint32_t packet_bytes);

/* The reverse: how long after its step began to arrive the next packet is there; sent_bytes within a step. */
int64_t cmt_bulk_lead_us(uint64_t rate_bps, int64_t sent_bytes, uint32_t packet_bytes);

/* Bytes that the other paths have yet to send of the data in front of path i's next packet. That belongs to
 * the bulk in which its last byte lies. A step ends with a packet of the last path, give or take half of one.
 */
uint64_t cmt_bulk_ahead(const struct cmt_bulk_plan *plan, const int64_t *sent_bytes, unsigned i,
                        uint32_t packet_bytes);

#endif
