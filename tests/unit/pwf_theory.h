/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pwf_theory.h - what the paper says about a plan of cmt_pwf.h and no scheduler asks: what chunks hold, the
 * shares of chunks and paths, and Theorem 2. Chunks and paths count from 0. */
#ifndef PWF_THEORY_H
#define PWF_THEORY_H

#include "fill/cmt_pwf.h"

/* S_h of cmt_pwf.h; 0 for the last chunk, which has no end. */
uint64_t pwf_chunk_bytes(const struct cmt_pwf *p, uint8_t chunk);

/* Of a pre-chunk and of a merged path, in millionths:
 *
 *     f_h  = S_h / sum_i b_i (d_N - d_i)            Eq. 13, corrected: with the printed form they sum to more
 *     g_ih = b_i / sum_{j<=h} b_j                   Eq. 12, i <= h
 *
 * Rounded so that all f, and all g of a chunk, sum to one million. 0 for the last chunk, and for a path that
 * does not carry the chunk. */
uint32_t pwf_f_ppm(const struct cmt_pwf *p, uint8_t chunk);
uint32_t pwf_g_ppm(const struct cmt_pwf *p, uint8_t path, uint8_t chunk);

/* Theorem 2: no retransmission timeout comes from the paths' delays if for all chunks h and paths m <= h
 *
 *     sum_i g_ih (r_m - r_i)  /  sum_i g_ih | sum_j g_jh (r_i - r_j) |  <  K,      r_i = s / b_i + 2 d_i
 *
 * where RTO = srtt + K * rttvar (K = 4). Returns the largest left side, in millionths. For two paths it is
 * 1 / (2 g_22): the printed g_22 > 1/(2K) = 0.125, that is b_1 < 7 b_2. */
uint64_t pwf_timeout_ppm(const struct cmt_pwf *p, uint32_t packet_bytes);

#endif
