/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_clock.h - the peer's clock as seen from here: unwrapping, offset by causality, steps.
 *
 * Pure. One per association: all paths end in the same two clocks. For a packet sent at Ts that arrived at Ta
 * (receiver's clock) and a SACK built at Tr that is here now, causality says Tr - now <= offset <= Ta - Ts
 * (offset = receiver's clock minus ours); the intersection over all paths leaves an interval as wide as the
 * smallest forward plus the smallest return delay. An interval that becomes empty by more than drift explains
 * means that a clock was set: a step. */
#ifndef CMT_CLOCK_H
#define CMT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_winfilter.h"

struct cmt_clock {
	bool known;
	int64_t newest_us;          /* largest unwrapped receiver time so far */
	struct cmt_winfilter upper; /* min of Ta - Ts */
	struct cmt_winfilter lower; /* min of now - Tr, that is minus the lower bound */
	uint64_t steps;
};

void cmt_clock_init(struct cmt_clock *c);

/* Unwraps a 32-bit receiver time to 64 bits; correct while the peer is heard at least every 35 minutes. The
 * first call sets the origin. */
int64_t cmt_clock_unwrap(struct cmt_clock *c, uint32_t receiver_us);

/* Adds a pair: `sent_us` and `now_us` in our clock, `arrival_us` and `built_us` unwrapped. Returns true when
 * the pair shows a clock step: the bounds were restarted and everything learnt in receiver time is void. */
bool cmt_clock_on_echo(struct cmt_clock *c, uint64_t sent_us, int64_t arrival_us, int64_t built_us,
                       uint64_t now_us);

/* Middle of the interval; CMT_UNKNOWN_US before the first pair. `uncertainty_us` (may be NULL): half its
 * width. */
int64_t cmt_clock_offset_us(const struct cmt_clock *c, int64_t *uncertainty_us);

#endif
