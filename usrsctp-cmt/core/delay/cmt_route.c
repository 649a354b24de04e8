/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_route.h"

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

/* Whoever rests has an answer by then. */
enum { DOUBT_RTTS = 1 << CMT_DOUBT_DOUBLINGS };

void cmt_route_on_sent(struct cmt_route *r, uint64_t now_us, int64_t tx_us, int64_t free_in_us,
                       struct cmt_sent_record *record)
{
	int64_t own_us = r->own_until_us > now_us ? (int64_t)(r->own_until_us - now_us) : 0;

	record->alone = free_in_us == 0 && own_us == 0;
	own_us = cmt_min_us(own_us, free_in_us);
	r->own_until_us = now_us + (uint64_t)(own_us + tx_us);
	record->own_us = (uint32_t)cmt_min_us(UINT32_MAX, own_us);
	record->asked = record->alone && r->asking_pkts > 0;
	if (record->asked) {
		r->asking_pkts--;
		r->asked_us = now_us;
	}
}

static bool has_lasted(const struct cmt_route *r, uint64_t now_us, int64_t rtt_us)
{
	return r->since_us != 0 && now_us - r->since_us > (uint64_t)rtt_us << r->refuted;
}

bool cmt_route_is_in_doubt(const struct cmt_route *r, uint64_t now_us, int64_t rtt_us)
{
	return has_lasted(r, now_us, rtt_us) &&
	       now_us - r->since_us <= ((uint64_t)rtt_us << r->refuted) + DOUBT_RTTS * (uint64_t)rtt_us;
}

/* Sawtooths of loss-based flows are shorter, routes last longer. */
static bool was_raised_lately(const struct cmt_route *r, uint64_t now_us)
{
	return r->raised_at_us != 0 && now_us - r->raised_at_us < CMT_LONG_US;
}

static void confirm(struct cmt_route *r)
{
	r->since_us = 0;
	r->longer_pkts = 0;
	r->asking_pkts = 0;
}

/* Our own queue as well as a rate is known. */
static int64_t own_at_most_us(const struct cmt_sent_record *record)
{
	return record->own_us + record->own_us / CMT_LITTLE_SHARE;
}

void cmt_route_watch_extra(struct cmt_route *r, const struct cmt_sent_record *record, int64_t above_us)
{
	if (r->extra_pkts % CMT_MEMORY_SAMPLES == 0) {
		r->extra_before_us = r->extra_pkts == 0 ? 0 : r->extra_us;
		r->extra_us = INT64_MAX;
	}
	r->extra_pkts++;
	r->extra_us = cmt_min_us(r->extra_us, cmt_max_us(0, above_us - own_at_most_us(record)));
}

int64_t cmt_route_extra_us(const struct cmt_route *r)
{
	return r->extra_pkts == 0 ? 0 : cmt_min_us(r->extra_us, r->extra_before_us);
}

int64_t cmt_route_on_echo(struct cmt_route *r, uint64_t now_us, const struct cmt_sent_record *record,
                          int64_t above_us, int64_t slack_us, int64_t rtt_us)
{
	if (above_us < 0)
		r->grown_us = cmt_max_us(0, r->grown_us + above_us);
	if (above_us <= own_at_most_us(record) + slack_us) {
		if (has_lasted(r, now_us, rtt_us) && record->asked && r->refuted < CMT_DOUBT_DOUBLINGS)
			r->refuted++;
		confirm(r);
		return 0;
	}
	if (r->since_us == 0)
		r->since_us = now_us;
	if (r->asking_pkts == 0 && record->sent_us > r->asked_us && has_lasted(r, now_us, rtt_us))
		r->asking_pkts = CMT_SURE_SAMPLES;
	if (!record->alone)
		return 0;
	r->least_us = r->longer_pkts == 0 ? above_us : cmt_min_us(r->least_us, above_us);
	if (++r->longer_pkts < CMT_SURE_SAMPLES)
		return 0;
	r->varies = was_raised_lately(r, now_us);
	r->grown_us = r->varies ? r->grown_us + r->least_us : r->least_us;
	r->raised_at_us = now_us;
	r->refuted = 0;
	r->extra_pkts = 0;
	confirm(r);
	return r->least_us;
}

int64_t cmt_route_others_us(const struct cmt_route *r, uint64_t now_us)
{
	return r->varies && was_raised_lately(r, now_us) ? r->grown_us : 0;
}
