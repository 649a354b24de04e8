/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Figures 8 and 9 of Arabi et al.: goodput over time, one curve for each recovery. */
#include "figures/figure_over_time.h"

#include <string.h>

#include "figures/arabi.h"
#include "figures/cases.h"
#include "render/gnuplot.h"
#include "render/table.h"
#include "scenario/ceiling.h"

/* Goodputs above this part of the best one count as equal to it. */
#define EQUAL 0.999

struct setting {
	const char *figure;
	const struct lab_arabi *network;
	const char *cc;
	const char *cc_to_threshold, *cc_without_undo; /* the paper's response of DSACK, of F-RTO */
	const char *other_cc;                          /* that the paper compares with; NULL = none */
	const char *title;
};

static const struct setting settings[] = {
    {"arabi-fig8", &lab_arabi[0], "linked", "linked:undo=1", "linked:undo=0", "uncoupled",
     "linked increases, 5 Mbit/s 100 ms + 2 Mbit/s 100 ms; " LAB_ARABI_DISTURBED},
    {"arabi-fig9", &lab_arabi[1], "uncoupled", "uncoupled:undo=1", "uncoupled:undo=0", NULL,
     "uncoupled, 5 Mbit/s 100 ms + 2 Mbit/s 10 ms + 7 Mbit/s 50 ms; " LAB_ARABI_DISTURBED},
};

enum { NONE, DSACK, EIFEL, FRTO, ALL }; /* lab_figure_recoveries */

static struct lab_case case_of(const struct setting *s, unsigned scheduler, unsigned recovery)
{
	return (struct lab_case){s->network->scenario, lab_figure_schedulers[scheduler], s->cc,
	                         lab_figure_recoveries[recovery], s->network->set};
}

/* What no curve shows: without disturbance, the paper's responses, and the other control, if there is one. */
enum { UNDISTURBED, TO_THRESHOLD, WITHOUT_UNDO, OTHER_CC, N_BESIDE };

static struct lab_case case_beside(const struct setting *s, unsigned scheduler, unsigned which)
{
	static const unsigned recoveries[N_BESIDE] = {NONE, DSACK, FRTO, NONE};
	const char *const ccs[N_BESIDE] = {s->cc, s->cc_to_threshold, s->cc_without_undo,
	                                   s->other_cc == NULL ? s->cc : s->other_cc};
	struct lab_case one = case_of(s, scheduler, recoveries[which]);

	one.cc = ccs[which];
	if (which == UNDISTURBED) {
		one.set = NULL;
	}
	return one;
}

/* Seconds that every run lasted. */
static size_t common_seconds(const struct lab_cases *c)
{
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < c->n * c->n_seeds; i++) {
		size_t n = json_array_size(json_object_get(c->jobs[i].result, "goodput_windows_bps"));

		least = n < least ? n : least;
	}
	return least;
}

static double mean_of_seeds(const struct lab_cases *c, const struct lab_case *one, size_t second)
{
	const struct lab_job *jobs = lab_cases_jobs(c, one);
	double sum = 0;

	for (unsigned seed = 0; seed < c->n_seeds; seed++) {
		const json_t *windows = json_object_get(jobs[seed].result, "goodput_windows_bps");

		sum += json_number_value(json_array_get(windows, second));
	}
	return sum / c->n_seeds;
}

/* Columns: the second's middle, then each recovery under each scheduler. */
static int write_curves(const struct lab_cases *c, const struct setting *s,
                        const struct lab_figure_order *order, struct lab_error *error)
{
	FILE *out = lab_figure_file(order, s->figure, "-time.csv", error);
	size_t seconds = common_seconds(c);

	if (out == NULL) {
		return -1;
	}
	fprintf(out, "time_s");
	for (unsigned k = 0; k < 2; k++) {
		for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
			fprintf(out, ",%s_%s_bps", lab_figure_schedulers[k], lab_figure_recoveries[r]);
		}
	}
	for (size_t second = 0; second < seconds; second++) {
		fprintf(out, "\n%zu.5", second);
		for (unsigned k = 0; k < 2; k++) {
			for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
				struct lab_case one = case_of(s, k, r);

				fprintf(out, ",%.0f", mean_of_seeds(c, &one, second));
			}
		}
	}
	fprintf(out, "\n");
	return lab_figure_close(out, s->figure, error);
}

static bool same_runs(const struct lab_cases *c, const struct lab_case *a, const struct lab_case *b)
{
	const struct lab_job *x = lab_cases_jobs(c, a), *y = lab_cases_jobs(c, b);

	for (unsigned seed = 0; seed < c->n_seeds; seed++) {
		if (!json_equal(json_object_get(x[seed].result, "trace_hash"),
		                json_object_get(y[seed].result, "trace_hash"))) {
			return false;
		}
	}
	return true;
}

