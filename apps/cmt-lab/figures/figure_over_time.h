/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figure_over_time.h - goodput over time by recovery (Figures 8 and 9 of Arabi et al.). */
#ifndef LAB_FIGURE_OVER_TIME_H
#define LAB_FIGURE_OVER_TIME_H

#include "figures/figure.h"

/* Makes the figure as lab_figure.make says. */
int lab_figure_over_time(const struct lab_figure *f, const struct lab_figure_order *order,
                         struct lab_error *error);

#endif
