/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_summary.h - several benchmarks on a page: one table of all measures, and the worst networks of each
 * as commands. What docs/results-bench.md shows. */
#ifndef LAB_BENCH_SUMMARY_H
#define LAB_BENCH_SUMMARY_H

#include <jansson.h>

#include "base/error.h"

/* Of an array of lab_bench_json(), as DIR/bench-summary.md. 0, or -1 with the reason. */
int lab_bench_write_summary(const json_t *benches, const char *directory, struct lab_error *error);

#endif
