/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <stdlib.h>

#include "base/samples.h"
#include "render/table.h"
#include "sweeps/sweep.h"

#define BEST_WITHIN  0.98 /* of the best: set in bold */
#define SPREAD_SHOWN 0.05 /* of the median */

static void number(char *out, size_t out_bytes, double value)
{
	snprintf(out, out_bytes, value >= 1000 ? "%.0f" : "%.3g", value);
}

static void value_cell(struct lab_table *t, const struct lab_sweep_values *v, unsigned m, unsigned s,
                       unsigned x)
{
	const struct lab_summary *one = lab_sweep_value(v, m, s, x);
	int best = lab_sweep_best(v, m, x, -1);
	char median[24], min[24], max[24];
	const char *bold;

	if (!one->known) {
		lab_table_cell(t, "-");
		return;
	}
	bold = lab_sweep_against(v, m, s, (unsigned)best, x) >= BEST_WITHIN ? "**" : "";
	number(median, sizeof(median), one->median);
	if (one->max - one->min > SPREAD_SHOWN * one->median) {
		number(min, sizeof(min), one->min);
		number(max, sizeof(max), one->max);
		lab_table_cell(t, "%s%s%s (%s..%s)", bold, median, bold, min, max);
	} else {
		lab_table_cell(t, "%s%s%s", bold, median, bold);
	}
}

static void by_x(const struct lab_sweep_values *v, unsigned m, FILE *out)
{
	struct lab_table t = {.rows = 0};

	fprintf(out, "\n%s:\n\n", v->sweep->metrics[m].axis);
	lab_table_row(&t);
	lab_table_cell(&t, "%s", v->sweep->x_axis);
	for (unsigned x = 0; x < v->x.n; x++) {
		lab_table_cell(&t, "%s", v->x.word[x]);
	}
	for (unsigned s = 0; s < v->schedulers.n; s++) {
		lab_table_row(&t);
		lab_table_cell(&t, "%s", v->schedulers.word[s]);
		for (unsigned x = 0; x < v->x.n; x++) {
			value_cell(&t, v, m, s, x);
		}
	}
	lab_table_markdown(&t, out);
	lab_table_free(&t);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Least, tenth, median of the known ones among `n`, which are sorted. */
static void distribution_cells(struct lab_table *t, double *values, unsigned n)
{
	qsort(values, n, sizeof(*values), compare);
	if (n == 0) {
		lab_table_cell(t, "-");
		lab_table_cell(t, "-");
		lab_table_cell(t, "-");
		return;
	}
	lab_table_cell(t, "%.3f", values[0]);
	lab_table_cell(t, "%.3f", values[n / 10]);
	lab_table_cell(t, "%.3f", n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2);
}

static void rank_row(struct lab_table *t, const struct lab_sweep_values *v, unsigned m, unsigned s)
{
	double *of_ceiling = lab_grow(NULL, v->x.n, sizeof(double)),
	       *of_best = lab_grow(NULL, v->x.n, sizeof(double));
	unsigned n = 0, n_best = 0;

	for (unsigned x = 0; x < v->x.n; x++) {
		int best = lab_sweep_best(v, m, x, (int)s);

		if (lab_sweep_value(v, m, s, x)->known && best >= 0) {
			of_ceiling[n] = lab_sweep_value(v, m, s, x)->median;
			of_best[n] = lab_sweep_against(v, m, s, (unsigned)best, x);
			n_best += of_best[n++] >= BEST_WITHIN;
		}
	}
	lab_table_row(t);
	lab_table_cell(t, "%s", v->schedulers.word[s]);
	distribution_cells(t, of_ceiling, n);
	distribution_cells(t, of_best, n);
	lab_table_cell(t, "%u of %u", n_best, v->x.n);
	free(of_ceiling);
	free(of_best);
}

static void by_rank(const struct lab_sweep_values *v, unsigned m, FILE *out)
{
	static const char *const heads[] = {"",
	                                    "least",
	                                    "10 %",
	                                    "median",
	                                    "/ best other: least",
	                                    "10 %",
	                                    "median",
	                                    "within 2 % of the best other"};
	struct lab_table t = {.rows = 0};

	fprintf(out, "\n%s, over all networks; and over the best of all other rows in the same network:\n\n",
	        v->sweep->metrics[m].axis);
	lab_table_row(&t);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		lab_table_cell(&t, "%s", heads[i]);
	}
	for (unsigned s = 0; s < v->schedulers.n; s++) {
		rank_row(&t, v, m, s);
	}
	lab_table_markdown(&t, out);
	lab_table_free(&t);
}

void lab_sweep_markdown(const struct lab_sweep_values *v, FILE *out)
{
	const struct lab_sweep *s = v->sweep;

	fprintf(out, "`cmt-lab sweep %s --seeds %u%s`\n\n%s. ", s->name, v->n_seeds,
	        v->quick ? " --quick" : "", s->what);
	fprintf(out, "Medians%s; bold: within 2 %% of the best.\n\n![%s](sweeps/%s.png)\n",
	        v->n_seeds > 1 ? " of the seeds (least..most where they differ by more than 5 %)" : "",
	        s->title, s->name);
	for (unsigned m = 0; m < s->n_metrics; m++) {
		(s->ranked ? by_rank : by_x)(v, m, out);
	}
}
