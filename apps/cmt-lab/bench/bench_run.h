/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench_run.h - the runs of one network of a benchmark, and the values that they give. */
#ifndef LAB_BENCH_RUN_H
#define LAB_BENCH_RUN_H

#include "batch/study.h"
#include "bench/bench.h"

struct lab_bench_values {
	double of[LAB_BENCH_MEASURES]; /* NaN = not known */
	bool failed; /* a run of the scheduler did, or bytes were damaged: the score is the worst there is */
};

/* Pure: from runs that are over; `scheduler` is what is measured. */
void lab_bench_values(const struct lab_bench *b, const struct lab_study *study, const char *scheduler,
                      struct lab_bench_values *out);

/* Runs `run`, a network of the benchmark with a scheduler, and what it is compared with, with seeds
 * run->seed, run->seed + 1, ... `title` heads the progress bar. */
void lab_bench_run(const struct lab_bench *b, const struct lab_run *run, unsigned n_seeds, const char *title,
                   struct lab_bench_values *out);

#endif
