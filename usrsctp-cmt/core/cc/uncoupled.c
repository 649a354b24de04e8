/* SPDX-License-Identifier: BSD-3-Clause
 *
 * uncoupled - every path as if it were alone: 1/w_r per acknowledged packet, half the window on loss (RFC
 * 9260, section 7.2; Arabi et al., "Uncoupled TCP"). */
#include "cmt_cc_sums.h"

static int64_t uncoupled_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	return cmt_cc_uncoupled_growth(&cc->paths[i], bytes);
}

const struct cmt_cc_ops cmt_cc_uncoupled = {
    .name = "uncoupled",
    .summary = "every path as if it were alone (RFC 9260)",
    .increase = uncoupled_increase,
    .decrease = cmt_cc_half,
};
