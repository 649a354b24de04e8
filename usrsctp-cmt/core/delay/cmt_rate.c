/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_rate.h"

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

void cmt_rate_reset(struct cmt_rate *r)
{
	*r = (struct cmt_rate){0};
}

/* Rate from `a` to `b`, of whose `pkts` packets `heard` arrived, over `span_us`. */
static uint64_t rate_over(const struct cmt_rate_mark *a, const struct cmt_rate_mark *b, int64_t span_us,
                          uint32_t pkts, uint32_t heard)
{
	uint64_t bits = (b->end_bytes - a->end_bytes) * 8;
	uint64_t us = (uint64_t)span_us;
	uint64_t bps = bits > UINT64_MAX / 1000000u ? CMT_RATE_MAX_BPS : bits * 1000000u / us;

	if (bps > CMT_RATE_MAX_BPS)
		bps = CMT_RATE_MAX_BPS;
	return heard < pkts ? bps / pkts * heard : bps;
}

static void push(uint64_t *samples, uint64_t bps)
{
	for (unsigned i = CMT_RATE_SAMPLES - 1; i > 0; i--)
		samples[i] = samples[i - 1];
	samples[0] = bps;
}

static uint64_t largest_span_bps(const struct cmt_rate *r)
{
	uint64_t max = 0;

	for (unsigned i = 0; i < CMT_RATE_SAMPLES; i++) {
		if (r->samples_bps[i] > max)
			max = r->samples_bps[i];
	}
	return max;
}

bool cmt_rate_is_clumped(const struct cmt_rate *r)
{
	return r->clumps.held > r->clumps.marks / CMT_LARGE_SHARE;
}

/* Of many clumps some are even by chance. */
static uint64_t train_bps(const struct cmt_rate *r)
{
	return cmt_rate_is_clumped(r) ? 0 : r->train.bps;
}

static uint64_t short_bps(const struct cmt_rate *r)
{
	return train_bps(r) > r->quick_bps ? train_bps(r) : r->quick_bps;
}

static uint64_t estimate_bps(const struct cmt_rate *r)
{
	uint64_t spans_bps = largest_span_bps(r);

	return short_bps(r) > spans_bps ? short_bps(r) : spans_bps;
}

/* A full span is complete. `filled`: a queue stood all the while, so that is all that the link carries. */
static void take_span(struct cmt_rate *r, uint64_t bps, bool growing, bool filled)
{
	uint64_t best;

	if (!r->idle)
		push(r->backlogged_bps, bps);
	if (!r->starved || r->limited || bps > estimate_bps(r))
		push(r->samples_bps, bps);
	else if (bps > r->starved_bps)
		r->starved_bps = bps;
	if (r->spans == CMT_RATE_SAMPLES)
		return;
	if (filled)
		r->spans = CMT_RATE_SAMPLES;
	else if (growing || ++r->spans < CMT_RATE_SAMPLES)
		return;
	/* Full spans bound what the short samples, which jitter inflates, may have found. */
	best = largest_span_bps(r) > r->starved_bps ? largest_span_bps(r) : r->starved_bps;
	best += best / 4;
	if (short_bps(r) > largest_span_bps(r))
		push(r->samples_bps, short_bps(r) < best ? short_bps(r) : best);
	r->quick_bps = 0;
	r->train.bps = 0;
}

static void watch_clumps(struct cmt_rate *r, int64_t arrival_us)
{
	struct cmt_rate_clumps *c = &r->clumps;

	c->marks++;
	c->held += arrival_us == c->arrival_us;
	c->arrival_us = arrival_us;
	if (c->marks == 2 * CMT_MEMORY_SAMPLES) {
		c->marks /= 2;
		c->held /= 2;
	}
}

/* Packets that left together and arrived far apart, against the min RTT, which may have come back on a
 * shorter way: a thin link, not jitter. Nor a host that stood still in between: the link held the first one,
 * too. */
static bool was_spread(const struct cmt_rate_mark *a, const struct cmt_rate_mark *b, uint64_t bps)
{
	int64_t sent_us = (int64_t)(b->sent_us - a->sent_us), span_us = b->arrival_us - a->arrival_us;
	int64_t pkts = cmt_serial_diff(b->number, a->number);

	return sent_us <= span_us / 2 &&
	       span_us - sent_us >= cmt_max_us(pkts * CMT_RATE_SPREAD_US, a->rtt_us / 2) && bps > 0 &&
	       cmt_transmission_us(a->bytes, bps) <= a->rtt_us;
}

/* Before the first train. */
static void take_spread(struct cmt_rate *r, const struct cmt_rate_mark *mark, uint64_t bps, int32_t pkts)
{
	r->trained = pkts >= CMT_RATE_QUICK_PKTS;
	if (r->trained)
		r->quick_bps = 0;
	else if (was_spread(&r->start, mark, bps))
		r->quick_bps = bps;
}

/* A part of a span, while those count. */
static void take_short(struct cmt_rate *r, uint64_t bps, uint32_t pkts, bool long_enough)
{
	bool steady = pkts >= CMT_GROUP_PKTS && long_enough;

	if (steady && !r->steady && cmt_rate_is_clumped(r)) {
		r->steady = true;
		r->quick_bps = 0;
	}
	if ((steady || (!r->steady && pkts >= CMT_RATE_QUICK_PKTS)) && bps > r->quick_bps)
		r->quick_bps = bps;
}

