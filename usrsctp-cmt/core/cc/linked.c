/* SPDX-License-Identifier: BSD-3-Clause
 *
 * linked - linked increase: alpha/w per acknowledged packet, half the window on loss (Arabi et al., "Linked
 * Increase", whose printed alpha is garbled: it is that of RFC 6356, section 3). Alpha makes all paths
 * together as fast as one flow on the best of them.
 *
 * Without the bound by 1/w_r: that is `rttcomp`. */
#include "cmt_cc_sums.h"

const struct cmt_cc_ops cmt_cc_linked = {
    .name = "linked",
    .summary = "linked increase, alpha of RFC 6356",
    .increase = cmt_cc_linked_growth,
    .decrease = cmt_cc_half,
};
