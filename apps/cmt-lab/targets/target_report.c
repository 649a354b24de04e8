/* SPDX-License-Identifier: BSD-3-Clause */
#include "targets/target_report.h"

#include <stdio.h>
#include <string.h>

#include "text/units.h"

static bool shown(const struct lab_target_report *r, enum lab_target_column c)
{
	return c != LAB_COLUMN_LCM || r->group->lcm;
}

static void put_heads(struct lab_table *t, const char *const *heads, size_t n)
{
	lab_table_row(t);
	for (size_t i = 0; i < n; i++) {
		lab_table_cell(t, "%s", heads[i]);
	}
}

void lab_target_report_start(struct lab_target_report *r, const struct lab_target_group *group,
                             unsigned n_seeds)
{
	const char *const heads[] = {"target",   "stock",   group->lcm ? "arrival" : "promised",
	                             "measured", "verdict", "lcm",
	                             "measured", "verdict"};
	static const char *const points_by[] = {[LAB_BY_DELAY_ERROR] = "delay error",
	                                        [LAB_BY_CONTROL] = "control",
	                                        [LAB_BY_SCHEDULER] = "scheduler"};
	const char *const point_heads[] = {"target",
	                                   "scenario",
	                                   "receive buffer",
	                                   points_by[group->points_by],
	                                   "stock",
	                                   group->lcm ? "arrival" : "measured",
	                                   "lcm"};

	*r = (struct lab_target_report){.group = group, .n_seeds = n_seeds, .json = json_array()};
	put_heads(&r->summary, heads, group->lcm ? 8 : 5);
	put_heads(&r->points, point_heads, group->lcm ? 7 : 6);
}

/* The cells of a line "| A | B |". */
static void keep_line(struct lab_table *t, const char *line, size_t len)
{
	const char *end = line + len;

	lab_table_row(t);
	for (const char *cell = line + 2, *next; cell < end; cell = next + 3) {
		for (next = cell; next < end && strncmp(next, " |", 2) != 0; next++) {
		}
		lab_table_cell(t, "%.*s", (int)(next - cell), cell);
	}
}

static void keep_rows(struct lab_table *table, const struct lab_target *t, const char *section)
{
	size_t what_len = strlen(t->what);

	for (const char *line = section == NULL ? "" : section; *line != '\0'; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (len > what_len + 4 && strncmp(line, "| ", 2) == 0 &&
		    strncmp(line + 2, t->what, what_len) == 0 && strncmp(line + 2 + what_len, " |", 2) == 0) {
			keep_line(table, line, len);
		}
		line += len;
	}
}

void lab_target_report_keep(struct lab_target_report *r, const struct lab_target *t, const char *verdicts,
                            const char *points)
{
	keep_rows(&r->summary, t, verdicts);
	keep_rows(&r->points, t, points);
}

void lab_target_report_point(struct lab_target_report *r, const struct lab_target *t,
                             const struct lab_run *point, const struct lab_target_values *values)
{
	char text[32], control[APP_POLICY_TEXT_BYTES];

	lab_table_row(&r->points);
	lab_table_cell(&r->points, "%s", t->what);
	lab_table_cell(&r->points, "%s", point->scenario.name);
	lab_table_cell(&r->points, "%s",
	               app_format_size((double)point->scenario.rcvbuf_bytes, text, sizeof(text)));
	switch (r->group->points_by) {
	case LAB_BY_DELAY_ERROR: lab_table_cell(&r->points, "%d %%", point->delay_error_pct); break;
	case LAB_BY_CONTROL: lab_table_cell(&r->points, "%s", app_policy_text(&point->cc, control)); break;
	case LAB_BY_SCHEDULER:
		lab_table_cell(&r->points, "%s", lab_target_scheduler(t, LAB_COLUMN_PROMISED));
		break;
	}
	for (enum lab_target_column c = 0; c < LAB_COLUMNS; c++) {
		const struct lab_summary *v = &values->of[c];

		if (shown(r, c) && v->known) {
			lab_table_cell(&r->points, "%.4g (%.4g..%.4g)", v->median, v->min, v->max);
		} else if (shown(r, c)) {
			lab_table_cell(&r->points, "-");
		}
	}
}

