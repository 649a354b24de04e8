/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The report's table of what the papers print: no row is empty, what it names is there, and nothing of a
 * paper is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "figures/figures.h"
#include "figures/papers.h"
#include "figures/report.h"

#define ROOT LAB_SCENARIO_SOURCE_DIR "/../../"

/* The caller frees it. */
static char *content(const char *path)
{
	char name[500], *text;
	FILE *file;
	long size;

	snprintf(name, sizeof(name), ROOT "%s", path);
	file = fopen(name, "r");
	if (file == NULL)
		fail_msg("%s is not there", path);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	text = calloc(1, (size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	fclose(file);
	return text;
}

static void no_cell_is_empty(void **state)
{
	(void)state;
	for (const struct lab_coverage *c = lab_coverage; c->paper != NULL; c++) {
		const char *const cells[] = {c->item,  c->what,    c->file,   c->test,
		                             c->check, c->literal, c->figure, c->stands};

		for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
			if (cells[i] == NULL || cells[i][0] == '\0')
				fail_msg("%s%s: cell %zu is empty", c->paper, c->item, i);
		}
	}
}

/* The test of that name, in C or Python, to its end. */
static void find_test(const struct lab_coverage *c, char *text)
{
	char *begin = strstr(text, c->check), *end = begin == NULL ? NULL : strstr(begin, "\n}\n");

	if (begin == NULL)
		fail_msg("%s has no %s", c->test, c->check);
	if (end == NULL)
		end = strstr(begin, "\n    def ");
	if (end != NULL)
		*end = '\0';
	if (strstr(begin, c->literal) == NULL)
		fail_msg("%s of %s has no %s", c->check, c->test, c->literal);
}

static void what_a_row_names_is_there(void **state)
{
	(void)state;
	for (const struct lab_coverage *c = lab_coverage; c->paper != NULL; c++) {
		char *text = content(c->test);

		find_test(c, text);
		free(text);
		free(content(c->file));
		if (lab_figure_named(c->figure) == NULL)
			fail_msg("%s is no figure", c->figure);
	}
}

/* "Eq. 4-6" has 4, 5 and 6. */
static bool has(const struct lab_coverage *c, const char *paper, const char *kind, int number)
{
	int first, last;
	size_t kind_chars = strlen(kind);

	if (strcmp(c->paper, paper) != 0 || strncmp(c->item, kind, kind_chars) != 0)
		return false;
	first = last = atoi(c->item + kind_chars);
	(void)sscanf(c->item + kind_chars, "%d-%d", &first, &last);
	return first <= number && number <= last;
}

static void everything_numbered_of_the_papers_has_a_row(void **state)
{
	static const struct {
		const char *paper, *kind;
		int n;
	} all[] = {
	    {"sarwar-", "Eq. ", 6},     {"sarwar-", "Algorithm ", 3},    {"sarwar-", "Table ", 2},
	    {"sarwar-", "Figure ", 8},  {"osia-", "Eq. ", 31},           {"osia-", "Theorem ", 2},
	    {"osia-", "Corollary ", 1}, {"osia-", "Table ", 1},          {"osia-", "Figure ", 9},
	    {"ocps-", "Algorithm ", 1}, {"ocps-", "Figure ", 8},         {"yabandeh-", "Eq. ", 23},
	    {"yabandeh-", "Table ", 1}, {"yabandeh-", "Definition ", 1}, {"yabandeh-", "Figure ", 7},
	    {"arabi-", "Figure ", 9},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (int number = 1; number <= all[i].n; number++) {
			const struct lab_coverage *c = lab_coverage;

			while (c->paper != NULL && !has(c, all[i].paper, all[i].kind, number))
				c++;
			if (c->paper == NULL)
				fail_msg("%s%s%d has no row", all[i].paper, all[i].kind, number);
		}
	}
}

static void every_paper_has_a_heading_and_every_figure_a_row(void **state)
{
	const struct lab_plan *f;

	(void)state;
	for (const struct lab_coverage *c = lab_coverage; c->paper != NULL; c++) {
		const struct lab_paper *p = lab_papers;

		while (p->prefix != NULL && strcmp(p->prefix, c->paper) != 0)
			p++;
		if (p->prefix == NULL)
			fail_msg("%s is no paper", c->paper);
	}
	for (const struct lab_paper *p = lab_papers; p->prefix != NULL; p++) {
		for (unsigned i = 0; (f = lab_figure(i)) != NULL; i++) {
			const struct lab_coverage *c = lab_coverage;

			if (strncmp(f->name, p->prefix, strlen(p->prefix)) != 0)
				continue;
			while (c->paper != NULL && strcmp(c->figure, f->name) != 0)
				c++;
			if (c->paper == NULL)
				fail_msg("%s has no row", f->name);
		}
	}
}

static void put(const char *folder, const char *name, const char *text)
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void assert_has(const char *text, const char *wanted)
{
	if (strstr(text, wanted) == NULL)
		fail_msg("the report lacks \"%s\"", wanted);
}

static void the_report_has_the_verdicts_that_figures_left(void **state)
{
	char folder[] = "report-XXXXXX", command[80], text[200000] = "", path[300];
	struct lab_figure_order order = {.n_seeds = 5};
	struct lab_error error;
	FILE *file;

	(void)state;
	order.directory = mkdtemp(folder);
	assert_non_null(order.directory);
	put(folder, "sarwar-fig6.md", "### sarwar-fig6\nthe page\n");
	put(folder, "sarwar-fig6-verdicts.tsv",
	    "yes\t\"lower\"\t\nno\t\"more\"\tit is less\nnot decided\t\"much\"\tit scatters\n");
	put(folder, "sarwar-fig5-verdicts.tsv", "yes\t\"better\"\t\n");
	assert_int_equal(lab_report_write(&order, &error), 0);
	snprintf(path, sizeof(path), "%s/figures.md", folder);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, sizeof(text) - 1, file) > 0);
	fclose(file);
	assert_has(text, "A figure runs 5 seeds a point");
	assert_has(text, "\nVerdicts: 2 yes, 1 no, 1 not decided.\n");
	assert_has(
	    text, "\nWhat held:\n\n* [sarwar-fig5](#sarwar-fig5): \"better\"\n* [sarwar-fig6](#sarwar-fig6): "
	          "\"lower\"\n");
	assert_has(
	    text,
	    "\nWhat did not, and why:\n\n* [sarwar-fig6](#sarwar-fig6): \"more\": because it is less\n");
	assert_has(text, "\n* [sarwar-fig6](#sarwar-fig6): \"much\": because it scatters\n");
	assert_has(text, "\n### sarwar-fig6\nthe page\n");
	assert_has(text, "\n### osia-fig7\nNot made.\n");
	assert_has(text, "| [sarwar-fig6](#sarwar-fig6) | measured; 1 yes, 1 no, 1 not decided |\n");
	assert_has(text, "measured; not made |\n");
	snprintf(command, sizeof(command), "rm -r %s", folder);
	assert_int_equal(system(command), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_cell_is_empty),
	    cmocka_unit_test(what_a_row_names_is_there),
	    cmocka_unit_test(everything_numbered_of_the_papers_has_a_row),
	    cmocka_unit_test(every_paper_has_a_heading_and_every_figure_a_row),
	    cmocka_unit_test(the_report_has_the_verdicts_that_figures_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
