/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Verdicts: how well a mean is known, and what is said of runs whose numbers are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/interval.h"
#include "figures/claim.h"
#include "figures/plan.h"

/* --- intervals --- */

static void quantiles_are_those_of_students_table(void **state)
{
	(void)state;
	assert_float_equal((float)lab_student_t(1, 0.05), 12.7062, 1e-3);
	assert_float_equal((float)lab_student_t(2, 0.05), 4.3027, 1e-4);
	assert_float_equal((float)lab_student_t(4, 0.05), 2.7764, 1e-4);
	assert_float_equal((float)lab_student_t(4, 0.005), 5.5976, 1e-4);
	assert_float_equal((float)lab_student_t(29, 0.01), 2.7564, 1e-4);
	assert_float_equal((float)lab_student_t(1000, 0.05), 1.9623, 1e-4);
}

static void an_interval_is_t_standard_errors_wide(void **state)
{
	/* Mean 3, variance 2.5, standard error sqrt(0.5); t = 2.7764. */
	static const double values[] = {1, 2, 3, 4, 5};
	struct lab_interval i = lab_interval(values, 5, 1);

	(void)state;
	assert_float_equal((float)i.mean, 3, 1e-6);
	assert_float_equal((float)i.error, 1.9632f, 1e-3);
	/* Ten together: 0.5 % for each, t = 5.5976. */
	assert_float_equal((float)lab_interval(values, 5, 10).error, 3.9581f, 1e-3);
	assert_true(isinf(lab_interval(values, 2, 1).error));
}

static void equal_values_leave_no_error(void **state)
{
	static const double values[] = {0.5, 0.5, 0.5};

	(void)state;
	assert_float_equal((float)lab_interval(values, 3, 1).error, 0, 0);
}

