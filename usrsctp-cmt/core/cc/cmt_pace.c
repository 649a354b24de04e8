/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_pace.h"

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

enum {
	/* What is due until the next tick may leave now. */
	SLACK_US = CMT_TICK_US
};

/* The smaller rate of those that are set. */
static uint64_t least_bps(uint64_t a, uint64_t b)
{
	if (a == 0 || b == 0)
		return a + b;
	return a < b ? a : b;
}

void cmt_pace_on_rate(struct cmt_pace *p, uint64_t rate_bps)
{
	if (p->best_bps < rate_bps)
		p->best_bps = rate_bps;
}

uint64_t cmt_pace_limit_bps(const struct cmt_pace *p, bool settled)
{
	bool part = settled && p->weight_pct < 100;

	return least_bps(p->cap_bps, part ? least_bps(p->best_bps, p->cap_bps) / 100 * p->weight_pct : 0);
}

void cmt_pace_on_sent(struct cmt_pace *p, const struct cmt_pace_packet *packet)
{
	uint64_t bps = least_bps(packet->control_bps, packet->limit_bps);
	uint64_t credit_us = p->limited ? 0 : CMT_HOST_LATE_US;
	uint64_t from_us = packet->now_us > credit_us ? packet->now_us - credit_us : 0;

	p->limited = packet->limited;
	if (from_us < p->at_us)
		from_us = p->at_us;
	p->at_us = bps == 0 ? 0 : from_us + (uint64_t)cmt_transmission_us(packet->wire_bytes, bps);
}

uint64_t cmt_pace_opens_us(const struct cmt_pace *p, uint64_t now_us)
{
	return p->at_us <= now_us + SLACK_US ? 0 : p->at_us - SLACK_US;
}
