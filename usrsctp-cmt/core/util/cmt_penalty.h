/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_penalty.h - for how long is left alone what disappointed again? Pure. */
#ifndef CMT_PENALTY_H
#define CMT_PENALTY_H

#include <stdint.h>

#include "cmt_tuned.h"

/* Twice as long as before (`last_us`, 0 = never), within bounds. */
static inline uint64_t cmt_penalty_next_us(uint64_t last_us)
{
	const uint64_t us = 2 * last_us;

	if (us < CMT_PENALTY_US)
		return CMT_PENALTY_US;
	return us < CMT_LONG_US ? us : CMT_LONG_US;
}

#endif
