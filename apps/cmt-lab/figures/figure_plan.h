/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figure_plan.h - a figure from its plan. */
#ifndef LAB_FIGURE_PLAN_H
#define LAB_FIGURE_PLAN_H

#include "figures/figure.h"
#include "figures/plan.h"

/* Runs the plan, writes DIR/NAME.csv, DIR/NAME.png and DIR/NAME.md, and the verdicts to stdout. 0, or -1 with
 * the reason. */
int lab_figure_plan(const struct lab_plan *plan, const struct lab_figure_order *order,
                    struct lab_error *error);

#endif
