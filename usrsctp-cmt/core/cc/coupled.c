/* SPDX-License-Identifier: BSD-3-Clause
 *
 * coupled - one window over all paths: 1/w per acknowledged packet, w = sum of the windows, and half of *all*
 * windows off the path that lost: max(w_r - w/2, 1) (Arabi et al., "Fully Coupled"). Growth follows the
 * acknowledgements and every loss takes the same, so the path with fewer losses ends up with nearly all. */
#include "cmt_cc_sums.h"

static int64_t coupled_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	return cmt_cc_earned_over(&cc->paths[i], bytes, cmt_cc_total(cc));
}

/* w/2 is rounded up: a single path gets the same as uncoupled. */
static uint32_t coupled_decrease(const struct cmt_cc *cc, unsigned i)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	const uint64_t window_bytes = cmt_cc_window(p);
	const uint64_t half_of_all_bytes = (cmt_cc_total(cc) + 1) / 2;

	if (window_bytes < half_of_all_bytes + p->mss_bytes)
		return p->mss_bytes;
	return (uint32_t)(window_bytes - half_of_all_bytes);
}

const struct cmt_cc_ops cmt_cc_coupled = {
    .name = "coupled",
    .summary = "one window over all paths (fully coupled)",
    .increase = coupled_increase,
    .decrease = coupled_decrease,
};
