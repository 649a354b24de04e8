/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figure_matrix.h - every control with every recovery (the conclusion of Arabi et al.). */
#ifndef LAB_FIGURE_MATRIX_H
#define LAB_FIGURE_MATRIX_H

#include "figures/figure.h"

/* Makes the figure as lab_figure.make says. */
int lab_figure_matrix(const struct lab_figure *f, const struct lab_figure_order *order,
                      struct lab_error *error);

#endif
