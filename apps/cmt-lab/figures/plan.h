/* SPDX-License-Identifier: BSD-3-Clause
 *
 * plan.h - a figure as data: what runs, what of it is shown, and what the paper says about it.
 *
 * A plan runs every series at every point (a value of the x axis with one of the y axis) with several seeds.
 * Pictures show medians and ranges over the seeds; claims (claim.h) compare seed by seed. */
#ifndef LAB_PLAN_H
#define LAB_PLAN_H

#include <stdbool.h>

#include "batch/jobs.h"
#include "batch/summary.h"
#include "figures/claim.h"
#include "measure/trace_bins.h"
#include "setup/options.h"

#define LAB_PLAN_PANELS 4

enum lab_plan_kind {
	LAB_PLAN_LINES, /* a metric over x; a panel for each drawn metric and each y */
	LAB_PLAN_GRID,  /* the first metric over x and y as a table of cells; a panel for each series */
	LAB_PLAN_TIME   /* traces over time; a row of panels for each panel, a column for each x */
};

struct lab_plan_series {
	const char *scheduler;
	const char *label; /* NULL = the scheduler */
	const char *set;   /* lab_run_settings(), after the axes' */
	bool alone;        /* takes what an axis has for `alone` in place of `set` */
	const char *look;  /* of lab_plot_style(); NULL = the scheduler's */
	int darker;        /* percent, among series of one look */
};

struct lab_plan_value {
	const char *label;
	const char *scenario;  /* NULL = the plan's, or the other axis' */
	const char *scheduler; /* NULL = the series' */
	const char *set, *alone;
};

struct lab_plan_axis {
	const char *title;                             /* NULL = there is no such axis */
	struct lab_plan_value values[LAB_PLAN_VALUES]; /* up to the first without label */
};

struct lab_plan_metric {
	const char *title; /* with unit */
	const char *key; /* as lab_summarise() takes it; "panel_2[0..9]": ten intervals of the second panel */
	double factor;   /* shown: factor * (value - less); 0 = 1 */
	double less;
	double from; /* where the axis of lines begins; above 0 with `log` */
	unsigned decimals;
	bool log;       /* colours of cells, or the axis of lines, by order of magnitude */
	bool not_drawn; /* in the data and the claims only */
	/* A line that the runs' scenario sets, scaled like the value. NULL = none. */
	const char *bound_key, *bound_label;
};

struct lab_plan_panel {
	const char *title; /* with unit */
	const char *column;
	enum lab_trace_value value;
	double factor;
	unsigned decimals;
};

/* What the paper has at a moment, for the panels in their order. */
struct lab_plan_paper_moment {
	double at_s, values[LAB_PLAN_PANELS];
};

struct lab_plan {
	const char *name, *what;
	const char *claim;   /* of the paper, in the picture */
	unsigned more_seeds; /* times the seeds of other figures, where those scatter much; 0 = 1 */
	const char *note;    /* how the runs differ from the paper's; NULL = nothing to say */
	enum lab_plan_kind kind;
	const char *scenario, *set;
	struct lab_plan_series series[LAB_PLAN_SERIES];
	struct lab_plan_axis x, y;
	struct lab_plan_metric metrics[LAB_PLAN_METRICS];
	struct lab_claim claims[LAB_PLAN_CLAIMS];

	/* LAB_PLAN_TIME */
	struct lab_plan_panel panels[LAB_PLAN_PANELS];
	double from_s, to_s, bin_s;
	const struct lab_plan_paper_moment *paper; /* up to the first with at_s = 0 */

	/* LAB_PLAN_GRID: the paper's own cells of the first metric by x, then y; NULL = it has no numbers */
	const double (*cells)[LAB_PLAN_VALUES];
	const char *cells_label, *cells_of; /* in the picture; the series that is the paper's own */
};

/* Sizes of a plan; an axis that is not there has one value. */
unsigned lab_plan_n_series(const struct lab_plan *p);
unsigned lab_plan_n_values(const struct lab_plan_axis *axis);
unsigned lab_plan_n_metrics(const struct lab_plan *p);
unsigned lab_plan_n_panels(const struct lab_plan *p);

const char *lab_plan_label(const struct lab_plan_series *s);

/* The name by which lab_plot_style() knows it: without one of its own, one path alone is LAB_BEST_PATH. */
const char *lab_plan_look(const struct lab_plan_series *s);

/* A plan's runs, made or to be made: point by point (x, within it y), series by series, seed by seed. */
struct lab_plan_runs {
	const struct lab_plan *plan;
	unsigned n_seeds;
	struct lab_job *jobs;
	size_t n;
};

struct lab_plan_at {
	unsigned x, y, series;
};

/* Makes the jobs; seeds from the options' on, and what the options change of the scenarios. 0, or -1 with the
 * reason: a scheduler that this build does not have, a setting that is wrong. */
int lab_plan_prepare(struct lab_plan_runs *r, const struct lab_plan *plan, const struct lab_options *o,
                     unsigned n_seeds, struct lab_error *error);

/* The first of n_seeds jobs. */
struct lab_job *lab_plan_jobs(const struct lab_plan_runs *r, struct lab_plan_at at);

/* A metric as it is shown; `known` is false when a run did not have it. */
struct lab_summary lab_plan_summary(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric);
struct lab_summary lab_plan_bound(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric);

/* The same of one seed; NAN when the run does not have it. */
double lab_plan_value(const struct lab_plan_runs *r, struct lab_plan_at at, unsigned metric, unsigned seed);

/* Every run must have arrived intact. 0, or -1 with the first that did not. */
int lab_plan_check(const struct lab_plan_runs *r, struct lab_error *error);

void lab_plan_free(struct lab_plan_runs *r);

#endif
