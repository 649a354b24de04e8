/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_late.c - when a copy of what holds up the rest helps, and when its path has failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_late.h"

static void a_chunk_is_late_after_as_long_again_as_a_copy_takes(void **state)
{
	(void)state;
	assert_int_equal(cmt_late_at_us(1000, 30000), 31000);
	assert_int_equal(cmt_late_at_us(1000, 5000), 1000 + CMT_HOST_LATE_US);
}

static void without_an_expectation_or_another_path_no_copy_helps(void **state)
{
	(void)state;
	assert_int_equal(cmt_late_at_us(0, 30000), CMT_NEVER_US);
	assert_int_equal(cmt_late_at_us(1000, INT64_MAX), CMT_NEVER_US);
}

static void a_path_that_is_silent_for_longer_than_t3_has_failed(void **state)
{
	uint64_t first_us = 0;

	(void)state;
	assert_false(cmt_late_on_copied(&first_us, 200000, 1000000));
	assert_int_equal(first_us, 1000000);
	assert_false(cmt_late_on_copied(&first_us, 200000, 1200000));
	assert_true(cmt_late_on_copied(&first_us, 200000, 1200001));
	assert_int_equal(first_us, 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_chunk_is_late_after_as_long_again_as_a_copy_takes),
	    cmocka_unit_test(without_an_expectation_or_another_path_no_copy_helps),
	    cmocka_unit_test(a_path_that_is_silent_for_longer_than_t3_has_failed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
