/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figures.h - the list of figures and tables of papers that are measured again: data, picture, and what the
 * paper says beside what was measured. */
#ifndef LAB_FIGURES_H
#define LAB_FIGURES_H

#include <stdbool.h>

#include "figures/figure.h"

/* The i-th figure; false past the last. */
bool lab_figure(unsigned i, struct lab_figure *out);

/* Writes DIR/figures.md: what every figure's page says, those that are there. 0, or -1 with the reason. */
int lab_figure_index(const struct lab_figure_order *order, struct lab_error *error);

#endif