static void an_interval_across_the_bound_decides_nothing(void **state)
{
	static const struct {
		enum lab_claim_relation relation;
		double mean, error;
		enum lab_verdict expected;
	} cases[] = {
	    {LAB_CLAIM_BELOW, -2, 1, LAB_YES},
	    {LAB_CLAIM_BELOW, -1, 2, LAB_NOT_DECIDED},
	    {LAB_CLAIM_BELOW, 2, 1, LAB_NO},
	    {LAB_CLAIM_BELOW, 0, 0, LAB_NO},
	    {LAB_CLAIM_AT_MOST, 0, 0, LAB_YES},
	    {LAB_CLAIM_AT_MOST, 0, 1, LAB_NOT_DECIDED},
	    {LAB_CLAIM_AT_MOST, 2, 1, LAB_NO},
	    {LAB_CLAIM_ABOVE, 2, 1, LAB_YES},
	    {LAB_CLAIM_ABOVE, 0, 0, LAB_NO},
	    {LAB_CLAIM_ABOVE, 1, 2, LAB_NOT_DECIDED},
	    {LAB_CLAIM_AT_LEAST, 0, 0, LAB_YES},
	    {LAB_CLAIM_AT_LEAST, -2, 1, LAB_NO},
	    {LAB_CLAIM_NEAR, 2, 1, LAB_YES},
	    {LAB_CLAIM_NEAR, -2.5, 1, LAB_NOT_DECIDED},
	    {LAB_CLAIM_NEAR, -5, 1, LAB_NO},
	    {LAB_CLAIM_NEAR, 5, 1, LAB_NO},
	    {LAB_CLAIM_ABOVE, INFINITY, 0, LAB_NOT_DECIDED},
	    {LAB_CLAIM_ABOVE, 2, INFINITY, LAB_NOT_DECIDED},
	    {LAB_CLAIM_ABOVE, NAN, 0, LAB_NOT_DECIDED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		enum lab_verdict v = lab_claim_decide(cases[i].relation, cases[i].mean, cases[i].error, 3);

		if (v != cases[i].expected)
			fail_msg("case %zu: %s", i, lab_verdict_words[v]);
	}
}

/* --- claims on runs --- */

static const struct lab_plan plan = {
    .name = "test",
    .scenario = "10Mbit/20ms,10Mbit/20ms",
    .series = {{.scheduler = "rr"}, {.scheduler = "lcm"}, {.scheduler = "arrival", .label = "ours"}},
    .x = {.title = "x", .values = {{.label = "1"}, {.label = "2"}, {.label = "3"}}},
    .y = {.title = "y", .values = {{.label = "a"}, {.label = "b"}}},
    .metrics = {{.title = "goodput", .key = "g"},
                {.title = "share", .key = "s"},
                {.title = "bound", .key = "b"}},
};

/* g is what a test says of a series at a point with a seed, s that of its share; b is 4 everywhere. */
typedef double (*numbers)(struct lab_plan_at at, unsigned seed);

static struct lab_plan_runs runs_of(numbers goodput, unsigned n_seeds)
{
	static const struct lab_options options = {.run = {.seed = 1, .only_path = -1}};
	struct lab_plan_runs r;
	struct lab_error error = {.text = ""};
	struct lab_plan_at at;

	if (lab_plan_prepare(&r, &plan, &options, n_seeds, &error) != 0)
		fail_msg("%s", error.text);
	for (at.x = 0; at.x < 3; at.x++) {
		for (at.y = 0; at.y < 2; at.y++) {
			for (at.series = 0; at.series < 3; at.series++) {
				struct lab_job *jobs = lab_plan_jobs(&r, at);

				for (unsigned seed = 0; seed < n_seeds; seed++)
					jobs[seed].result =
					    json_pack("{s:f, s:f, s:f}", "g", goodput(at, seed), "s",
					              at.x == 0 ? 0.0 : 0.2, "b", 4.0);
			}
		}
	}
	return r;
}

static enum lab_verdict verdict_of(const struct lab_plan_runs *r, struct lab_claim c)
{
	return lab_claim_result(r, &c).verdict;
}

/* Seeds scatter by 10, all series alike; lcm has 1 more than rr, ours 0.2 more or less. */
static double paired(struct lab_plan_at at, unsigned seed)
{
	static const double scatter[] = {0, 10, 3, 7, 5};

	return scatter[seed] + (at.series == 1 ? 1 : at.series == 2 ? (seed % 2 == 0 ? 0.2 : -0.2) : 0);
}

static void differences_are_taken_seed_by_seed(void **state)
{
	struct lab_plan_runs r = runs_of(paired, 5);
	struct lab_claim c = {.series = {"lcm"}, .relation = LAB_CLAIM_ABOVE, .than = {"rr"}};
	struct lab_claim_result v = lab_claim_result(&r, &c);

	(void)state;
	assert_int_equal(v.verdict, LAB_YES);
	assert_float_equal((float)v.value, 6, 1e-6);
	assert_float_equal((float)v.bound, 5, 1e-6);
	assert_float_equal((float)v.mean, 1, 1e-6);
	assert_true(v.error < 1e-9);
	assert_string_equal(v.series, "lcm");
	assert_string_equal(v.than, "rr");
	c.relation = LAB_CLAIM_BELOW;
	assert_int_equal(verdict_of(&r, c), LAB_NO);
	lab_plan_free(&r);
}

static void what_is_within_the_spread_is_not_decided(void **state)
{
	struct lab_plan_runs r = runs_of(paired, 5), two = runs_of(paired, 2);
	struct lab_claim c = {.series = {"ours"}, .relation = LAB_CLAIM_ABOVE, .than = {"rr"}};

	(void)state;
	assert_int_equal(verdict_of(&r, c), LAB_NOT_DECIDED);
	c.relation = LAB_CLAIM_BELOW;
	assert_int_equal(verdict_of(&r, c), LAB_NOT_DECIDED);
	c.series[0] = "lcm"; /* never mind how clear: two seeds may agree by chance */
	assert_int_equal(verdict_of(&two, c), LAB_NOT_DECIDED);
	lab_plan_free(&r);
	lab_plan_free(&two);
}

/* rr falls with x, lcm grows; ours is 10 but at (3, b). */
static double over_x(struct lab_plan_at at, unsigned seed)
{
	(void)seed;
	return at.series == 0 ? 9 - at.x : at.series == 1 ? 4 + 2.0 * at.x : at.x == 2 && at.y == 1 ? 6 : 10;
}

static void every_point_and_every_series_must_hold(void **state)
{
	struct lab_plan_runs r = runs_of(over_x, 3);
	struct lab_claim c = {.series = {"ours"}, .relation = LAB_CLAIM_ABOVE, .than = {"rr", "lcm"}};
	struct lab_claim_result v;

	(void)state;
	assert_int_equal(verdict_of(&r, c), LAB_YES); /* on the mean of all points */
	c.each_x = c.each_y = true;
	v = lab_claim_result(&r, &c);
	assert_int_equal(v.verdict, LAB_NO); /* at (3, b) */
	assert_int_equal(v.n, 12);
	assert_int_equal(v.n_yes, 10);
	assert_int_equal(v.n_no, 2);
	assert_string_equal(v.x, "3");
	assert_string_equal(v.y, "b");
	assert_string_equal(v.than, "lcm"); /* 6 of 8 is further off than 6 of 7 */
	c.x[0] = "1";
	c.x[1] = "2";
	v = lab_claim_result(&r, &c);
	assert_int_equal(v.verdict, LAB_YES);
	assert_int_equal(v.n, 8);
	assert_float_equal((float)v.bound, 9, 1e-6); /* the closest: rr at 1 */
	lab_plan_free(&r);
}

static void a_series_is_compared_with_itself_elsewhere_or_with_a_number(void **state)
{
	struct lab_plan_runs r = runs_of(over_x, 3);
	struct lab_claim falls = {
	    .series = {"rr"}, .relation = LAB_CLAIM_BELOW, .x = {"2", "3"}, .each_x = true, .than_x = {"1"}};
	struct lab_claim rises = {
	    .series = {"lcm"}, .relation = LAB_CLAIM_ABOVE, .of = LAB_CLAIM_RISE, .each_y = true};
	struct lab_claim most = {
	    .series = {"ours"}, .relation = LAB_CLAIM_AT_MOST, .of = LAB_CLAIM_MOST, .factor = 10};

	(void)state;
	assert_int_equal(verdict_of(&r, falls), LAB_YES);
	falls.factor = 0.8; /* 8 is not below 0.8 times 9 */
	assert_int_equal(verdict_of(&r, falls), LAB_NO);
	assert_int_equal(verdict_of(&r, rises), LAB_YES);
	assert_float_equal((float)lab_claim_result(&r, &rises).value, 4, 1e-6); /* from 4 to 8 */
	rises.series[0] = "rr";
	assert_int_equal(verdict_of(&r, rises), LAB_NO);
	assert_int_equal(verdict_of(&r, most), LAB_YES);
	most.factor = 9.9;
	assert_int_equal(verdict_of(&r, most), LAB_NO);
	most.of = LAB_CLAIM_LEAST;
	assert_int_equal(verdict_of(&r, most), LAB_YES);
	most.of = LAB_CLAIM_ZEROS;
	most.factor = 0;
	assert_int_equal(verdict_of(&r, most), LAB_YES);
	/* The most of other points of itself: 6 at (3, b) is below the 10 of the others. */
	most = (struct lab_claim){.series = {"ours"},
	                          .relation = LAB_CLAIM_BELOW,
	                          .x = {"3"},
	                          .y = {"b"},
	                          .than_x = {"1", "2", "3"},
	                          .than_y = {"a", "b"},
	                          .than_of = LAB_CLAIM_MOST};
	assert_int_equal(verdict_of(&r, most), LAB_YES);
	lab_plan_free(&r);
}

static void near_is_within_a_part_of_the_bound_which_may_be_another_metric(void **state)
{
	struct lab_plan_runs r = runs_of(over_x, 3);
	struct lab_claim c = {
	    .series = {"rr"}, .relation = LAB_CLAIM_NEAR, .x = {"2"}, .than_metric = 2, .factor = 2};

	(void)state;
	assert_int_equal(verdict_of(&r, c), LAB_YES); /* 8 and 2 * 4 */
	c.x[0] = "3";
	assert_int_equal(verdict_of(&r, c), LAB_NO); /* 7: an eighth off */
	c.within = 0.15;
	assert_int_equal(verdict_of(&r, c), LAB_YES);
	lab_plan_free(&r);
}

static void a_comparison_that_tests_nothing_decides_nothing(void **state)
{
	struct lab_plan_runs r = runs_of(over_x, 3);
	struct lab_claim c = {.series = {"ours"},
	                      .relation = LAB_CLAIM_ABOVE,
	                      .than = {"rr"},
	                      .each_x = true,
	                      .x = {"1", "2"},
	                      .given_metric = 1,
	                      .given_least = 0.1,
	                      .given = "path 2 is not used"};
	struct lab_claim_result v = lab_claim_result(&r, &c);

	(void)state;
	assert_int_equal(v.verdict, LAB_NOT_DECIDED); /* path 2 has no share at 1 */
	assert_int_equal(v.n_void, 1);
	assert_int_equal(v.n_yes, 1);
	c.x[0] = "2";
	c.x[1] = NULL;
	assert_int_equal(verdict_of(&r, c), LAB_YES);
	lab_plan_free(&r);
}

static void a_run_without_the_number_leaves_it_undecided(void **state)
{
	struct lab_plan_runs r = runs_of(over_x, 3);
	struct lab_claim c = {.series = {"ours"}, .relation = LAB_CLAIM_ABOVE, .than = {"rr"}};

	(void)state;
	json_object_del(lab_plan_jobs(&r, (struct lab_plan_at){.x = 1})[1].result, "g");
	assert_int_equal(verdict_of(&r, c), LAB_NOT_DECIDED);
	c.of = LAB_CLAIM_MOST;
	assert_int_equal(verdict_of(&r, c), LAB_NOT_DECIDED);
	lab_plan_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(quantiles_are_those_of_students_table),
	    cmocka_unit_test(an_interval_is_t_standard_errors_wide),
	    cmocka_unit_test(equal_values_leave_no_error),
	    cmocka_unit_test(an_interval_across_the_bound_decides_nothing),
	    cmocka_unit_test(differences_are_taken_seed_by_seed),
	    cmocka_unit_test(what_is_within_the_spread_is_not_decided),
	    cmocka_unit_test(every_point_and_every_series_must_hold),
	    cmocka_unit_test(a_series_is_compared_with_itself_elsewhere_or_with_a_number),
	    cmocka_unit_test(near_is_within_a_part_of_the_bound_which_may_be_another_metric),
	    cmocka_unit_test(a_comparison_that_tests_nothing_decides_nothing),
	    cmocka_unit_test(a_run_without_the_number_leaves_it_undecided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
