/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which bytes a request asks for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "range.h"

#define F MEDIA_M_FIRST
#define L MEDIA_M_LAST
#define S MEDIA_M_SUFFIX

static void ranges_are_resolved_against_the_size_of_the_file(void **state)
{
	static const struct {
		uint32_t has;
		int64_t first, last, suffix;
		uint64_t size;
		struct range expected;
	} cases[] = {
	    {0, 0, 0, 0, 100, {200, 0, 100}},
	    {0, 0, 0, 0, 0, {200, 0, 0}},
	    {F, 0, 0, 0, 100, {206, 0, 100}},
	    {F, 99, 0, 0, 100, {206, 99, 1}},
	    {F, 100, 0, 0, 100, {416, 0, 0}},
	    {F, INT64_MAX, 0, 0, 100, {416, 0, 0}},
	    {F, 0, 0, 0, 0, {416, 0, 0}},
	    {F | L, 10, 19, 0, 100, {206, 10, 10}},
	    {F | L, 10, 10, 0, 100, {206, 10, 1}},
	    {F | L, 10, 9, 0, 100, {400, 0, 0}},
	    {F | L, 200, 9, 0, 100, {400, 0, 0}},
	    {F | L, 10, 100, 0, 100, {206, 10, 90}},
	    {F | L, 0, INT64_MAX, 0, INT64_MAX, {206, 0, INT64_MAX}},
	    {L, 0, 0, 0, 100, {206, 0, 1}},
	    {L, 0, 500, 0, 100, {206, 0, 100}},
	    {S, 0, 0, 1, 100, {206, 99, 1}},
	    {S, 0, 0, 100, 100, {206, 0, 100}},
	    {S, 0, 0, INT64_MAX, 100, {206, 0, 100}},
	    {S, 0, 0, 0, 100, {416, 0, 0}},
	    {S, 0, 0, 5, 0, {416, 0, 0}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct media_message m = {.type = MEDIA_REQUEST,
		                                .has = cases[i].has,
		                                .first = cases[i].first,
		                                .last = cases[i].last,
		                                .suffix = cases[i].suffix};
		const struct range got = range_resolve(&m, cases[i].size);

		assert_int_equal(got.status, cases[i].expected.status);
		assert_int_equal(got.first, cases[i].expected.first);
		assert_int_equal(got.bytes, cases[i].expected.bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranges_are_resolved_against_the_size_of_the_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
