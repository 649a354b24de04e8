/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_path_est.h"

#include <stddef.h>

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"
#include "../util/cmt_wide.h"

enum {
	/* At least 2 / ln 2, for a window to double in a round trip (BBR). */
	STARTUP_GAIN = 3,
	PROBE_QUARTERS = 5, /* BBR's 1.25 */
	FLAT_ROUNDS = 3,    /* BBR */
	QUIET_GROUPS = 2,   /* one may be chance */
};

void cmt_path_est_init(struct cmt_path_est *e, struct cmt_sent_record *records, uint32_t capacity)
{
	*e = (struct cmt_path_est){.delay_hint_us = CMT_UNKNOWN_US};
	cmt_sentlog_init(&e->log, records, capacity);
	cmt_path_est_clock_step(e);
}

void cmt_path_est_clock_step(struct cmt_path_est *e)
{
	cmt_winfilter_init(&e->base, CMT_BASE_BUCKET_US);
	cmt_rate_reset(&e->rate);
	e->idle_bps = 0;
	e->echoed.known = false;
	e->recent = (struct cmt_recent_echoes){.n = 0};
	e->newest_sample_us = CMT_UNKNOWN_US;
	e->group_mean = (struct cmt_group_mean){
	    .newest_us = CMT_UNKNOWN_US, .span_us = INT64_MAX, .before_us = INT64_MAX};
	cmt_winfilter_init(&e->group_mean.least, CMT_BASE_BUCKET_US);
	e->jitter = (struct cmt_jitter){.n = 0};
	e->route = (struct cmt_route){.asking_pkts = 0};
	e->confirmed.known = false;
}

void cmt_path_est_tilt(struct cmt_path_est *e, uint64_t now_us, int64_t ppb)
{
	cmt_winfilter_tilt(&e->base, now_us, ppb);
	cmt_winfilter_tilt(&e->group_mean.least, now_us, ppb);
}

int64_t cmt_path_est_jitter_us(const struct cmt_path_est *e)
{
	return e->startup.over ? e->jitter.smoothed_us : 0;
}

uint64_t cmt_path_est_rate_bps(const struct cmt_path_est *e)
{
	uint64_t bps = cmt_rate_bps(&e->rate);

	return bps != 0 ? bps : e->rate_hint_bps;
}

uint64_t cmt_path_est_held_bytes(const struct cmt_path_est *e, int64_t rtt_us)
{
	return cmt_wide_mul_div(e->confirmed_bps, (uint64_t)cmt_max_us(rtt_us, 0), CMT_BPS_PER_BYTE_PER_US,
	                        UINT64_MAX);
}

bool cmt_path_est_is_growing(const struct cmt_path_est *e)
{
	return e->startup.flat_rounds < FLAT_ROUNDS;
}

bool cmt_path_est_is_settled(const struct cmt_path_est *e)
{
	return e->startup.over && e->rate.spans == CMT_RATE_SAMPLES;
}

/* Of packets with that mean delay, which is known. */
static int64_t queue_in_us(const struct cmt_path_est *e, int64_t mean_us)
{
	return cmt_max_us(0, mean_us - cmt_winfilter_min(&e->base) - cmt_path_est_slack_us(e));
}

/* That the newest packets show, with what jitter may be taken off. */
static int64_t seen_queue_us(const struct cmt_path_est *e)
{
	const struct cmt_group_mean *t = &e->group_mean;

	return t->newest_us == CMT_UNKNOWN_US ? 0 : queue_in_us(e, t->newest_us);
}

/* Whether round trips may still deliver more and more, also after a queue or jitter has ended start-up. Not
 * through a queue of a min RTT: what grows then is the queue, and the round trip with it. */
static bool may_grow(const struct cmt_path_est *e)
{
	return cmt_path_est_is_growing(e) && e->rate.spans < CMT_RATE_SAMPLES &&
	       seen_queue_us(e) <= e->startup.min_rtt_us;
}

