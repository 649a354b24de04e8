/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_path_est.h"

#include <stddef.h>

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"

enum {
	BASE_BUCKET_US = 60000000,
	STARTUP_GAIN = 2,
	/* A queue this long, in so many echoes in a row, ends start-up: long against timer ticks, short
	   against buffers. */
	FILLED_US = 3000,
	FILLED_PKTS = 2,
	FILLED_SAMPLES = 3,
	FLAT_ROUNDS = 3,
	EARLY_SAMPLES = 8
};

void cmt_path_est_init(struct cmt_path_est *e, struct cmt_sent_record *records, uint32_t capacity)
{
	*e = (struct cmt_path_est){.delay_hint_us = CMT_UNKNOWN_US};
	cmt_sentlog_init(&e->log, records, capacity);
	cmt_path_est_clock_step(e);
}

void cmt_path_est_clock_step(struct cmt_path_est *e)
{
	cmt_winfilter_init(&e->base, BASE_BUCKET_US);
	cmt_rate_reset(&e->rate);
	e->echoed.known = false;
	e->base_sample_us = CMT_UNKNOWN_US;
	e->newest_sample_us = CMT_UNKNOWN_US;
}

void cmt_path_est_tilt(struct cmt_path_est *e, uint64_t now_us, int64_t ppb)
{
	cmt_winfilter_tilt(&e->base, now_us, ppb);
}

uint64_t cmt_path_est_rate_bps(const struct cmt_path_est *e)
{
	uint64_t bps = cmt_rate_bps(&e->rate);

	if (bps == 0)
		bps = e->rate_hint_bps;
	return e->startup.over ? bps : bps * STARTUP_GAIN;
}

int64_t cmt_path_est_base_us(const struct cmt_path_est *e)
{
	int64_t base = cmt_winfilter_min(&e->base);
	uint64_t bps = cmt_rate_bps(&e->rate);

	if (base == CMT_UNKNOWN_US)
		return e->delay_hint_us;
	return bps == 0 ? base : base - cmt_transmission_us(e->base_bytes, bps);
}

int64_t cmt_path_est_start_us(const struct cmt_path_est *e, uint64_t now_us, int64_t *queue_us)
{
	uint64_t bps = cmt_path_est_rate_bps(e);
	int64_t base = cmt_path_est_base_us(e);
	int64_t reached, start;

	if (base == CMT_UNKNOWN_US)
		return CMT_UNKNOWN_US;
	reached = (int64_t)now_us + base;
	start = reached;
	if (bps != 0 && e->echoed.known)
		start =
		    cmt_max_us(start, e->echoed.at_us +
		                          cmt_transmission_us(e->log.sent_bytes - e->echoed.end_bytes, bps));
	if (bps != 0 && e->idle.known)
		start =
		    cmt_max_us(start, e->idle.at_us + base +
		                          cmt_transmission_us(e->log.sent_bytes - e->idle.end_bytes, bps));
	if (queue_us != NULL)
		*queue_us = start - reached;
	return start;
}

uint32_t cmt_path_est_on_sent(struct cmt_path_est *e, uint64_t now_us, uint32_t stamp, uint32_t wire_bytes)
{
	struct cmt_sent_record record = {.sent_us = now_us, .stamp = stamp, .predicted_us = CMT_UNKNOWN_US};
	uint64_t bps = cmt_path_est_rate_bps(e);
	int64_t queue_us = 0;
	int64_t start_us = cmt_path_est_start_us(e, now_us, &queue_us);

	record.queued = queue_us > 0;
	if (start_us != CMT_UNKNOWN_US && bps != 0)
		record.predicted_us = start_us + cmt_transmission_us(wire_bytes, bps);
	if (!record.queued)
		e->idle = (struct cmt_anchor){.known = true,
		                              .number = e->log.next,
		                              .at_us = (int64_t)now_us,
		                              .end_bytes = e->log.sent_bytes};
	return cmt_sentlog_add(&e->log, &record, wire_bytes);
}

bool cmt_path_est_accepts(struct cmt_path_est *e, uint32_t number, uint32_t stamp, uint32_t elapsed_us,
                          uint32_t now_stamp)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);
	uint32_t out_us;

	if (record != NULL && record->stamp == stamp &&
	    (!e->echoed.known || cmt_serial_gt(number, e->echoed.number))) {
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

/* Once per round trip: has the rate grown by a quarter? */
static void watch_growth(struct cmt_path_est *e, uint32_t number, uint64_t bps)
{
	struct cmt_startup *s = &e->startup;

	if (!cmt_serial_ge(number, s->round_end))
		return;
	s->round_end = e->log.next;
	if (bps > s->best_bps + s->best_bps / 4) {
		s->best_bps = bps;
		s->flat_rounds = 0;
	} else {
		s->flat_rounds++;
	}
}

static void watch_startup(struct cmt_path_est *e, uint32_t number, const struct cmt_sent_record *record,
                          int64_t arrival_us, uint32_t packet_bytes)
{
	struct cmt_startup *s = &e->startup;
	uint64_t bps = cmt_rate_bps(&e->rate);
	int64_t limit_us;

	if (bps == 0)
		return;
	limit_us = cmt_max_us(FILLED_US, FILLED_PKTS * cmt_transmission_us(packet_bytes, bps));
	count_in_a_row(&s->queued_samples, e->newest_sample_us - cmt_winfilter_min(&e->base) > limit_us);
	count_in_a_row(&s->early_samples, record->queued && record->predicted_us != CMT_UNKNOWN_US &&
	                                      record->predicted_us - arrival_us > limit_us);
	watch_growth(e, number, bps);
	if (s->queued_samples >= FILLED_SAMPLES || s->flat_rounds >= FLAT_ROUNDS)
		s->over = true;
	if (s->over && s->early_samples >= EARLY_SAMPLES)
		*s = (struct cmt_startup){.round_end = e->log.next};
}

void cmt_path_est_on_echo(struct cmt_path_est *e, uint64_t now_us, uint32_t number, int64_t arrival_us)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&e->log, number);
	const struct cmt_sent_record *before = cmt_sentlog_find(&e->log, number - 1);
	int64_t sample;

	if (record == NULL)
		return;
	sample = arrival_us - (int64_t)record->sent_us;
	e->samples++;
	e->newest_sample_us = sample;
	cmt_winfilter_add(&e->base, now_us, sample);
	if (e->base_sample_us == CMT_UNKNOWN_US || sample <= cmt_winfilter_min(&e->base)) {
		e->base_sample_us = sample;
		e->base_bytes = before != NULL ? (uint32_t)(record->end_bytes - before->end_bytes) : 0;
	}
	e->echoed = (struct cmt_anchor){
	    .known = true, .number = number, .at_us = arrival_us, .end_bytes = record->end_bytes};
	if (e->idle.known && cmt_serial_ge(number, e->idle.number))
		e->idle.known = false;
	cmt_rate_on_echo(&e->rate, &(struct cmt_rate_mark){.arrival_us = arrival_us,
	                                                   .end_bytes = record->end_bytes,
	                                                   .number = number,
	                                                   .queued = record->queued});
	watch_startup(e, number, record, arrival_us,
	              before != NULL ? (uint32_t)(record->end_bytes - before->end_bytes) : 0);
}
