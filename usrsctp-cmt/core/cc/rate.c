/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rate - window and pacing from the delivery rate that the receiver's arrival times show, in the manner of
 * BBR (draft-cardwell-iccrg-bbr-congestion-control), with the queue measured instead of probed for:
 *
 *     cwnd = 2 rate * min RTT + 4 packets        pacing = 5/4 rate while the queue is short, else 7/8 rate
 *
 * Random loss does not lower the window. Loss above one in ten does, once per event, until the next
 * acknowledgements: behind a policer a fifth of what is sent is lost. */
#include "cmt_cc_sums.h"

enum {
	GAIN = 2,
	SPARE_PKTS = 4,
	QUEUE_MIN_US = 10000,
	QUEUE_RTTS = 4, /* a queue is short below a quarter of the min RTT */
};

static int64_t rate_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	return cmt_cc_uncoupled_growth(&cc->paths[i], bytes);
}

static uint32_t rate_decrease(const struct cmt_cc *cc, unsigned i)
{
	return cc->paths[i].cwnd_bytes / 10 * 7;
}

static bool queue_is_long(const struct cmt_cc_path *p)
{
	int64_t bound_us = cmt_max_us(QUEUE_MIN_US, p->min_rtt_us / QUEUE_RTTS);

	return p->queue_us > bound_us;
}

static uint32_t wanted_window(const struct cmt_cc_path *p)
{
	const uint64_t held_bytes =
	    cmt_wide_mul_div(p->rate_bps, p->min_rtt_us, CMT_BPS_PER_BYTE_PER_US, CMT_CC_MAX_CWND_BYTES);
	const uint64_t bytes = GAIN * held_bytes + (uint64_t)SPARE_PKTS * p->mss_bytes;

	return bytes < CMT_CC_MAX_CWND_BYTES ? (uint32_t)bytes : CMT_CC_MAX_CWND_BYTES;
}

/* What this acknowledgement adds at most. More than a window cannot be news about this window. */
static uint32_t growth_bytes(const struct cmt_cc *cc, const struct cmt_cc_path *p,
                             const struct cmt_cc_ack *ack)
{
	if (cc->options.queue_us != 0 && p->queue_us > (int64_t)cc->options.queue_us)
		return 0;
	return ack->bytes < p->cwnd_bytes ? ack->bytes : p->cwnd_bytes;
}

static void rate_on_ack(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack)
{
	struct cmt_cc_path *p = &cc->paths[i];
	uint32_t growth = growth_bytes(cc, p, ack), wanted;

	if (p->rate_bps == 0 || p->min_rtt_us == 0 || !p->full) {
		/* Start-up: the window doubles every round trip, in trains that show the rate of the link. */
		p->cwnd_bytes += ack->cwnd_limited && p->cwnd_bytes < CMT_CC_MAX_CWND_BYTES / 2 ? growth : 0;
		p->pacing_bps = 0;
		return;
	}
	wanted = wanted_window(p);
	/* After a timeout the window comes back with what is acknowledged. */
	if (p->cwnd_bytes < wanted && wanted - p->cwnd_bytes > growth)
		wanted = p->cwnd_bytes + growth;
	p->cwnd_bytes = wanted;
	p->pacing_bps = queue_is_long(p) ? p->rate_bps / 8 * 7 : p->rate_bps / 4 * 5;
}

static bool rate_reduces(const struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss)
{
	(void)loss;
	return cmt_cc_loses_by_load(&cc->paths[i]);
}

const struct cmt_cc_ops cmt_cc_rate = {
    .name = "rate",
    .summary = "window from the delivery rate; random loss does not lower it (after BBR)",
    .increase = rate_increase,
    .decrease = rate_decrease,
    .on_ack = rate_on_ack,
    .reduces = rate_reduces,
};
