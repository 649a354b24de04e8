/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_stats.h - one number of many networks, each with its weight.
 *
 * Pure but for memory. */
#ifndef LAB_BENCH_STATS_H
#define LAB_BENCH_STATS_H

#include <stdbool.h>
#include <stddef.h>

struct lab_bench_value {
	double value, weight; /* a value that is not known, NaN, does not count */
};

struct lab_bench_stats {
	size_t n;                          /* known values; with 0 nothing else is */
	double mean, median, tenth, worst; /* `tenth`: a tenth of the weight is this bad or worse */
};

/* Percentiles are nearest ranks by weight. `less`: less is better. */
struct lab_bench_stats lab_bench_stats(const struct lab_bench_value *values, size_t n, bool less);

#endif
