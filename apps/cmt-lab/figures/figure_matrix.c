/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What Arabi et al. conclude "from all the graphs": every congestion control with every recovery in both of
 * their scenarios. */
#include "figures/figure_matrix.h"

#include <string.h>

#include "figures/arabi.h"
#include "figures/cases.h"
#include "render/gnuplot.h"
#include "render/table.h"
#include "scenario/ceiling.h"

#define N_CONTROLS  4
#define N_SCENARIOS LAB_N_ARABI

static const char *const controls[N_CONTROLS] = {"uncoupled", "coupled", "linked", "rttcomp"};

struct cell {
	unsigned scenario, scheduler, control, recovery;
};

static struct lab_case case_of(const struct cell *at)
{
	return (struct lab_case){lab_arabi[at->scenario].scenario, lab_figure_schedulers[at->scheduler],
	                         controls[at->control], lab_figure_recoveries[at->recovery],
	                         lab_arabi[at->scenario].set};
}

static struct lab_summary goodput(const struct lab_cases *c, const struct cell *at)
{
	struct lab_case one = case_of(at);

	return lab_cases_summary(c, &one, "goodput_bps");
}

/* --- the picture: one panel for each scenario and scheduler --- */

/* A row for each control; median, least and most for each recovery. */
static int write_panel(const struct lab_cases *c, const struct lab_figure_order *order, const char *name,
                       struct cell at, struct lab_error *error)
{
	char suffix[80];
	FILE *out;

	snprintf(suffix, sizeof(suffix), "-%s-%s.csv", lab_arabi[at.scenario].scenario,
	         lab_figure_schedulers[at.scheduler]);
	out = lab_figure_file(order, name, suffix, error);
	if (out == NULL) {
		return -1;
	}
	fprintf(out, "cc");
	for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
		const char *recovery = lab_figure_recoveries[r];

		fprintf(out, ",%s_mbps,%s_min_mbps,%s_max_mbps", recovery, recovery, recovery);
	}
	for (at.control = 0; at.control < N_CONTROLS; at.control++) {
		fprintf(out, "\n%s", controls[at.control]);
		for (at.recovery = 0; at.recovery < LAB_N_RECOVERIES; at.recovery++) {
			struct lab_summary s = goodput(c, &at);

			fprintf(out, ",%.4f,%.4f,%.4f", s.median / 1e6, s.min / 1e6, s.max / 1e6);
		}
	}
	fprintf(out, "\n");
	return lab_figure_close(out, name, error);
}

static void plot_panel(FILE *out, const struct lab_cases *c, const char *name, const struct cell *at)
{
	struct lab_case one = case_of(at);
	const struct lab_scenario *s = &lab_cases_jobs(c, &one)->run.scenario;
	double ceiling_mbps = lab_ceiling_bps(s, -1, true) / 1e6;

	fprintf(
	    out,
	    "set title \"%s: %s; scheduler %s\" font \"sans,11\"\nset yrange [0:%.2f]\n"
	    "set label 1 \"ceiling %.2f\" at graph 0.01, first %.4f offset 0,0.5 tc rgb \"#666666\"\nplot",
	    s->name, s->description, lab_figure_schedulers[at->scheduler], 1.2 * ceiling_mbps, ceiling_mbps,
	    ceiling_mbps);
	for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
		fprintf(out, " \\\n  \"%s-%s-%s.csv\" using %u:%u:%u%s skip 1 lt %u title \"%s\",", name,
		        lab_arabi[at->scenario].scenario, lab_figure_schedulers[at->scheduler], 3 * r + 2,
		        3 * r + 3, 3 * r + 4, r == 0 ? ":xtic(1)" : "", r + 1, lab_figure_recoveries[r]);
	}
	fprintf(out, " \\\n  %.4f with lines lc rgb \"#666666\" dt 3 notitle\n", ceiling_mbps);
}

static int draw(const struct lab_cases *c, const struct lab_figure_order *order, const char *name,
                struct lab_error *error)
{
	FILE *out = lab_figure_file(order, name, ".gnuplot", error);
	char script[64];
	struct cell at = {.recovery = 0};

