/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_rate.h"

#include "../util/cmt_serial.h"

void cmt_rate_reset(struct cmt_rate *r)
{
	*r = (struct cmt_rate){0};
}

static uint64_t rate_between(const struct cmt_rate_mark *a, const struct cmt_rate_mark *b)
{
	uint64_t bits = (b->end_bytes - a->end_bytes) * 8;
	uint64_t us = (uint64_t)(b->arrival_us - a->arrival_us);
	uint64_t bps = bits > UINT64_MAX / 1000000u ? CMT_RATE_MAX_BPS : bits * 1000000u / us;

	return bps < CMT_RATE_MAX_BPS ? bps : CMT_RATE_MAX_BPS;
}

static void push_sample(struct cmt_rate *r, uint64_t bps)
{
	for (unsigned i = CMT_RATE_SAMPLES - 1; i > 0; i--)
		r->samples_bps[i] = r->samples_bps[i - 1];
	r->samples_bps[0] = bps;
}

void cmt_rate_on_echo(struct cmt_rate *r, const struct cmt_rate_mark *mark)
{
	int32_t pkts;
	uint64_t bps;

	if (!r->started) {
		r->start = *mark;
		r->started = true;
		r->starved = false;
		return;
	}
	pkts = cmt_serial_diff(mark->number, r->start.number);
	if (pkts < 1 || mark->arrival_us <= r->start.arrival_us)
		return;
	r->starved |= !mark->queued;
	bps = rate_between(&r->start, mark);
	if (pkts < CMT_RATE_SPAN_PKTS || mark->arrival_us - r->start.arrival_us < CMT_RATE_SPAN_US) {
		if (pkts >= CMT_RATE_QUICK_PKTS && bps > r->quick_bps)
			r->quick_bps = bps;
		return;
	}
	if (!r->starved || bps > cmt_rate_bps(r))
		push_sample(r, bps);
	r->start = *mark;
	r->starved = false;
}

uint64_t cmt_rate_bps(const struct cmt_rate *r)
{
	uint64_t max = 0;

	for (unsigned i = 0; i < CMT_RATE_SAMPLES; i++) {
		if (r->samples_bps[i] > max)
			max = r->samples_bps[i];
	}
	return r->samples_bps[CMT_RATE_SAMPLES - 1] == 0 && r->quick_bps > max ? r->quick_bps : max;
}