static void put_promise(struct lab_table *table, const struct lab_target *t, double limit)
{
	const char *sign = t->at_least ? ">=" : "<=";

	if (limit == LAB_NO_TARGET) {
		lab_table_cell(table, "-");
	} else if (t->at_most > 0) {
		lab_table_cell(table, "%.4g .. %.4g", limit, t->at_most);
	} else if (t->share > 0) {
		lab_table_cell(table, "%s %.4g in %.4g %% of points", sign, limit, 100 * t->share);
	} else {
		lab_table_cell(table, "%s %.4g", sign, limit);
	}
}

static void put_column(struct lab_target_report *r, const struct lab_target *t, enum lab_target_column c,
                       const struct lab_verdict *v)
{
	double limit = lab_target_limit(t, c);

	put_promise(&r->summary, t, limit);
	if (!lab_target_has(t, c)) {
		lab_table_cell(&r->summary, "-");
		lab_table_cell(&r->summary, "-");
		return;
	}
	if (v->known && t->share > 0) {
		lab_table_cell(&r->summary, "%.4g %%", 100 * v->value);
	} else if (v->known && t->paired) {
		lab_table_cell(&r->summary, "mean %.4g (%.4g..%.4g)", v->value, v->value - v->error,
		               v->value + v->error);
	} else if (v->known) {
		lab_table_cell(&r->summary, "%.4g", v->value);
	} else {
		lab_table_cell(&r->summary, "not measured");
	}
	lab_table_cell(&r->summary, "%s", !v->met ? "MISSED" : limit == LAB_NO_TARGET ? "-" : "met");
	r->missed = r->missed || !v->met;
}

static json_t *verdict_json(const struct lab_target *t, enum lab_target_column c, const struct lab_verdict *v)
{
	double limit = lab_target_limit(t, c);
	json_t *o;

	if (!lab_target_has(t, c)) {
		return json_null();
	}
	o = json_pack("{s:o, s:o}", "target", limit == LAB_NO_TARGET ? json_null() : json_real(limit),
	              "measured", v->known ? json_real(v->value) : json_null());
	if (t->at_most > 0) {
		json_object_set_new(o, "target_at_most", json_real(t->at_most));
	}
	if (t->paired && v->known) {
		json_object_set_new(o, "error", json_real(v->error));
	}
	if (t->share > 0) {
		json_object_set_new(o, "share_of_points", json_real(t->share));
	}
	json_object_set_new(o, "met",
	                    limit == LAB_NO_TARGET && v->known ? json_null() : json_boolean(v->met));
	return o;
}

void lab_target_report_target(struct lab_target_report *r, const struct lab_target *t,
                              const struct lab_verdict verdicts[LAB_COLUMNS])
{
	json_t *o = json_pack("{s:s, s:s}", "group", r->group->name, "what", t->what);

	lab_table_row(&r->summary);
	lab_table_cell(&r->summary, "%s", t->what);
	if (verdicts[LAB_COLUMN_STOCK].known && t->share > 0) {
		lab_table_cell(&r->summary, "%.4g %%", 100 * verdicts[LAB_COLUMN_STOCK].value);
	} else if (verdicts[LAB_COLUMN_STOCK].known) {
		lab_table_cell(&r->summary, "%.4g", verdicts[LAB_COLUMN_STOCK].value);
	} else {
		lab_table_cell(&r->summary, "-");
	}
	for (enum lab_target_column c = LAB_COLUMN_PROMISED; c < LAB_COLUMNS; c++) {
		if (shown(r, c)) {
			put_column(r, t, c, &verdicts[c]);
			json_object_set_new(o, lab_target_scheduler(t, c), verdict_json(t, c, &verdicts[c]));
		}
	}
	json_array_append_new(r->json, o);
}

void lab_target_report_print(const struct lab_target_report *r)
{
	printf("%s\n", r->group->title);
	lab_table_print(&r->summary, stdout);
	if (r->group->lcm) {
		printf("\nThe cost of a decision is measured by tests/bench.\n");
	}
	putchar('\n');
	fflush(stdout);
}

void lab_target_report_free(struct lab_target_report *r)
{
	lab_table_free(&r->summary);
	lab_table_free(&r->points);
	json_decref(r->json);
}
