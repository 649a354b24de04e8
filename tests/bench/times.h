/* SPDX-License-Identifier: BSD-3-Clause
 *
 * times.h - what a benchmark says last, on standard error. A time depends on who else uses the machine, so it
 * is no part of whether the test passes: ctest wants this line alone, `./check --bench` wants it to say
 * "met". */
#ifndef BENCH_TIMES_H
#define BENCH_TIMES_H

#include <stdbool.h>
#include <stdio.h>

/* The exit status: 0, or 3 when a time missed its target. Whatever is no time ends a benchmark with 1 before.
 */
static inline int report_times(bool met)
{
	(void)fflush(stdout);
	(void)fprintf(stderr, "times: %s\n", met ? "met" : "missed");
	return met ? 0 : 3;
}

#endif
