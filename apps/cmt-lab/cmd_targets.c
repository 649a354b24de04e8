/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ceiling.h"
#include "socket_options.h"
#include "study.h"
#include "table.h"
#include "target_points.h"
#include "units.h"

#define DEFAULT_SEEDS     20
#define DEFAULT_DIRECTORY "cmt-lab-results"

struct report {
	struct lab_table summary, details;
	json_t *json;
	bool missed;
};

/* The worst value of one scheduler over the points of a target. */
struct verdict {
	double worst, limit;
	unsigned n; /* points judged */
	bool known, met;
};

static const char *const promised[] = {"arrival", "lcm"};

static double limit_of(const struct lab_target *t, int which)
{
	return which == 0 ? t->arrival : t->lcm;
}

static struct lab_summary value_of(const struct lab_target *t, const struct lab_study *study, int row)
{
	struct lab_summary value = lab_study_summary(study, row, t->key);
	const char *on_path = t->of == LAB_OF_SAME_STACK && row >= 0 ? study->rows[row].scheduler : LAB_STOCK;
	struct lab_summary best = lab_study_summary(study, lab_study_best_single(study, on_path), t->key);

	if (t->of != LAB_OF_NOTHING) {
		value.known = value.known && best.known && best.median > 0;
		value.median = value.known ? value.median / best.median : 0;
		value.min = value.known ? value.min / best.median : 0;
		value.max = value.known ? value.max / best.median : 0;
	}
	return value;
}

static void judge(const struct lab_target *t, struct verdict *v, const struct lab_summary *value)
{
	bool first = v->n++ == 0;

	if (first) {
		v->known = true;
		v->met = true;
	}
	v->known = v->known && value->known;
	v->met =
	    v->met && value->known && (t->at_least ? value->median >= v->limit : value->median <= v->limit);
	if (first || (t->at_least ? value->median < v->worst : value->median > v->worst)) {
		v->worst = value->median;
	}
}

static void detail_row(struct report *r, const struct lab_target *t, const struct lab_run *point,
                       const struct lab_study *study)
{
	char size[32];

	lab_table_row(&r->details);
	lab_table_cell(&r->details, "%s", t->what);
	lab_table_cell(&r->details, "%s", point->scenario.name);
	lab_table_cell(&r->details, "%s",
	               app_format_size((double)point->scenario.rcvbuf_bytes, size, sizeof(size)));
	lab_table_cell(&r->details, "%d %%", point->delay_error_pct);
	for (int i = -1; i < 2; i++) {
		int row = lab_study_row(study, i < 0 ? LAB_STOCK : promised[i]);
		struct lab_summary value = value_of(t, study, row);

		if (value.known) {
			lab_table_cell(&r->details, "%.4g (%.4g..%.4g)", value.median, value.min, value.max);
		} else {
			lab_table_cell(&r->details, "-");
		}
	}
}

static void run_study(const struct lab_target *t, const struct lab_run *point, unsigned n_seeds,
                      struct lab_study *study)
{
	struct lab_run base = *point;
	char title[32];

	base.seed = 1;
	if (t->scenarios[0] != '*') {
		lab_study_add(study, LAB_STOCK, -1);
	}
	for (int i = 0; i < 2; i++) {
		if (limit_of(t, i) != LAB_NO_TARGET) {
			lab_study_add(study, promised[i], -1);
			if (t->of == LAB_OF_SAME_STACK) {
				lab_study_add_single_paths(study, promised[i], &base.scenario);
			}
		}
	}
	if (t->of == LAB_OF_PLAIN_PATH) {
		lab_study_add_single_paths(study, LAB_STOCK, &base.scenario);
	}
	snprintf(title, sizeof(title), "%.20s %llu", base.scenario.name,
	         (unsigned long long)base.scenario.rcvbuf_bytes);
	lab_study_run(study, &base, n_seeds, title);
}

static void summary_row(struct report *r, const struct lab_target *t, const struct verdict *stock,
                        const struct verdict *v)
{
	lab_table_row(&r->summary);
	lab_table_cell(&r->summary, "%s", t->what);
	if (stock->known) {
		lab_table_cell(&r->summary, "%.4g", stock->worst);
	} else {
		lab_table_cell(&r->summary, "-");
	}
	for (int i = 0; i < 2; i++) {
		if (limit_of(t, i) == LAB_NO_TARGET) {
			lab_table_cell(&r->summary, "-");
			lab_table_cell(&r->summary, "-");
			lab_table_cell(&r->summary, "-");
			continue;
		}
		lab_table_cell(&r->summary, "%s %.4g", t->at_least ? ">=" : "<=", limit_of(t, i));
		if (v[i].known) {
			lab_table_cell(&r->summary, "%.4g", v[i].worst);
		} else {
			lab_table_cell(&r->summary, "not measured");
		}
		lab_table_cell(&r->summary, "%s", v[i].met ? "met" : "MISSED");
		r->missed = r->missed || !v[i].met;
	}
}

