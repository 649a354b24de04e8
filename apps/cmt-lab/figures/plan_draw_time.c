/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Traces over time: a row of panels for each quantity, a column for each value of the x axis. Lines are
 * medians of the seeds; the area behind them is their range. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "figures/plan_draw.h"
#include "render/plot_page.h"

#define NEXT        ", \\\n  "
#define FEW_BINS    24 /* so few are drawn with points, of more some */
#define POINTS      8
#define PAPER_STYLE "with points lc rgb \"black\" pt 2 ps 1.6 lw 2"

static size_t n_bins(const struct lab_plan *p)
{
	return (size_t)((p->to_s - p->from_s) / p->bin_s + 0.5);
}

/* One panel of one run; its result has it from then on as a list, "panel_2", for metrics. */
static int read_bins(const struct lab_plan *p, const struct lab_job *job, unsigned panel, double *out,
                     struct lab_error *error)
{
	const struct lab_plan_panel *what = &p->panels[panel];
	struct lab_trace_bins bins = {.column = what->column,
	                              .value = what->value,
	                              .from_us = p->from_s * 1e6,
	                              .bin_us = p->bin_s * 1e6,
	                              .n = n_bins(p)};
	FILE *in = fopen(job->run.trace, "r");
	json_t *list = json_array();
	char name[24];
	int rc = in == NULL ? -1 : lab_trace_bins_read(in, &bins, out);

	if (rc != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", job->run.trace,
		         in == NULL ? strerror(errno) : "lacks a column");
	}
	if (in != NULL) {
		fclose(in);
	}
	for (size_t i = 0; i < bins.n && rc == 0; i++) {
		out[i] *= what->factor == 0 ? 1 : what->factor;
		json_array_append_new(list, json_real(out[i]));
	}
	snprintf(name, sizeof(name), "panel_%u", panel + 1);
	json_object_set_new(job->result, name, list);
	return rc;
}

int lab_plan_read_curves(const struct lab_plan_runs *r, struct lab_plan_curves *c, struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	unsigned n_panels = lab_plan_n_panels(p), n_series = lab_plan_n_series(p);
	size_t n = n_bins(p), n_curves = (size_t)lab_plan_n_values(&p->x) * n_panels * n_series;
	double *seeds = lab_grow(NULL, n * r->n_seeds, sizeof(*seeds));
	double *one = lab_grow(NULL, r->n_seeds, sizeof(*one));
	int rc = 0;

	*c = (struct lab_plan_curves){.n_bins = n, .from_s = p->from_s, .bin_s = p->bin_s};
	c->values = lab_grow(NULL, n_curves * n, sizeof(*c->values));
	for (size_t i = 0; i < n_curves && rc == 0; i++) {
		struct lab_plan_at at = {.series = (unsigned)(i % n_series),
		                         .x = (unsigned)(i / n_series / n_panels)};

		for (unsigned seed = 0; seed < r->n_seeds && rc == 0; seed++) {
			rc = read_bins(p, &lab_plan_jobs(r, at)[seed], (unsigned)(i / n_series % n_panels),
			               &seeds[seed * n], error);
		}
		for (size_t bin = 0; bin < n && rc == 0; bin++) {
			for (unsigned seed = 0; seed < r->n_seeds; seed++) {
				one[seed] = seeds[seed * n + bin];
			}
			c->values[i * n + bin] = lab_summarise_values(one, r->n_seeds);
		}
	}
	free(seeds);
	free(one);
	return rc;
}

const struct lab_summary *lab_plan_curve(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                                         unsigned x, unsigned panel, unsigned series)
{
	return &c->values[((x * lab_plan_n_panels(r->plan) + panel) * (size_t)lab_plan_n_series(r->plan) +
	                   series) *
	                  c->n_bins];
}

double lab_plan_bin_s(const struct lab_plan_runs *r, const struct lab_plan_curves *c, unsigned panel,
                      size_t bin)
{
	double begin_s = c->from_s + (double)bin * c->bin_s;

	bool at_end = r->plan->paper != NULL || r->plan->panels[panel].value == LAB_TRACE_SINCE;

	return begin_s + (at_end ? c->bin_s : c->bin_s / 2);
}

static double put_data(const struct lab_plan_runs *r, const struct lab_plan_curves *c, FILE *out, unsigned x,
                       unsigned panel)
{
	double most = 0;

	for (unsigned s = 0; s < lab_plan_n_series(r->plan); s++) {
		const struct lab_summary *v = lab_plan_curve(r, c, x, panel, s);

		fprintf(out, "$d%u << EOD\n", s);
		for (size_t bin = 0; bin < c->n_bins; bin++) {
			fprintf(out, "%.4f %.6g %.6g %.6g\n", lab_plan_bin_s(r, c, panel, bin), v[bin].median,
			        v[bin].min, v[bin].max);
			most = fmax(most, v[bin].max);
		}
		fprintf(out, "EOD\n");
	}
	return most;
}

