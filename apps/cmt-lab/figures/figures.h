/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figures.h - the list of figures and tables of papers that are measured again: data, picture, and what the
 * paper says beside what was measured. */
#ifndef LAB_FIGURES_H
#define LAB_FIGURES_H

#include "figures/plan.h"

/* The i-th figure; NULL past the last. */
const struct lab_plan *lab_figure(unsigned i);

/* By name; NULL when there is none. */
const struct lab_plan *lab_figure_named(const char *name);

#endif
