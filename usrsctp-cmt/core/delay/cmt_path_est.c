/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_path_est.h"

#include <stddef.h>

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"

enum { BASE_BUCKET_US = 60000000 };

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

uint64_t cmt_path_est_rate_bps(const struct cmt_path_est *e)
{
	uint64_t bps = cmt_rate_bps(&e->rate);

	return bps != 0 ? bps : e->rate_hint_bps;
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
	int64_t queue_us = 0;
	bool queued;

	(void)cmt_path_est_start_us(e, now_us, &queue_us);
	queued = queue_us > 0;
	if (!queued)
		e->idle = (struct cmt_anchor){.known = true,
		                              .number = e->log.next,
		                              .at_us = (int64_t)now_us,
		                              .end_bytes = e->log.sent_bytes};
	return cmt_sentlog_add(&e->log, now_us, stamp, wire_bytes, queued);
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
}
