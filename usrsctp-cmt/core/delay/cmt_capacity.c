/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_capacity.h"

#include "../util/cmt_serial.h"
#include "../util/cmt_time.h"

enum {
	/* Less than that tells nothing. */
	BUSY_BYTES = 4800,
	BUSY_US = 500,
	/* A train: packets that leave in less than this part of the time that they take to arrive. */
	TRAIN_NUM = 3,
	TRAIN_DEN = 4,
	TRAIN_US = 1000,
	TRAIN_MAX_US = 10000,
	/* A queue that shows a fall: this part of what the whole window says, or less. */
	FALLEN_NUM = 7,
	FALLEN_DEN = 8,
	QUEUE_FLOOR_US = 2000,
	/* A queue for so much of the window tells enough: trains are not needed. */
	QUEUED_SHARE = 4,
	/* In the beginning, when a frame may be all there was. */
	LEAST_CARRIED_US = 100000,
	/* So much of what is believed is delivered: the belief is the limit. */
	FULL_NUM = 9,
	FULL_DEN = 10,
	/* Nothing is left of a path that is overdue by that. */
	OVERDUE_US = 300000
};

struct sums {
	uint64_t bytes, queued_bytes, queued_us, train_bytes, train_us;
};

static struct sums sum(const struct cmt_capacity *c, uint64_t now_us, unsigned slices)
{
	const uint64_t newest = now_us / CMT_CAPACITY_SLICE_US;
	struct sums s = {.bytes = 0};

	for (unsigned i = 0; i < slices && i <= newest; i++) {
		const struct cmt_capacity_slice *slice = &c->slices[(newest - i) % CMT_CAPACITY_SLICES];

		if (slice->number != newest - i)
			continue;
		s.bytes += slice->bytes;
		s.queued_bytes += slice->queued_bytes;
		s.queued_us += slice->queued_us;
		s.train_bytes += slice->train_bytes;
		s.train_us += slice->train_us;
	}
	return s;
}

static uint64_t rate_bps(uint64_t bytes, uint64_t us)
{
	return bytes < BUSY_BYTES || us < BUSY_US ? 0 : bytes * CMT_BPS_PER_BYTE_PER_US / us;
}

uint64_t cmt_capacity_carried_bps(const struct cmt_capacity *c, uint64_t now_us)
{
	uint64_t us = now_us - c->started_us;

	if (!c->started)
		return 0;
	us = us < CMT_CAPACITY_WINDOW_US ? us : CMT_CAPACITY_WINDOW_US;
	us = us > LEAST_CARRIED_US ? us : LEAST_CARRIED_US;
	return sum(c, now_us, CMT_CAPACITY_SLICES).bytes * CMT_BPS_PER_BYTE_PER_US / us;
}

static struct cmt_capacity_slice *slice_at(struct cmt_capacity *c, uint64_t now_us)
{
	const uint64_t number = now_us / CMT_CAPACITY_SLICE_US;
	struct cmt_capacity_slice *slice = &c->slices[number % CMT_CAPACITY_SLICES];

	if (slice->number != number)
		*slice = (struct cmt_capacity_slice){.number = number};
	return slice;
}

/* A belief that is too low must not take the pauses of the application for busy time. */
static bool is_train(const struct cmt_capacity *c, int64_t sent_us, uint32_t bytes)
{
	return sent_us <= TRAIN_US || (sent_us <= TRAIN_MAX_US && c->bps != 0 &&
	                               sent_us * TRAIN_DEN <= cmt_transmission_us(bytes, c->bps) * TRAIN_NUM);
}