/* What the rate may turn out to be. */
static uint64_t eager_rate_bps(const struct cmt_path_est *e)
{
	uint64_t bps = cmt_path_est_rate_bps(e);

	if (may_grow(e) && !cmt_rate_is_exact(&e->rate))
		return bps * STARTUP_GAIN;
	if (!e->startup.over || e->startup.quiet_groups >= QUIET_GROUPS)
		return bps / 4 * PROBE_QUARTERS;
	return bps;
}

int64_t cmt_path_est_base_us(const struct cmt_path_est *e)
{
	int64_t base = cmt_winfilter_min(&e->base);
	uint64_t bps = cmt_rate_bps(&e->rate);

	if (base == CMT_UNKNOWN_US)
		return e->delay_hint_us;
	return bps == 0 ? base : base - cmt_transmission_us(e->base_bytes, bps);
}

/* Start of the next packet when the path runs at `bps`; `base` is known. */
static int64_t start_at_rate(const struct cmt_path_est *e, const struct cmt_anchor *echoed, uint64_t now_us,
                             int64_t base, uint64_t bps)
{
	int64_t start = (int64_t)now_us + base;

	if (bps != 0 && echoed->known)
		start = cmt_max_us(
		    start, echoed->at_us + cmt_transmission_us(e->log.sent_bytes - echoed->end_bytes, bps));
	if (bps != 0 && e->idle.known)
		start =
		    cmt_max_us(start, e->idle.at_us + base +
		                          cmt_transmission_us(e->log.sent_bytes - e->idle.end_bytes, bps));
	return start;
}

int64_t cmt_path_est_start_us(const struct cmt_path_est *e, uint64_t now_us)
{
	int64_t base = cmt_path_est_base_us(e);

	return base == CMT_UNKNOWN_US ? CMT_UNKNOWN_US
	                              : start_at_rate(e, &e->echoed, now_us, base, cmt_path_est_rate_bps(e));
}

int64_t cmt_path_est_queue_us(const struct cmt_path_est *e, uint64_t now_us)
{
	int64_t base = cmt_path_est_base_us(e);

	return base == CMT_UNKNOWN_US
	           ? 0
	           : start_at_rate(e, &e->recent.queue_anchor, now_us, base, eager_rate_bps(e)) -
	                 (int64_t)now_us - base;
}

/* What the path carries at least: of late, and since the base delay was last confirmed. */
static uint64_t low_rate_bps(const struct cmt_path_est *e)
{
	uint64_t bps = cmt_rate_low_bps(&e->rate), since_bps;
	int64_t us = e->echoed.at_us - e->confirmed.at_us;

	if (!e->confirmed.known || us <= 0)
		return bps;
	since_bps = (e->echoed.end_bytes - e->confirmed.end_bytes) * UINT64_C(8000000) / (uint64_t)us;
	return since_bps < bps ? since_bps : bps;
}

/* How long until a packet would meet nothing of ours, if all that delayed the newest echo was ours. */
static int64_t free_in_us(const struct cmt_path_est *e, uint64_t now_us)
{
	int64_t base = cmt_path_est_base_us(e);
	uint64_t bps = low_rate_bps(e);

	return base == CMT_UNKNOWN_US || bps == 0
	           ? INT64_MAX
	           : start_at_rate(e, &e->echoed, now_us, base, bps) - (int64_t)now_us - base;
}

int64_t cmt_path_est_hold_us(const struct cmt_path_est *e, uint64_t now_us)
{
	return cmt_route_is_asking(&e->route) ? free_in_us(e, now_us) : 0;
}

int64_t cmt_path_est_others_us(const struct cmt_path_est *e, uint64_t now_us)
{
	return cmt_route_others_us(&e->route, now_us);
}

/* Whether what was sent has left the queue before a packet sent now gets there, at the rate that is known. */
static bool is_free(const struct cmt_path_est *e, uint64_t now_us, int64_t base)
{
	return base == CMT_UNKNOWN_US ||
	       start_at_rate(e, &e->echoed, now_us, base, cmt_path_est_rate_bps(e)) <= (int64_t)now_us + base;
}

