/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_draw.h - a benchmark's picture: of every measure, its distribution over the networks. */
#ifndef LAB_BENCH_DRAW_H
#define LAB_BENCH_DRAW_H

#include "base/error.h"

struct lab_bench_results;

/* DIR/bench/NAME.gnuplot and .png from NAME.csv, which is there. A curve for each group. 0, or -1 with the
 * reason. */
int lab_bench_draw(const struct lab_bench_results *r, const char *directory, struct lab_error *error);

#endif