/* From the packet heard of before to this one. */
static void take_interval(struct cmt_capacity *c, const struct cmt_sentlog *log,
                          const struct cmt_sent_record *record, const struct cmt_capacity_echo *echo)
{
	const struct cmt_sent_record *next = cmt_sentlog_find(log, c->number + 1);
	const uint32_t pkts = (uint32_t)cmt_serial_diff(echo->number, c->number);
	const uint64_t sent_bytes = record->end_bytes - c->end_bytes;
	const uint32_t bytes = (uint32_t)(echo->heard < pkts ? sent_bytes / pkts * echo->heard : sent_bytes);
	const int64_t span_us = echo->arrival_us - c->arrival_us;
	struct cmt_capacity_slice *slice = slice_at(c, echo->now_us);

	slice->bytes += bytes;
	if (next == NULL || span_us < 0)
		return;
	if (c->arrival_us - (int64_t)next->sent_us - echo->base_us > echo->slack_us + QUEUE_FLOOR_US &&
	    c->queue_us > 0) {
		slice->queued_bytes += bytes;
		slice->queued_us += (uint32_t)span_us;
	} else if (!echo->clumped &&
	           is_train(c, (int64_t)(record->sent_us - c->sent_us), (uint32_t)sent_bytes)) {
		slice->train_bytes += bytes;
		slice->train_us += (uint32_t)span_us;
	}
}

/* By what was busy; 0 = too little was. */
static uint64_t measured_bps(const struct cmt_capacity *c, uint64_t now_us)
{
	const struct sums all = sum(c, now_us, CMT_CAPACITY_SLICES);
	const struct sums newest = sum(c, now_us, CMT_CAPACITY_SHORT_US / CMT_CAPACITY_SLICE_US);
	const bool queued = all.queued_us >= CMT_CAPACITY_WINDOW_US / QUEUED_SHARE;
	const uint64_t all_bps =
	    queued ? rate_bps(all.queued_bytes, all.queued_us)
	           : rate_bps(all.queued_bytes + all.train_bytes, all.queued_us + all.train_us);
	const uint64_t newest_bps = newest.queued_us >= CMT_CAPACITY_SHORT_US / 2
	                                ? rate_bps(newest.queued_bytes, newest.queued_us)
	                                : all_bps;

	return newest_bps != 0 && newest_bps < all_bps / FALLEN_DEN * FALLEN_NUM ? newest_bps : all_bps;
}

static void renew(struct cmt_capacity *c, uint64_t now_us)
{
	const uint64_t bps = measured_bps(c, now_us), carried_bps = cmt_capacity_carried_bps(c, now_us);
	const uint64_t gained_bps = carried_bps * CMT_CAPACITY_GAIN;
	const uint64_t most_bps = gained_bps > c->bps ? gained_bps : c->bps;
	const uint64_t probed_bps = c->measured_us == 0 ? gained_bps : carried_bps / 4 * 5;

	if (bps != 0) {
		c->bounded = bps > most_bps;
		c->bps = c->bounded ? most_bps : bps;
		c->measured_us = now_us;
	} else if ((c->bps == 0 || c->queue_us <= 0) && carried_bps > c->bps / FULL_DEN * FULL_NUM) {
		c->bps = probed_bps > c->bps ? probed_bps : c->bps;
	}
}

void cmt_capacity_on_echo(struct cmt_capacity *c, const struct cmt_sentlog *log,
                          const struct cmt_capacity_echo *echo)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(log, echo->number);

	if (record == NULL || (c->started && cmt_serial_diff(echo->number, c->number) <= 0))
		return;
	if (c->started) {
		take_interval(c, log, record, echo);
		renew(c, echo->now_us);
	} else {
		c->started = true;
		c->started_us = echo->now_us;
	}
	c->number = echo->number;
	c->sent_us = record->sent_us;
	c->end_bytes = record->end_bytes;
	c->heard_us = echo->now_us;
	c->arrival_us = echo->arrival_us;
	c->queue_us = echo->arrival_us - (int64_t)record->sent_us - echo->base_us - echo->slack_us;
	if (c->bps != 0)
		c->queue_us -= cmt_transmission_us(record->bytes, c->bps);
}

void cmt_capacity_clock_step(struct cmt_capacity *c)
{
	c->started = false;
}

uint64_t cmt_capacity_bps(const struct cmt_capacity *c, int64_t overdue_us)
{
	if (overdue_us <= 0)
		return c->bps;
	return overdue_us >= OVERDUE_US ? 0 : c->bps * (uint64_t)(OVERDUE_US - overdue_us) / OVERDUE_US;
}
