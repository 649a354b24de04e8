/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A figure's page: every claim with how it is tested, what decides it, and why it does not hold, if it does
 * not; then the numbers. */
#include "figures/plan_page.h"

#include <math.h>
#include <string.h>

#include "render/table.h"

#define FEW_BINS 24 /* so few are a table, too */

/* --- verdicts --- */

/* "rr, number of paths 2: 3.65 against 2.64 of cwnd; difference +1.014 +- 0.002". */
static void put_numbers(const struct lab_plan *p, const struct lab_claim *c, const struct lab_claim_result *v,
                        char *out, size_t out_bytes)
{
	const struct lab_plan_metric *m = &p->metrics[c->metric];
	int digits = c->of == LAB_CLAIM_ZEROS ? 0 : (int)m->decimals, more = digits + 1;
	size_t at = (size_t)snprintf(out, out_bytes, "%s", v->series);

	for (unsigned i = 0; i < 2; i++) {
		const char *label = i == 0 ? v->x : v->y, *title = i == 0 ? p->x.title : p->y.title;

		if (label != NULL) {
			at += (size_t)snprintf(out + at, out_bytes - at, ", %s%s%s", title,
			                       title[0] == '\0' ? "" : " ", label);
		}
	}
	at += (size_t)snprintf(out + at, out_bytes - at, ": %.*f against %.*f", digits, v->value, digits,
	                       v->bound);
	if (!lab_claim_is_of_a_number(c)) {
		at += (size_t)snprintf(out + at, out_bytes - at, " of ");
		if (c->factor != 0 && c->factor != 1) {
			at += (size_t)snprintf(out + at, out_bytes - at, "%g times ", c->factor);
		}
		at += (size_t)snprintf(out + at, out_bytes - at, "%s",
		                       v->than != NULL       ? v->than
		                       : c->than_metric != 0 ? p->metrics[c->than_metric].title
		                                             : "itself there");
	}
	if (isfinite(v->error)) {
		at += (size_t)snprintf(out + at, out_bytes - at, "; difference %+.*f ± %.*f", more, v->mean,
		                       more, v->error);
	}
	if (v->n > 1) {
		snprintf(out + at, out_bytes - at, "; of %u comparisons %u yes, %u no", v->n, v->n_yes,
		         v->n_no);
	}
}

static const char *reason_of(const struct lab_claim *c, const struct lab_claim_result *v, unsigned n_seeds,
                             char *out, size_t out_bytes)
{
	if (v->verdict == LAB_YES) {
		return "";
	}
	if (v->verdict == LAB_NO) {
		return c->reason != NULL ? c->reason : LAB_PLAN_UNEXPLAINED;
	}
	if (v->n_void > 0) {
		return c->given;
	}
	snprintf(out, out_bytes,
	         isfinite(v->error) ? "the difference is within what %u seeds scatter"
	                            : "%u seeds say nothing about what is chance",
	         n_seeds);
	return out;
}

static int write_verdicts(const struct lab_plan_runs *r, const struct lab_figure_order *order, FILE *page,
                          struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *list = lab_figure_file(order, p->name, LAB_PLAN_VERDICTS, error);
	char numbers[400], chance[100], reasons[8192] = "";
	size_t at = 0;

	if (list == NULL) {
		return -1;
	}
	fprintf(page,
	        "| the sentence | holds when | the paper's number | here | holds |\n|---|---|---|---|---|\n");
	for (unsigned i = 0; i < LAB_PLAN_CLAIMS && p->claims[i].text != NULL; i++) {
		const struct lab_claim *c = &p->claims[i];
		struct lab_claim_result v = lab_claim_result(r, c);
		const char *word = lab_verdict_words[v.verdict];
		const char *reason = reason_of(c, &v, r->n_seeds, chance, sizeof(chance));

		put_numbers(p, c, &v, numbers, sizeof(numbers));
		fprintf(page, "| %s | %s | %s | %s | **%s** |\n", c->text, c->test,
		        c->paper == NULL ? "none" : c->paper, numbers, word);
		fprintf(list, "%s\t%s\t%s\n", word, c->text, reason);
		printf("%-11s  %s\n             %s: %s\n", word, c->text, c->test, numbers);
		if (reason[0] != '\0' && at < sizeof(reasons)) {
			at += (size_t)snprintf(reasons + at, sizeof(reasons) - at, "* %s: %s, because %s.\n",
			                       c->text, word, reason);
			printf("             because %s\n", reason);
		}
	}
	fprintf(page, "%s%s", at == 0 ? "" : "\n", reasons);
	return lab_figure_close(list, p->name, error);
}

/* --- numbers --- */

