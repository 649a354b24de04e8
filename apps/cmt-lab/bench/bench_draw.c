/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/bench_draw.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/bench_report.h"
#include "render/gnuplot.h"
#include "render/plot_page.h"

#define PANEL_WIDTH   520
#define PANEL_HEIGHT  380
#define COLUMNS       3
#define FIRST_MEASURE 5 /* column of the CSV */
#define MAX_GROUPS    12
#define NEXT          ", \\\n  "

struct groups {
	const char *name[MAX_GROUPS];
	unsigned n;
};

static struct groups groups_of(const struct lab_bench_results *r)
{
	struct groups g = {.n = 0};

	for (size_t i = 0; i < r->points.n; i++) {
		unsigned k = 0;

		while (k < g.n && strcmp(g.name[k], r->points.points[i].group) != 0) {
			k++;
		}
		if (k == g.n && g.n < MAX_GROUPS) {
			g.name[g.n++] = r->points.points[i].group;
		}
	}
	return g;
}

static bool has_values(const struct lab_bench_results *r, const char *group, unsigned measure)
{
	for (size_t i = 0; i < r->points.n; i++) {
		if (strcmp(r->points.points[i].group, group) == 0 && !isnan(r->values[i].of[measure])) {
			return true;
		}
	}
	return false;
}

/* Okabe and Ito's colours, then the same again with dashes. */
static void put_style(unsigned group, FILE *out)
{
	static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
	                                      "#56b4e9", "#e69f00", "#000000"};
	const unsigned n = sizeof(colours) / sizeof(colours[0]);

	fprintf(out, " with lines lc rgb \"%s\" dt %u lw 2", colours[group % n], 1 + group / n);
}

/* gnuplot draws nothing between a number and the same number. */
static void put_range(const struct lab_bench_results *r, unsigned measure, FILE *out)
{
	const struct lab_bench_measure *m = &r->bench->measures[measure];
	double least = INFINITY, most = -INFINITY;

	for (size_t i = 0; i < r->points.n; i++) {
		const double value = r->values[i].of[measure];

		least = isnan(value) || value > least ? least : value;
		most = isnan(value) || value < most ? most : value;
	}
	fprintf(out, m->of == LAB_BENCH_ITSELF && m->less && least > 0 && least < most ? "set logscale x\n"
	                                                                               : "unset logscale\n");
	if (least < most) {
		fprintf(out, "set xrange [*:*]\n");
	} else {
		fprintf(out, "set xrange [%g:%g]\n", isinf(least) ? 0 : least - 0.1 * fabs(least) - 1e-9,
		        isinf(least) ? 1 : least + 0.1 * fabs(least) + 1e-9);
	}
}

static void put_panel(const struct lab_plot_page *page, const struct lab_bench_results *r, unsigned measure,
                      const struct groups *g)
{
	const struct lab_bench_measure *m = &r->bench->measures[measure];
	unsigned n = 0;

	lab_plot_page_panel(page, measure, NULL, m->name, "share of the networks with no more");
	put_range(r, measure, page->out);
	for (unsigned k = 0; k < g->n; k++) {
		if (has_values(r, g->name[k], measure)) {
			fprintf(page->out,
			        "%s\"%s.csv\" skip 1 using (strcol(1) eq \"%s\" ? $%u : NaN):(1.0) smooth "
			        "cnormal",
			        n++ == 0 ? "plot " : NEXT, r->bench->name, g->name[k],
			        FIRST_MEASURE + measure);
			put_style(k, page->out);
		}
	}
	fprintf(page->out, n == 0 ? "plot -1\n" : "\n");
}

static void put_legend(const struct lab_plot_page *page, const struct groups *g)
{
	lab_plot_page_legend(page);
	for (unsigned k = 0; k < g->n; k++) {
		fprintf(page->out, "%s2", k == 0 ? "plot " : NEXT);
		put_style(k, page->out);
		fprintf(page->out, " title ");
		lab_plot_text(page->out, g->name[k]);
	}
	fprintf(page->out, "\n");
}

int lab_bench_draw(const struct lab_bench_results *r, const char *directory, struct lab_error *error)
{
	const struct lab_bench *b = r->bench;
	const struct groups g = groups_of(r);
	char folder[300], path[400], script[64];
	struct lab_plot_page page = {.name = b->name,
	                             .title = b->title,
	                             .claim = b->what,
	                             .columns = b->n_measures < COLUMNS ? b->n_measures : COLUMNS,
	                             .rows = (b->n_measures + COLUMNS - 1) / COLUMNS,
	                             .panel_width = PANEL_WIDTH,
	                             .panel_height = PANEL_HEIGHT,
	                             .legend_entries = g.n};

	snprintf(folder, sizeof(folder), "%s/bench", directory);
	snprintf(script, sizeof(script), "%s.gnuplot", b->name);
	snprintf(path, sizeof(path), "%s/%s", folder, script);
	page.out = fopen(path, "w");
	if (page.out == NULL) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	lab_plot_page_start(&page);
	fprintf(page.out, "set datafile separator \",\"\nset yrange [0:1]\n");
	for (unsigned m = 0; m < b->n_measures; m++) {
		put_panel(&page, r, m, &g);
	}
	put_legend(&page, &g);
	lab_plot_page_end(&page);
	if (fclose(page.out) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	return lab_gnuplot(folder, script, error);
}