static void put_note(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                     const struct lab_plot_page *page, unsigned x, unsigned panel)
{
	unsigned n = lab_plan_n_series(r->plan);
	double *values = lab_grow(NULL, n * c->n_bins, sizeof(*values));
	char note[400];

	for (unsigned s = 0; s < n; s++) {
		for (size_t bin = 0; bin < c->n_bins; bin++) {
			values[s * c->n_bins + bin] = lab_plan_curve(r, c, x, panel, s)[bin].median;
		}
	}
	lab_plot_page_note(page, lab_plan_draw_alike(r->plan, values, c->n_bins, note, sizeof(note)));
	free(values);
}

static double put_paper(const struct lab_plan *p, FILE *out, unsigned panel)
{
	double most = 0;

	fprintf(out, "$paper << EOD\n");
	for (const struct lab_plan_paper_moment *m = p->paper; m->at_s != 0; m++) {
		fprintf(out, "%.4f %.6g\n", m->at_s, m->values[panel]);
		most = fmax(most, m->values[panel]);
	}
	fprintf(out, "EOD\n");
	return most;
}

/* Of many bins each series has its points elsewhere, so that one curve does not hide another's. */
static void put_curve(const struct lab_plan_runs *r, const struct lab_plan_curves *c, FILE *out, unsigned s)
{
	const struct lab_plan_series *series = &r->plan->series[s];
	size_t step = c->n_bins <= FEW_BINS ? 1 : c->n_bins / POINTS;

	fprintf(out, "%s$d%u using 1:2 with lines ", s == 0 ? "" : NEXT, s);
	lab_plot_style(out, lab_plan_look(series), series->darker, false);
	fprintf(out, NEXT "$d%u using 1:2 every %zu::%zu with points ", s, step,
	        s * step / lab_plan_n_series(r->plan));
	lab_plot_style(out, lab_plan_look(series), series->darker, true);
}

static void put_plot(const struct lab_plan_runs *r, const struct lab_plan_curves *c, FILE *out)
{
	const struct lab_plan *p = r->plan;
	unsigned n = lab_plan_n_series(p);

	fprintf(out, "plot ");
	for (unsigned s = 0; s < n && r->n_seeds > 1; s++) {
		fprintf(out, "$d%u using 1:3:4 with filledcurves fs transparent solid 0.13 noborder ", s);
		lab_plot_colour(out, lab_plan_look(&p->series[s]), p->series[s].darker);
		fprintf(out, NEXT);
	}
	for (unsigned s = 0; s < n; s++) {
		put_curve(r, c, out, s);
	}
	fprintf(out, p->paper == NULL ? "\n" : NEXT "$paper using 1:2 " PAPER_STYLE "\n");
}

static void put_legend(const struct lab_plan *p, FILE *out)
{
	for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
		fprintf(out, "%s'+' using 1:(2) with linespoints ", s == 0 ? "plot " : NEXT);
		lab_plot_style(out, lab_plan_look(&p->series[s]), p->series[s].darker, true);
		fprintf(out, " title ");
		lab_plot_text(out, lab_plan_label(&p->series[s]));
	}
	fprintf(out, p->paper == NULL ? "\n" : NEXT "'+' using 1:(2) " PAPER_STYLE " title \"the paper\"\n");
}

void lab_plan_draw_time(const struct lab_plan_runs *r, const struct lab_plan_curves *c, FILE *out)
{
	const struct lab_plan *p = r->plan;
	unsigned n_x = lab_plan_n_values(&p->x), n_panels = lab_plan_n_panels(p);
	bool one_row = n_x == 1 && n_panels > 1;
	struct lab_plot_page page = {.out = out,
	                             .name = p->name,
	                             .title = p->what,
	                             .claim = p->claim,
	                             .columns = one_row ? n_panels : n_x,
	                             .rows = one_row ? 1 : n_panels,
	                             .panel_height = 380,
	                             .legend_entries = lab_plan_n_series(p) + (p->paper != NULL)};

	page.panel_width = page.columns == 1 ? 1000 : page.columns == 2 ? 640 : 480;
	lab_plot_page_start(&page);
	fprintf(out, "set xrange [%g:%g]\n", p->from_s, p->to_s);
	for (unsigned panel = 0; panel < n_panels; panel++) {
		for (unsigned x = 0; x < n_x; x++) {
			char title[120] = "";
			double most = put_data(r, c, out, x, panel);

			if (p->paper != NULL) {
				most = fmax(most, put_paper(p, out, panel));
			}
			if (p->x.title != NULL) {
				snprintf(title, sizeof(title), "%s %s", p->x.title, p->x.values[x].label);
			}
			lab_plot_page_panel(&page, panel * n_x + x, title, "time (s)",
			                    p->panels[panel].title);
			put_note(r, c, &page, x, panel);
			/* Below 0, for curves that lie there. */
			fprintf(out, "set yrange [%.6g:%.6g]\n", most > 0 ? -0.03 * most : -0.03,
			        most > 0 ? 1.05 * most : 1);
			put_plot(r, c, out);
		}
	}
	lab_plot_page_legend(&page);
	put_legend(p, out);
	lab_plot_page_end(&page);
}
