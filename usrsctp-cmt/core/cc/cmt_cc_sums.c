/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_cc_sums.h"

#include "../util/cmt_tuned.h"

#define MAX_GROWTH  ((int64_t)CMT_CC_MAX_CWND_BYTES * CMT_CC_GROWTH_ONE)
#define MAX_AT_SRTT (UINT64_MAX >> 1)

uint64_t cmt_cc_window(const struct cmt_cc_path *p)
{
	if (p->cwnd_bytes == 0)
		return 1;
	return p->cwnd_bytes < CMT_CC_MAX_CWND_BYTES ? p->cwnd_bytes : CMT_CC_MAX_CWND_BYTES;
}

uint64_t cmt_cc_total(const struct cmt_cc *cc)
{
	uint64_t total_bytes = 0;

	for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
		if (cc->paths[i].in_use)
			total_bytes += cmt_cc_window(&cc->paths[i]);
	}
	return total_bytes > 0 ? total_bytes : 1;
}

struct cmt_wide cmt_cc_earned(const struct cmt_cc_path *p, uint32_t bytes)
{
	return cmt_wide_product((uint64_t)bytes * p->mss_bytes, CMT_CC_GROWTH_ONE);
}

int64_t cmt_cc_bounded(struct cmt_wide growth)
{
	return (int64_t)cmt_wide_bounded(growth, MAX_GROWTH);
}

int64_t cmt_cc_earned_over(const struct cmt_cc_path *p, uint32_t bytes, uint64_t w_bytes)
{
	return cmt_cc_bounded(cmt_wide_quotient(cmt_cc_earned(p, bytes), cmt_wide_of(w_bytes)));
}

bool cmt_cc_exceeds(uint64_t a, const struct cmt_cc_path *p, uint64_t b, const struct cmt_cc_path *q)
{
	return cmt_wide_above(cmt_wide_product(a, (uint64_t)q->srtt_us * q->srtt_us),
	                      cmt_wide_product(b, (uint64_t)p->srtt_us * p->srtt_us));
}

uint64_t cmt_cc_at_srtt(const struct cmt_cc_path *p, uint32_t srtt_us)
{
	return cmt_wide_mul_div(cmt_cc_window(p) * CMT_CC_RATE_UNIT, srtt_us, p->srtt_us, MAX_AT_SRTT);
}

uint64_t cmt_cc_total_at_srtt(const struct cmt_cc *cc, uint32_t srtt_us, uint32_t among)
{
	struct cmt_wide total = {0, 0};
	uint64_t bounded;

	for (unsigned i = 0; i < CMT_MAX_PATHS; i++) {
		if ((among >> i & 1) != 0 && cmt_cc_has_rate(&cc->paths[i]))
			total = cmt_wide_sum(total, cmt_wide_of(cmt_cc_at_srtt(&cc->paths[i], srtt_us)));
	}
	bounded = cmt_wide_bounded(total, MAX_AT_SRTT);
	return bounded > 0 ? bounded : 1;
}

uint32_t cmt_cc_share_of_bottleneck(const struct cmt_cc *cc, unsigned i)
{
	const struct cmt_cc_path *p = &cc->paths[i];

	if (p->shared_with == 0 || !cmt_cc_has_rate(p))
		return CMT_CC_SHARE_ONE;
	return (uint32_t)cmt_wide_mul_div(cmt_cc_at_srtt(p, p->srtt_us), CMT_CC_SHARE_ONE,
	                                  cmt_cc_total_at_srtt(cc, p->srtt_us, p->shared_with | 1u << i),
	                                  CMT_CC_SHARE_ONE);
}

/* Below 2^115 over at most 2^126. */
int64_t cmt_cc_share_growth(const struct cmt_cc *cc, const struct cmt_cc_path *p, uint32_t bytes,
                            uint64_t window_bytes, uint32_t srtt_us)
{
	const uint64_t total = cmt_cc_total_at_srtt(cc, srtt_us, CMT_CC_ALL_PATHS);
	const struct cmt_wide share =
	    cmt_wide_times(cmt_cc_earned(p, bytes), window_bytes * (CMT_CC_RATE_UNIT * CMT_CC_RATE_UNIT));

	return cmt_cc_bounded(cmt_wide_quotient(share, cmt_wide_product(total, total)));
}