	if (out == NULL) {
		return -1;
	}
	lab_figure_script_head(out, name, 1500, 1000);
	fprintf(out, "set style data histogram\nset style histogram errorbars gap 1 lw 1\n"
	             "set style fill solid 0.85 border -1\nset ylabel \"goodput (Mbit/s)\"\nset xtics "
	             "nomirror\nset xrange [-0.7:3.7]\n"
	             "set key top center horizontal samplen 1.5\n"
	             "set multiplot layout 2,2 title \"%s\" font \"sans,14\"\n",
	        LAB_ARABI_DISTURBED);
	for (at.scenario = 0; at.scenario < N_SCENARIOS; at.scenario++) {
		for (at.scheduler = 0; at.scheduler < 2; at.scheduler++) {
			if (write_panel(c, order, name, at, error) != 0) {
				fclose(out);
				return -1;
			}
			plot_panel(out, c, name, &at);
		}
	}
	fprintf(out, "unset multiplot\n");
	if (lab_figure_close(out, name, error) != 0) {
		return -1;
	}
	snprintf(script, sizeof(script), "%s.gnuplot", name);
	return lab_gnuplot(order->directory, script, error);
}

/* --- the claims --- */

static double against_none(const struct lab_cases *c, struct cell at)
{
	double bps = goodput(c, &at).median, none_bps;

	at.recovery = 0;
	none_bps = goodput(c, &at).median;
	return none_bps == 0 ? 0 : 100 * (bps / none_bps - 1);
}

/* The place of a cell among all of its scenario and scheduler, 1 = most goodput; ties share the better one.
 */
static unsigned place(const struct lab_cases *c, const struct cell *cell)
{
	double bps = goodput(c, cell).median;
	struct cell at = *cell;
	unsigned better = 0;

	for (at.control = 0; at.control < N_CONTROLS; at.control++) {
		for (at.recovery = 0; at.recovery < LAB_N_RECOVERIES - 1; at.recovery++) {
			better += goodput(c, &at).median > bps;
		}
	}
	return better + 1;
}

static void place_row(struct lab_table *t, const struct lab_cases *c, const char *claim, struct cell at)
{
	lab_table_row(t);
	lab_table_cell(t, "%s", claim);
	for (at.scheduler = 0; at.scheduler < 2; at.scheduler++) {
		lab_table_cell(t, "%.2f, place %u of %d", goodput(c, &at).median / 1e6, place(c, &at),
		               N_CONTROLS * (LAB_N_RECOVERIES - 1));
	}
}

static void gain_row(struct lab_table *t, const struct lab_cases *c, const char *claim, struct cell at)
{
	lab_table_row(t);
	lab_table_cell(t, "%s, %s: against none", claim, controls[at.control]);
	for (at.scheduler = 0; at.scheduler < 2; at.scheduler++) {
		lab_table_cell(t, "%+.1f %%", against_none(c, at));
	}
}

static void largest_gain_row(struct lab_table *t, const struct lab_cases *c, const char *claim)
{
	lab_table_row(t);
	lab_table_cell(t, "%s", claim);
	for (unsigned k = 0; k < 2; k++) {
		double most = 0, least = 0;

		for (unsigned i = 0; i < N_SCENARIOS * N_CONTROLS * LAB_N_RECOVERIES; i++) {
			struct cell at = {.scheduler = k,
			                  .scenario = i % N_SCENARIOS,
			                  .control = i / N_SCENARIOS % N_CONTROLS,
			                  .recovery = i / N_SCENARIOS / N_CONTROLS};
			double gain = against_none(c, at);

			most = gain > most ? gain : most;
			least = gain < least ? gain : least;
		}
		lab_table_cell(t, "%+.1f .. %+.1f %%", least, most);
	}
}

/* Both go to the terminal as text, and as Markdown to a file. */
typedef void (*put_table)(const struct lab_table *t, FILE *out);

static void print_goodputs(const struct lab_cases *c, FILE *out, put_table put)
{
	struct cell at;

	for (at.scenario = 0; at.scenario < N_SCENARIOS; at.scenario++) {
		struct lab_table t = {.rows = 0};

		lab_table_row(&t);
		lab_table_cell(&t, "%s, Mbit/s", lab_arabi[at.scenario].scenario);
		for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
			lab_table_cell(&t, "%s", lab_figure_recoveries[r]);
		}
		for (at.scheduler = 0; at.scheduler < 2; at.scheduler++) {
			for (at.control = 0; at.control < N_CONTROLS; at.control++) {
				lab_table_row(&t);
				lab_table_cell(&t, "%s, %s", lab_figure_schedulers[at.scheduler],
				               controls[at.control]);
				for (at.recovery = 0; at.recovery < LAB_N_RECOVERIES; at.recovery++) {
					struct lab_summary s = goodput(c, &at);

					lab_table_cell(&t, "%.2f (%.2f..%.2f)", s.median / 1e6, s.min / 1e6,
					               s.max / 1e6);
				}
			}
		}
		put(&t, out);
		lab_table_free(&t);
		fputc('\n', out);
	}
}