static void summary_cell(struct lab_table *t, const struct lab_summary *s, unsigned digits)
{
	char range[80];

	lab_summary_range(s, digits, range, sizeof(range));
	lab_table_cell(t, range[0] == '\0' ? "%.*f" : "%.*f (%s)", (int)digits, s->median, range);
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

/* What a metric is over the points of a row: the median and its range where it is one point, else the mean of
 * the medians. */
static void metric_cell(struct lab_table *t, const struct lab_plan_runs *r, struct lab_plan_at at,
                        unsigned metric)
{
	const struct lab_plan *p = r->plan;
	unsigned n_y = lab_plan_n_values(&p->y);
	double sum = 0;

	for (at.y = 0; at.y < n_y; at.y++) {
		struct lab_summary s = lab_plan_summary(r, at, metric);

		if (!s.known) {
			lab_table_cell(t, "-");
			return;
		}
		if (n_y == 1) {
			summary_cell(t, &s, p->metrics[metric].decimals);
			return;
		}
		sum += s.median;
	}
	lab_table_cell(t, "%.*f", (int)p->metrics[metric].decimals, sum / n_y);
}

/* A row for each metric and x, a column for each series. */
static struct lab_table numbers(const struct lab_plan_runs *r)
{
	const struct lab_plan *p = r->plan;
	struct lab_table t = {.rows = 0};
	struct lab_plan_at at = {.x = 0};

	lab_table_row(&t);
	lab_table_cell(&t,
	               lab_plan_n_values(&p->y) == 1 ? "median (range) of %u seeds"
	                                             : "medians of %u seeds, mean over the other axis",
	               r->n_seeds);
	for (unsigned s = 0; s < lab_plan_n_series(p); s++) {
		lab_table_cell(&t, "%s", lab_plan_label(&p->series[s]));
	}
	for (unsigned m = 0; m < lab_plan_n_metrics(p); m++) {
		for (at.x = 0; at.x < lab_plan_n_values(&p->x); at.x++) {
			const char *x = p->x.values[at.x].label;

			lab_table_row(&t);
			lab_table_cell(&t, x == NULL ? "%s" : "%s: %s", p->metrics[m].title, x);
			for (at.series = 0; at.series < lab_plan_n_series(p); at.series++) {
				metric_cell(&t, r, at, m);
			}
		}
	}
	return t;
}

/* A grid beside the paper's: a row for each y, cells "the paper's: ours (range)" of the series that is the
 * paper's own. */
static struct lab_table beside(const struct lab_plan_runs *r)
{
	const struct lab_plan *p = r->plan;
	struct lab_table t = {.rows = 0};
	struct lab_plan_at at = {.series = 0};

	while (strcmp(lab_plan_label(&p->series[at.series]), p->cells_of) != 0) {
		at.series++;
	}
	lab_table_row(&t);
	lab_table_cell(&t, "%s: the paper's, %s here", p->metrics[0].title, p->cells_of);
	for (unsigned x = 0; x < lab_plan_n_values(&p->x); x++) {
		lab_table_cell(&t, "%s %s", p->x.title, p->x.values[x].label);
	}
	for (at.y = 0; at.y < lab_plan_n_values(&p->y); at.y++) {
		lab_table_row(&t);
		lab_table_cell(&t, "%s %s", p->y.title, p->y.values[at.y].label);
		for (at.x = 0; at.x < lab_plan_n_values(&p->x); at.x++) {
			struct lab_summary s = lab_plan_summary(r, at, 0);

			lab_table_cell(&t, "%g, %.*f (%.*f..%.*f)", p->cells[at.x][at.y],
			               (int)p->metrics[0].decimals, s.median, (int)p->metrics[0].decimals,
			               s.min, (int)p->metrics[0].decimals, s.max);
		}
	}
	return t;
}

static void put_table(struct lab_table t, FILE *out)
{
	fputc('\n', out);
	lab_table_markdown(&t, out);
	lab_table_free(&t);
}

int lab_plan_write_page(const struct lab_plan_runs *r, const struct lab_plan_curves *c,
                        const struct lab_figure_order *order, struct lab_error *error)
{
	const struct lab_plan *p = r->plan;
	FILE *out = lab_figure_file(order, p->name, ".md", error);

	if (out == NULL) {
		return -1;
	}
	printf("%s\n%s\n%u seeds\n\n", p->what, p->claim, r->n_seeds);
	fprintf(out, "### %s\n%s. %s\n\n![%s](%s.png)\n\n", p->name, p->what, p->claim, p->name, p->name);
	if (write_verdicts(r, order, out, error) != 0) {
		fclose(out);
		return -1;
	}
	put_table(numbers(r), out);
	if (p->cells != NULL) {
		put_table(beside(r), out);
	}
	for (unsigned panel = 0; p->paper != NULL && c->n_bins <= FEW_BINS && panel < lab_plan_n_panels(p);
	     panel++) {
		put_table(moments(r, c, 0, panel), out);
	}
	if (p->note != NULL) {
		fprintf(out, "\nHow the runs differ from the paper's: %s\n", p->note);
	}
	return lab_figure_close(out, p->name, error);
}
