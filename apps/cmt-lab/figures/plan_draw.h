/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan_draw.h - a plan's picture as a gnuplot script with its data inside. */
#ifndef LAB_PLAN_DRAW_H
#define LAB_PLAN_DRAW_H

#include "figures/plan.h"

/* The labels of an axis at 0, 1, 2...; `letter` is "x" or "y". */
void lab_plan_draw_tics(const struct lab_plan_axis *axis, const char *letter, FILE *out);

/* Names the series whose curves cannot be told apart in a panel: `values` has n_points for each, series by
 * series, NAN where one has none. "" when all can. */
const char *lab_plan_draw_alike(const struct lab_plan *p, const double *values, size_t n_points, char *out,
                                size_t out_bytes);

void lab_plan_draw_lines(const struct lab_plan_runs *r, FILE *out);
void lab_plan_draw_grid(const struct lab_plan_runs *r, FILE *out);

/* Levels over time, medians and ranges over the seeds. */
struct lab_plan_curves {
	size_t n_bins;
	double from_s, bin_s;
	/* [((x * n_panels + panel) * n_series + series) * n_bins + bin] */
	struct lab_summary *values;
};

/* Reads the traces that the jobs wrote. 0, or -1 with the reason. */
int lab_plan_read_curves(const struct lab_plan_runs *r, struct lab_plan_curves *c, struct lab_error *error);
const struct lab_summary *lab_plan_curve(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                                         unsigned x, unsigned panel, unsigned series);
/* Where the bin is drawn: at its end what has grown by then and what the paper has a number for, else in the
 * middle. */
double lab_plan_bin_s(const struct lab_plan_runs *r, const struct lab_plan_curves *c, unsigned panel,
                      size_t bin);
void lab_plan_draw_time(const struct lab_plan_runs *r, const struct lab_plan_curves *c, FILE *out);

#endif
