/* SPDX-License-Identifier: BSD-3-Clause
 *
 * time_base.h - the sender's clock in the receiver's: what to add to a time of the sender's to get the moment
 * at which a datagram read then would have arrived, had it met no queue on the fastest path.
 *
 * That is the smallest `arrival - time` of the last 20 to 30 s: the offset of the two clocks plus the
 * smallest delay, which cannot be told apart from one direction alone. It falls at once, and rises by 1 % of
 * the time that passes at most, so that a longer path or a slower clock stretches the playout instead of
 * breaking it.
 *
 * Pure; `now_us` is the receiver's monotonic clock. Differences are kept below 2^63 by LIVE_MAX_TIME_US. */
#ifndef LIVE_TIME_BASE_H
#define LIVE_TIME_BASE_H

#include <stdbool.h>
#include <stdint.h>

#define TIME_BASE_BUCKETS   8
#define TIME_BASE_BUCKET_US UINT64_C(10000000)
#define TIME_BASE_WINDOW    3 /* buckets that count, the present one included */

struct time_base {
	bool known;
	int64_t base_us;
	uint64_t risen_at_us; /* when base_us was raised last */
	struct {
		int64_t min_us;
		uint64_t at_us;       /* of that sample */
	} buckets[TIME_BASE_BUCKETS]; /* the newest is [0] */
	unsigned n;
	uint64_t bucket_from_us;
};

void time_base_init(struct time_base *tb);

/* A datagram of the sender's time `time_us` arrived. */
void time_base_add(struct time_base *tb, uint64_t now_us, uint64_t time_us);

/* The sender's time that corresponds to `now_us`, `delay_us` later; 0 before the first sample, and for what
 * is before the sender's zero. */
uint64_t time_base_due_us(const struct time_base *tb, uint64_t now_us, uint64_t delay_us);

/* The receiver's time at which `time_us` is due, `delay_us` later. */
uint64_t time_base_at_us(const struct time_base *tb, uint64_t time_us, uint64_t delay_us);

/* By how many ppm the receiver's clock runs faster than the sender's. False: not known yet (30 s). */
bool time_base_drift_ppm(const struct time_base *tb, double *ppm);

#endif