/* Whether the path was left idle before the next packet: all before it have been heard of, and it was not the
 * window that held it up. */
static bool has_paused(const struct cmt_path_est *e)
{
	const struct cmt_sent_record *last = e->echoed.known && e->echoed.number + 1 == e->log.next
	                                         ? cmt_sentlog_find(&e->log, e->echoed.number)
	                                         : NULL;

	return last != NULL && !last->limited;
}

uint32_t cmt_path_est_on_sent(struct cmt_path_est *e, const struct cmt_path_packet *packet)
{
	struct cmt_sent_record record = {.sent_us = packet->now_us,
	                                 .stamp = packet->stamp,
	                                 .predicted_us = CMT_UNKNOWN_US,
	                                 .eager_us = CMT_UNKNOWN_US,
	                                 .expected_us = CMT_UNKNOWN_US,
	                                 .limited = packet->limited,
	                                 .paused = has_paused(e)};
	int64_t base = cmt_path_est_base_us(e);
	uint64_t bps = eager_rate_bps(e), known_bps = cmt_path_est_rate_bps(e);

	if (base != CMT_UNKNOWN_US && bps != 0) {
		int64_t start_us = start_at_rate(e, &e->echoed, packet->now_us, base, bps);
		int64_t free_us = start_at_rate(e, &e->recent.queue_anchor, packet->now_us, base, bps);

		if (cmt_rate_bps(&e->rate) != 0)
			record.expected_us = start_at_rate(e, &e->recent.queue_anchor, packet->now_us, base,
			                                   cmt_rate_bps(&e->rate)) +
			                     cmt_transmission_us(packet->wire_bytes, cmt_rate_bps(&e->rate));
		record.queued = free_us > (int64_t)packet->now_us + base + cmt_path_est_jitter_us(e);
		record.predicted_us = start_at_rate(e, &e->echoed, packet->now_us, base, known_bps) +
		                      cmt_transmission_us(packet->wire_bytes, known_bps);
		record.eager_us = start_us + cmt_transmission_us(packet->wire_bytes, bps);
	}
	cmt_route_on_sent(&e->route, packet->now_us,
	                  known_bps == 0 ? 0 : cmt_transmission_us(packet->wire_bytes, known_bps),
	                  free_in_us(e, packet->now_us), &record);
	if (!record.queued && is_free(e, packet->now_us, base))
		e->idle = (struct cmt_anchor){.known = true,
		                              .number = e->log.next,
		                              .at_us = (int64_t)packet->now_us,
		                              .end_bytes = e->log.sent_bytes};
	return cmt_sentlog_add(&e->log, &record, packet->wire_bytes);
}

void cmt_path_est_on_gone(struct cmt_path_est *e, uint32_t number, uint64_t now_us, uint32_t rtt_us)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);

	if (record == NULL || (e->idle.known && cmt_serial_gt(e->idle.number, number)))
		return;
	e->idle = (struct cmt_anchor){.known = true,
	                              .number = number + 1,
	                              .at_us = cmt_max_us((int64_t)record->sent_us, (int64_t)now_us - rtt_us),
	                              .end_bytes = record->end_bytes};
}

uint64_t cmt_path_est_ack_due_us(const struct cmt_path_est *e, uint32_t number, int64_t min_rtt_us)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);
	int64_t base_us = cmt_winfilter_min(&e->base);

	if (record == NULL || record->expected_us == CMT_UNKNOWN_US || base_us == CMT_UNKNOWN_US ||
	    min_rtt_us == CMT_UNKNOWN_US)
		return 0;
	return (uint64_t)(record->expected_us - base_us + min_rtt_us);
}

uint64_t cmt_path_est_next_ack_us(const struct cmt_path_est *e, uint32_t min_rtt_us)
{
	const struct cmt_sent_record *oldest =
	    e->echoed.known ? cmt_sentlog_find(&e->log, e->echoed.number + 1) : NULL;

	return oldest != NULL ? oldest->sent_us + min_rtt_us : 0;
}

