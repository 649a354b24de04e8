/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_winfilter.h - minimum over a sliding window, kept in a few equal buckets.
 *
 * Pure: no clock, no allocation. The window covers the current bucket and the CMT_WINFILTER_BUCKETS - 1
 * before it, so its length varies by one bucket. */
#ifndef CMT_WINFILTER_H
#define CMT_WINFILTER_H

#include <stdint.h>

#define CMT_WINFILTER_BUCKETS 10

/* Buckets for what changes with the route alone: base delays, min RTTs, offsets of clocks. */
#define CMT_BASE_BUCKET_US 60000000

struct cmt_winfilter {
	uint64_t bucket_us; /* length of a bucket */
	uint64_t current;   /* number of the newest bucket: time / bucket_us */
	/* By bucket number modulo CMT_WINFILTER_BUCKETS: smallest sample, INT64_MAX = none, and when it was
	 * taken. */
	int64_t min[CMT_WINFILTER_BUCKETS];
	uint32_t min_at_ms[CMT_WINFILTER_BUCKETS];
	int64_t least; /* of all buckets, which is asked for far more often than samples come; INT64_MAX =
	                  no sample yet */
};

/* `bucket_us` > 0. */
void cmt_winfilter_init(struct cmt_winfilter *f, uint64_t bucket_us);

/* Adds a sample; now_us must not decrease. */
void cmt_winfilter_add(struct cmt_winfilter *f, uint64_t now_us, int64_t sample);

/* The minimum; CMT_UNKNOWN_US without a sample. Samples age out when newer ones arrive, never by themselves:
 * the last known value is better than none. */
int64_t cmt_winfilter_min(const struct cmt_winfilter *f);

/* The clock behind the samples turned out to run `ppb` parts in 10^9 faster than believed: raises each
 * bucket's minimum by what it lacks, as measured at now_us. */
void cmt_winfilter_tilt(struct cmt_winfilter *f, uint64_t now_us, int64_t ppb);

/* Raises all minima: what was measured is longer now by so much. */
void cmt_winfilter_raise(struct cmt_winfilter *f, int64_t by);

#endif
