/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/scheduler_names.h"
#include "batch/study.h"
#include "render/table.h"
#include "scenario/ceiling.h"
#include "setup/options.h"
#include "text/units.h"

static void goodput_cell(struct lab_table *t, const struct lab_summary *s)
{
	if (s->max - s->min < 0.0005 * s->median) {
		lab_table_cell(t, "%.3f", s->median / 1e6);
	} else {
		lab_table_cell(t, "%.3f (%.3f..%.3f)", s->median / 1e6, s->min / 1e6, s->max / 1e6);
	}
}

static void table_row(struct lab_table *t, const struct lab_study *s, int row, const char *label)
{
	struct lab_summary goodput = lab_study_summary(s, row, "goodput_bps");
	struct lab_summary best = lab_study_summary(s, lab_study_best_single(s, LAB_STOCK), "goodput_bps");
	struct lab_summary latency = lab_study_summary(s, row, "latency_p50_us");
	struct lab_summary intact = lab_study_summary(s, row, "intact");
	struct lab_summary timeouts = lab_study_summary(s, row, "timeouts");
	char text[32];

	lab_table_row(t);
	lab_table_cell(t, "%s", label);
	goodput_cell(t, &goodput);
	lab_table_cell(t, "%.3f", lab_study_of_ceiling(s, row));
	lab_table_cell(t, "%.3f", best.median == 0 ? 0 : goodput.median / best.median);
	lab_table_cell(t, "%.0f / %.0f", lab_study_summary(s, row, "rcvbuf_mean_bytes").median,
	               lab_study_summary(s, row, "rcvbuf_max_bytes").max);
	lab_table_cell(t, "%.0f (%.0f)", lab_study_summary(s, row, "retransmits").median,
	               lab_study_summary(s, row, "spurious_retransmits").median);
	if (timeouts.known) {
		lab_table_cell(t, "%.0f", timeouts.median);
	} else {
		lab_table_cell(t, "-");
	}
	lab_table_cell(t, "%.0f", lab_study_summary(s, row, "three_dupack_events").median);
	lab_table_cell(t, "%s", app_format_time(latency.median, text, sizeof(text)));
	lab_table_cell(t, "%s", intact.min == 1 ? "ok" : "FAILED");
}

/* What the competitors got beside the row above it, on average. */
static void competitor_row(struct lab_table *t, const struct lab_study *s, int row)
{
	struct lab_summary goodput = lab_study_summary(s, row, "competitor_goodput_bps");
	struct lab_summary ratio = lab_study_summary(s, row, "competitor_ratio");

	if (!goodput.known) {
		return;
	}
	lab_table_row(t);
	lab_table_cell(t, "- its competitor%s", s->jobs[0].run.scenario.n_competitors == 1 ? "" : "s, each");
	goodput_cell(t, &goodput);
	lab_table_cell(t, "1 : %.2f", ratio.median);
}

static void print_table(const struct lab_study *s, const struct lab_scenario *scenario, unsigned n_seeds)
{
	static const char *const heads[] = {"",
	                                    "goodput Mbit/s",
	                                    "of ceiling",
	                                    "of best path",
	                                    "buffer mean/max B",
	                                    "retrans. (spurious)",
	                                    "timeouts",
	                                    "3 dupacks",
	                                    "latency",
	                                    "bytes"};
	struct lab_table table = {.rows = 0};
	int best = lab_study_best_single(s, LAB_STOCK);
	char label[64], rcvbuf[32], need[32];

	lab_table_row(&table);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		lab_table_cell(&table, "%s", heads[i]);
	}
	for (unsigned row = 0; row < s->n_rows; row++) {
		if (s->rows[row].only_path < 0) {
			table_row(&table, s, (int)row,
			          strcmp(s->rows[row].scheduler, LAB_STOCK) == 0 ? "stock CMT"
			                                                         : s->rows[row].scheduler);
			competitor_row(&table, s, (int)row);
		}
	}
	if (best >= 0) {
		snprintf(label, sizeof(label), "best single path (%d)", s->rows[best].only_path + 1);
		table_row(&table, s, best, label);
		competitor_row(&table, s, best);
	}
	lab_table_row(&table);
	lab_table_cell(&table, "ceiling");
	lab_table_cell(&table, "%.3f", lab_study_ceiling_bps(s, 0, false) / 1e6);
	printf("%s: receive buffer %s (W_min %s), messages of %llu B, %u seed%s\n\n", scenario->name,
	       app_format_size((double)scenario->rcvbuf_bytes, rcvbuf, sizeof(rcvbuf)),
	       app_format_size(lab_w_min_bytes(scenario, -1), need, sizeof(need)),
	       (unsigned long long)scenario->msg_bytes, n_seeds, n_seeds == 1 ? "" : "s (medians)");
	lab_table_print(&table, stdout);
	if (scenario->n_competitors > 0) {
		printf("\n1 : N beside a competitor: the association above it got N times as much.\n");
	}
	printf("\nWith the time stamps of our extension the ceiling is %.3f Mbit/s.\n\n",
	       lab_study_ceiling_bps(s, 0, true) / 1e6);
	lab_table_free(&table);
}