uint64_t cmt_path_est_any_ack_due_us(const struct cmt_path_est *e, uint64_t since_us, int64_t min_rtt_us)
{
	const uint32_t number = e->echoed.number + CMT_SURE_SAMPLES;
	const struct cmt_sent_record *record = e->echoed.known ? cmt_sentlog_find(&e->log, number) : NULL;

	if (record == NULL || record->sent_us < since_us)
		return 0;
	return cmt_path_est_ack_due_us(e, number, min_rtt_us);
}

bool cmt_path_est_accepts(struct cmt_path_est *e, uint32_t number, uint32_t stamp, uint32_t elapsed_us,
                          uint32_t now_stamp)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);
	uint32_t out_us;

	if (record != NULL && record->stamp == stamp && !record->echoed) {
		/* Overtaken on another return path: true, and of no more use. */
		if (e->echoed.known && cmt_serial_gt(e->echoed.number, number))
			return false;
		out_us = now_stamp - stamp;
		if (elapsed_us <= out_us + out_us / 1024)
			return true;
	}
	e->rejected++;
	return false;
}

static void count_in_a_row(uint32_t *count, bool hit)
{
	*count = hit ? *count + 1 : 0;
}

/* Once per round trip: has what was delivered in it grown by a quarter? The rate does not tell: the first
 * burst may show it. */
static void watch_growth(struct cmt_path_est *e, uint32_t number, uint64_t end_bytes)
{
	struct cmt_startup *s = &e->startup;
	uint64_t delivered = end_bytes - s->round_start_bytes;

	if (!cmt_serial_ge(number, s->round_end))
		return;
	s->round_end = e->log.next;
	s->round_start_bytes = end_bytes;
	if (delivered > s->best_bytes + s->best_bytes / 4) {
		s->best_bytes = delivered;
		s->flat_rounds = 0;
	} else {
		s->flat_rounds++;
	}
}

/* A queue that is more than what keeps the link busy, and that shows when it is there. */
static int64_t deep_queue_us(const struct cmt_path_est *e, uint32_t packet_bytes)
{
	return cmt_max_us(CMT_MIN_RTT_THRESH_US,
	                  CMT_QUEUE_PKTS * cmt_transmission_us(packet_bytes, cmt_rate_bps(&e->rate)));
}

static bool predicted_deep_queue(const struct cmt_path_est *e, const struct cmt_sent_record *record,
                                 uint32_t packet_bytes)
{
	return record->eager_us != CMT_UNKNOWN_US && cmt_rate_bps(&e->rate) != 0 &&
	       record->eager_us - (int64_t)record->sent_us - cmt_winfilter_min(&e->base) >
	           deep_queue_us(e, packet_bytes) + cmt_path_est_jitter_us(e);
}

/* Whether the newest echoes show a queue. One late packet holds up all behind it where jitter keeps the
 * order, and they arrive in clumps: there a queue is above what is usual, and lasts. */
static bool shows_queue(struct cmt_path_est *e, int64_t arrival_us, int64_t limit_us, int64_t rtt_us)
{
	struct cmt_startup *s = &e->startup;
	bool clumped = cmt_rate_is_clumped(&e->rate);

	if (clumped)
		limit_us += cmt_path_est_jitter_floor_us(e);
	if (s->queued_samples == 0)
		s->queued_since_us = arrival_us;
	count_in_a_row(&s->queued_samples, e->newest_sample_us - cmt_winfilter_min(&e->base) > limit_us);
	return s->queued_samples >= CMT_SURE_SAMPLES &&
	       (!clumped || arrival_us - s->queued_since_us >= rtt_us / CMT_LARGE_SHARE);
}