static json_t *verdict_json(const struct verdict *v)
{
	return json_pack("{s:f, s:o, s:b}", "target", v->limit, "measured",
	                 v->known ? json_real(v->worst) : json_null(), "met", v->met);
}

static int measure_target(struct report *r, const struct lab_target *t, unsigned n_seeds)
{
	struct verdict stock = {.n = 0}, v[2] = {{.limit = t->arrival}, {.limit = t->lcm}};
	struct lab_target_points points;
	struct lab_error error;
	json_t *o = json_object();

	if (lab_target_points(t, &points, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", t->what, error.text);
		return LAB_EXIT_USAGE;
	}
	for (size_t p = 0; p < points.n; p++) {
		struct lab_study study = {.n_rows = 0};

		run_study(t, &points.runs[p], n_seeds, &study);
		if (lab_jobs_error(study.jobs, (size_t)study.n_rows * n_seeds, &error) != 0) {
			fprintf(stderr, "cmt-lab: %s: %s\n", t->what, error.text);
		}
		for (int i = -1; i < 2; i++) {
			int row = lab_study_row(&study, i < 0 ? LAB_STOCK : promised[i]);
			struct lab_summary value = value_of(t, &study, row);

			judge(t, i < 0 ? &stock : &v[i], &value);
		}
		detail_row(r, t, &points.runs[p], &study);
		lab_study_free(&study);
	}
	free(points.runs);
	summary_row(r, t, &stock, v);
	json_object_set_new(o, "what", json_string(t->what));
	for (int i = 0; i < 2; i++) {
		json_object_set_new(o, promised[i],
		                    limit_of(t, i) == LAB_NO_TARGET ? json_null() : verdict_json(&v[i]));
	}
	json_array_append_new(r->json, o);
	return 0;
}

static void head(struct lab_table *t, const char *const *heads, size_t n)
{
	lab_table_row(t);
	for (size_t i = 0; i < n; i++) {
		lab_table_cell(t, "%s", heads[i]);
	}
}

static int write_files(const struct report *r, const char *directory, unsigned n_seeds)
{
	char path[400];
	FILE *out;

	if (mkdir(directory, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", directory, strerror(errno));
		return 1;
	}
	snprintf(path, sizeof(path), "%s/results.md", directory);
	out = fopen(path, "w");
	if (out == NULL) {
		fprintf(stderr, "cmt-lab: %s: %s\n", path, strerror(errno));
		return 1;
	}
	fprintf(out,
	        "# Results\n\n"
	        "Made by `cmt-lab targets --seeds %u -d docs`: virtual time, measured time stamps, no "
	        "oracle. Medians over\n"
	        "the seeds; a row with several points shows the worst. `stock` is upstream's own CMT with "
	        "upstream's\n"
	        "defects cured. `best single path` is plain SCTP on the best path with the same buffers; "
	        "`same stack` is the\n"
	        "same scheduler there. W_min is the sum of rate times round-trip time (docs/lab.md).\n\n",
	        n_seeds);
	lab_table_markdown(&r->summary, out);
	fprintf(out, "\nEvery point, median (smallest..largest):\n\n");
	lab_table_markdown(&r->details, out);
	fclose(out);
	snprintf(path, sizeof(path), "%s/results.json", directory);
	if (json_dump_file(r->json, path, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) != 0) {
		fprintf(stderr, "cmt-lab: %s: cannot be written\n", path);
		return 1;
	}
	return 0;
}

int lab_cmd_targets(int argc, char **argv)
{
	static const char *const heads[] = {"target",  "stock", "arrival",  "measured",
	                                    "verdict", "lcm",   "measured", "verdict"};
	static const char *const detail_heads[] = {
	    "target", "scenario", "receive buffer", "delay error", "stock", "arrival", "lcm"};
	static struct lab_options options;
	struct report r = {.json = json_array()};
	unsigned n_seeds;
	int status;

	if (lab_options_parse(&options, argc, argv, LAB_OPT_SEEDS | LAB_OPT_DIRECTORY | LAB_OPT_JSON,
	                      lab_help_targets) != 0) {
		return LAB_EXIT_USAGE;
	}
	n_seeds = options.n_seeds == 0 ? DEFAULT_SEEDS : options.n_seeds;
	head(&r.summary, heads, sizeof(heads) / sizeof(heads[0]));
	head(&r.details, detail_heads, sizeof(detail_heads) / sizeof(detail_heads[0]));
	for (size_t i = 0; i < lab_n_targets; i++) {
		status = measure_target(&r, &lab_targets[i], n_seeds);
		if (status != 0) {
			return status;
		}
	}
	if (options.json) {
		json_dumpf(r.json, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
		putchar('\n');
	} else {
		lab_table_print(&r.summary, stdout);
		printf("\nThe cost of a decision is measured by tests/bench.\n");
	}
	status =
	    write_files(&r, options.directory[0] == '\0' ? DEFAULT_DIRECTORY : options.directory, n_seeds);
	status = status != 0 || r.missed;
	lab_table_free(&r.summary);
	lab_table_free(&r.details);
	json_decref(r.json);
	return status;
}
