/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.h - figures.md: the pages of all figures as one report: method, what held of each paper and what did
 * not, the figures, and where everything that the papers print is in the tree. */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include "figures/figure.h"

/* Writes DIR/figures.md of what lab_figure_plan() left there; figures that are not there are named as not
 * made. 0, or -1 with the reason. */
int lab_report_write(const struct lab_figure_order *order, struct lab_error *error);

#endif
