/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan_page.h - what is written of a plan's runs: its page, with every claim and verdict, and its data. */
#ifndef LAB_PLAN_PAGE_H
#define LAB_PLAN_PAGE_H

#include "figures/figure.h"
#include "figures/plan_draw.h"

/* What follows the name of a figure's list of verdicts: a line for each claim, "VERDICT<tab>TEXT<tab>REASON",
 * for the report. */
#define LAB_PLAN_VERDICTS "-verdicts.tsv"

/* What a 'no' says that nobody has explained; the report may not have it. */
#define LAB_PLAN_UNEXPLAINED "no reason is given yet"

/* Writes NAME.md and NAME-verdicts.tsv, and the verdicts to stdout. 0, or -1 with the reason. */
int lab_plan_write_page(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                        const struct lab_figure_order *order, struct lab_error *error);

/* NAME.csv, and, of levels over time, NAME-time.csv. */
int lab_plan_write_data(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                        const struct lab_figure_order *order, struct lab_error *error);

#endif