/* `before_bps`: the rate before this echo. */
static void watch_startup(struct cmt_path_est *e, uint32_t number, const struct cmt_sent_record *record,
                          int64_t arrival_us, uint32_t packet_bytes, int64_t rtt_us, uint64_t before_bps)
{
	struct cmt_startup *s = &e->startup;
	uint64_t bps = cmt_rate_bps(&e->rate);
	bool queued;

	s->min_rtt_us = s->min_rtt_us == 0 ? rtt_us : cmt_min_us(s->min_rtt_us, rtt_us);
	if (bps == 0)
		return;
	queued = shows_queue(e, arrival_us, deep_queue_us(e, packet_bytes), rtt_us);
	/* Predictions made with a lower rate say nothing about the present one. */
	if (bps > before_bps + before_bps / CMT_LITTLE_SHARE)
		s->quiet_groups = 0;
	watch_growth(e, number, record->end_bytes);
	if (queued || !cmt_path_est_is_growing(e))
		s->over = true;
}

int64_t cmt_path_est_jitter_floor_us(const struct cmt_path_est *e)
{
	int64_t least = cmt_winfilter_min(&e->group_mean.least);

	return least == CMT_UNKNOWN_US ? 0 : cmt_max_us(0, least - cmt_winfilter_min(&e->base));
}

/* `span_us`: for so long jitter may hold up packets together. */
static void watch_standing(struct cmt_group_mean *t, int64_t now_us, int64_t span_us)
{
	if (now_us - t->since_us > span_us) {
		t->before_us = span_us > 0 ? t->span_us : INT64_MAX;
		t->span_us = INT64_MAX;
		t->since_us = now_us;
	}
	t->span_us = cmt_min_us(t->span_us, t->newest_us);
}

static void watch_group_means(struct cmt_path_est *e, uint64_t now_us, bool queued, uint32_t packet_bytes)
{
	struct cmt_group_mean *t = &e->group_mean;
	uint64_t bps = cmt_rate_bps(&e->rate);

	t->sum_us += e->newest_sample_us;
	if (++t->n < CMT_GROUP_PKTS)
		return;
	t->newest_us = t->sum_us / CMT_GROUP_PKTS;
	t->sum_us = 0;
	t->n = 0;
	cmt_winfilter_add(&t->least, now_us, t->newest_us);
	watch_standing(t, (int64_t)now_us, CMT_JITTER_SPANS * cmt_path_est_jitter_us(e));
	if (bps != 0)
		count_in_a_row(&e->startup.quiet_groups,
		               queued && t->newest_us - cmt_winfilter_min(&t->least) <
		                             cmt_max_us(cmt_path_est_jitter_floor_us(e) / 2,
		                                        CMT_JITTERS * cmt_path_est_jitter_us(e)) +
		                                 cmt_transmission_us(packet_bytes, bps));
}

static int64_t slack_us(const struct cmt_path_est *e, int64_t floor_us)
{
	return cmt_max_us(floor_us + floor_us / 2, CMT_JITTERS * cmt_path_est_jitter_us(e));
}

int64_t cmt_path_est_slack_us(const struct cmt_path_est *e)
{
	return slack_us(e, cmt_path_est_jitter_floor_us(e));
}

int64_t cmt_path_est_standing_queue_us(const struct cmt_path_est *e)
{
	const struct cmt_group_mean *t = &e->group_mean;

	return t->newest_us == CMT_UNKNOWN_US ? 0 : queue_in_us(e, cmt_min_us(t->span_us, t->before_us));
}

static bool route_is_in_doubt(const struct cmt_path_est *e, uint64_t now_us, int64_t rtt_us)
{
	return cmt_path_est_is_settled(e) && cmt_route_is_in_doubt(&e->route, now_us, rtt_us);
}

/* How much longer a packet of this size takes to leave than the one behind the base delay. */
static int64_t size_us(const struct cmt_path_est *e, uint32_t packet_bytes)
{
	uint32_t more_bytes = packet_bytes > e->base_bytes ? packet_bytes - e->base_bytes : 0;

	return cmt_transmission_us(more_bytes, cmt_rate_bps(&e->rate));
}

/* The floor holds what is no jitter, too: on a link always in use our own queue, after a change the change.
 */
