/* SPDX-License-Identifier: BSD-3-Clause */
#include "commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "batch/journal.h"
#include "results/results_page.h"
#include "results/target_results.h"
#include "setup/options.h"
#include "targets/target_measure.h"
#include "targets/target_points.h"

#define DEFAULT_SEEDS     20
#define DEFAULT_DIRECTORY "cmt-lab-results"

/* What the journal has of a point; false = nothing. */
static bool find(const struct lab_journal *journal, json_t *point, struct lab_target_values *out)
{
	const json_t *values = lab_journal_find(journal, point);

	for (size_t c = 0; c < LAB_COLUMNS; c++) {
		lab_summary_read(json_array_get(values, c), &out->of[c]);
	}
	return values != NULL;
}

static void keep(struct lab_journal *journal, json_t *point, const struct lab_target_values *values)
{
	json_t *columns = json_array();

	for (size_t c = 0; c < LAB_COLUMNS; c++) {
		json_array_append_new(columns, lab_summary_write(&values->of[c]));
	}
	lab_journal_add(journal, point, columns);
}

/* 0, or -1 with the reason. */
static int points_of(const struct lab_target *t, const struct lab_options *o,
                     struct lab_target_points *points, struct lab_error *error)
{
	int rc = lab_target_points(t, points, error);

	for (size_t p = 0; rc == 0 && p < points->n; p++) {
		rc = lab_options_apply(o, &points->runs[p].scenario, error);
	}
	if (rc != 0) {
		free(points->runs);
	}
	return rc;
}

