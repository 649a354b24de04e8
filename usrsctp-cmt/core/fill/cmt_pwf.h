/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_pwf.h - progressive water filling (Wang, Liao, Li 2013, section 3): how a flow is cut into chunks and
 * the chunks are shared among paths, so that what leaves out of order arrives in order; and Theorem 2.
 *
 * Pure. O(N^2) for N paths. Each path is a bucket of width b_i whose floor is at the height d_i; water is
 * filled in up to one level L* (Eq. 7, 8), W = L* sum b_i - sum b_i d_i in all (Eq. 11). Chunk h is the water
 * between the levels d_h and d_{h+1}: paths 1 .. h carry it (b: bits/s, d: delay, paths by rising delay):
 *
 *     ST_ih = d_h - d_i                              when path i begins with chunk h (Eq. 1 to 3)
 *     S_ih  = b_i (d_{h+1} - d_h),  i <= h < N       its part of it (Eq. 9, 10)
 *     S_h   = sum_{i<=h} S_ih                        pre-chunk h; chunk N lasts as long as the plan
 *     f_h   = S_h / sum_i b_i (d_N - d_i)            Eq. 13
 *     g_ih  = b_i / sum_{j<=h} b_j                   Eq. 12
 *
 * The print sorts by b_1 < b_2 < .. < b_N where it means d, and Eq. 13 has d_{h+1} - d_i, with which the f_h
 * sum to more than 1. Chunks and paths count from 0 here. */
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
	uint8_t merged[CMT_MAX_PATHS];            /* by position in what was planned: its path here */
};

/* Plans `n` paths, 0 .. CMT_MAX_PATHS. Those whose delays agree when rounded to `merge_us` (above 0; the
 * paper's is 0.01 s) become one path with the smallest of their delays and the sum of their rates. */
void cmt_pwf_plan(struct cmt_pwf *out, const struct cmt_pwf_path *paths, uint8_t n, uint64_t merge_us);

/* The chunk that arrives at `level_us`. */
uint8_t cmt_pwf_chunk_at(const struct cmt_pwf *p, int64_t level_us);

/* ST_ih after the period began. Requires path <= chunk < n. */
int64_t cmt_pwf_start_us(const struct cmt_pwf *p, uint8_t path, uint8_t chunk);

/* Rate of all paths that carry the chunk. */
uint64_t cmt_pwf_rate_bps(const struct cmt_pwf *p, uint8_t chunk);

/* S_h; 0 for the last chunk, which has no end. */
uint64_t cmt_pwf_chunk_bytes(const struct cmt_pwf *p, uint8_t chunk);

/* All pre-chunks: what has to wait at the sender for the paths to be full. */
uint64_t cmt_pwf_prefetch_bytes(const struct cmt_pwf *p);

/* f_h and g_ih in millionths, rounded so that all f, and all g of a chunk, sum to one million. 0 for the last
 * chunk's f, and for the g of a path that does not carry the chunk. */
uint32_t cmt_pwf_f_ppm(const struct cmt_pwf *p, uint8_t chunk);
uint32_t cmt_pwf_g_ppm(const struct cmt_pwf *p, uint8_t path, uint8_t chunk);

/* Theorem 2 (Eq. 14; Eq. 22 is its legible print): no retransmission timeout comes from the paths' delays if
 * for all chunks h and paths m <= h
 *
 *     sum_i g_ih (r_m - r_i)  /  sum_i g_ih | sum_j g_jh (r_i - r_j) |  <  K,      r_i = s / b_i + 2 d_i
 *
 * (Eq. 18) where RTO = srtt + K * rttvar (Eq. 15; K = 4): the mean round trip of the chunk (Eq. 19) and K of
 * its mean deviations (Eq. 20) are above every r_m (Eq. 21). Returns the largest left side, in millionths; 0
 * without two different round trips. For two paths it is 1 / (2 g_22): g_22 > 1/(2K) = 0.125, that is b_1 < 7
 * b_2 (Eq. 23 to 25). */
uint64_t cmt_pwf_timeout_ppm(const struct cmt_pwf *p, uint32_t packet_bytes);

#endif
