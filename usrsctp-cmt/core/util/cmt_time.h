/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_time.h - units and unknown values of time and rate. Pure. */
#ifndef CMT_TIME_H
#define CMT_TIME_H

#include <stdint.h>

#define CMT_NEVER_US   UINT64_MAX /* a time that does not come */
#define CMT_UNKNOWN_US INT64_MIN  /* a delay or receiver time not known yet */

/* The stack's timers tick at this: nothing is woken more precisely. */
#define CMT_TICK_US 1000

/* bits/s of one byte per microsecond. */
#define CMT_BPS_PER_BYTE_PER_US UINT64_C(8000000)

/* Microseconds that `bytes` take at `rate_bps`, rounded up. Requires rate_bps > 0. */
static inline int64_t cmt_transmission_us(uint64_t bytes, uint64_t rate_bps)
{
	return (int64_t)((bytes * CMT_BPS_PER_BYTE_PER_US + rate_bps - 1) / rate_bps);
}

static inline int64_t cmt_max_us(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t cmt_min_us(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

#endif
