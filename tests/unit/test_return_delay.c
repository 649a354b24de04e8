/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_return_delay.c - the delay of SACKs over one path, from literal samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_return_delay.h"
#include "util/cmt_time.h"

enum { OFFSET_US = -777000 }; /* our clock minus the peer's */

static struct cmt_return_delay new_delay(void)
{
	struct cmt_return_delay r;

	cmt_return_delay_init(&r);
	return r;
}

static void nothing_is_known_without_a_sample(void **state)
{
	struct cmt_return_delay r = new_delay();

	(void)state;
	assert_int_equal(cmt_return_delay_expected_us(&r, 5000), CMT_UNKNOWN_US);
	assert_int_equal(cmt_return_delay_queue_us(&r, 5000), 0);
}

static void the_first_sample_is_the_expectation(void **state)
{
	struct cmt_return_delay r = new_delay();

	(void)state;
	cmt_return_delay_add(&r, 1000, OFFSET_US + 10000);
	assert_int_equal(cmt_return_delay_expected_us(&r, 1000), OFFSET_US + 10000);
}

/* Base 10 ms, then one sample of 90 ms: an eighth of the 80 ms above counts. */
static void a_queue_is_smoothed_with_a_gain_of_an_eighth(void **state)
{
	struct cmt_return_delay r = new_delay();

	(void)state;
	cmt_return_delay_add(&r, 1000, OFFSET_US + 10000);
	cmt_return_delay_add(&r, 2000, OFFSET_US + 90000);
	assert_int_equal(cmt_return_delay_queue_us(&r, 2000), 10000);
	assert_int_equal(cmt_return_delay_expected_us(&r, 2000), OFFSET_US + 20000);
}

static void a_queue_drains_while_no_sack_comes(void **state)
{
	struct cmt_return_delay r = new_delay();

	(void)state;
	cmt_return_delay_add(&r, 1000, OFFSET_US + 10000);
	cmt_return_delay_add(&r, 2000, OFFSET_US + 90000);
	assert_int_equal(cmt_return_delay_queue_us(&r, 2000 + 4000), 6000);
	assert_int_equal(cmt_return_delay_queue_us(&r, 2000 + 10000), 0);
	assert_int_equal(cmt_return_delay_expected_us(&r, 2000 + 50000), OFFSET_US + 10000);
}

/* 100 s at 10 ppm: 1 ms, which the old base lacks. */
static void what_is_overdue_has_taken_that_long_until_a_sack_comes(void **state)
{
	struct cmt_return_delay r;

	(void)state;
	cmt_return_delay_init(&r);
	cmt_return_delay_add(&r, 1000000, 30000);
	cmt_return_delay_be_silent(&r, 1100000);
	cmt_return_delay_be_silent(&r, 1150000); /* it goes on */
	assert_int_equal(cmt_return_delay_expected_us(&r, 1200000), 130000);
	assert_int_equal(cmt_return_delay_queue_us(&r, 1200000), 0);
	cmt_return_delay_add(&r, 1200000, 30000);
	assert_int_equal(cmt_return_delay_expected_us(&r, 1300000), 30000);
	cmt_return_delay_be_silent(&r, 1250000);
	cmt_return_delay_leave(&r);
	assert_int_equal(cmt_return_delay_expected_us(&r, 1300000), 30000);
}

static void a_tilted_clock_moves_the_base(void **state)
{
	struct cmt_return_delay r = new_delay();

	(void)state;
	cmt_return_delay_add(&r, 0, 10000);
	cmt_return_delay_tilt(&r, 100000000, 10000);
	assert_int_equal(cmt_return_delay_expected_us(&r, 100000000), 11000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_known_without_a_sample),
	    cmocka_unit_test(the_first_sample_is_the_expectation),
	    cmocka_unit_test(a_queue_is_smoothed_with_a_gain_of_an_eighth),
	    cmocka_unit_test(a_queue_drains_while_no_sack_comes),
	    cmocka_unit_test(what_is_overdue_has_taken_that_long_until_a_sack_comes),
	    cmocka_unit_test(a_tilted_clock_moves_the_base),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
