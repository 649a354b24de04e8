/* SPDX-License-Identifier: BSD-3-Clause */
#include "time_base.h"

#include <string.h>

#define RISE_DIVISOR 100
#define DRIFT_MIN    3 /* complete buckets */

void time_base_init(struct time_base *tb)
{
	memset(tb, 0, sizeof(*tb));
}

static void new_bucket(struct time_base *tb, uint64_t now_us, int64_t transit_us)
{
	memmove(&tb->buckets[1], &tb->buckets[0], sizeof(tb->buckets) - sizeof(tb->buckets[0]));
	tb->buckets[0].min_us = transit_us;
	tb->buckets[0].at_us = now_us;
	tb->n = tb->n < TIME_BASE_BUCKETS ? tb->n + 1 : tb->n;
	tb->bucket_from_us = now_us;
}

static int64_t window_min(const struct time_base *tb)
{
	int64_t min_us = tb->buckets[0].min_us;

	for (unsigned i = 1; i < tb->n && i < TIME_BASE_WINDOW; i++) {
		min_us = tb->buckets[i].min_us < min_us ? tb->buckets[i].min_us : min_us;
	}
	return min_us;
}

/* Raises the base towards `target_us`. */
static void rise(struct time_base *tb, uint64_t now_us, int64_t target_us)
{
	const int64_t allowed_us = (int64_t)((now_us - tb->risen_at_us) / RISE_DIVISOR);
	const int64_t wanted_us = target_us - tb->base_us;

	if (wanted_us == 0) {
		tb->risen_at_us = now_us;
	} else if (allowed_us > 0) {
		tb->base_us += wanted_us < allowed_us ? wanted_us : allowed_us;
		tb->risen_at_us = now_us;
	}
}

void time_base_add(struct time_base *tb, uint64_t now_us, uint64_t time_us)
{
	const int64_t transit_us = (int64_t)(now_us - time_us);
	int64_t target_us;

	if (tb->n == 0 || now_us - tb->bucket_from_us >= TIME_BASE_BUCKET_US) {
		new_bucket(tb, now_us, transit_us);
	} else if (transit_us < tb->buckets[0].min_us) {
		tb->buckets[0].min_us = transit_us;
		tb->buckets[0].at_us = now_us;
	}
	target_us = window_min(tb);
	if (!tb->known || target_us <= tb->base_us) {
		tb->known = true;
		tb->base_us = target_us;
		tb->risen_at_us = now_us;
	} else {
		rise(tb, now_us, target_us);
	}
}

uint64_t time_base_due_us(const struct time_base *tb, uint64_t now_us, uint64_t delay_us)
{
	const int64_t due_us = (int64_t)(now_us - delay_us) - tb->base_us;

	return tb->known && due_us > 0 ? (uint64_t)due_us : 0;
}

uint64_t time_base_at_us(const struct time_base *tb, uint64_t time_us, uint64_t delay_us)
{
	return time_us + (uint64_t)tb->base_us + delay_us;
}

bool time_base_drift_ppm(const struct time_base *tb, double *ppm)
{
	const unsigned oldest = tb->n - 1;

	/* The present bucket is not complete. */
	if (tb->n < DRIFT_MIN + 1) {
		return false;
	}
	*ppm = (double)(tb->buckets[1].min_us - tb->buckets[oldest].min_us) * 1e6 /
	       (double)(tb->buckets[1].at_us - tb->buckets[oldest].at_us);
	return true;
}