/* The curve of a recovery and of all that ran packet by packet as it did; nothing when it is one of those. */
static void plot_curve(FILE *out, const struct lab_cases *c, const struct setting *s, unsigned k, unsigned r)
{
	struct lab_case one = case_of(s, k, r);
	char names[80];
	size_t at = (size_t)snprintf(names, sizeof(names), "%s", lab_figure_recoveries[r]);

	for (unsigned i = 0; i < LAB_N_RECOVERIES; i++) {
		struct lab_case other = case_of(s, k, i);

		if (i != r && same_runs(c, &one, &other)) {
			if (i < r) {
				return;
			}
			at += (size_t)snprintf(names + at, sizeof(names) - at, ", %s",
			                       lab_figure_recoveries[i]);
		}
	}
	fprintf(out,
	        ", \\\n  \"%s-time.csv\" using 1:(column(%u)/1e6) skip 1 with lines lt %u lw 2.5 title \"%s: "
	        "%.2f in all\"",
	        s->figure, 2 + k * LAB_N_RECOVERIES + r, r + 1, names,
	        lab_cases_summary(c, &one, "goodput_bps").median / 1e6);
}

static int write_script(const struct lab_cases *c, const struct setting *s,
                        const struct lab_figure_order *order, struct lab_error *error)
{
	FILE *out = lab_figure_file(order, s->figure, ".gnuplot", error);
	const struct lab_scenario *scenario = &c->jobs[0].run.scenario;
	double ceiling_mbps = lab_ceiling_bps(scenario, -1, true) / 1e6;

	if (out == NULL) {
		return -1;
	}
	lab_figure_script_head(out, s->figure, 1400, 560);
	fprintf(out,
	        "set xlabel \"time (s)\"\nset xrange [0:%zu]\nset yrange [0:%.2f]\n"
	        "set key bottom right samplen 2\nset multiplot layout 1,2 title \"%s\" font \"sans,14\"\n",
	        common_seconds(c), 1.15 * ceiling_mbps, s->title);
	for (unsigned k = 0; k < 2; k++) {
		fprintf(out,
		        "set title \"scheduler %s\"\nset ylabel \"goodput in each second (Mbit/s)\"\n"
		        "plot %.4f with lines lc rgb \"#666666\" dt 3 title \"ceiling: %.2f\"",
		        lab_figure_schedulers[k], ceiling_mbps, ceiling_mbps);
		for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
			plot_curve(out, c, s, k, r);
		}
		fprintf(out, "\n");
	}
	fprintf(out, "unset multiplot\n");
	return lab_figure_close(out, s->figure, error);
}

/* One row: the paper's words, and `key` of one case over that of another, for both schedulers. */
static void ratio_row(struct lab_table *t, const struct lab_cases *c, const char *claim, struct lab_case a,
                      struct lab_case b)
{
	lab_table_row(t);
	lab_table_cell(t, "%s", claim);
	for (unsigned k = 0; k < 2; k++) {
		double x, y;

		a.scheduler = b.scheduler = lab_figure_schedulers[k];
		x = lab_cases_summary(c, &a, "goodput_bps").median;
		y = lab_cases_summary(c, &b, "goodput_bps").median;
		lab_table_cell(t, "%+.1f %%", y == 0 ? 0 : 100 * (x / y - 1));
	}
}

static void goodput_row(struct lab_table *t, const struct lab_cases *c, const char *claim,
                        struct lab_case one)
{
	lab_table_row(t);
	lab_table_cell(t, "%s", claim);
	for (unsigned k = 0; k < 2; k++) {
		struct lab_summary s;

		one.scheduler = lab_figure_schedulers[k];
		s = lab_cases_summary(c, &one, "goodput_bps");
		lab_table_cell(t, "%.2f (%.2f..%.2f)", s.median / 1e6, s.min / 1e6, s.max / 1e6);
	}
}

/* Whether there was anything to detect. */
static void spurious_row(struct lab_table *t, const struct lab_cases *c, struct lab_case one)
{
	lab_table_row(t);
	lab_table_cell(t, "spurious retransmissions of a transfer, %s", one.recovery);
	for (unsigned k = 0; k < 2; k++) {
		one.scheduler = lab_figure_schedulers[k];
		lab_table_cell(t, "%.0f of %.0f", lab_cases_summary(c, &one, "spurious_retransmits").median,
		               lab_cases_summary(c, &one, "retransmits").median);
	}
}

static void best_row(struct lab_table *t, const struct lab_cases *c, const struct setting *s,
                     const char *claim)
{
	lab_table_row(t);
	lab_table_cell(t, "%s", claim);
	for (unsigned k = 0; k < 2; k++) {
		double bps[LAB_N_RECOVERIES], most = 0;
		unsigned n_best = 0;
		char names[80] = "";
		size_t at = 0;

		for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
			struct lab_case one = case_of(s, k, r);

			bps[r] = lab_cases_summary(c, &one, "goodput_bps").median;
			most = bps[r] > most ? bps[r] : most;
		}
		for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
			if (bps[r] >= EQUAL * most) {
				at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
				                       n_best++ == 0 ? "" : ", ", lab_figure_recoveries[r]);
			}
		}
		lab_table_cell(t, "%s", n_best == LAB_N_RECOVERIES ? "all equal" : names);
	}
}

