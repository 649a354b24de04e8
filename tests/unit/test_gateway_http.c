/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What cmt-gateway reads in requests: targets, ranges, dates, conditions, hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "http/http_condition.h"
#include "http/http_date.h"
#include "http/http_host.h"
#include "http/http_range.h"
#include "http/http_target.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void a_target_is_the_path_of_a_file(void **state)
{
	static const struct {
		const char *target, *path;
	} cases[] = {
	    {"/film.mp4", "/film.mp4"},
	    {"/", "/"},
	    {"/a%20b/%c3%A4.ts?x=%zz#t=3", "/a b/\xc3\xa4.ts"},
	    {"/100%25", "/100%"},
	    {"/a+b", "/a+b"},
	    {"//host/film", "//host/film"},
	    {"/../%2e%2e%2fetc", "/../../etc"}, /* for the server to refuse */
	    {"http://127.0.0.1:8080/film", "/film"},
	    {"HTTP://h?q", "/"},
	    {"http://h", "/"},
	};
	char path[64];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(http_target_path(cases[i].target, path, sizeof(path)), 0);
		assert_string_equal(path, cases[i].path);
	}
}

static void a_malformed_target_has_its_status(void **state)
{
	static const char *const malformed[] = {
	    "",     "*",       "film",       "/%",    "/%4",   "/%4g",   "/%00",      "/a%0ab",     "/\x7f",
	    "/%ff", "/%c3%28", "/%ed%a0%80", "/%-1a", "/a\tb", "ftp://", "https://h", "/%e2%82?%ac"};
	char path[8];

	(void)state;
	for (size_t i = 0; i < COUNT(malformed); i++) {
		assert_int_equal(http_target_path(malformed[i], path, sizeof(path)), 400);
	}
	assert_int_equal(http_target_path("/234567", path, sizeof(path)), 0);
	assert_int_equal(http_target_path("/2345678", path, sizeof(path)), 414);
	assert_int_equal(http_target_path("/234567%38", path, sizeof(path)), 414);
}

static void one_range_is_taken(void **state)
{
	static const struct {
		const char *value;
		struct http_range range;
	} cases[] = {
	    {"bytes=0-0", {0, 0, -1}},
	    {"Bytes= 5-9 ", {5, 9, -1}},
	    {"bytes=5-", {5, -1, -1}},
	    {"bytes=-5", {-1, -1, 5}},
	    {"bytes=-0", {-1, -1, 0}},
	    {"bytes=9223372036854775806-9223372036854775807", {INT64_MAX - 1, INT64_MAX, -1}},
	    {"bytes=7-99999999999999999999999999", {7, INT64_MAX, -1}},
	};
	struct http_range range;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_true(http_range_parse(cases[i].value, &range));
		assert_int_equal(range.first, cases[i].range.first);
		assert_int_equal(range.last, cases[i].range.last);
		assert_int_equal(range.suffix, cases[i].range.suffix);
	}
}

static void anything_else_means_the_whole_file(void **state)
{
	static const char *const others[] = {
	    "",           "bytes",         "bytes=",    "bytes=-",    "bytes=5",
	    "bytes=9-5",  "bytes=0-1,3-4", "bytes=a-b", "bytes=1-2x", "bytes=--5",
	    "bytes=0x1-", "bytes=+1-2",    "chars=0-1", "bytes =0-1", "0-1",
	    "bytes=1 -2", "bytes=1-2-3",
	};
	struct http_range range = {1, 2, 3};

	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		assert_false(http_range_parse(others[i], &range));
	}
	assert_false(http_range_parse(NULL, &range));
	assert_int_equal(range.first, HTTP_RANGE_NONE);
	assert_int_equal(range.last, HTTP_RANGE_NONE);
	assert_int_equal(range.suffix, HTTP_RANGE_NONE);
}

static void dates_come_in_three_forms(void **state)
{
	static const char *const same[] = {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
	                                   "Sun Nov  6 08:49:37 1994"};
	static const char *const none[] = {"", "yesterday", "Sun, 06 Nov 1994 08:49:37 GMT+1",
	                                   "Sun, 06 Nov 1994 08:49:37", "784111777"};
	int64_t seconds;
	char text[HTTP_DATE_BYTES];

	(void)state;
	for (size_t i = 0; i < COUNT(same); i++) {
		seconds = 0;
		assert_true(http_date_parse(same[i], &seconds));
		assert_int_equal(seconds, 784111777);
	}
	for (size_t i = 0; i < COUNT(none); i++) {
		assert_false(http_date_parse(none[i], &seconds));
	}
	assert_string_equal(http_date_format(784111777, text, sizeof(text)), same[0]);
	assert_null(http_date_format(INT64_MAX, text, sizeof(text)));
	assert_null(http_date_format(INT64_MIN, text, sizeof(text)));
}

