/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A metric over the x axis, whose values stand side by side; a curve with error bars for each series. */
#include <math.h>

#include "figures/plan_draw.h"
#include "render/plot_page.h"

#define PANELS_IN_A_ROW 3
#define NEXT            ", \\\n  "
#define DODGE           0.06 /* between the series of one x */

static unsigned n_drawn(const struct lab_plan *p)
{
	unsigned n = 0;

	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		n += !p->metrics[m].not_drawn;
	}
	return n;
}

/* The bound is of all paths: of a series that uses them. */
static unsigned bound_series(const struct lab_plan *p)
{
	unsigned s = 0;

	while (s + 1 < lab_plan_n_series(p) && p->series[s].alone) {
		s++;
	}
	return s;
}

/* Of a panel; least is above 0 where there is such a value. */
struct extent {
	double least, most;
};

/* Data of a panel, series by series, then the bound. */
static struct extent put_data(const struct lab_plan_runs *r, FILE *out, unsigned metric, unsigned y)
{
	const struct lab_plan *p = r->plan;
	unsigned n_series = lab_plan_n_series(p), n_x = lab_plan_n_values(&p->x);
	bool bound = p->metrics[metric].bound_key != NULL;
	struct extent e = {INFINITY, 0};

	for (unsigned s = 0; s < n_series + bound; s++) {
		fprintf(out, "$d%u << EOD\n", s);
		for (unsigned x = 0; x < n_x; x++) {
			struct lab_plan_at at = {
			    .x = x, .y = y, .series = s == n_series ? bound_series(p) : s};
			struct lab_summary v =
			    s == n_series ? lab_plan_bound(r, at, metric) : lab_plan_summary(r, at, metric);

			if (v.known) {
				fprintf(out, "%.3f %.6g %.6g %.6g\n",
				        s == n_series ? x : x + (s - (n_series - 1) / 2.0) * DODGE, v.median,
				        v.min, v.max);
				e.most = fmax(e.most, v.max);
				e.least = v.min > 0 ? fmin(e.least, v.min) : e.least;
			}
		}
		fprintf(out, "EOD\n");
	}
	return e;
}

/* From the metric's `from` on, or below, where something lies there: nothing is cut off. */
static void put_range(const struct lab_plan_metric *m, struct extent e, FILE *out)
{
	double from = m->from == 0 && !m->log ? -0.03 * e.most : fmin(m->from, 0.9 * e.least);

	fprintf(out, "unset logscale y\nset yrange [%.6g:%.6g]\n%s", from, e.most > 0 ? 1.08 * e.most : 1,
	        m->log ? "set logscale y\n" : "");
}

static void put_note(const struct lab_plan_runs *r, const struct lab_plot_page *page, unsigned metric,
                     unsigned y)
{
	double values[LAB_PLAN_SERIES * LAB_PLAN_VALUES];
	unsigned n_x = lab_plan_n_values(&r->plan->x);
	char note[400];

	for (unsigned s = 0; s < lab_plan_n_series(r->plan); s++) {
		for (unsigned x = 0; x < n_x; x++) {
			struct lab_summary v =
			    lab_plan_summary(r, (struct lab_plan_at){.x = x, .y = y, .series = s}, metric);

			values[s * n_x + x] = v.known ? v.median : NAN;
		}
	}
	lab_plot_page_note(page, lab_plan_draw_alike(r->plan, values, n_x, note, sizeof(note)));
}

static void put_style(const struct lab_plan_series *s, FILE *out)
{
	fprintf(out, " with yerrorlines ");
	lab_plot_style(out, lab_plan_look(s), s->darker, true);
}

static void put_plot(const struct lab_plan *p, FILE *out, unsigned metric)
{
	unsigned n_series = lab_plan_n_series(p);

	for (unsigned s = 0; s < n_series; s++) {
		fprintf(out, "%s$d%u using 1:2:3:4", s == 0 ? "plot " : NEXT, s);
		put_style(&p->series[s], out);
	}
	if (p->metrics[metric].bound_key != NULL) {
		fprintf(out, NEXT "$d%u using 1:2 with lines lc rgb \"black\" lw 2 dt 3", n_series);
	}
	fprintf(out, "\n");
}

static void put_legend(const struct lab_plan *p, FILE *out)
{
	for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
		fprintf(out, "%s'+' using 1:(2):(2):(2)", s == 0 ? "plot " : NEXT);
		put_style(&p->series[s], out);
		fprintf(out, " title ");
		lab_plot_text(out, lab_plan_label(&p->series[s]));
	}
	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		if (p->metrics[m].bound_key != NULL) {
			fprintf(out, NEXT "2 with lines lc rgb \"black\" lw 2 dt 3 title ");
			lab_plot_text(out, p->metrics[m].bound_label);
		}
	}
	fprintf(out, "\n");
}

void lab_plan_draw_lines(const struct lab_plan_runs *r, FILE *out)
{
	const struct lab_plan *p = r->plan;
	unsigned n_y = lab_plan_n_values(&p->y), n = n_drawn(p) * n_y, panel = 0;
	struct lab_plot_page page = {.out = out,
	                             .name = p->name,
	                             .title = p->what,
	                             .claim = p->claim,
	                             .panel_height = 380,
	                             .legend_entries = lab_plan_n_series(p) + 1};

	page.columns = n == 4 ? 2 : n < PANELS_IN_A_ROW ? n : PANELS_IN_A_ROW;
	page.rows = (n + page.columns - 1) / page.columns;
	page.panel_width = page.columns == 1 ? 1000 : page.columns == 2 ? 640 : 480;
	lab_plot_page_start(&page);
	fprintf(out, "set xrange [-0.5:%.1f]\n", lab_plan_n_values(&p->x) - 0.5);
	lab_plan_draw_tics(&p->x, "x", out);
	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		for (unsigned y = 0; y < n_y && !p->metrics[m].not_drawn; y++) {
			char title[120] = "";
			struct extent e = put_data(r, out, m, y);

			if (p->y.title != NULL) {
				snprintf(title, sizeof(title), "%s %s", p->y.title, p->y.values[y].label);
			}
			lab_plot_page_panel(&page, panel++, title, p->x.title, p->metrics[m].title);
			put_note(r, &page, m, y);
			put_range(&p->metrics[m], e, out);
			put_plot(p, out, m);
		}
	}
	lab_plot_page_legend(&page);
	put_legend(p, out);
	lab_plot_page_end(&page);
}