static void start_span(struct cmt_rate *r, const struct cmt_rate_mark *mark)
{
	r->start = *mark;
	r->started = true;
	r->starved = false;
	r->idle = r->hollow = false;
	r->limited = false;
	r->heard = 0;
}

static void start_train(struct cmt_rate_train *t, const struct cmt_rate_mark *mark)
{
	t->start = *mark;
	t->heard = 0;
	t->low_bps = UINT64_MAX;
	t->high_bps = 0;
}

/* The longest even train counts. What was not heard may be heard of late: such a train only raises. */
static void watch_train(struct cmt_rate_train *t, const struct cmt_rate_mark *mark)
{
	int32_t pkts = cmt_serial_diff(mark->number, t->start.number);
	int64_t sent_us = (int64_t)(mark->sent_us - t->start.sent_us);
	int64_t span_us = mark->arrival_us - t->start.arrival_us;
	uint64_t bps;

	if (pkts < 1 || span_us <= 0 || sent_us > span_us / 4 * 3) {
		start_train(t, mark);
		return;
	}
	t->heard += mark->heard;
	bps = rate_over(&t->start, mark, span_us, (uint32_t)pkts, t->heard);
	if (t->heard < (uint32_t)pkts)
		return;
	t->low_bps = bps < t->low_bps ? bps : t->low_bps;
	t->high_bps = bps > t->high_bps ? bps : t->high_bps;
	if (pkts < CMT_RATE_EVEN_PKTS || (uint32_t)pkts < t->pkts ||
	    t->high_bps - t->low_bps > t->low_bps / CMT_LITTLE_SHARE)
		return;
	t->pkts = (uint32_t)pkts;
	t->bps = bps;
}

static void take_mark(struct cmt_rate *r, const struct cmt_rate_mark *mark)
{
	int32_t pkts;
	int64_t span_us, sent_us;
	uint64_t bps;
	bool full;

	watch_clumps(r, mark->arrival_us);
	if (!r->started) {
		start_train(&r->train, mark);
		start_span(r, mark);
		return;
	}
	if (r->spans < CMT_RATE_SAMPLES)
		watch_train(&r->train, mark);
	r->start.arrival_us += mark->idle_us;
	r->start.sent_us += (uint64_t)mark->idle_us;
	pkts = cmt_serial_diff(mark->number, r->start.number);
	/* What arrived together with the first packet was delivered with it. */
	if (pkts > 0 && mark->arrival_us == r->start.arrival_us)
		start_span(r, mark);
	if (pkts < 1 || mark->arrival_us <= r->start.arrival_us)
		return;
	r->idle |= !mark->busy;
	r->hollow |= !mark->queued;
	r->starved |= !mark->busy || mark->doubted;
	r->limited |= mark->limited;
	r->heard += mark->heard;
	span_us = mark->arrival_us - r->start.arrival_us;
	sent_us = (int64_t)(mark->sent_us - r->start.sent_us);
	bps = rate_over(&r->start, mark, span_us, (uint32_t)pkts, r->heard);
	full = pkts >= CMT_GROUP_PKTS && span_us >= cmt_max_us(CMT_RATE_SPAN_US, mark->rtt_us / 2);
	if (!r->trained)
		take_spread(r, mark, bps, pkts);
	if (r->spans < CMT_RATE_SAMPLES && (!full || cmt_rate_is_clumped(r)))
		take_short(r,
		           rate_over(&r->start, mark, cmt_max_us(span_us, sent_us), (uint32_t)pkts, r->heard),
		           (uint32_t)pkts, span_us >= mark->rtt_us / 2);
	if (!full)
		return;
	take_span(r, bps, mark->growing, !r->hollow);
	start_span(r, mark);
}

void cmt_rate_on_echo(struct cmt_rate *r, const struct cmt_rate_mark *mark)
{
	take_mark(r, mark);
	r->bps = estimate_bps(r);
}

bool cmt_rate_is_exact(const struct cmt_rate *r)
{
	return train_bps(r) != 0;
}

uint64_t cmt_rate_bps(const struct cmt_rate *r)
{
	return r->bps;
}

uint64_t cmt_rate_low_bps(const struct cmt_rate *r)
{
	uint64_t low = cmt_rate_bps(r);

	for (unsigned i = 0; i < CMT_RATE_SAMPLES; i++) {
		if (r->backlogged_bps[i] != 0 && r->backlogged_bps[i] < low)
			low = r->backlogged_bps[i];
	}
	return low;
}

void cmt_rate_settle_doubt(struct cmt_rate *r)
{
	uint64_t low_bps = cmt_rate_low_bps(r);

	r->starved = r->idle;
	for (unsigned i = 0; i < CMT_RATE_SAMPLES; i++)
		r->samples_bps[i] = low_bps < r->samples_bps[i] ? low_bps : r->samples_bps[i];
	r->bps = estimate_bps(r);
}