static void conditions_follow_the_order_of_rfc_9110(void **state)
{
	static const char at[] = "Sun, 06 Nov 1994 08:49:37 GMT", before[] = "Sun, 06 Nov 1994 08:49:36 GMT";
	const struct http_validators now = {.etag = "5-a", .modified_s = 784111777};
	const struct {
		struct http_conditions c;
		enum http_verdict verdict;
	} cases[] = {
	    {{.if_none_match = "\"5-a\""}, HTTP_NOT_MODIFIED},
	    {{.if_none_match = "\"x\" , W/\"5-a\""}, HTTP_NOT_MODIFIED},
	    {{.if_none_match = "*"}, HTTP_NOT_MODIFIED},
	    {{.if_none_match = "\"5-\", \"5-ab\", \"\""}, HTTP_GO_ON},
	    {{.if_none_match = "5-a"}, HTTP_GO_ON},
	    {{.if_none_match = "\"5-a"}, HTTP_GO_ON},
	    {{.if_none_match = "\"x\"", .if_modified_since = at}, HTTP_GO_ON},
	    {{.if_modified_since = at}, HTTP_NOT_MODIFIED},
	    {{.if_modified_since = before}, HTTP_GO_ON},
	    {{.if_modified_since = "lately"}, HTTP_GO_ON},
	    {{.if_match = "\"5-a\""}, HTTP_GO_ON},
	    {{.if_match = "W/\"5-a\""}, HTTP_FAILED},
	    {{.if_match = "\"x\"", .if_none_match = "\"5-a\""}, HTTP_FAILED},
	    {{.if_match = "\"5-a\"", .if_unmodified_since = before}, HTTP_GO_ON},
	    {{.if_unmodified_since = before}, HTTP_FAILED},
	    {{.if_unmodified_since = at}, HTTP_GO_ON},
	    {{.if_range = "\"5-a\""}, HTTP_GO_ON},
	    {{.if_range = "W/\"5-a\""}, HTTP_WHOLE},
	    {{.if_range = "\"5-b\""}, HTTP_WHOLE},
	    {{.if_range = "\"5-a\"x"}, HTTP_WHOLE},
	    {{.if_range = at}, HTTP_GO_ON},
	    {{.if_range = before}, HTTP_WHOLE},
	    {{.if_range = "lately"}, HTTP_WHOLE},
	    {{.if_none_match = "\"5-a\"", .if_range = "\"5-b\""}, HTTP_NOT_MODIFIED},
	    {{.if_range = NULL}, HTTP_GO_ON},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(http_conditions_check(&cases[i].c, &now), cases[i].verdict);
		assert_int_equal(http_conditions_any(&cases[i].c), i + 1 < COUNT(cases));
	}
}

static void a_foreign_name_is_not_this_gateway(void **state)
{
	static const char *const own[] = {"127.0.0.1",    "127.0.0.1:8080", "localhost:1",
	                                  "LOCALHOST",    "[::1]:8080",     "[::1]",
	                                  "192.0.2.7:80", "media.lan:80",   "Media.LAN"};
	static const char *const foreign[] = {"",
	                                      "evil.example",
	                                      "evil.example:8080",
	                                      "localhost.",
	                                      "127.0.0.1.nip.io",
	                                      "media.lan.evil.example",
	                                      "[::1",
	                                      ":80",
	                                      "[]"};
	const char *const names[] = {"media.lan"};

	(void)state;
	for (size_t i = 0; i < COUNT(own); i++) {
		assert_true(http_host_is_own(own[i], names, 1));
	}
	for (size_t i = 0; i < COUNT(foreign); i++) {
		assert_false(http_host_is_own(foreign[i], names, 1));
	}
	assert_false(http_host_is_own("media.lan", NULL, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_target_is_the_path_of_a_file),
	    cmocka_unit_test(a_malformed_target_has_its_status),
	    cmocka_unit_test(one_range_is_taken),
	    cmocka_unit_test(anything_else_means_the_whole_file),
	    cmocka_unit_test(dates_come_in_three_forms),
	    cmocka_unit_test(conditions_follow_the_order_of_rfc_9110),
	    cmocka_unit_test(a_foreign_name_is_not_this_gateway),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
