/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes a figure of a plan: runs it, writes its data and its picture, and puts claims beside measurements. */
#include "figures/figure_plan.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "figures/plan_draw.h"
#include "render/gnuplot.h"
#include "render/table.h"

#define FEW_BINS 24 /* so few are a table, too */

/* --- data --- */

static void put_summary(FILE *out, const struct lab_summary *s)
{
	if (s->known) {
		fprintf(out, ",%.6g,%.6g,%.6g", s->median, s->min, s->max);
	} else {
		fprintf(out, ",,,");
	}
}

static void put_quoted(FILE *out, const char *text)
{
	fprintf(out, "\"%s\"", text == NULL ? "" : text);
}

/* A line for each point and series: medians, least and most of every metric. */
static int write_csv(const struct lab_plan_runs *r, const struct lab_figure_order *order,
                     struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *out = lab_figure_file(order, p->name, ".csv", error);
	struct lab_plan_at at;

	if (out == NULL) {
		return -1;
	}
	fprintf(out, "x,y,series,seeds");
	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		for (unsigned i = 0; i < 3; i++) {
			static const char *const of[] = {"", ", least", ", most"};
			char title[160];

			snprintf(title, sizeof(title), "%s%s", p->metrics[m].title, of[i]);
			fputc(',', out);
			put_quoted(out, title);
		}
	}
	for (at.x = 0; at.x < lab_plan_n_values(&p->x); at.x++) {
		for (at.y = 0; at.y < lab_plan_n_values(&p->y); at.y++) {
			for (at.series = 0; at.series < lab_plan_n_series(p); at.series++) {
				fputc('\n', out);
				put_quoted(out, p->x.values[at.x].label);
				fputc(',', out);
				put_quoted(out, p->y.values[at.y].label);
				fputc(',', out);
				put_quoted(out, lab_plan_label(&p->series[at.series]));
				fprintf(out, ",%u", r->n_seeds);
				for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
					struct lab_summary s = lab_plan_summary(r, at, m);

					put_summary(out, &s);
				}
			}
		}
	}
	fputc('\n', out);
	return lab_figure_close(out, p->name, error);
}

/* A line for each x, panel, series and interval. */
static int write_curves_csv(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                            const struct lab_figure_order *order, struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *out = lab_figure_file(order, p->name, "-time.csv", error);

	if (out == NULL) {
		return -1;
	}
	fprintf(out, "x,series,quantity,time_s,median,least,most\n");
	for (unsigned x = 0; x < lab_plan_n_values(&p->x); x++) {
		for (unsigned panel = 0; panel < lab_plan_n_panels(p); panel++) {
			for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
				const struct lab_summary *v = lab_plan_curve(r, c, x, panel, s);

				for (size_t bin = 0; bin < c->n_bins; bin++) {
					put_quoted(out, p->x.values[x].label);
					fprintf(out, ",\"%s\",\"%s\",%.4f", lab_plan_label(&p->series[s]),
					        p->panels[panel].title, lab_plan_bin_s(r, c, panel, bin));
					put_summary(out, &v[bin]);
					fputc('\n', out);
				}
			}
		}
	}
	return lab_figure_close(out, p->name, error);
}

/* --- the claims --- */

static void summary_cell(struct lab_table *t, const struct lab_summary *s, unsigned digits)
{
	char range[80];

	lab_summary_range(s, digits, range, sizeof(range));
	lab_table_cell(t, range[0] == '\0' ? "%.*f" : "%.*f (%s)", (int)digits, s->median, range);
}

/* One point: the median and its range; several: what the claim makes of them. */
static void answer_cell(struct lab_table *t, const struct lab_plan_runs *r, const struct lab_plan_claim *c,
                        unsigned series)
{
	const struct lab_plan *p = r->plan;
	double answer = lab_plan_answer(r, c, series);
	int digits = (int)p->metrics[c->metric].decimals;
	bool one = lab_plan_n_values(&p->x) * lab_plan_n_values(&p->y) == 1;

	if (isnan(answer)) {
		lab_table_cell(t, "-");
	} else if (c->of == LAB_PLAN_ZEROS) {
		lab_table_cell(t, "%.0f %%", answer);
	} else if (one) {
		struct lab_summary s = lab_plan_summary(r, (struct lab_plan_at){.series = series}, c->metric);

		summary_cell(t, &s, p->metrics[c->metric].decimals);
	} else {
		lab_table_cell(t, "%.*f", digits, answer);
	}
}

static struct lab_table claims(const struct lab_plan_runs *r)
{
	static const char *const verdicts[] = {"", "yes", "no"};
	const struct lab_plan *p = r->plan;
	struct lab_table t = {.rows = 0};

	lab_table_row(&t);
	lab_table_cell(&t, "the paper, and what was measured");
	for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
		lab_table_cell(&t, "%s", lab_plan_label(&p->series[s]));
	}
	lab_table_cell(&t, "holds");
	for (unsigned i = 0; i < LAB_PLAN_CLAIMS && p->claims[i].text != NULL; i++) {
		const struct lab_plan_claim *c = &p->claims[i];

		lab_table_row(&t);
		lab_table_cell(&t, "%s", c->text);
		for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
			answer_cell(&t, r, c, s);
		}
		lab_table_cell(&t, "%s", verdicts[lab_plan_verdict(r, c)]);
	}
	return t;
}

