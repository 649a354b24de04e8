/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The page with a run's events inside: what surrounds them, and how many there may be. The browser opens one
 * in viewer/tests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "picture/run_viewer.h"
#include "viewer_page.h"

static FILE *events(size_t n)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	for (size_t i = 0; i < n; i++) {
		fputc((int)(i % 251), file);
	}
	rewind(file);
	return file;
}

static void the_page_has_the_events_where_its_mark_was(void **state)
{
	FILE *qlog = events(100000), *page = tmpfile();
	struct lab_error error;
	char *text;
	long bytes;

	(void)state;
	assert_int_equal(lab_run_viewer_write(page, qlog, 100000, &error), 0);
	bytes = ftell(page);
	text = calloc(1, (size_t)bytes + 1);
	rewind(page);
	assert_int_equal(fread(text, 1, (size_t)bytes, page), bytes);
	/* gzip's magic bytes, then base64 with its padding up to the end. */
	assert_non_null(strstr(text, "data-name=\"cmt-lab run\">H4sI"));
	assert_non_null(strstr(text, "</template>\n" VIEWER_PAGE_DATA_MARK));
	assert_true((size_t)bytes > viewer_page_bytes && (size_t)bytes < viewer_page_bytes + 5000);
	free(text);
	fclose(page);
	fclose(qlog);
}

static void too_many_events_are_refused_with_the_way_out(void **state)
{
	FILE *qlog = events((3 << 20) + 1), *page = tmpfile();
	struct lab_error error;

	(void)state;
	assert_int_equal(lab_run_viewer_write(page, qlog, 3 << 20, &error), -1);
	assert_non_null(strstr(error.text, "more than 3 MB of events"));
	assert_non_null(strstr(error.text, "--duration"));
	fclose(page);
	fclose(qlog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_page_has_the_events_where_its_mark_was),
	    cmocka_unit_test(too_many_events_are_refused_with_the_way_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
