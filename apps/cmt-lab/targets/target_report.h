/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_report.h - what a group of targets came to: tables for people, JSON for programs. */
#ifndef LAB_TARGET_REPORT_H
#define LAB_TARGET_REPORT_H

#include <jansson.h>

#include "render/table.h"
#include "targets/target_measure.h"

struct lab_target_report {
	const struct lab_target_group *group;
	unsigned n_seeds;
	bool encrypted; /* all runs were; false, until said otherwise */
	struct lab_table summary, points;
	json_t *json; /* an array with one object for each target */
	bool missed;  /* one of them is */
};

void lab_target_report_start(struct lab_target_report *r, const struct lab_target_group *group,
                             unsigned n_seeds);

/* Instead of the next two, for a target that was not measured: keeps its rows of the group's sections as they
 * are, in DIR/results.md and DIR/points.md (NULL = none). */
void lab_target_report_keep(struct lab_target_report *r, const struct lab_target *target,
                            const char *verdicts, const char *points);

/* The points of a target, then the target; `verdicts` has one for each column. */
void lab_target_report_point(struct lab_target_report *r, const struct lab_target *target,
                             const struct lab_run *point, const struct lab_target_values *values);
void lab_target_report_target(struct lab_target_report *r, const struct lab_target *target,
                              const struct lab_verdict verdicts[LAB_COLUMNS]);

void lab_target_report_print(const struct lab_target_report *r);

void lab_target_report_free(struct lab_target_report *r);

#endif
