/* SPDX-License-Identifier: BSD-3-Clause */
#include "results/target_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "render/table.h"
#include "results/results_page.h"

/* The commands that made the section: lines at its beginning. */
static void put_commands(const struct lab_target_report *r, const char *only, const char *old, FILE *out)
{
	char command[400];
	size_t n =
	    (size_t)snprintf(command, sizeof(command), "`cmt-lab targets --group %s%s%s%s --seeds %u%s`\n",
	                     r->group->name, only[0] == '\0' ? "" : " --only \"", only,
	                     only[0] == '\0' ? "" : "\"", r->n_seeds, r->encrypted ? " --encrypt" : "");

	for (const char *line = only[0] == '\0' || old == NULL ? "" : old; *line == '`';) {
		size_t len = strcspn(line, "\n") + 1;

		if (strncmp(line, command, n) != 0) {
			fprintf(out, "%.*s", (int)len, line);
		}
		line += strnlen(line, len);
	}
	fprintf(out, "%s\n", command);
}

/* What a section is made of. */
struct section {
	const struct lab_target_report *report;
	const char *only, *old; /* the section as it was; NULL = none */
};

static int write_section(FILE *out, const void *from, struct lab_error *error)
{
	const struct section *s = from;

	(void)error;
	put_commands(s->report, s->only, s->old, out);
	lab_table_markdown(&s->report->summary, out);
	return 0;
}

static int write_points(FILE *out, const void *from, struct lab_error *error)
{
	const struct section *s = from;

	(void)error;
	lab_table_markdown(&s->report->points, out);
	return 0;
}

static int write_markdown(const struct lab_target_report *r, const char *only, const char *directory,
                          struct lab_error *error)
{
	char *old = lab_results_page_get(directory, LAB_PAGE_RESULTS, r->group->title);
	const struct section section = {.report = r, .only = only, .old = old};
	const struct lab_results_section verdicts = {LAB_PAGE_RESULTS, r->group->title, write_section,
	                                             &section},
	                                 points = {LAB_PAGE_POINTS, r->group->title, write_points, &section};
	int rc = lab_results_page_put(directory, &verdicts, error) != 0 ||
	                 lab_results_page_put(directory, &points, error) != 0
	             ? -1
	             : 0;

	free(old);
	return rc;
}

static bool is_of(const json_t *object, const struct lab_target_group *group)
{
	const char *name = json_string_value(json_object_get(object, "group"));

	return name != NULL && strcmp(name, group->name) == 0;
}

static const json_t *of_target(const json_t *all, const struct lab_target_group *group, const char *what)
{
	const json_t *one;
	size_t k;

	json_array_foreach(all, k, one)
	{
		const char *name = json_string_value(json_object_get(one, "what"));

		if (is_of(one, group) && name != NULL && strcmp(name, what) == 0) {
			return one;
		}
	}
	return NULL;
}

/* In the order of groups and targets, so that the file does not depend on which was measured last. */
static json_t *merged(const json_t *old, const struct lab_target_report *r, bool keep)
{
	const struct lab_target_group *group;
	json_t *out = json_array();

	for (size_t i = 0; (group = lab_target_group(i)) != NULL; i++) {
		for (size_t k = 0; k < group->n; k++) {
			const char *what = group->targets[k].what;
			const json_t *one = group == r->group ? of_target(r->json, group, what) : NULL;

			if (one == NULL && (group != r->group || keep)) {
				one = of_target(old, group, what);
			}
			if (one != NULL) {
				json_array_append(out, (json_t *)(uintptr_t)one);
			}
		}
	}
	return out;
}

int lab_results_of_targets(const char *directory, const struct lab_target_report *r, const char *only,
                           struct lab_error *error)
{
	char path[400];
	json_t *old, *all;
	int rc;

	if (write_markdown(r, only, directory, error) != 0) {
		return -1;
	}
	snprintf(path, sizeof(path), "%s/results.json", directory);
	old = json_load_file(path, 0, NULL);
	all = merged(old, r, only[0] != '\0');
	rc = json_dump_file(all, path, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	json_decref(all);
	json_decref(old);
	if (rc != 0) {
		snprintf(error->text, sizeof(error->text), "%s: cannot be written", path);
	}
	return rc == 0 ? 0 : -1;
}