int64_t cmt_cc_uncoupled_growth(const struct cmt_cc_path *p, uint32_t bytes)
{
	return cmt_cc_earned_over(p, bytes, cmt_cc_window(p));
}

int64_t cmt_cc_reno_growth(const struct cmt_cc_path *p, uint32_t bytes, uint32_t share)
{
	return (int64_t)cmt_wide_mul_div((uint64_t)cmt_cc_uncoupled_growth(p, bytes), (uint64_t)share * share,
	                                 (uint64_t)CMT_CC_SHARE_ONE * CMT_CC_SHARE_ONE, MAX_GROWTH);
}

int64_t cmt_cc_cubic_growth(const struct cmt_cc_path *p, uint32_t bytes, uint32_t share)
{
	const uint32_t w_bytes = (uint32_t)cmt_cc_window(p);
	const uint64_t gain_bytes =
	    cmt_cubic_target_bytes(&p->cubic, w_bytes, p->mss_bytes, p->srtt_us, share) - w_bytes;

	return cmt_cc_bounded(
	    cmt_wide_quotient(cmt_wide_product(bytes * gain_bytes, CMT_CC_GROWTH_ONE), cmt_wide_of(w_bytes)));
}

static bool grows_faster(const struct cmt_cc_path *a, const struct cmt_cc_path *b)
{
	return cmt_cc_exceeds(cmt_cc_window(a), a, cmt_cc_window(b), b);
}

/* alpha/w = max(w_i/rtt_i^2) / (sum w_i/rtt_i)^2. Multiplied by the square of the round trip of the path with
 * the maximum, the numerator is its window. */
int64_t cmt_cc_linked_growth(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	const struct cmt_cc_path *p = &cc->paths[i], *fastest = p;

	if (!cmt_cc_has_rate(p))
		return cmt_cc_uncoupled_growth(p, bytes);
	for (unsigned k = 0; k < CMT_MAX_PATHS; k++) {
		if (cmt_cc_has_rate(&cc->paths[k]) && grows_faster(&cc->paths[k], fastest))
			fastest = &cc->paths[k];
	}
	return cmt_cc_share_growth(cc, p, bytes, cmt_cc_window(fastest), fastest->srtt_us);
}

uint64_t cmt_cc_bytes_in(const struct cmt_cc_path *p, int64_t us)
{
	return cmt_wide_mul_div(p->rate_bps, (uint64_t)cmt_max_us(us, 0), CMT_BPS_PER_BYTE_PER_US,
	                        UINT64_MAX);
}

bool cmt_cc_has_queue(const struct cmt_cc *cc, unsigned i)
{
	const struct cmt_cc_path *p = &cc->paths[i];
	const uint64_t least_bytes =
	    (uint64_t)CMT_QUEUE_PKTS * p->mss_bytes * cmt_cc_share_of_bottleneck(cc, i) / CMT_CC_SHARE_ONE;

	return p->queue_us >= cmt_min_us(CMT_MIN_RTT_THRESH_US, p->min_rtt_us / 2) &&
	       cmt_cc_bytes_in(p, p->queue_us) >= least_bytes;
}

uint32_t cmt_cc_half(const struct cmt_cc *cc, unsigned i)
{
	return (uint32_t)(cmt_cc_window(&cc->paths[i]) / 2);
}

bool cmt_cc_loses_by_load(const struct cmt_cc_path *p)
{
	const struct cmt_cc_recent *r = &p->recent;

	return r->lost_bytes > (uint64_t)CMT_GROUP_PKTS * p->mss_bytes &&
	       (uint64_t)r->lost_bytes * CMT_LOAD_SHARE > (uint64_t)r->acked_bytes + r->lost_bytes;
}
