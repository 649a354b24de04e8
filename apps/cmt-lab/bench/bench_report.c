/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/bench_report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"
#include "base/words.h"
#include "bench/bench_draw.h"
#include "render/sections.h"
#include "render/table.h"

#define WORST         3
#define COMMAND_BYTES 1600
#define MAX_BENCHES   16

struct lab_bench_stats lab_bench_result_stats(const struct lab_bench_results *r, unsigned measure)
{
	const struct lab_bench_measure *m = &r->bench->measures[measure];
	struct lab_bench_value *values = lab_grow(NULL, r->points.n + 1, sizeof(*values));
	struct lab_bench_stats stats;

	for (size_t i = 0; i < r->points.n; i++) {
		values[i] = (struct lab_bench_value){r->values[i].of[measure], r->points.points[i].weight};
	}
	stats = lab_bench_stats(values, r->points.n, m->less && m->of == LAB_BENCH_ITSELF);
	free(values);
	return stats;
}

double lab_bench_score(const struct lab_bench_results *r)
{
	struct lab_bench_stats stats = lab_bench_result_stats(r, 0);

	return stats.n == 0 ? 0 : stats.mean;
}

static size_t count_failed(const struct lab_bench_results *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->points.n; i++) {
		n += r->values[i].failed;
	}
	return n;
}

char *lab_bench_command(const struct lab_bench_results *r, size_t point, char *out, size_t out_bytes)
{
	const struct lab_bench_point *p = &r->points.points[point];
	struct lab_words words = lab_words_split(p->settings);
	size_t len =
	    (size_t)snprintf(out, out_bytes, "cmt-lab compare '%s' -s %s", p->scenario, r->scheduler);

	for (unsigned i = 0; i < words.n && len < out_bytes; i++) {
		len += (size_t)snprintf(out + len, out_bytes - len, " --set %s", words.word[i]);
	}
	if (len < out_bytes) {
		snprintf(out + len, out_bytes - len, "%s", r->options);
	}
	lab_words_free(&words);
	return out;
}

/* Numbers of the worst points by the score, worst first; ones that failed before all others. */
static size_t worst_points(const struct lab_bench_results *r, size_t worst[WORST])
{
	size_t n = 0;

	for (size_t i = 0; i < r->points.n; i++) {
		const double score = r->values[i].of[0];
		size_t at = n;

		if (isnan(score)) {
			continue;
		}
		while (at > 0 && score < r->values[worst[at - 1]].of[0]) {
			at--;
		}
		if (at == WORST) {
			continue;
		}
		n = n < WORST ? n + 1 : WORST;
		memmove(&worst[at + 1], &worst[at], (n - 1 - at) * sizeof(worst[0]));
		worst[at] = i;
	}
	return n;
}

static struct lab_table make_table(const struct lab_bench_results *r)
{
	static const char *const heads[] = {"", "mean", "median", "worst tenth", "worst", "networks"};
	struct lab_table t = {.rows = 0};

	lab_table_row(&t);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		lab_table_cell(&t, "%s", heads[i]);
	}
	for (unsigned m = 0; m < r->bench->n_measures; m++) {
		struct lab_bench_stats s = lab_bench_result_stats(r, m);
		const double numbers[] = {s.mean, s.median, s.tenth, s.worst};

		lab_table_row(&t);
		lab_table_cell(&t, "%s", r->bench->measures[m].name);
		for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
			lab_table_number(&t, s.n == 0 ? NAN : numbers[i]);
		}
		lab_table_cell(&t, "%zu", s.n);
	}
	return t;
}

static void put_worst(const struct lab_bench_results *r, const char *before, FILE *out)
{
	char command[COMMAND_BYTES];
	size_t worst[WORST], n = worst_points(r, worst);

	for (size_t i = 0; i < n; i++) {
		fprintf(out, "%s# %s: %s%.3f\n%s%s\n", before, r->points.points[worst[i]].name,
		        r->values[worst[i]].failed ? "failed, " : "", r->values[worst[i]].of[0], before,
		        lab_bench_command(r, worst[i], command, sizeof(command)));
	}
}

static void put_heading(const struct lab_bench_results *r, FILE *out)
{
	size_t failed = count_failed(r);

	fprintf(out, "Score %.4f: the mean of \"%s\" over %zu networks%s%s, `%s`, %u seed%s.",
	        lab_bench_score(r), r->bench->measures[0].name, r->points.n,
	        r->sample[0] != '\0' ? ", sample " : "", r->sample, r->scheduler, r->n_seeds,
	        r->n_seeds == 1 ? "" : "s");
	if (failed > 0) {
		fprintf(out, " %zu failed.", failed);
	}
	fprintf(out, "\n\n");
}

void lab_bench_print(const struct lab_bench_results *r, FILE *out)
{
	struct lab_table t = make_table(r);

	fprintf(out, "%s: ", r->bench->name);
	put_heading(r, out);
	lab_table_print(&t, out);
	fprintf(out, "\nThe worst:\n");
	put_worst(r, "  ", out);
	fputc('\n', out);
	lab_table_free(&t);
}