static json_t *study_json(const struct lab_study *s, const struct lab_scenario *scenario)
{
	json_t *rows = json_array(), *results;

	for (unsigned row = 0; row < s->n_rows; row++) {
		struct lab_summary goodput = lab_study_summary(s, (int)row, "goodput_bps");
		struct lab_summary ratio = lab_study_summary(s, (int)row, "goodput_ratio");

		results = json_array();
		for (unsigned seed = 0; seed < s->n_seeds; seed++) {
			json_array_append(results, s->jobs[row * s->n_seeds + seed].result);
		}
		json_array_append_new(
		    rows, json_pack("{s:s, s:o, s:b, s:o, s:o, s:f, s:o}", "scheduler",
		                    s->rows[row].scheduler, "only_path",
		                    s->rows[row].only_path < 0 ? json_null()
		                                               : json_integer(s->rows[row].only_path + 1),
		                    "best_single_path", (int)row == lab_study_best_single(s, LAB_STOCK),
		                    "goodput_bps", lab_summary_json(&goodput), "goodput_ratio",
		                    lab_summary_json(&ratio), "aggregation_benefit",
		                    lab_study_benefit(s, (int)row, LAB_STOCK), "runs", results));
	}
	return json_pack("{s:s, s:I, s:f, s:f, s:f, s:o}", "scenario", scenario->name, "rcvbuf_bytes",
	                 (json_int_t)scenario->rcvbuf_bytes, "ceiling_bps",
	                 lab_study_ceiling_bps(s, 0, false), "ceiling_with_extension_bps",
	                 lab_study_ceiling_bps(s, 0, true), "w_min_bytes", lab_w_min_bytes(scenario, -1),
	                 "rows", rows);
}

/* 0, or the exit status of the first run that failed. */
static int compare_one(const struct lab_options *o, const struct lab_run *base, json_t *all)
{
	unsigned n_seeds = o->n_seeds == 0 ? 1 : o->n_seeds;
	struct lab_study study = {.n_rows = 0};
	struct lab_error error;
	int status;

	lab_study_add(&study, LAB_STOCK, -1);
	for (unsigned i = 0; i < o->n_schedulers; i++) {
		lab_study_add(&study, o->schedulers[i], -1);
	}
	lab_study_add_single_paths(&study, LAB_STOCK, &base->scenario);
	lab_study_run(&study, base, n_seeds, base->scenario.name);
	status = lab_jobs_error(study.jobs, (size_t)study.n_rows * n_seeds, &error);
	if (status != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
	} else if (o->json) {
		json_array_append_new(all, study_json(&study, &base->scenario));
	} else {
		print_table(&study, &base->scenario, n_seeds);
	}
	for (unsigned row = 0; status == 0 && row < study.n_rows; row++) {
		status = lab_study_summary(&study, (int)row, "intact").min == 1 ? 0 : 1;
	}
	lab_study_free(&study);
	return status;
}

/* Every combination of the values of parameter `level` and those behind it. */
static int compare_grid(const struct lab_options *o, const struct lab_run *base, unsigned level, json_t *all)
{
	int worst = 0;

	if (level == base->scenario.n_grid) {
		return compare_one(o, base, all);
	}
	for (unsigned i = 0; i < base->scenario.grid[level].n_values; i++) {
		const struct lab_grid *grid = &base->scenario.grid[level];
		struct lab_run point = *base;
		size_t len = strlen(point.scenario.name);
		struct lab_error error;
		int status;

		if (lab_scenario_set(&point.scenario, grid->key, grid->values[i], &error) != 0) {
			fprintf(stderr, "cmt-lab: %s\n", error.text);
			return LAB_EXIT_USAGE;
		}
		snprintf(point.scenario.name + len, sizeof(point.scenario.name) - len, " %s=%s", grid->key,
		         grid->values[i]);
		status = compare_grid(o, &point, level + 1, all);
		worst = status > worst ? status : worst;
	}
	return worst;
}

static void take_all_schedulers(struct lab_options *o)
{
	const char *name;

	for (unsigned i = 1; i <= LAB_MAX_SCHEDULERS && (name = lab_scheduler_name(i)) != NULL; i++) {
		snprintf(o->schedulers[o->n_schedulers++], sizeof(o->schedulers[0]), "%s", name);
	}
}

int lab_cmd_compare(int argc, char **argv)
{
	static struct lab_options options;
	json_t *all = json_array();
	int status;

	if (lab_options_parse(&options, argc, argv,
	                      LAB_OPT_LOAD | LAB_OPT_SEED | LAB_OPT_SEVERAL | LAB_OPT_SEEDS | LAB_OPT_JSON,
	                      lab_help_compare) != 0 ||
	    lab_options_load(&options) != 0) {
		json_decref(all);
		return LAB_EXIT_USAGE;
	}
	if (options.n_schedulers == 0) {
		take_all_schedulers(&options);
	}
	status = options.grid ? compare_grid(&options, &options.run, 0, all)
	                      : compare_one(&options, &options.run, all);
	if (options.json) {
		json_dumpf(options.grid ? all : json_array_get(all, 0), stdout,
		           JSON_INDENT(2) | JSON_REAL_PRECISION(10));
		putchar('\n');
	}
	json_decref(all);
	return status;
}
