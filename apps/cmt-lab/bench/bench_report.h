/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_report.h - what a benchmark's networks gave: text, JSON, CSV, a picture and a section of a page.
 *
 * Touches nothing but the files of its directory. */
#ifndef LAB_BENCH_REPORT_H
#define LAB_BENCH_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "bench/bench_run.h"
#include "bench/bench_stats.h"

struct lab_bench_results {
	const struct lab_bench *bench;
	const char *sample;    /* "quick"; "" = all */
	const char *scheduler; /* that was measured */
	const char *options; /* of the command line, as the runs need them again: " --cc linked"; "" = none */
	unsigned n_seeds;
	struct lab_bench_points points;
	struct lab_bench_values *values; /* of each point */
};

/* Over all networks. */
struct lab_bench_stats lab_bench_result_stats(const struct lab_bench_results *r, unsigned measure);

/* The score: the weighted mean of the first measure; 0 without a value. */
double lab_bench_score(const struct lab_bench_results *r);

/* The command that runs a network again, beside what it is compared with. Returns `out`. */
char *lab_bench_command(const struct lab_bench_results *r, size_t point, char *out, size_t out_bytes);

/* A table of the measures and the worst three networks, for a terminal. */
void lab_bench_print(const struct lab_bench_results *r, FILE *out);

/* "name", "title", "sample", "scheduler", "seeds", "score", "failed", "measures", "points", and "worst":
 * which of those. */
json_t *lab_bench_json(const struct lab_bench_results *r);

/* DIR/bench/NAME.json, .csv, .gnuplot and .png, and the section of DIR/bench.md. 0, or -1 with the reason. */
int lab_bench_write(const struct lab_bench_results *r, const char *directory, struct lab_error *error);

#endif
