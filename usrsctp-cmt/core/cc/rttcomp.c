/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rttcomp - linked increase with RTT compensation: min(alpha/w, 1/w_r) per acknowledged packet, half the
 * window on loss. That is RFC 6356, section 3, in full; the printed form of Arabi et al. has another alpha.
 * The bound keeps a path from being faster than a single flow there, which alpha/w alone does not when round
 * trips differ. */
#include "cmt_cc_sums.h"

static int64_t rttcomp_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	const int64_t linked = cmt_cc_linked_growth(cc, i, bytes);
	const int64_t alone = cmt_cc_uncoupled_growth(&cc->paths[i], bytes);

	return linked < alone ? linked : alone;
}

const struct cmt_cc_ops cmt_cc_rttcomp = {
    .name = "rttcomp",
    .summary = "linked increase, no path faster than alone (RFC 6356)",
    .increase = rttcomp_increase,
    .decrease = cmt_cc_half,
};
