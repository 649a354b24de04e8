/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_skew.h - how much faster the peer's clock runs than ours.
 *
 * Pure: time is an argument, no allocation. Two clocks that drift apart tilt every one-way delay by the same
 * slope. The slope is taken from the return direction, where only SACKs travel and no queue of ours stands:
 * smallest return delay per interval, then the slopes between all intervals (Theil-Sen). What is believed
 * stays while the middle half of them allows it: neither a few disturbed intervals nor a return path that is
 * longer from some time on, which leaves a third of the slopes as they were, move it. Intervals double when
 * the memory is full, so the estimate sharpens with the age of the association. */
#ifndef CMT_SKEW_H
#define CMT_SKEW_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_tuned.h"

#define CMT_SKEW_POINTS      16
#define CMT_SKEW_INTERVAL_US CMT_SELDOM_US /* at first */
#define CMT_SKEW_MAX_PPB     1000000       /* larger slopes are no skew */

struct cmt_skew_point {
	uint64_t at_us; /* our clock */
	int64_t
	    return_us; /* smallest return delay of the interval: our clock minus the peer's, uncorrected */
};

struct cmt_skew {
	struct cmt_skew_point points[CMT_SKEW_POINTS];
	uint32_t n_points;
	uint64_t interval_us;
	bool open;                     /* an interval is under way */
	struct cmt_skew_point current; /* its smallest sample */
	uint64_t started_us;           /* and its start */
	uint16_t path_id;              /* samples come from this return path only */
};

void cmt_skew_init(struct cmt_skew *s);

/* Adds a return delay seen on `path_id`. A path that has been silent for two intervals loses its place to the
 * one that is heard. now_us must not decrease. Returns true when an interval was completed, that is, when the
 * estimate may have changed. */
bool cmt_skew_add(struct cmt_skew *s, uint16_t path_id, uint64_t now_us, int64_t return_us);

/* Parts in 10^9 by which the peer's clock is faster: of what the intervals allow the nearest to what is
 * believed, which is 0 at first. */
int64_t cmt_skew_ppb(const struct cmt_skew *s, int64_t believed_ppb);

#endif
