/* SPDX-License-Identifier: BSD-3-Clause
 *
 * target_results.h - what a group of targets came to, in DIR/results.md, DIR/points.md and DIR/results.json.
 */
#ifndef LAB_TARGET_RESULTS_H
#define LAB_TARGET_RESULTS_H

#include "targets/target_report.h"

/* Puts the group in the place of its sections of both pages and of its objects in DIR/results.json; what
 * other groups had stays. With `only` not "", so do the objects of targets without that in their name, and
 * the commands that made the rows kept. 0, or -1 with the reason. */
int lab_results_of_targets(const char *directory, const struct lab_target_report *r, const char *only,
                           struct lab_error *error);

#endif
