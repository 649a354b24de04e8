/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figure_plan.h - a figure that is described by a plan. */
#ifndef LAB_FIGURE_PLAN_H
#define LAB_FIGURE_PLAN_H

#include "figures/figure.h"

/* Makes the figure as lab_figure.make says. */
int lab_figure_plan(const struct lab_figure *f, const struct lab_figure_order *order,
                    struct lab_error *error);

#endif
