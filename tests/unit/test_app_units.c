/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "text/units.h"

typedef bool parse_fn(const char *text, uint64_t *value);

struct sample {
	const char *text;
	uint64_t value;
};

static void assert_parses(parse_fn *parse, const struct sample *samples, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t value = ~samples[i].value;

		assert_true(parse(samples[i].text, &value));
		assert_int_equal(value, samples[i].value);
	}
}
#define ASSERT_PARSES(parse, samples) assert_parses(parse, samples, sizeof(samples) / sizeof((samples)[0]))

static void letters_alone_are_decimal_in_rates_as_in_iperf3(void **state)
{
	static const struct sample samples[] = {
	    {"400kbit", 400000},
	    {"1.6Mbit", 1600000},
	    {"1Gbit/s", 1000000000},
	    {"5M", 5000000},
	    {"5000000", 5000000},
	    {"300k", 300000},
	    {"300K", 300000},
	    {"2.5G", 2500000000},
	    {"1e6", 1000000},
	    {".5Mbit", 500000},
	    {"0", 0},
	    {"0bit", 0},
	    {"8bit/s", 8},
	    {"9007199254740992", UINT64_C(9007199254740992)},
	};

	(void)state;
	ASSERT_PARSES(app_parse_rate, samples);
}

static void numbers_alone_are_seconds(void **state)
{
	static const struct sample samples[] = {
	    {"5", 5000000}, {"1.5", 1500000}, {"5s", 5000000}, {"500ms", 500000},
	    {"500us", 500}, {"0", 0},         {"0s", 0},
	};

	(void)state;
	ASSERT_PARSES(app_parse_time, samples);
}

static void sizes_tell_decimal_from_binary_units(void **state)
{
	static const struct sample samples[] = {
	    {"1400", 1400},      {"1400B", 1400},    {"50kB", 50000},      {"50KB", 50000},  {"5MB", 5000000},
	    {"1GB", 1000000000}, {"64KiB", 65536},   {"64k", 65536},       {"64K", 65536},   {"5M", 5242880},
	    {"5MiB", 5242880},   {"1G", 1073741824}, {"1GiB", 1073741824}, {"0.5M", 524288},
	};

	(void)state;
	ASSERT_PARSES(app_parse_size, samples);
}

/* Whatever the unit: with each of them behind it, none of these is a number. */
static void what_is_no_number_is_nothing_and_changes_nothing(void **state)
{
	static const char *const wrong[] = {
	    "",      " ",      "-1",  "+1",   "1 ", " 1",       "0x10", "1,5", "inf",  "nan",
	    "1e400", "1e-400", "--1", "1..5", "M",  "1.6Mbitx", "5Ms",  "1m1", "1e18", "9007199254740993e1"};
	static parse_fn *const parsers[] = {app_parse_rate, app_parse_time, app_parse_size};
	static const char *const units[] = {"", "s", "ms", "k", "M", "kB", "MiB", "Mbit", "bit/s"};
	uint64_t value = 7;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		for (size_t u = 0; u < sizeof(units) / sizeof(units[0]); u++) {
			for (size_t p = 0; p < sizeof(parsers) / sizeof(parsers[0]); p++) {
				char text[64];

				(void)snprintf(text, sizeof(text), "%s%s", wrong[i], units[u]);
				assert_false(parsers[p](text, &value));
			}
		}
	}
	assert_int_equal(value, 7);
}

static void units_of_one_kind_are_none_of_another(void **state)
{
	uint64_t value = 7;

	(void)state;
	assert_false(app_parse_rate("5s", &value));
	assert_false(app_parse_rate("5MB", &value));
	assert_false(app_parse_rate("5m", &value));
	assert_false(app_parse_time("5M", &value));
	assert_false(app_parse_time("5m", &value));
	assert_false(app_parse_time("5 s", &value));
	assert_false(app_parse_size("5Mbit", &value));
	assert_false(app_parse_size("5m", &value));
	assert_int_equal(value, 7);
}

static void what_is_written_with_a_unit_reads_back(void **state)
{
	uint32_t x = 1;

	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t value = 0;
		char text[40];

		x = x * 1664525u + 1013904223u;
		(void)snprintf(text, sizeof(text), "%u", x);
		assert_true(app_parse_size(text, &value));
		assert_int_equal(value, x);
		assert_true(app_parse_rate(text, &value));
		assert_int_equal(value, x);
		assert_true(app_parse_time(text, &value));
		assert_int_equal(value, UINT64_C(1000000) * x);
		(void)snprintf(text, sizeof(text), "%u.%03ums", x / 1000, x % 1000);
		assert_true(app_parse_time(text, &value));
		assert_int_equal(value, x);
	}
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
	    cmocka_unit_test(letters_alone_are_decimal_in_rates_as_in_iperf3),
	    cmocka_unit_test(numbers_alone_are_seconds),
	    cmocka_unit_test(sizes_tell_decimal_from_binary_units),
	    cmocka_unit_test(what_is_no_number_is_nothing_and_changes_nothing),
	    cmocka_unit_test(units_of_one_kind_are_none_of_another),
	    cmocka_unit_test(what_is_written_with_a_unit_reads_back),
	    cmocka_unit_test(probabilities_are_fractions_or_percent_up_to_one),
	    cmocka_unit_test(an_interval_must_not_end_before_it_starts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