static int measure_target(struct lab_target_report *r, const struct lab_target *t,
                          const struct lab_options *o, struct lab_journal *journal)
{
	struct lab_verdict verdicts[LAB_COLUMNS] = {{.n = 0}};
	struct lab_target_points points;
	struct lab_error error, last = {.text = ""}; /* the same one at many points is said once */

	if (points_of(t, o, &points, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s: %s\n", t->what, error.text);
		return LAB_EXIT_USAGE;
	}
	for (size_t p = 0; p < points.n; p++) {
		struct lab_target_values values;
		char title[100];
		bool known;

		snprintf(title, sizeof(title), "%zu/%zu %.20s %llu", p + 1, points.n,
		         points.runs[p].scenario.name,
		         (unsigned long long)points.runs[p].scenario.rcvbuf_bytes);
		known = find(journal, lab_journal_point(t->what, &points.runs[p], r->n_seeds), &values);
		if (!known &&
		    lab_target_measure(t, &points.runs[p], r->n_seeds, title, &values, &error) == 0) {
			keep(journal, lab_journal_point(t->what, &points.runs[p], r->n_seeds), &values);
		} else if (!known && strcmp(error.text, last.text) != 0) {
			fprintf(stderr, "cmt-lab: %s: %s\n", t->what, error.text);
			last = error;
		}
		for (enum lab_target_column c = 0; c < LAB_COLUMNS; c++) {
			lab_target_judge(t, c, &verdicts[c], &values.of[c]);
		}
		lab_target_report_point(r, t, &points.runs[p], &values);
	}
	free(points.runs);
	lab_target_report_target(r, t, verdicts);
	return 0;
}

static bool is_asked_for(const struct lab_target *t, const struct lab_options *o)
{
	return strstr(t->what, o->only) != NULL;
}

/* 0, 1 when a target was missed, or LAB_EXIT_USAGE. */
static int measure_group(const struct lab_target_group *group, const struct lab_options *o,
                         const char *directory, struct lab_journal *journal, json_t *all)
{
	struct lab_target_report r;
	struct lab_error error;
	char *verdicts = lab_results_page_get(directory, LAB_PAGE_RESULTS, group->title);
	char *points = lab_results_page_get(directory, LAB_PAGE_POINTS, group->title);
	int status = 0;

	lab_target_report_start(&r, group, o->n_seeds == 0 ? DEFAULT_SEEDS : o->n_seeds);
	r.encrypted = o->n_sets > 0;
	for (size_t i = 0; i < group->n && status == 0; i++) {
		if (is_asked_for(&group->targets[i], o)) {
			status = measure_target(&r, &group->targets[i], o, journal);
		} else {
			lab_target_report_keep(&r, &group->targets[i], verdicts, points);
		}
	}
	if (status == 0) {
		status = r.missed;
		if (!o->json) {
			lab_target_report_print(&r);
		}
		json_array_extend(all, r.json);
		if (lab_results_of_targets(directory, &r, o->only, &error) != 0) {
			fprintf(stderr, "cmt-lab: %s\n", error.text);
			status = 1;
		}
	}
	free(verdicts);
	free(points);
	lab_target_report_free(&r);
	return status;
}

/* Whether the options ask for any target of the group. */
static bool is_group_asked_for(const struct lab_target_group *group, const struct lab_options *o)
{
	size_t i = 0;

	if (o->group[0] != '\0' && strcmp(group->name, o->group) != 0) {
		return false;
	}
	while (i < group->n && !is_asked_for(&group->targets[i], o)) {
		i++;
	}
	return i < group->n;
}

static int refuse_only(const struct lab_options *o)
{
	const struct lab_target_group *group;

	fprintf(stderr, "cmt-lab targets: --only: no target's name contains \"%s\"; there are\n", o->only);
	for (size_t i = 0; (group = lab_target_group(i)) != NULL; i++) {
		for (size_t k = 0; k < group->n; k++) {
			if (o->group[0] == '\0' || strcmp(group->name, o->group) == 0) {
				fprintf(stderr, "  %s\n", group->targets[k].what);
			}
		}
	}
	return LAB_EXIT_USAGE;
}

static int parse(struct lab_options *o, int argc, char **argv)
{
	const struct lab_target_group *group;

	if (lab_options_parse(o, argc, argv, LAB_OPT_SEEDS | LAB_OPT_DIRECTORY | LAB_OPT_JSON | LAB_OPT_GROUP,
	                      lab_help_targets) != 0) {
		return LAB_EXIT_USAGE;
	}
	if (o->operand != NULL) {
		fprintf(stderr, "cmt-lab targets: takes no name; write --group %s for one group\n",
		        o->operand);
		return LAB_EXIT_USAGE;
	}
	for (size_t i = 0; o->group[0] != '\0' && (group = lab_target_group(i)) != NULL; i++) {
		if (strcmp(group->name, o->group) == 0) {
			return 0;
		}
	}
	if (o->group[0] == '\0') {
		return 0;
	}
	fprintf(stderr, "cmt-lab targets: --group: \"%s\" is not a group; write one of", o->group);
	for (size_t i = 0; (group = lab_target_group(i)) != NULL; i++) {
		fprintf(stderr, "%s %s", i == 0 ? "" : ",", group->name);
	}
	fprintf(stderr, "\n");
	return LAB_EXIT_USAGE;
}

int lab_cmd_targets(int argc, char **argv)
{
	static struct lab_options o;
	const struct lab_target_group *group;
	const char *directory;
	struct lab_journal journal = {.file = NULL};
	struct lab_error error;
	unsigned n_groups = 0;
	json_t *all = json_array();
	int status = parse(&o, argc, argv);

	directory = o.directory[0] == '\0' ? DEFAULT_DIRECTORY : o.directory;
	if (status == 0 && mkdir(directory, 0777) != 0 && errno != EEXIST) {
		fprintf(stderr, "cmt-lab: -d %s: %s\n", directory, strerror(errno));
		status = 1;
	}
	if (status == 0 && lab_journal_open(&journal, o.journal, &error) != 0) {
		fprintf(stderr, "cmt-lab: --journal: %s\n", error.text);
		status = LAB_EXIT_USAGE;
	}
	for (size_t i = 0; status <= 1 && (group = lab_target_group(i)) != NULL; i++) {
		if (is_group_asked_for(group, &o)) {
			int one = measure_group(group, &o, directory, &journal, all);

			status = one > status ? one : status;
			n_groups++;
		}
	}
	if (status <= 1 && n_groups == 0) {
		status = refuse_only(&o);
	}
	if (status <= 1 && lab_results_page_advice(directory, &error) != 0) {
		fprintf(stderr, "cmt-lab: %s\n", error.text);
		status = 1;
	}
	if (o.json && status <= 1) {
		json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
		putchar('\n');
	}
	lab_journal_close(&journal);
	json_decref(all);
	return status;
}
