/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_return_delay.h - how long SACKs take back over one path, and how long the next one would.
 *
 * Pure: time is an argument, never decreasing; no allocation. Samples are our clock minus the peer's, so they
 * contain the clocks' offset, which is the same for all paths of an association: differences are delays.
 *
 * Many SACKs can fill the return direction of a narrow path. What the newest samples are above the smallest
 * is taken for a queue, which drains while nobody looks: a path that is not asked for SACKs any more becomes
 * attractive again by and by.
 *
 * Where SACKs are overdue the way back takes at least so much longer: it stands still, or loses them. */
#ifndef CMT_RETURN_DELAY_H
#define CMT_RETURN_DELAY_H

#include "../util/cmt_winfilter.h"

struct cmt_return_delay {
	struct cmt_winfilter base; /* smallest sample of the last ten minutes */
	int64_t smoothed_us;       /* gain 1/8, as SRTT (RFC 6298); CMT_UNKNOWN_US = no sample */
	uint64_t at_us;            /* newest sample */
	uint64_t silent_us;        /* since when SACKs are overdue; 0 = they are not */
};

void cmt_return_delay_init(struct cmt_return_delay *r);

void cmt_return_delay_add(struct cmt_return_delay *r, uint64_t now_us, int64_t sample_us);

/* SACKs were asked for here, and are overdue since then. Holds until a sample comes, or nothing is asked for
 * here any more. */
void cmt_return_delay_be_silent(struct cmt_return_delay *r, uint64_t since_us);
void cmt_return_delay_leave(struct cmt_return_delay *r);

/* The peer's clock turned out to run `ppb` parts in 10^9 faster than believed. */
void cmt_return_delay_tilt(struct cmt_return_delay *r, uint64_t now_us, int64_t ppb);

/* Queue that a SACK would meet; 0 without a sample. */
int64_t cmt_return_delay_queue_us(const struct cmt_return_delay *r, uint64_t now_us);

/* What a SACK would take, or one that is overdue has taken, in the terms of the samples; CMT_UNKNOWN_US
 * without one. */
int64_t cmt_return_delay_expected_us(const struct cmt_return_delay *r, uint64_t now_us);

#endif
