/* SPDX-License-Identifier: BSD-3-Clause
 *
 * wall_clock.h - the machine's monotonic clock. A simulation's results never depend on it. */
#ifndef APP_WALL_CLOCK_H
#define APP_WALL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t app_wall_clock_us(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000u + (uint64_t)ts.tv_nsec / 1000u;
}

#endif
