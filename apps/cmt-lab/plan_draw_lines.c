/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A metric over the x axis, whose values stand side by side; a curve with error bars for each series. */
#include <math.h>

#include "plan_draw.h"
#include "plot_page.h"

#define PANELS_IN_A_ROW 3
#define DODGE           0.06 /* between the series of one x */

static unsigned n_drawn(const struct lab_plan *p)
{
	unsigned n = 0;

	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		n += !p->metrics[m].not_drawn;
	}
	return n;
}

/* Data of a panel, series by series, then the bound; returns the largest value. */
static double put_data(const struct lab_plan_runs *r, FILE *out, unsigned metric, unsigned y)
{
	const struct lab_plan *p = r->plan;
	unsigned n_series = lab_plan_n_series(p), n_x = lab_plan_n_values(&p->x);
	bool bound = p->metrics[metric].bound_key != NULL;
	double most = 0;

	for (unsigned s = 0; s < n_series + bound; s++) {
		fprintf(out, "$d%u << EOD\n", s);
		for (unsigned x = 0; x < n_x; x++) {
			struct lab_plan_at at = {.x = x, .y = y, .series = s == n_series ? 0 : s};
			struct lab_summary v =
			    s == n_series ? lab_plan_bound(r, at, metric) : lab_plan_summary(r, at, metric);

			if (v.known) {
				fprintf(out, "%.3f %.6g %.6g %.6g\n",
				        s == n_series ? x : x + (s - (n_series - 1) / 2.0) * DODGE, v.median,
				        v.min, v.max);
				most = fmax(most, v.max);
			}
		}
		fprintf(out, "EOD\n");
	}
	return most;
}

static void put_plot(const struct lab_plan *p, FILE *out, unsigned metric)
{
	unsigned n_series = lab_plan_n_series(p);
	const struct lab_plan_metric *m = &p->metrics[metric];

	fprintf(out, "plot ");
	for (unsigned s = 0; s < n_series; s++) {
		fprintf(out, "$d%u using 1:2:3:4 with yerrorlines ", s);
		lab_plot_style(out, p->series[s].scheduler, p->series[s].darker);
		fprintf(out, " title ");
		lab_plot_text(out, lab_plan_label(&p->series[s]));
		fprintf(out, ", ");
	}
	if (m->bound_key != NULL) {
		fprintf(out, "$d%u using 1:2 with lines lc rgb \"black\" lw 2 dt 3 title ", n_series);
		lab_plot_text(out, m->bound_label);
	}
	fprintf(out, "\n");
}

void lab_plan_draw_lines(const struct lab_plan_runs *r, FILE *out)
{
	const struct lab_plan *p = r->plan;
	unsigned n_y = lab_plan_n_values(&p->y), n = n_drawn(p) * n_y, panel = 0;
	unsigned entries = lab_plan_n_series(p) + 1;
	struct lab_plot_page page = {
	    .out = out, .name = p->name, .title = p->what, .claim = p->claim, .panel_height = 380};

	page.columns = n == 4 ? 2 : n < PANELS_IN_A_ROW ? n : PANELS_IN_A_ROW;
	page.rows = (n + page.columns - 1) / page.columns;
	page.panel_width = page.columns == 1 ? 1000 : page.columns == 2 ? 640 : 480;
	page.legend_columns = entries < 6 ? entries : 6;
	page.legend_rows = (entries + page.legend_columns - 1) / page.legend_columns;
	lab_plot_page_start(&page);
	fprintf(out, "set xrange [-0.5:%.1f]\nset xtics (", lab_plan_n_values(&p->x) - 0.5);
	for (unsigned x = 0; x < lab_plan_n_values(&p->x); x++) {
		fprintf(out, "%s\"%s\" %u", x == 0 ? "" : ", ", p->x.values[x].label, x);
	}
	fprintf(out, ")\n");
	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		for (unsigned y = 0; y < n_y && !p->metrics[m].not_drawn; y++) {
			char title[120] = "";
			double most = put_data(r, out, m, y);

			if (p->y.title != NULL) {
				snprintf(title, sizeof(title), "%s %s", p->y.title, p->y.values[y].label);
			}
			lab_plot_page_panel(&page, panel++, title, p->x.title, p->metrics[m].title);
			fprintf(out, "set yrange [0:%.6g]\n", most > 0 ? 1.08 * most : 1);
			put_plot(p, out, m);
		}
	}
	lab_plot_page_end(&page);
}
