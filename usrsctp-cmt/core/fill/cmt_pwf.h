/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_pwf.h - progressive water filling (Wang, Liao, Li 2013, section 3): how a flow is cut into chunks and
 * the chunks are shared among paths, so that what leaves out of order arrives in order.
 *
 * Pure. O(N^2) for N paths. Each path is a bucket of width b_i whose floor is at the height d_i; water is
 * filled in up to one level. Chunk h is the water between the levels d_h and d_{h+1}: paths 1 .. h carry it
 * (b: bits/s, d: delay, paths by rising delay):
 *
 *     S_h  = (d_{h+1} - d_h) * sum_{i<=h} b_i       bytes of pre-chunk h < N
 *
 * of which path i carries b_i / sum_{j<=h} b_j (Eq. 12), during [d_h - d_i, d_{h+1} - d_i]; chunk N lasts as
 * long as the plan.
 * Paths are sorted by delay: the print says b_1 < b_2 < .. < b_N where it means d. Chunks and paths count
 * from 0 here. */
#ifndef CMT_PWF_H
#define CMT_PWF_H

#include <stdint.h>

#include "../util/cmt_limits.h"

#define CMT_PWF_DELAY_MAX_US 60000000               /* longer delays are taken for this */
#define CMT_PWF_RATE_MAX_BPS UINT64_C(100000000000) /* likewise; 0 for 1 */

struct cmt_pwf_path {
	int64_t delay_us; /* negative: taken for 0 */
	uint64_t rate_bps;
};

struct cmt_pwf {
	uint8_t n;                                /* paths after merging, and chunks */
	struct cmt_pwf_path paths[CMT_MAX_PATHS]; /* merged, by rising delay */
};

/* Plans `n` paths, 0 .. CMT_MAX_PATHS. Those whose delays agree when rounded to `merge_us` (above 0; the
 * paper's is 0.01 s) become one path with the smallest of their delays and the sum of their rates. */
void cmt_pwf_plan(struct cmt_pwf *out, const struct cmt_pwf_path *paths, uint8_t n, uint64_t merge_us);

/* The chunk that arrives at `level_us`. */
uint8_t cmt_pwf_chunk_at(const struct cmt_pwf *p, int64_t level_us);

/* Rate of all paths that carry the chunk. */
uint64_t cmt_pwf_rate_bps(const struct cmt_pwf *p, uint8_t chunk);

#endif
