/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study.h - one scenario under several schedulers and on every single path, with several seeds. */
#ifndef LAB_STUDY_H
#define LAB_STUDY_H

#include <stdbool.h>

#include "base/scheduler_names.h"
#include "batch/jobs.h"
#include "batch/summary.h"

#define LAB_STUDY_ROWS (LAB_MAX_SCHEDULERS + 3 * USRSCTP_CMT_SIM_MAX_PATHS)

struct lab_study_row {
	char scheduler[32];
	int only_path; /* -1 = all */
};

struct lab_study {
	struct lab_study_row rows[LAB_STUDY_ROWS];
	unsigned n_rows, n_seeds;
	struct lab_job *jobs; /* row by row, n_seeds each */
};

/* Rows are added first; a row that is there already is not added again. */
void lab_study_add(struct lab_study *s, const char *scheduler, int only_path);

/* `scheduler` on every path of the scenario alone; LAB_STOCK is plain SCTP there. */
void lab_study_add_single_paths(struct lab_study *s, const char *scheduler,
                                const struct lab_scenario *scenario);

/* Makes the jobs from `base`: seeds base->seed, base->seed + 1, ... lab_study_run() also runs them. */
void lab_study_prepare(struct lab_study *s, const struct lab_run *base, unsigned n_seeds);
void lab_study_run(struct lab_study *s, const struct lab_run *base, unsigned n_seeds, const char *title);

/* What `from` has results of, of the same rows and seeds of the same run, is not run again. */
void lab_study_take(struct lab_study *s, const struct lab_study *from);

/* Row of `scheduler` over all paths, or on the single path with the best median goodput; -1 = none. */
int lab_study_row(const struct lab_study *s, const char *scheduler);
int lab_study_best_single(const struct lab_study *s, const char *scheduler);

/* The same by the median of another key; `less` is better, or more. */
int lab_study_best_single_by(const struct lab_study *s, const char *scheduler, const char *key, bool less);

struct lab_summary lab_study_summary(const struct lab_study *s, int row, const char *key);

/* Of all paths, the mean over the time of a row's transfers. */
double lab_study_ceiling_bps(const struct lab_study *s, int row, bool extension);

/* Median goodput over the ceiling of all paths, whatever paths the row uses. */
double lab_study_of_ceiling(const struct lab_study *s, int row);

/* What the row's median goodput is beside those of `scheduler` on each path alone, which the study has:
 * aggregation.h. */
double lab_study_benefit(const struct lab_study *s, int row, const char *scheduler);

/* LAB_STOCK takes nothing of ours along: no options, no control, no recovery, no falsified delays. */
void lab_study_set_scheduler(struct lab_run *run, const char *name);

void lab_study_free(struct lab_study *s);

#endif
