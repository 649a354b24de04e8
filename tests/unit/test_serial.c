/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_serial.c - serial number arithmetic around its two seams, 0 and 2^31. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/cmt_serial.h"

static void numbers_order_across_the_wrap(void **state)
{
	(void)state;
	assert_true(cmt_serial_gt(1, 0));
	assert_true(cmt_serial_gt(0, 0xffffffff));
	assert_true(cmt_serial_gt(5, 0xfffffff0));
	assert_false(cmt_serial_gt(0xffffffff, 0));
	assert_false(cmt_serial_gt(0, 1));
	assert_true(cmt_serial_ge(0, 0xffffffff));
	assert_false(cmt_serial_ge(0xffffffff, 0));
}

static void a_number_is_not_greater_than_itself(void **state)
{
	(void)state;
	assert_false(cmt_serial_gt(0, 0));
	assert_false(cmt_serial_gt(0x80000000, 0x80000000));
	assert_true(cmt_serial_ge(0, 0));
	assert_true(cmt_serial_ge(0xffffffff, 0xffffffff));
}

static void half_the_circle_apart_is_unordered(void **state)
{
	(void)state;
	assert_false(cmt_serial_gt(0x80000000, 0));
	assert_false(cmt_serial_gt(0, 0x80000000));
	assert_false(cmt_serial_ge(0x80000000, 0));
	assert_false(cmt_serial_ge(0, 0x80000000));
	assert_true(cmt_serial_gt(0x7fffffff, 0));
	assert_false(cmt_serial_gt(0x80000001, 0));
	assert_true(cmt_serial_gt(0, 0x80000001));
}

static void distance_is_signed_and_wraps(void **state)
{
	(void)state;
	assert_int_equal(cmt_serial_diff(3, 0xfffffffe), 5);
	assert_int_equal(cmt_serial_diff(0xfffffffe, 3), -5);
	assert_int_equal(cmt_serial_diff(0x7fffffff, 0), INT32_MAX);
	assert_int_equal(cmt_serial_diff(0x80000000, 0), INT32_MIN);
	assert_int_equal(cmt_serial_diff(7, 7), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_order_across_the_wrap),
	    cmocka_unit_test(a_number_is_not_greater_than_itself),
	    cmocka_unit_test(half_the_circle_apart_is_unordered),
	    cmocka_unit_test(distance_is_signed_and_wraps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