static void claims_of_figure_8(struct lab_table *t, const struct lab_cases *c, const struct setting *s)
{
	struct lab_case none = case_of(s, 0, NONE);

	ratio_row(t, c, "none \"remains the same as with uncoupled\": against uncoupled", none,
	          case_beside(s, 0, OTHER_CC));
	ratio_row(t, c, "DSACK \"stays the same\": against none", case_of(s, 0, DSACK), none);
	ratio_row(t, c, "Eifel \"is decreased\" by spurious retransmissions: against none",
	          case_of(s, 0, EIFEL), none);
	ratio_row(t, c, "FRTO \"is decreased\" by spurious retransmissions: against none",
	          case_of(s, 0, FRTO), none);
}

static void claims_of_figure_9(struct lab_table *t, const struct lab_cases *c, const struct setting *s)
{
	struct lab_case none = case_of(s, 0, NONE);

	goodput_row(t, c, "DSACK \"reaches about 10 Mbps\": Mbit/s", case_of(s, 0, DSACK));
	best_row(t, c, s, "\"the best result is the throughput for DSACK\": best is");
	ratio_row(t, c, "DSACK (above none in the paper): against none", case_of(s, 0, DSACK), none);
	ratio_row(t, c, "Eifel \"is 40 less than\" without: against none", case_of(s, 0, EIFEL), none);
	ratio_row(t, c, "FRTO \"is 40 less than\" without: against none", case_of(s, 0, FRTO), none);
}

static int print_claims(const struct lab_figure *f, const struct lab_figure_order *order,
                        const struct lab_cases *c, const struct setting *s, struct lab_error *error)
{
	FILE *out = lab_figure_page(order, f->name, f->what, error);
	struct lab_table t = {.rows = 0};
	struct lab_case none = case_of(s, 0, NONE);

	lab_table_row(&t);
	lab_table_cell(&t, "the paper: measured");
	lab_table_cell(&t, "%s", lab_figure_schedulers[0]);
	lab_table_cell(&t, "%s", lab_figure_schedulers[1]);
	goodput_row(&t, c, "none, without disturbance: Mbit/s", case_beside(s, 0, UNDISTURBED));
	goodput_row(&t, c, "none: Mbit/s", none);
	spurious_row(&t, c, none);
	if (s->other_cc != NULL) {
		claims_of_figure_8(&t, c, s);
	} else {
		claims_of_figure_9(&t, c, s);
	}
	ratio_row(&t, c, "DSACK as in the paper (undo=1), slow start to the stored window: against none",
	          case_beside(s, 0, TO_THRESHOLD), none);
	ratio_row(&t, c, "FRTO as in the paper (undo=0), which \"stays in the recovery state\": against none",
	          case_beside(s, 0, WITHOUT_UNDO), none);
	ratio_row(&t, c, "all detectors (not in the paper): against none", case_of(s, 0, ALL), none);
	printf("%s\n%s; medians of %u seeds\n\n", f->what, s->title, c->n_seeds);
	lab_table_print(&t, stdout);
	printf("\n%s\n", lab_arabi_differs);
	if (out != NULL) {
		lab_table_markdown(&t, out);
		fprintf(out, "\n%s\n", lab_arabi_differs);
	}
	lab_table_free(&t);
	return out == NULL ? -1 : lab_figure_close(out, f->name, error);
}

static const struct setting *setting_of(const struct lab_figure *f)
{
	size_t i = 0;

	while (strcmp(settings[i].figure, f->name) != 0) {
		i++;
	}
	return &settings[i];
}

int lab_figure_over_time(const struct lab_figure *f, const struct lab_figure_order *order,
                         struct lab_error *error)
{
	const struct setting *s = setting_of(f);
	struct lab_cases c = {.n = 0};
	char path[400], script[64];
	int rc;

	for (unsigned k = 0; k < 2; k++) {
		for (unsigned r = 0; r < LAB_N_RECOVERIES; r++) {
			struct lab_case one = case_of(s, k, r);

			lab_cases_add(&c, &one);
		}
		for (unsigned i = 0; i < N_BESIDE; i++) {
			struct lab_case one = case_beside(s, k, i);

			lab_cases_add(&c, &one);
		}
	}
	snprintf(path, sizeof(path), "%s/%s.csv", order->directory, f->name);
	snprintf(script, sizeof(script), "%s.gnuplot", f->name);
	rc = lab_cases_run(&c, order->options, order->n_seeds, f->name, error);
	if (rc == 0) {
		rc = print_claims(f, order, &c, s, error) != 0 || lab_cases_write_csv(&c, path, error) != 0 ||
		             write_curves(&c, s, order, error) != 0 || write_script(&c, s, order, error) != 0
		         ? -1
		         : lab_gnuplot(order->directory, script, error);
	}
	lab_cases_free(&c);
	return rc;
}
