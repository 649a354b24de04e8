/* SPDX-License-Identifier: BSD-3-Clause
 *
 * jobs.h - runs in processes of their own, two at a time, each under a watchdog.
 *
 * Uses fork(): call it from a single-threaded program. */
#ifndef LAB_JOBS_H
#define LAB_JOBS_H

#include <stddef.h>

#include "run/run.h"

struct lab_job {
	struct lab_run run;
	json_t *result; /* out: as lab_run_here()'s; owned by the job */
};

/* Runs those without a result. `title` heads the progress bar, which is drawn on stderr when that is a
 * terminal and the whole takes over a second. Afterwards every job has a result: one that crashed or did not
 * end is an {"error", "exit": 1}. */
void lab_jobs_run(struct lab_job *jobs, size_t n, const char *title);

/* The first error among the results in `error`: its exit status, or 0 when there is none. */
int lab_jobs_error(const struct lab_job *jobs, size_t n, struct lab_error *error);

/* Whether every byte arrived in its place. */
bool lab_result_intact(const json_t *result);

void lab_jobs_free(struct lab_job *jobs, size_t n);

#endif
