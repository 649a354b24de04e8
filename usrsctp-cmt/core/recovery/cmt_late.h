/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_late.h - is what holds up the rest so late that a copy on another path helps, and has its path failed?
 *
 * Pure: the caller passes `now_us` from one monotonic clock, never decreasing. */
#ifndef CMT_LATE_H
#define CMT_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

/* Nothing holds up the rest for longer than that, whatever a copy costs: so long T3 takes at least (RTO.Min,
 * RFC 9260, section 16). */
#define CMT_LATE_MAX_US 1000000

/* What a copy of something that the peer is about to need may take, in round trips of the path that carries
 * it: one until gaps are told of, one for the copy, and as much again for another try. */
#define CMT_LATE_URGENT_RTTS 4

/* When the acknowledgement of a chunk, expected at `due_us` (0 = unknown), is overdue where nothing else
 * waits to be sent: when that of the last packet behind it on its path is (`last_due_us`, 0 = unknown), since
 * until then what left behind the chunk may tell that it was lost. Nor is anything sent on the path that
 * SACKs were asked for on, so that they take the chunk's own, `detour_us` longer; and arrivals scatter, over
 * twice `jitter_us`. */
static inline uint64_t cmt_late_alone_due_us(uint64_t due_us, uint64_t last_due_us, int64_t detour_us,
                                             int64_t jitter_us)
{
	if (due_us == 0)
		return 0;
	return (due_us > last_due_us ? due_us : last_due_us) + (uint64_t)(detour_us + 2 * jitter_us);
}

/* From when on a chunk whose acknowledgement was expected at `due_us` (0 = unknown) will likely be later than
 * a copy: as long again as it is late. `copy_us`: what a copy takes, INT64_MAX = nothing could carry one.
 * CMT_NEVER_US: no copy helps. */
static inline uint64_t cmt_late_at_us(uint64_t due_us, int64_t copy_us)
{
	if (due_us == 0 || copy_us == INT64_MAX)
		return CMT_NEVER_US;
	return due_us + (uint64_t)cmt_max_us(copy_us, CMT_HOST_LATE_US);
}

/* From when on there is just time for copies before the peer's application needs what blocks, at `needed_us`.
 */
static inline uint64_t cmt_late_urgent_at_us(int64_t needed_us, int64_t copy_us)
{
	return (uint64_t)cmt_max_us(0, needed_us - CMT_LATE_URGENT_RTTS * copy_us);
}

/* Whether a late chunk is waited for all the same, since a copy would take what others carry. `urgent_us`:
 * CMT_NEVER_US = nobody told when it is needed. */
static inline bool cmt_late_is_waited_for(uint64_t due_us, uint64_t urgent_us, uint64_t now_us)
{
	return now_us - due_us < CMT_LATE_MAX_US && now_us < urgent_us;
}

/* What was copied is out on its path no more, so T3 does not find out that the path delivers nothing at all.
 * Now more of it was copied; `first_us`: when that began, without progress since; 0 = now. True: the path was
 * silent for as long as T3 takes, and has failed. */
static inline bool cmt_late_on_copied(uint64_t *first_us, uint64_t t3_us, uint64_t now_us)
{
	if (*first_us == 0)
		*first_us = now_us;
	return now_us - *first_us > t3_us;
}

#endif
