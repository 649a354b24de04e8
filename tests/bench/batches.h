/* SPDX-License-Identifier: BSD-3-Clause
 *
 * batches.h - how a benchmark times batches in its own process, and orders their times. */
#ifndef BENCH_BATCHES_H
#define BENCH_BATCHES_H

#include <stdlib.h>
#include <time.h>

/* Of this process' own processor time: what others do with the processor costs nothing. */
static inline double process_ns(void)
{
	struct timespec t;

	if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
		abort();
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* For qsort(), of double. */
static inline int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

#endif