static json_t *number(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *point_json(const struct lab_bench_results *r, size_t i)
{
	const struct lab_bench_point *p = &r->points.points[i];
	char command[COMMAND_BYTES];
	json_t *values = json_array();

	for (unsigned m = 0; m < r->bench->n_measures; m++) {
		json_array_append_new(values, number(r->values[i].of[m]));
	}
	return json_pack("{s:s, s:s, s:f, s:b, s:o, s:s}", "name", p->name, "group", p->group, "weight",
	                 p->weight, "failed", (int)r->values[i].failed, "values", values, "command",
	                 lab_bench_command(r, i, command, sizeof(command)));
}

json_t *lab_bench_json(const struct lab_bench_results *r)
{
	json_t *measures = json_array(), *points = json_array(), *worst = json_array();
	size_t indices[WORST], n_worst = worst_points(r, indices);

	for (unsigned m = 0; m < r->bench->n_measures; m++) {
		struct lab_bench_stats s = lab_bench_result_stats(r, m);

		json_array_append_new(measures, json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "name",
		                                          r->bench->measures[m].name, "networks", (int)s.n,
		                                          "mean", number(s.n == 0 ? NAN : s.mean), "median",
		                                          number(s.n == 0 ? NAN : s.median), "worst_tenth",
		                                          number(s.n == 0 ? NAN : s.tenth), "worst",
		                                          number(s.n == 0 ? NAN : s.worst)));
	}
	for (size_t i = 0; i < r->points.n; i++) {
		json_array_append_new(points, point_json(r, i));
	}
	for (size_t i = 0; i < n_worst; i++) {
		json_array_append_new(worst, json_integer((json_int_t)indices[i]));
	}
	return json_pack("{s:s, s:s, s:s, s:s, s:i, s:f, s:i, s:o, s:o, s:o}", "name", r->bench->name,
	                 "title", r->bench->title, "sample", r->sample[0] == '\0' ? "all" : r->sample,
	                 "scheduler", r->scheduler, "seeds", (int)r->n_seeds, "score", lab_bench_score(r),
	                 "failed", (int)count_failed(r), "measures", measures, "points", points, "worst",
	                 worst);
}

static int close_file(FILE *file, const char *path, struct lab_error *error)
{
	if (file == NULL || fclose(file) != 0) {
		snprintf(error->text, sizeof(error->text), "%s: %s", path, strerror(errno));
		return -1;
	}
	return 0;
}

static int write_json(const struct lab_bench_results *r, const char *directory, struct lab_error *error)
{
	char path[400];
	FILE *file;
	json_t *all = lab_bench_json(r);

	snprintf(path, sizeof(path), "%s/bench/%s.json", directory, r->bench->name);
	file = fopen(path, "w");
	if (file != NULL) {
		json_dumpf(all, file, JSON_INDENT(2) | JSON_REAL_PRECISION(8));
		fputc('\n', file);
	}
	json_decref(all);
	return close_file(file, path, error);
}

static int write_csv(const struct lab_bench_results *r, const char *directory, struct lab_error *error)
{
	char path[400], command[COMMAND_BYTES];
	FILE *file;

	snprintf(path, sizeof(path), "%s/bench/%s.csv", directory, r->bench->name);
	file = fopen(path, "w");
	if (file == NULL) {
		return close_file(file, path, error);
	}
	fprintf(file, "group,name,weight,failed");
	for (unsigned m = 0; m < r->bench->n_measures; m++) {
		fprintf(file, ",\"%s\"", r->bench->measures[m].name);
	}
	fprintf(file, ",command\n");
	for (size_t i = 0; i < r->points.n; i++) {
		const struct lab_bench_point *p = &r->points.points[i];

		fprintf(file, "%s,%s,%g,%d", p->group, p->name, p->weight, r->values[i].failed);
		for (unsigned m = 0; m < r->bench->n_measures; m++) {
			if (isnan(r->values[i].of[m])) {
				fprintf(file, ",");
			} else {
				fprintf(file, ",%.8g", r->values[i].of[m]);
			}
		}
		fprintf(file, ",\"%s\"\n", lab_bench_command(r, i, command, sizeof(command)));
	}
	return close_file(file, path, error);
}

static int write_section(const struct lab_bench_results *r, const char *directory, struct lab_error *error)
{
	static const char head[] =
	    "# Benchmarks\n\n"
	    "Made by `cmt-lab bench`. Each network is measured, and what it is compared with: the same "
	    "stack, and\n"
	    "plain SCTP, on every path alone. \"Worst tenth\": a tenth of the networks are this bad or "
	    "worse. The\n"
	    "commands show a network again beside stock CMT and the best single path.\n";
	const char *titles[MAX_BENCHES + 1] = {NULL};
	struct lab_table t = make_table(r);
	char path[400], *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc;

	for (size_t i = 0; i < MAX_BENCHES && lab_bench(i) != NULL; i++) {
		titles[i] = lab_bench(i)->title;
	}
	fprintf(out, "`cmt-lab bench %s`: %s.\n\n", r->bench->name, r->bench->what);
	put_heading(r, out);
	lab_table_markdown(&t, out);
	fprintf(out, "\nThe worst:\n\n```\n");
	put_worst(r, "", out);
	fprintf(out, "```\n\n![%s](bench/%s.png)\n", r->bench->title, r->bench->name);
	lab_table_free(&t);
	fclose(out);
	snprintf(path, sizeof(path), "%s/bench.md", directory);
	rc = lab_sections_write(path, &(struct lab_section){head, titles, r->bench->title, text}, error);
	free(text);
	return rc;
}

int lab_bench_write(const struct lab_bench_results *r, const char *directory, struct lab_error *error)
{
	return write_json(r, directory, error) != 0 || write_csv(r, directory, error) != 0 ||
	               write_section(r, directory, error) != 0 || lab_bench_draw(r, directory, error) != 0
	           ? -1
	           : 0;
}
