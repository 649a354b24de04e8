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
 * and bulk n of one step ends its arrival when bulk 1 of the next begins. */
#ifndef CMT_BULK_H
#define CMT_BULK_H

#include "../cmt_sched.h"

struct cmt_bulk_path {
	uint64_t rate_bps; /* > 0 */
	int64_t delay_us;
};

struct cmt_bulk_part {
	uint8_t rank;       /* 0 = shortest delay */
	uint32_t share_ppm; /* f_i */
	int64_t send_us;    /* t_i */
	int64_t hold_us;    /* h_i */
	int64_t bytes;      /* of the bulk, at least 1 */
};

struct cmt_bulk_plan {
	unsigned n_paths;
	int64_t step_us;
	int64_t pause_us;                                /* BPT */
	struct cmt_bulk_part parts[CMT_SCHED_MAX_PATHS]; /* in the order of the paths given */
};

/* 1 .. CMT_SCHED_MAX_PATHS paths in any order. Where delays differ by less than `least_bytes` take at the
 * common rate, a step has that many. */
void cmt_bulk_plan(struct cmt_bulk_plan *out, const struct cmt_bulk_path *paths, unsigned n_paths,
                   uint64_t least_bytes);

/* What path i has sent since the plan was made, less what it sends while the paper would let it wait: it goes
 * on with the step before. Starting value. */
int64_t cmt_bulk_start_bytes(const struct cmt_bulk_plan *plan, const struct cmt_bulk_path *paths, unsigned i);

/* Bytes that the other paths have yet to send of the data in front of path i's next packet; sent_bytes[i]
 * counts on from cmt_bulk_start_bytes(). */
uint64_t cmt_bulk_ahead(const struct cmt_bulk_plan *plan, const int64_t *sent_bytes, unsigned i);

#endif