/* A few moments as rows: the paper's number and each series', for one panel and one x. */
static struct lab_table moments(const struct lab_plan_runs *r, const struct lab_plan_curves *c, unsigned x,
                                unsigned panel)
{
	const struct lab_plan *p = r->plan;
	struct lab_table t = {.rows = 0};

	lab_table_row(&t);
	lab_table_cell(&t, "time (s): %s", p->panels[panel].title);
	lab_table_cell(&t, "the paper");
	for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
		lab_table_cell(&t, "%s", lab_plan_label(&p->series[s]));
	}
	for (size_t bin = 0; bin < c->n_bins; bin++) {
		const struct lab_plan_paper_moment *m = p->paper;
		double at_s = lab_plan_bin_s(r, c, panel, bin);
		int digits = (int)p->panels[panel].decimals;

		lab_table_row(&t);
		lab_table_cell(&t, "%.3f", at_s);
		while (m->at_s != 0 && fabs(m->at_s - at_s) > c->bin_s / 1.9) {
			m++;
		}
		if (m->at_s == 0) {
			lab_table_cell(&t, "%s", "");
		} else {
			lab_table_cell(&t, "%.*f", digits, m->values[panel]);
		}
		for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
			summary_cell(&t, &lab_plan_curve(r, c, x, panel, s)[bin], p->panels[panel].decimals);
		}
	}
	return t;
}

static void put_table(struct lab_table *t, FILE *out)
{
	fputc('\n', out);
	lab_table_markdown(t, out);
	lab_table_free(t);
}

static int write_page(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                      const struct lab_figure_order *order, struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *out = lab_figure_page(order, p->name, p->what, error);
	struct lab_table t = claims(r);

	if (out == NULL) {
		lab_table_free(&t);
		return -1;
	}
	printf("%s\n%s\nmedians of %u seeds\n\n", p->what, p->claim, r->n_seeds);
	lab_table_print(&t, stdout);
	fprintf(out, "%s\n", p->claim);
	put_table(&t, out);
	for (unsigned panel = 0; p->paper != NULL && c->n_bins <= FEW_BINS && panel < lab_plan_n_panels(p);
	     panel++) {
		t = moments(r, c, 0, panel);
		put_table(&t, out);
	}
	if (p->note != NULL) {
		fprintf(out, "\n%s\n", p->note);
	}
	return lab_figure_close(out, p->name, error);
}

/* --- the picture --- */

static int draw(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                const struct lab_figure_order *order, struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *out = lab_figure_file(order, p->name, ".gnuplot", error);
	char script[64];

	if (out == NULL) {
		return -1;
	}
	switch (p->kind) {
	case LAB_PLAN_LINES: lab_plan_draw_lines(r, out); break;
	case LAB_PLAN_GRID: lab_plan_draw_grid(r, out); break;
	case LAB_PLAN_TIME: lab_plan_draw_time(r, c, out); break;
	}
	if (lab_figure_close(out, p->name, error) != 0) {
		return -1;
	}
	snprintf(script, sizeof(script), "%s.gnuplot", p->name);
	return lab_gnuplot(order->directory, script, error);
}

static void name_traces(struct lab_plan_runs *r, const struct lab_figure_order *order)
{
	for (size_t i = 0; i < r->n; i++) {
		snprintf(r->jobs[i].run.trace, sizeof(r->jobs[i].run.trace), "%.200s/%s-%zu.trace",
		         order->directory, r->plan->name, i);
	}
}

static void remove_traces(const struct lab_plan_runs *r)
{
	for (size_t i = 0; i < r->n; i++) {
		unlink(r->jobs[i].run.trace);
	}
}

int lab_figure_plan(const struct lab_figure *f, const struct lab_figure_order *order, struct lab_error *error)
{
	struct lab_plan_runs r = {.n = 0};
	struct lab_plan_curves c = {.n_bins = 0};
	bool time = f->plan->kind == LAB_PLAN_TIME;
	int rc = lab_plan_prepare(&r, f->plan, order->options, order->n_seeds, error);

	if (rc == 0) {
		if (time) {
			name_traces(&r, order);
		}
		lab_jobs_run(r.jobs, r.n, f->name);
		rc = lab_plan_check(&r, error);
		if (rc == 0 && time) {
			rc = lab_plan_read_curves(&r, &c, error);
		}
		remove_traces(&r);
	}
	if (rc == 0) {
		rc = write_csv(&r, order, error) != 0 ||
		             (time && write_curves_csv(&r, &c, order, error) != 0) ||
		             write_page(&r, &c, order, error) != 0
		         ? -1
		         : draw(&r, &c, order, error);
	}
	free(c.values);
	lab_plan_free(&r);
	return rc;
}
