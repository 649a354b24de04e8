/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/bench_summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/table.h"

static const char *text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void add_rows(struct lab_table *t, const json_t *bench)
{
	static const char *const keys[] = {"mean", "median", "worst_tenth", "worst"};
	const json_t *measure;
	size_t m;

	json_array_foreach(json_object_get(bench, "measures"), m, measure) {
		lab_table_row(t);
		if (m == 0) {
			lab_table_cell(t, "`%s`", text(bench, "name"));
			lab_table_cell(t, "%zu", json_array_size(json_object_get(bench, "points")));
		} else {
			lab_table_cell(t, "%s", "");
			lab_table_cell(t, "%s", "");
		}
		lab_table_cell(t, "%s", text(measure, "name"));
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
			const json_t *number = json_object_get(measure, keys[i]);

			lab_table_number(t, json_is_null(number) ? NAN : json_number_value(number));
		}
	}
}

static void put_worst(const json_t *bench, FILE *out)
{
	const json_t *score = json_array_get(json_object_get(bench, "measures"), 0), *worst;
	size_t i;

	json_array_foreach(json_object_get(bench, "worst"), i, worst) {
		const json_t *point =
		    json_array_get(json_object_get(bench, "points"), (size_t)json_integer_value(worst));

		fprintf(out, "# %s, %s: %s %.3f\n%s\n", text(bench, "name"), text(point, "name"),
		        text(score, "name"),
		        json_number_value(json_array_get(json_object_get(point, "values"), 0)),
		        text(point, "command"));
	}
}

int lab_bench_write_summary(const json_t *benches, const char *directory, struct lab_error *error)
{
	static const char *const heads[] = {"benchmark", "networks",    "measure", "mean",
	                                    "median",    "worst tenth", "worst"};
	struct lab_table t = {.rows = 0};
	const json_t *bench;
	char path[400];
	FILE *out;
	size_t i;

	snprintf(path, sizeof(path), "%s/bench-summary.md", directory);
	out = fopen(path, "w");
	if (out != NULL) {
		lab_table_row(&t);
		for (i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
			lab_table_cell(&t, "%s", heads[i]);
		}
		json_array_foreach(benches, i, bench) {
			add_rows(&t, bench);
		}
		lab_table_markdown(&t, out);
		fprintf(out, "\n## The worst three of each\n```\n");
		json_array_foreach(benches, i, bench) {
			put_worst(bench, out);
		}
		fprintf(out, "```\n");
		lab_table_free(&t);
	}
	if (out == NULL || fclose(out) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}
