/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_cc_sums.h - what the controls that couple paths have in common: sums over the paths of an association,
 * and growth computed from them.
 *
 * Pure. Growth is in bytes times 2^16 (CMT_CC_GROWTH_ONE), rounded down, at most CMT_CC_MAX_CWND_BYTES.
 * Windows up to 2^31 bytes and any srtt_us give exact sums or a named bound; no divisor is ever 0.
 *
 * The papers write growth per acknowledged packet, with windows in packets: 1/w_r. In bytes (RFC 6356,
 * section 3) that is bytes * mss / w_r. */
#ifndef CMT_CC_SUMS_H
#define CMT_CC_SUMS_H

#include "cmt_cc.h"
#include "../util/cmt_wide.h"

#define CMT_CC_RATE_UNIT 4                   /* cmt_cc_at_srtt() counts quarters of a byte */
#define CMT_CC_ALL_PATHS UINT32_MAX          /* a bit for each path */
#define CMT_CC_SHARE_ONE CMT_CUBIC_SPEED_ONE /* all of a bottleneck */

/* Whether the path has a rate: those without a round trip stay out of all sums and grow uncoupled. */
static inline bool cmt_cc_has_rate(const struct cmt_cc_path *p)
{
	return p->in_use && p->srtt_us > 0;
}

/* The window, 1 .. CMT_CC_MAX_CWND_BYTES. */
uint64_t cmt_cc_window(const struct cmt_cc_path *p);

/* Sum of the windows of the paths in use, 1 or more. */
uint64_t cmt_cc_total(const struct cmt_cc *cc);

/* bytes * mss as growth: the numerator of 1/w. Below 2^80. */
struct cmt_wide cmt_cc_earned(const struct cmt_cc_path *p, uint32_t bytes);

/* As growth, bounded. */
int64_t cmt_cc_bounded(struct cmt_wide growth);

/* The same divided: growth of 1/w. Requires w_bytes > 0. */
int64_t cmt_cc_earned_over(const struct cmt_cc_path *p, uint32_t bytes, uint64_t w_bytes);

/* Whether a/rtt_p^2 exceeds b/rtt_q^2. */
bool cmt_cc_exceeds(uint64_t a, const struct cmt_cc_path *p, uint64_t b, const struct cmt_cc_path *q);

/* The window that carries this path's rate w_p/rtt_p at a round trip of `srtt_us`, in quarters of a byte, at
 * most 2^63 - 1. Requires cmt_cc_has_rate(p). */
uint64_t cmt_cc_at_srtt(const struct cmt_cc_path *p, uint32_t srtt_us);

/* The same for the rate of several paths: rtt * sum w_p/rtt_p. `among`: a bit for each. */
uint64_t cmt_cc_total_at_srtt(const struct cmt_cc *cc, uint32_t srtt_us, uint32_t among);

/* Which part of the rate of all paths through its bottleneck is this one's, of CMT_CC_SHARE_ONE; all of it
 * without a round trip. */
uint32_t cmt_cc_share_of_bottleneck(const struct cmt_cc *cc, unsigned i);

/* Growth of the fraction w / (rtt * sum w_p/rtt_p)^2, which the formulas of LIA, OLIA and BALIA share:
 * `window_bytes` of a path with `srtt_us`, for what `p` earned. */
int64_t cmt_cc_share_growth(const struct cmt_cc *cc, const struct cmt_cc_path *p, uint32_t bytes,
                            uint64_t window_bytes, uint32_t srtt_us);

/* 1/w_r: one packet per window, as a single path. */
int64_t cmt_cc_uncoupled_growth(const struct cmt_cc_path *p, uint32_t bytes);

/* The same, and what CUBIC gives (cmt_cubic.h; 0 before its epoch), of a path with that share of its
 * bottleneck: all paths through it together grow as one. With the same losses a window goes with the square
 * root of the former, and with the fourth root of the latter's C, which is by time cubed. */
int64_t cmt_cc_reno_growth(const struct cmt_cc_path *p, uint32_t bytes, uint32_t share);
int64_t cmt_cc_cubic_growth(const struct cmt_cc_path *p, uint32_t bytes, uint32_t share);

/* alpha/w of RFC 6356 without its bound by 1/w_r; uncoupled on a path without a round trip. */
int64_t cmt_cc_linked_growth(const struct cmt_cc *cc, unsigned i, uint32_t bytes);

/* Whether one packet in ten was lost lately, and more than chance: then load is the cause, even if no queue
 * is seen (a policer). */
bool cmt_cc_loses_by_load(const struct cmt_cc_path *p);

/* The first slow start, which ends by a delay or a loss, not at what a loss has taught. */
static inline bool cmt_cc_in_first_start(const struct cmt_cc_path *p)
{
	return p->ssthresh_bytes == CMT_CC_NO_SSTHRESH;
}

/* Bytes of ours that the path delivers in that time, less than 0 as none; the rate is ours alone, also where
 * others share its queue. */
uint64_t cmt_cc_bytes_in(const struct cmt_cc_path *p, int64_t us);

/* Whether a queue stands: three packets of ours or more, of all paths through the bottleneck, that take half
 * the min RTT or the 4 ms from which HyStart++ (RFC 9406) believes in one. Less is noise. */
bool cmt_cc_has_queue(const struct cmt_cc *cc, unsigned i);

/* Half the window: decrease of a single path. */
uint32_t cmt_cc_half(const struct cmt_cc *cc, unsigned i);

#endif