static int64_t route_slack_us(const struct cmt_path_est *e)
{
	int64_t floor_us = cmt_path_est_jitter_floor_us(e);

	/* Where the rate is not certain our own queue is not, and what it does not explain is no evidence. */
	if (cmt_rate_low_bps(&e->rate) >= cmt_rate_bps(&e->rate) / CMT_LITTLE_SHARE * (CMT_LITTLE_SHARE - 1))
		floor_us = cmt_max_us(0, floor_us - cmt_route_extra_us(&e->route));
	return slack_us(e, floor_us);
}

/* Returns by how much the route is longer than believed. */
static int64_t watch_route(struct cmt_path_est *e, uint64_t now_us, const struct cmt_sent_record *record,
                           int64_t above_us, int64_t rtt_us)
{
	unsigned refuted = e->route.refuted;
	int64_t longer_us;

	if (!cmt_path_est_is_settled(e))
		return 0;
	cmt_route_watch_extra(&e->route, record, above_us - size_us(e, record->bytes));
	longer_us = cmt_route_on_echo(&e->route, now_us, record, above_us,
	                              route_slack_us(e) + size_us(e, record->bytes), rtt_us);
	if (e->route.refuted > refuted)
		cmt_rate_settle_doubt(&e->rate);
	if (longer_us > 0) {
		cmt_winfilter_raise(&e->base, longer_us);
		cmt_winfilter_raise(&e->group_mean.least, longer_us);
		e->startup.min_rtt_us += longer_us;
	}
	return longer_us;
}

/* Whether delays show a queue that holds another packet of this size. */
static bool found_queue(const struct cmt_path_est *e, uint32_t packet_bytes)
{
	uint64_t bps = cmt_rate_bps(&e->rate);

	return bps != 0 && seen_queue_us(e) > cmt_transmission_us(packet_bytes, bps);
}

static void watch_jitter(struct cmt_path_est *e, const struct cmt_sent_record *record, int64_t arrival_us,
                         int64_t rtt_us)
{
	if (record->expected_us != CMT_UNKNOWN_US && e->startup.over)
		cmt_jitter_on_arrival(&e->jitter, arrival_us, arrival_us - record->expected_us,
		                      cmt_rate_bps(&e->rate),
		                      cmt_rate_is_clumped(&e->rate) ? rtt_us / 2 : INT64_MIN);
}

/* Jitter makes a packet late, never early: of several arrivals the one that leaves the path free soonest
 * tells most of the queue. */
static void watch_queue(struct cmt_path_est *e)
{
	struct cmt_recent_echoes *r = &e->recent;
	int64_t oldest_us = e->echoed.at_us - CMT_JITTER_SPANS * cmt_path_est_jitter_us(e);
	uint64_t bps = cmt_path_est_rate_bps(e);

	r->at_us[r->n % CMT_GROUP_PKTS] = e->echoed.at_us;
	r->end_bytes[r->n++ % CMT_GROUP_PKTS] = (uint32_t)e->echoed.end_bytes;
	r->queue_anchor = e->echoed;
	for (unsigned i = 0; i < CMT_GROUP_PKTS && i < r->n && bps != 0; i++) {
		uint32_t bytes = (uint32_t)e->echoed.end_bytes - r->end_bytes[i];

		if (r->at_us[i] >= oldest_us)
			r->queue_anchor.at_us =
			    cmt_min_us(r->queue_anchor.at_us, r->at_us[i] + cmt_transmission_us(bytes, bps));
	}
}

/* With another rate other packets found the path idle. In start-up it is judged again which. */
static void judge_idle(struct cmt_path_est *e)
{
	uint64_t bps = cmt_rate_bps(&e->rate),
	         change = bps > e->idle_bps ? bps - e->idle_bps : e->idle_bps - bps;
	int64_t base = cmt_path_est_base_us(e), free_us = e->echoed.at_us;

	if (e->startup.over || bps == 0 || change <= e->idle_bps / CMT_LITTLE_SHARE)
		return;
	e->idle_bps = bps;
	e->idle.known = false;
	for (uint32_t number = e->echoed.number + 1; number != e->log.next; number++) {
		const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);

		if (record == NULL)
			continue;
		if (free_us <= (int64_t)record->sent_us + base) {
			free_us = (int64_t)record->sent_us + base;
			e->idle = (struct cmt_anchor){.known = true,
			                              .number = number,
			                              .at_us = (int64_t)record->sent_us,
			                              .end_bytes = record->end_bytes - record->bytes};
		}
		free_us += cmt_transmission_us(record->bytes, bps);
	}
}

