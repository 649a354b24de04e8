/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "loop/progress.h"
#include "text/message.h"

static const char note[] = "  12 MB  path 2 (wlan0) down for 6 s";

static const char *line(double done, size_t columns)
{
	static char out[400];

	app_progress_line("sending", done, note, columns, out, sizeof(out));
	return out;
}

static void the_bar_is_as_long_as_there_is_room(void **state)
{
	(void)state;
	assert_string_equal(line(0.5, 110),
	                    "sending [####################                    ]  50 %  12 MB  "
	                    "path 2 (wlan0) down for 6 s");
	assert_string_equal(line(0.5, 80),
	                    "sending [##########          ]  50 %  12 MB  path 2 (wlan0) down for 6 s");
	assert_string_equal(line(0.5, 60), "sending  50 %  12 MB  path 2 (wlan0) down for 6 s");
}

static void no_line_is_longer_than_the_terminal(void **state)
{
	(void)state;
	for (size_t columns = 0; columns < 200; columns++) {
		assert_true(app_columns(line(0.3, columns), 400) <= columns);
		assert_true(app_columns(line(-1, columns), 400) <= columns);
	}
}

static void without_a_total_there_is_no_bar_and_no_percentage(void **state)
{
	(void)state;
	assert_string_equal(line(-1, 110), "sending  12 MB  path 2 (wlan0) down for 6 s");
}

static void a_character_is_not_cut_in_two(void **state)
{
	char out[400];

	(void)state;
	app_progress_line("größer", -1, "", 4, out, sizeof(out));
	assert_string_equal(out, "größ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_bar_is_as_long_as_there_is_room),
	    cmocka_unit_test(no_line_is_longer_than_the_terminal),
	    cmocka_unit_test(without_a_total_there_is_no_bar_and_no_percentage),
	    cmocka_unit_test(a_character_is_not_cut_in_two),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
