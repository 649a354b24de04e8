/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A plan's runs as CSV. */
#include "figures/plan_page.h"

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

int lab_plan_write_data(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                        const struct lab_figure_order *order, struct lab_error *error)
{
	return write_csv(r, order, error) != 0 ||
	               (r->plan->kind == LAB_PLAN_TIME && write_curves_csv(r, c, order, error) != 0)
	           ? -1
	           : 0;
}
