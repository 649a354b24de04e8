/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first metric as a table of coloured cells over x and y, one for each series and one with the paper's
 * numbers where it has them. A cell shows the median and, where seeds differ, the range. */
#include <math.h>

#include "figures/plan_draw.h"
#include "render/plot_page.h"

static double colour(const struct lab_plan_metric *m, double value)
{
	return m->log ? log10(1 + fmax(value, 0)) : value;
}

static void put_cell(FILE *out, const struct lab_plan_metric *m, unsigned x, unsigned y,
                     const struct lab_summary *s)
{
	char range[80];

	fprintf(out, "%u %u %.6g \"%.*f\" \"%s\"\n", x, y, colour(m, s->median), (int)m->decimals, s->median,
	        lab_summary_range(s, m->decimals, range, sizeof(range)));
}

void lab_plan_draw_tics(const struct lab_plan_axis *axis, const char *letter, FILE *out)
{
	fprintf(out, "set %stics (", letter);
	for (unsigned i = 0; i < lab_plan_n_values(axis); i++) {
		fprintf(out, "%s\"", i == 0 ? "" : ", ");
		for (const char *c = axis->values[i].label; *c != '\0'; c++) {
			fprintf(out, *c == '%' ? "%%%%" : "%c", *c);
		}
		fprintf(out, "\" %u", i);
	}
	fprintf(out, ") scale 0 font \"sans,10\"\n");
}

static struct lab_summary cell(const struct lab_plan_runs *r, unsigned panel, unsigned x, unsigned y)
{
	const struct lab_plan *p = r->plan;

	if (panel == lab_plan_n_series(p)) {
		double value = p->cells[x][y];

		return (struct lab_summary){.known = true, .min = value, .median = value, .max = value};
	}
	return lab_plan_summary(r, (struct lab_plan_at){.x = x, .y = y, .series = panel}, 0);
}

/* The data of every panel; returns the largest value as a colour. */
static double put_data(const struct lab_plan_runs *r, FILE *out, unsigned n_panels)
{
	const struct lab_plan *p = r->plan;
	double most = 0;

	for (unsigned i = 0; i < n_panels; i++) {
		fprintf(out, "$d%u << EOD\n", i);
		for (unsigned x = 0; x < lab_plan_n_values(&p->x); x++) {
			for (unsigned y = 0; y < lab_plan_n_values(&p->y); y++) {
				struct lab_summary s = cell(r, i, x, y);

				if (s.known) {
					put_cell(out, &p->metrics[0], x, y, &s);
					most = fmax(most, colour(&p->metrics[0], s.median));
				}
			}
		}
		fprintf(out, "EOD\n");
	}
	return most;
}

void lab_plan_draw_grid(const struct lab_plan_runs *r, FILE *out)
{
	const struct lab_plan *p = r->plan;
	unsigned n_series = lab_plan_n_series(p), n = n_series + (p->cells != NULL);
	unsigned n_x = lab_plan_n_values(&p->x), n_y = lab_plan_n_values(&p->y);
	struct lab_plot_page page = {.out = out,
	                             .name = p->name,
	                             .title = p->what,
	                             .claim = p->claim,
	                             .panel_width = 440,
	                             .panel_height = 92 + 50 * n_y};
	double most;

	page.columns = n <= 3 ? n : n == 4 ? 2 : n <= 6 ? 3 : 4;
	page.rows = (n + page.columns - 1) / page.columns;
	lab_plot_page_start(&page);
	most = put_data(r, out, n);
	fprintf(out,
	        "unset grid\nunset colorbox\nset palette defined (0 \"#ffffff\", 1 \"#f4a582\")\n"
	        "set cbrange [0:%.6g]\nset xrange [-0.5:%.1f]\nset yrange [-0.5:%.1f]\n",
	        most > 0 ? most : 1, n_x - 0.5, n_y - 0.5);
	lab_plan_draw_tics(&p->x, "x", out);
	lab_plan_draw_tics(&p->y, "y", out);
	for (unsigned i = 0; i < n; i++) {
		char title[160];

		snprintf(title, sizeof(title), "%s: %s",
		         i == n_series ? p->cells_label : lab_plan_label(&p->series[i]), p->metrics[0].title);
		lab_plot_page_panel(&page, i, title, p->x.title, p->y.title);
		fprintf(out,
		        "plot $d%u using 1:2:3 with image notitle, \\\n"
		        "  '' using 1:2:4 with labels offset 0,0.45 font \"sans,12\" notitle, \\\n"
		        "  '' using 1:2:5 with labels offset 0,-0.55 font \"sans,8\" tc rgb \"#444444\" "
		        "notitle\n",
		        i);
	}
	lab_plot_page_end(&page);
}
