/* SPDX-License-Identifier: BSD-3-Clause
 *
 * olia - opportunistic linked increases (draft-khalili-mptcp-congestion-control; Khalili et al., "MPTCP is
 * not Pareto-optimal", CoNEXT 2012). Per acknowledged packet
 *
 *     (w_r/rtt_r^2) / (sum w_p/rtt_p)^2 + alpha_r/w_r,    half the window on loss.
 *
 * Best paths have the largest l_p/rtt_p^2, the square of the rate a loss-driven path would reach; l_p = bytes
 * acknowledged since the last loss or between the last two, whichever is more. alpha moves windows from the
 * largest to the best that are not the largest: +1/(n |best \ largest|) there, -1/(n |largest|) here, 0
 * elsewhere and where no such path exists. The sum may be negative. */
#include "cmt_cc_sums.h"

/* Paths as bits. */
struct sets {
	unsigned largest;
	unsigned collected; /* best, but not largest */
};

static unsigned count(unsigned set)
{
	unsigned n = 0;

	for (; set != 0; set &= set - 1)
		n++;
	return n;
}

static uint64_t inter_loss_bytes(const struct cmt_cc_path *p)
{
	return p->acked_since_loss_bytes > p->acked_between_losses_bytes ? p->acked_since_loss_bytes
	                                                                 : p->acked_between_losses_bytes;
}

/* l_a/rtt_a^2 against l_b/rtt_b^2: negative, 0 or positive. */
static int compare(const struct cmt_cc_path *a, const struct cmt_cc_path *b)
{
	return cmt_cc_exceeds(inter_loss_bytes(a), a, inter_loss_bytes(b), b) -
	       cmt_cc_exceeds(inter_loss_bytes(b), b, inter_loss_bytes(a), a);
}

/* In whole packets: windows in bytes are never equal, and a path that is the largest by a byte whenever its
 * turn to be acknowledged comes would never grow. */
static uint64_t window_pkts(const struct cmt_cc_path *p)
{
	return cmt_cc_window(p) / (p->mss_bytes > 0 ? p->mss_bytes : 1);
}

static struct sets find_sets(const struct cmt_cc *cc, const struct cmt_cc_path *any)
{
	const struct cmt_cc_path *best = any;
	uint64_t largest_pkts = 0;
	struct sets s = {0, 0};

	for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
		const struct cmt_cc_path *p = &cc->paths[i];

		if (!cmt_cc_has_rate(p))
			continue;
		if (window_pkts(p) > largest_pkts)
			largest_pkts = window_pkts(p);
		if (compare(p, best) > 0)
			best = p;
	}
	for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
		const struct cmt_cc_path *p = &cc->paths[i];

		if (!cmt_cc_has_rate(p))
			continue;
		if (window_pkts(p) == largest_pkts)
			s.largest |= 1u << i;
		else if (compare(p, best) == 0)
			s.collected |= 1u << i;
	}
	return s;
}

static unsigned count_paths(const struct cmt_cc *cc)
{
	unsigned n = 0;

	for (unsigned i = 0; i < CMT_MAX_PATHS; i++)
		n += cmt_cc_has_rate(&cc->paths[i]);
	return n;
}

static int64_t olia_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	const unsigned bit = 1u << i;
	uint64_t all_bytes;
	struct sets s;
	int64_t growth;

	if (!cmt_cc_has_rate(p))
		return cmt_cc_uncoupled_growth(p, bytes);
	growth = cmt_cc_share_growth(cc, p, bytes, cmt_cc_window(p), p->srtt_us);
	s = find_sets(cc, p);
	if (s.collected == 0)
		return growth;
	all_bytes = cmt_cc_window(p) * count_paths(cc);
	if ((s.collected & bit) != 0)
		return growth + cmt_cc_earned_over(p, bytes, all_bytes * count(s.collected));
	if ((s.largest & bit) != 0)
		return growth - cmt_cc_earned_over(p, bytes, all_bytes * count(s.largest));
	return growth;
}

const struct cmt_cc_ops cmt_cc_olia = {
    .name = "olia",
    .summary = "opportunistic linked increases",
    .increase = olia_increase,
    .decrease = cmt_cc_half,
};
