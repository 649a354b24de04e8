/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "units.h"

static void rates_take_bit_kbit_mbit_and_gbit(void **state)
{
	uint64_t bps = 0;

	(void)state;
	assert_true(app_parse_rate("400kbit", &bps));
	assert_int_equal(bps, 400000);
	assert_true(app_parse_rate("1.6Mbit", &bps));
	assert_int_equal(bps, 1600000);
	assert_true(app_parse_rate("1Gbit/s", &bps));
	assert_int_equal(bps, 1000000000);
}

static void what_is_no_rate_changes_nothing(void **state)
{
	static const char *const wrong[] = {"fast",     "",         "1.6", "-1Mbit", "1.6 Mbit",
	                                    "1.6Mbitx", "0x10kbit", "inf", "nanMbit"};
	uint64_t bps = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_false(app_parse_rate(wrong[i], &bps));
	}
	assert_int_equal(bps, 7);
}

static void times_need_a_unit_unless_zero(void **state)
{
	uint64_t us = 0;

	(void)state;
	assert_true(app_parse_time("1.5s", &us));
	assert_int_equal(us, 1500000);
	assert_true(app_parse_time("500us", &us));
	assert_int_equal(us, 500);
	assert_true(app_parse_time("0", &us));
	assert_int_equal(us, 0);
	assert_false(app_parse_time("10", &us));
}

static void sizes_tell_decimal_from_binary_units(void **state)
{
	uint64_t bytes = 0;

	(void)state;
	assert_true(app_parse_size("50kB", &bytes));
	assert_int_equal(bytes, 50000);
	assert_true(app_parse_size("64KiB", &bytes));
	assert_int_equal(bytes, 65536);
	assert_true(app_parse_size("1400", &bytes));
	assert_int_equal(bytes, 1400);
	assert_false(app_parse_size("50k", &bytes));
}

static void probabilities_are_fractions_or_percent_up_to_one(void **state)
{
	double p = 0;

	(void)state;
	assert_true(app_parse_probability("0.5%", &p));
	assert_float_equal(p, 0.005, 1e-12);
	assert_true(app_parse_probability("1e-5", &p));
	assert_float_equal(p, 1e-5, 1e-15);
	assert_false(app_parse_probability("1.5", &p));
	assert_false(app_parse_probability("101%", &p));
}

static void an_interval_must_not_end_before_it_starts(void **state)
{
	uint64_t from = 0, until = 0;

	(void)state;
	assert_true(app_parse_interval("3s-8s", &from, &until));
	assert_int_equal(from, 3000000);
	assert_int_equal(until, 8000000);
	assert_false(app_parse_interval("8s-3s", &from, &until));
	assert_false(app_parse_interval("3s", &from, &until));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(rates_take_bit_kbit_mbit_and_gbit),
	    cmocka_unit_test(what_is_no_rate_changes_nothing),
	    cmocka_unit_test(times_need_a_unit_unless_zero),
	    cmocka_unit_test(sizes_tell_decimal_from_binary_units),
	    cmocka_unit_test(probabilities_are_fractions_or_percent_up_to_one),
	    cmocka_unit_test(an_interval_must_not_end_before_it_starts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
