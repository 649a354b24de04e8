/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is run for a point of a target: those that fall behind are left out; what a part of the seeds
 * does not clearly show to be met gets all of them. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "targets/target_measure.h"
#include "targets/target_points.h"

#define TWO_PATHS "10Mbit/20ms,10Mbit/20ms,q=100p"

/* The promised column of the only point. */
static double value_with(const struct lab_target *t, unsigned n_seeds)
{
	struct lab_target_points points;
	struct lab_target_values values;
	struct lab_error error;

	assert_int_equal(lab_target_points(t, &points, &error), 0);
	assert_int_equal(lab_target_measure(t, &points.runs[0], n_seeds, "", &values, &error), 0);
	free(points.runs);
	assert_true(values.of[LAB_COLUMN_PROMISED].known);
	return values.of[LAB_COLUMN_PROMISED].median;
}

static void one_far_ahead_of_all_others_has_a_yardstick(void **state)
{
	const struct lab_target t = {.scenarios = "1.6Mbit/10ms,0.4Mbit/100ms,rcvbuf=50kB,bytes=400kB",
	                             .scheduler = "rr",
	                             .key = "rcvbuf_mean_bytes",
	                             .of = LAB_OF_BEST_OTHER,
	                             .as_written = true,
	                             .at_least = true};

	(void)state;
	assert_true(value_with(&t, 1) > 1 / 0.85);
}

static bool is_clear(const struct lab_target *t, double value)
{
	struct lab_target_values values = {.of[LAB_COLUMN_PROMISED] = {.known = value >= 0, .median = value}};

	return lab_target_is_clear(t, &values);
}

static void clear_is_better_by_two_percent_of_the_limit(void **state)
{
	struct lab_target t = {.scenarios = TWO_PATHS,
	                       .of = LAB_OF_BEST_OTHER,
	                       .at_least = true,
	                       .limit = 0.5,
	                       .lcm = LAB_NO_TARGET};

	(void)state;
	assert_true(is_clear(&t, 0.5101));
	assert_false(is_clear(&t, 0.5099));
	assert_false(is_clear(&t, 0.3));
	assert_true(is_clear(&t, -1));
	t.at_least = false;
	assert_true(is_clear(&t, 0.4899));
	assert_false(is_clear(&t, 0.4901));
	t.limit = LAB_NO_TARGET;
	assert_true(is_clear(&t, 0.5));
}

static void what_is_not_clear_is_measured_with_all_seeds(void **state)
{
	struct lab_target t = {.scenarios = "1.6Mbit/10ms,0.4Mbit/100ms,loss=5%,rcvbuf=50kB,bytes=200kB",
	                       .key = "goodput_bps",
	                       .of = LAB_OF_CAPACITY,
	                       .as_written = true,
	                       .at_least = true,
	                       .lcm = LAB_NO_TARGET};
	double one = value_with(&t, 1), two = value_with(&t, 2);

	(void)state;
	assert_true(fabs(one - two) > 0.01);
	t.seeds = 0.5;
	t.limit = one / 2;
	assert_float_equal(value_with(&t, 2), one, 1e-9);
	t.limit = one;
	assert_float_equal(value_with(&t, 2), two, 1e-9);
	t.limit = 2 * one;
	assert_float_equal(value_with(&t, 2), two, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_far_ahead_of_all_others_has_a_yardstick),
	    cmocka_unit_test(clear_is_better_by_two_percent_of_the_limit),
	    cmocka_unit_test(what_is_not_clear_is_measured_with_all_seeds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