static void print_claims(const struct lab_cases *c, FILE *out, put_table put)
{
	enum { DSACK = 1, EIFEL = 2, FRTO = 3, RTTCOMP = 3, COUPLED = 1, UNCOUPLED = 0 };
	struct lab_table t = {.rows = 0};
	char claim[80];

	lab_table_row(&t);
	lab_table_cell(&t, "the paper: measured");
	lab_table_cell(&t, "%s", lab_figure_schedulers[0]);
	lab_table_cell(&t, "%s", lab_figure_schedulers[1]);
	place_row(&t, c, "DSACK with RTT compensation, two subflows: \"good results but not the best\"",
	          (struct cell){.scenario = 0, .control = RTTCOMP, .recovery = DSACK});
	place_row(&t, c, "DSACK with uncoupled, three subflows: \"the best, about 10Mbps\"",
	          (struct cell){.scenario = 1, .control = UNCOUPLED, .recovery = DSACK});
	for (unsigned i = 0; i < N_SCENARIOS * N_CONTROLS; i++) {
		struct cell at = {.scenario = i / N_CONTROLS, .control = i % N_CONTROLS, .recovery = EIFEL};
		bool improves = at.scenario == 0 && at.control != COUPLED;

		snprintf(claim, sizeof(claim), "Eifel %s, %s subflows",
		         improves ? "\"can improve\"" : "does not improve",
		         at.scenario == 0 ? "two" : "three");
		gain_row(&t, c, claim, at);
	}
	gain_row(&t, c, "FRTO \"decreases\" on a spurious retransmission, three subflows",
	         (struct cell){.scenario = 1, .control = UNCOUPLED, .recovery = FRTO});
	largest_gain_row(&t, c,
	                 "\"none of the three is optimal, although they improve\": against none, all cells");
	put(&t, out);
	lab_table_free(&t);
}

static int print(const struct lab_cases *c, const struct lab_figure_order *order, const struct lab_figure *f,
                 struct lab_error *error)
{
	FILE *out = lab_figure_page(order, f->name, f->what, error);

	print_goodputs(c, stdout, lab_table_print);
	print_claims(c, stdout, lab_table_print);
	printf("\n%s\n", lab_arabi_differs);
	if (out == NULL) {
		return -1;
	}
	print_goodputs(c, out, lab_table_markdown);
	print_claims(c, out, lab_table_markdown);
	fprintf(out, "\n%s\n", lab_arabi_differs);
	return lab_figure_close(out, f->name, error);
}

int lab_figure_matrix(const struct lab_figure *f, const struct lab_figure_order *order,
                      struct lab_error *error)
{
	struct lab_cases c = {.n = 0};
	char path[400];
	int rc;

	for (unsigned i = 0; i < N_SCENARIOS * 2 * N_CONTROLS * LAB_N_RECOVERIES; i++) {
		struct cell at = {.recovery = i % LAB_N_RECOVERIES,
		                  .control = i / LAB_N_RECOVERIES % N_CONTROLS,
		                  .scheduler = i / LAB_N_RECOVERIES / N_CONTROLS % 2,
		                  .scenario = i / LAB_N_RECOVERIES / N_CONTROLS / 2};
		struct lab_case one = case_of(&at);

		lab_cases_add(&c, &one);
	}
	snprintf(path, sizeof(path), "%s/%s.csv", order->directory, f->name);
	rc = lab_cases_run(&c, order->options, order->n_seeds, f->name, error);
	if (rc == 0) {
		printf("%s; medians of %u seeds (least..most)\n\n", f->what, c.n_seeds);
		rc = print(&c, order, f, error) != 0 || lab_cases_write_csv(&c, path, error) != 0
		         ? -1
		         : draw(&c, order, f->name, error);
	}
	lab_cases_free(&c);
	return rc;
}