uint32_t cmt_path_est_newly_heard(const struct cmt_path_est *e, uint16_t heard_pkts)
{
	return (uint16_t)(heard_pkts - e->heard_pkts);
}

bool cmt_path_est_is_behind_loss(const struct cmt_path_est *e, uint32_t number, uint16_t heard_pkts)
{
	return cmt_serial_diff(number, cmt_path_est_heard_number(e)) >
	       (int32_t)cmt_path_est_newly_heard(e, heard_pkts);
}

int64_t cmt_path_est_on_echo(struct cmt_path_est *e, uint64_t now_us, uint32_t number, int64_t arrival_us,
                             uint16_t heard_pkts)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);
	const uint64_t before_bps = cmt_rate_bps(&e->rate);
	uint32_t packet_bytes, heard;
	int64_t rtt_us, base, longer_us, idle_us = 0;
	bool queued;

	if (record == NULL)
		return 0;
	cmt_sentlog_note_echo(&e->log, number);
	heard = cmt_path_est_newly_heard(e, heard_pkts);
	e->heard_pkts = heard_pkts;
	packet_bytes = record->bytes;
	rtt_us = (int64_t)(now_us - record->sent_us);
	e->samples++;
	e->newest_sample_us = arrival_us - (int64_t)record->sent_us;
	base = cmt_winfilter_min(&e->base);
	cmt_winfilter_add(&e->base, now_us, e->newest_sample_us);
	watch_jitter(e, record, arrival_us, rtt_us);
	longer_us =
	    watch_route(e, now_us, record, base == CMT_UNKNOWN_US ? 0 : e->newest_sample_us - base, rtt_us);
	watch_group_means(e, now_us, predicted_deep_queue(e, record, packet_bytes), packet_bytes);
	if (e->newest_sample_us <= cmt_winfilter_min(&e->base))
		e->base_bytes = packet_bytes;
	queued = e->echoed.known &&
	         (int64_t)record->sent_us + cmt_winfilter_min(&e->base) + cmt_path_est_slack_us(e) <=
	             e->echoed.at_us;
	if (record->paused)
		idle_us = cmt_max_us(0, (int64_t)record->sent_us + cmt_path_est_base_us(e) - e->echoed.at_us);
	e->echoed = (struct cmt_anchor){
	    .known = true, .number = number, .at_us = arrival_us, .end_bytes = record->end_bytes};
	if (!cmt_route_is_unconfirmed(&e->route)) {
		e->confirmed = e->echoed;
		if (longer_us == 0)
			e->confirmed_bps = cmt_rate_bps(&e->rate);
	}
	watch_queue(e);
	if (e->idle.known && cmt_serial_ge(number, e->idle.number))
		e->idle.known = false;
	cmt_rate_on_echo(&e->rate,
	                 &(struct cmt_rate_mark){.sent_us = record->sent_us,
	                                         .arrival_us = arrival_us,
	                                         .rtt_us = rtt_us,
	                                         .end_bytes = record->end_bytes,
	                                         .bytes = packet_bytes,
	                                         .number = number,
	                                         .busy = record->queued || found_queue(e, packet_bytes),
	                                         .queued = queued,
	                                         .doubted = route_is_in_doubt(e, now_us, rtt_us),
	                                         .limited = record->limited,
	                                         .growing = cmt_path_est_is_growing(e),
	                                         .idle_us = idle_us,
	                                         .heard = heard});
	watch_startup(e, number, record, arrival_us, packet_bytes, rtt_us, before_bps);
	judge_idle(e);
	return longer_us;
}
