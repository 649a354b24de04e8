/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_points.h - the runs that one target asks for. */
#ifndef LAB_TARGET_POINTS_H
#define LAB_TARGET_POINTS_H

#include "setup/lab_run.h"
#include "targets/targets.h"

struct lab_target_points {
	struct lab_run *runs; /* all but scheduler and seed, which are the caller's */
	size_t n;
};

/* 0, or -1 with the reason. The caller frees `runs`. Transfers on networks other than sarwar1 last 20 s at
 * the ceiling, and no longer than 250 MB, unless they last as written. */
int lab_target_points(const struct lab_target *target, struct lab_target_points *out,
                      struct lab_error *error);

/* Changes `run` to what LAB_OF_OTHER measures. 0, or -1 with the reason. */
int lab_target_other(const struct lab_target *target, struct lab_run *run, struct lab_error *error);

#endif
