/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pairs.h - two paths as people have them, for loads that are short. */
#ifndef LAB_BENCH_PAIRS_H
#define LAB_BENCH_PAIRS_H

#include "bench/bench.h"

#define LAB_BENCH_PAIRS 7u

extern const struct lab_bench_pair {
	const char *name, *paths[2];
} lab_bench_pairs[LAB_BENCH_PAIRS];

#endif
