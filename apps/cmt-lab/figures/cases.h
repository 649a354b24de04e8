/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cases.h - runs that differ in scenario, scheduler, congestion control and recovery, with several seeds
 * each. */
#ifndef LAB_CASES_H
#define LAB_CASES_H

#include <stdio.h>

#include "batch/jobs.h"
#include "batch/summary.h"
#include "setup/options.h"

struct lab_case {
	const char *scenario, *scheduler, *cc, *recovery; /* names; cc with options */
	const char *set; /* on top of the scenario, as lab_run_settings() takes it; NULL = nothing */
};

struct lab_cases {
	struct lab_case *cases;
	size_t n;
	unsigned n_seeds;
	struct lab_job *jobs; /* case by case, n_seeds each */
};

/* One that is there already is not added again. */
void lab_cases_add(struct lab_cases *c, const struct lab_case *one);

/* Runs all with seeds from the options' on, and with what the options change of the scenarios. Every transfer
 * must be complete and intact. 0, or -1 with the reason. */
int lab_cases_run(struct lab_cases *c, const struct lab_options *o, unsigned n_seeds, const char *title,
                  struct lab_error *error);

/* The jobs of a case, n_seeds of them; NULL when there is no such case. */
const struct lab_job *lab_cases_jobs(const struct lab_cases *c, const struct lab_case *one);

/* `key` of a case, as lab_summarise() has it; `known` is false when there is no such case. */
struct lab_summary lab_cases_summary(const struct lab_cases *c, const struct lab_case *one, const char *key);

/* One line for each case. 0, or -1 with the reason. */
int lab_cases_write_csv(const struct lab_cases *c, const char *path, struct lab_error *error);

void lab_cases_free(struct lab_cases *c);

#endif
