/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "render/sections.h"

#define HEAD "# Results\n\nNew.\n"

#define NEW "new\n\n" LAB_SECTION_END "\n"

static const char *const order[] = {"A", "B", "C", NULL};

static char path[] = "/tmp/test_lab_sections.XXXXXX";

/* Writes `before` (NULL: no file), replaces section `title` by "new", and compares. */
static void check(const char *before, const char *title, const char *after)
{
	struct lab_error error;
	char text[1000];
	FILE *f;

	remove(path);
	if (before != NULL) {
		f = fopen(path, "w");
		fputs(before, f);
		fclose(f);
	}
	assert_int_equal(lab_sections_write(path, &(struct lab_section){HEAD, order, title, "new\n"}, &error),
	                 0);
	f = fopen(path, "r");
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	assert_string_equal(text, after);
	remove(path);
}

static void a_file_begins_with_its_head(void **state)
{
	(void)state;
	check(NULL, "A", HEAD "\n## A\n\n" NEW);
	check("", "A", HEAD "\n## A\n\n" NEW);
	check("\n\n## A\n\na\n", "A", HEAD "\n## A\n\n" NEW);
}

static void what_people_wrote_stays(void **state)
{
	(void)state;
	check("# Old\n\nOld, without sections.\n", "A", "# Old\n\nOld, without sections.\n\n## A\n\n" NEW);
	check("# Old\n\n## Of people\n\np\n\n## A\n\na\n\n## More\n\np\n", "A",
	      "# Old\n\n## Of people\n\np\n\n## A\n\n" NEW "\n## More\n\np\n");
}

static void what_people_wrote_behind_a_commands_text_stays(void **state)
{
	(void)state;
	check(HEAD "\n## A\n\nold\n\n" LAB_SECTION_END "\n\nMine.\n\n| t |\n\n## B\n\nb\n", "A",
	      HEAD "\n## A\n\n" NEW "\nMine.\n\n| t |\n\n## B\n\nb\n");
	check(HEAD "\n## A\n\nold\n\n" LAB_SECTION_END "\n\nMine.\n", "A", HEAD "\n## A\n\n" NEW "\nMine.\n");
	/* The next section's mark and table are not this one's. */
	check(HEAD "\n## A\n\nold\n\n## B\n\n| t |\n\n" LAB_SECTION_END "\n\nMine.\n", "A",
	      HEAD "\n## A\n\n" NEW "\n## B\n\n| t |\n\n" LAB_SECTION_END "\n\nMine.\n");
	/* Written before there were marks. */
	check(HEAD "\n## A\n\nold\n\n| 1 |\n\nold\n\n| 2 |\n\nMine.\n\n## B\n\nb\n", "A",
	      HEAD "\n## A\n\n" NEW "\nMine.\n\n## B\n\nb\n");
}

static void a_section_is_replaced_where_it_stands(void **state)
{
	(void)state;
	check("# Old\n\n## C\n\na\n\n## B\n\nb\n### deeper\n\nb\n\n## A\n\nc\n", "B",
	      "# Old\n\n## C\n\na\n\n## B\n\n" NEW "\n## A\n\nc\n");
	check("# Old\n\n## A\n\na\n\n## B\n\nb\n", "B", "# Old\n\n## A\n\na\n\n## B\n\n" NEW);
	check("## A\n\na\n\n## B\n\nb\n", "A", HEAD "\n## A\n\n" NEW "\n## B\n\nb\n");
}

static void a_new_one_comes_where_the_order_has_it(void **state)
{
	(void)state;
	check("# Old\n\n## A\n\na\n\n## BC\n\nb\n", "B", "# Old\n\n## A\n\na\n\n## BC\n\nb\n\n## B\n\n" NEW);
	check("# Old\n\n## A\n\na\n\n## C\n\nc\n", "B", "# Old\n\n## A\n\na\n\n## B\n\n" NEW "\n## C\n\nc\n");
	check("# Old\n\n## Of people\n\np\n\n## C\n\nc\n", "A",
	      "# Old\n\n## Of people\n\np\n\n## A\n\n" NEW "\n## C\n\nc\n");
}

static void a_section_is_read_without_its_heading(void **state)
{
	FILE *f = fopen(path, "w");
	char *text;

	(void)state;
	fputs("# Old\n\n## A\n\na\n\nmore\n\n" LAB_SECTION_END "\n\nMine.\n\n## B\n\n## AB\n\nb\n", f);
	fclose(f);
	text = lab_sections_read(path, "A");
	assert_string_equal(text, "a\n\nmore");
	free(text);
	text = lab_sections_read(path, "AB");
	assert_string_equal(text, "b");
	free(text);
	assert_null(lab_sections_read(path, "C"));
	remove(path);
	assert_null(lab_sections_read(path, "A"));
}

static void writing_twice_is_writing_once(void **state)
{
	(void)state;
	check(HEAD "\n## A\n\n" NEW "\n## B\n\nb\n", "A", HEAD "\n## A\n\n" NEW "\n## B\n\nb\n");
}

static void a_place_where_nothing_can_be_written_is_named(void **state)
{
	struct lab_error error = {.text = ""};

	(void)state;
	assert_int_equal(lab_sections_write("/nonexistent/results.md",
	                                    &(struct lab_section){HEAD, order, "A", "new\n"}, &error),
	                 -1);
	assert_non_null(strstr(error.text, "/nonexistent/results.md: "));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_begins_with_its_head),
	    cmocka_unit_test(what_people_wrote_stays),
	    cmocka_unit_test(what_people_wrote_behind_a_commands_text_stays),
	    cmocka_unit_test(a_section_is_replaced_where_it_stands),
	    cmocka_unit_test(a_new_one_comes_where_the_order_has_it),
	    cmocka_unit_test(a_section_is_read_without_its_heading),
	    cmocka_unit_test(writing_twice_is_writing_once),
	    cmocka_unit_test(a_place_where_nothing_can_be_written_is_named),
	};
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
