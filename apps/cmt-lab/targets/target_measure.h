/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_measure.h - the runs of one point of a target, the value that they give, and how it is judged. */
#ifndef LAB_TARGET_MEASURE_H
#define LAB_TARGET_MEASURE_H

#include "batch/study.h"
#include "targets/targets.h"

/* What a point gives a value for. */
enum lab_target_column { LAB_COLUMN_STOCK, LAB_COLUMN_PROMISED, LAB_COLUMN_LCM, LAB_COLUMNS };

/* The scheduler that is run for it. */
const char *lab_target_scheduler(const struct lab_target *target, enum lab_target_column column);

/* The promise; LAB_NO_TARGET for none. Stock CMT is judged, for its worst point, by what others promise. */
double lab_target_limit(const struct lab_target *target, enum lab_target_column column);

/* Whether the target has this column at all. */
bool lab_target_has(const struct lab_target *target, enum lab_target_column column);

struct lab_target_values {
	struct lab_summary of[LAB_COLUMNS]; /* unknown: not measured */
};

/* Pure: the value of a column from runs that are over, divided by what the target says. `other`: what
 * LAB_OF_OTHER measured. */
struct lab_summary lab_target_value(const struct lab_target *target, const struct lab_study *study,
                                    const struct lab_study *other, enum lab_target_column column);

/* Pure: whether everything that is known is better than promised by 2 % of its limit. A part of the seeds can
 * show that; that something is missed, or just met, all of them have to. */
bool lab_target_is_clear(const struct lab_target *target, const struct lab_target_values *values);

/* Runs `point` with seeds 1 to `n_seeds`, times what the target says; with all of them when that is a part
 * and is not clear. `title` heads the progress bar. 0, or -1 with the reason when a run failed: its
 * values are unknown. */
int lab_target_measure(const struct lab_target *target, const struct lab_run *point, unsigned n_seeds,
                       const char *title, struct lab_target_values *out, struct lab_error *error);

/* Over the points of a target: the value that counts, and whether it is as promised. */
struct lab_verdict {
	double value, margin; /* the margin is how much better than promised */
	double error;         /* of a paired target's value: +-, with 95 % confidence */
	unsigned n, n_met;    /* points judged, and as promised */
	bool known, met;
};

/* Pure. */
void lab_target_judge(const struct lab_target *target, enum lab_target_column column, struct lab_verdict *v,
                      const struct lab_summary *value);

#endif
