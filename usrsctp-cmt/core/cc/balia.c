/* SPDX-License-Identifier: BSD-3-Clause
 *
 * balia - balanced linked adaptation (draft-walid-mptcp-congestion-control; Peng et al., "Multipath TCP:
 * Analysis, Design, and Implementation", ToN 2016). With x_r = w_r/rtt_r and a = max(x_k)/x_r, per
 * acknowledged packet
 *
 *     x_r / (rtt_r (sum x_k)^2) * (1 + a)/2 * (4 + a)/5,    on loss less w_r/2 * min(a, 1.5). */
#include "cmt_cc_sums.h"

/* Fractions of (1 + a) w_r / total and (4 + a) w_r / total: at most 2 and 5, so that their product times what
 * was earned stays below 2^128. */
#define FRACTION (UINT64_C(1) << 20)

/* The rate of the fastest path, as the window it needs at the round trip of `p`. Never below that of `p`. */
static uint64_t fastest_at_srtt(const struct cmt_cc *cc, const struct cmt_cc_path *p)
{
	uint64_t fastest = 0;

	for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
		if (cmt_cc_has_rate(&cc->paths[i])) {
			const uint64_t rate = cmt_cc_at_srtt(&cc->paths[i], p->srtt_us);

			fastest = rate > fastest ? rate : fastest;
		}
	}
	return fastest;
}

/* (weight own + fastest)/total in fractions. */
static uint64_t weighed(uint64_t weight, uint64_t own, uint64_t fastest, uint64_t total)
{
	const struct cmt_wide sum = cmt_wide_sum(cmt_wide_product(weight, own), cmt_wide_of(fastest));

	return cmt_wide_quotient(cmt_wide_times(sum, FRACTION), cmt_wide_of(total)).low;
}

/* With everything times rtt_r: a = fastest/own, and the formula is
 * (own + fastest)/total * (4 own + fastest)/total / 10 * 1/w_r. Never more than 1/w_r. */
static int64_t balia_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	uint64_t own, fastest, total, balance;

	if (!cmt_cc_has_rate(p))
		return cmt_cc_uncoupled_growth(p, bytes);
	own = cmt_cc_at_srtt(p, p->srtt_us);
	fastest = fastest_at_srtt(cc, p);
	total = cmt_cc_total_at_srtt(cc, p->srtt_us, CMT_CC_ALL_PATHS);
	balance = weighed(1, own, fastest, total) * weighed(4, own, fastest, total);
	return cmt_cc_bounded(
	    cmt_wide_quotient(cmt_wide_times(cmt_cc_earned(p, bytes), balance),
	                      cmt_wide_product(10 * cmt_cc_window(p), FRACTION * FRACTION)));
}

static uint32_t balia_decrease(const struct cmt_cc *cc, unsigned i)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	const uint64_t window_bytes = cmt_cc_window(p);
	const uint64_t most_bytes = (3 * window_bytes + 3) / 4;
	uint64_t cut_bytes;

	if (!cmt_cc_has_rate(p))
		return cmt_cc_half(cc, i);
	/* w_r/2 * a is half of the fastest path's window at this round trip; rounded up, as a half is. */
	cut_bytes = fastest_at_srtt(cc, p) / (2 * CMT_CC_RATE_UNIT);
	cut_bytes = cut_bytes > window_bytes - window_bytes / 2 ? cut_bytes : window_bytes - window_bytes / 2;
	return (uint32_t)(window_bytes - (cut_bytes < most_bytes ? cut_bytes : most_bytes));
}

const struct cmt_cc_ops cmt_cc_balia = {
    .name = "balia",
    .summary = "balanced linked adaptation",
    .increase = balia_increase,
    .decrease = balia_decrease,
};
