/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wall_clock.h - the machine's own clock: for the watchdog and the progress bar only, never for a result. */
#ifndef LAB_WALL_CLOCK_H
#define LAB_WALL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t lab_wall_clock_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

#endif
