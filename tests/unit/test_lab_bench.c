/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Benchmarks: which networks, what they give, and one number of many. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/samples.h"
#include "bench/bench_report.h"
#include "bench/bench_stats.h"
#include "setup/run_settings.h"

#define assert_near(value, wanted) assert_true(fabs((value) - (wanted)) < 1e-9)

/* --- one number of many --- */

static void percentiles_count_weights_from_the_bad_end(void **state)
{
	const struct lab_bench_value values[] = {{0.5, 1}, {0.1, 1}, {NAN, 5}, {0.9, 8}};
	struct lab_bench_stats s = lab_bench_stats(values, 4, false);

	(void)state;
	assert_int_equal(s.n, 3);
	assert_near(s.mean, (0.5 + 0.1 + 8 * 0.9) / 10);
	assert_near(s.worst, 0.1);
	assert_near(s.tenth, 0.1); /* its weight is a tenth */
	assert_near(s.median, 0.9);
	s = lab_bench_stats(values, 4, true);
	assert_near(s.worst, 0.9);
	assert_near(s.tenth, 0.9);
	s = lab_bench_stats(&values[2], 1, false);
	assert_int_equal(s.n, 0);
}

static void a_tenth_of_twenty_networks_is_the_second_worst(void **state)
{
	struct lab_bench_value values[20];
	struct lab_bench_stats s;

	(void)state;
	for (int i = 0; i < 20; i++) {
		values[i] = (struct lab_bench_value){(double)((7 * i) % 20), 0.3};
	}
	s = lab_bench_stats(values, 20, false);
	assert_near(s.worst, 0);
	assert_near(s.tenth, 1);
	assert_near(s.median, 9);
	s = lab_bench_stats(values, 20, true);
	assert_near(s.worst, 19);
	assert_near(s.tenth, 18);
	assert_near(s.median, 10);
}

static void a_share_counts_what_is_just_in_time(void **state)
{
	struct lab_samples s = {.n = 0};

	(void)state;
	assert_near(lab_samples_share(&s, 10), 0);
	for (uint64_t i = 1; i <= 5; i++) {
		lab_samples_add(&s, 10 * i);
	}
	assert_near(lab_samples_share(&s, 20), 0.4);
	assert_near(lab_samples_share(&s, 19), 0.2);
	lab_samples_free(&s);
}

/* --- which networks --- */

static struct lab_bench_points numbered(unsigned n)
{
	struct lab_bench_points all = {.n = 0};

	for (unsigned i = 0; i < n; i++) {
		lab_bench_add(&all, "group", "%03u%s", i, i % 2 == 1 ? " odd" : "");
	}
	return all;
}

static void a_sample_is_spread_over_the_list_and_has_nothing_twice(void **state)
{
	struct lab_bench_points all = numbered(100);
	static const int places[] = {11, 20, 35, 50, 59, 73, 82, 97};

	(void)state;
	lab_bench_choose(&all, 8, NULL);
	assert_int_equal(all.n, 8);
	for (size_t i = 0; i < all.n; i++) {
		assert_int_equal(atoi(all.points[i].name), places[i]);
	}
	free(all.points);
	all = numbered(10);
	lab_bench_choose(&all, 9, NULL);
	assert_int_equal(all.n, 9);
	lab_bench_choose(&all, 20, " odd");
	assert_in_range(all.n, 4, 5);
	for (size_t i = 0; i < all.n; i++) {
		assert_int_equal(all.points[i].name[2] % 2, 0);
	}
	free(all.points);
}

static struct lab_run run_of(const struct lab_bench_point *p)
{
	struct lab_run run = {.only_path = -1};
	struct lab_error error = {.text = ""};

	if (lab_scenario_load(&run.scenario, p->scenario, &error) != 0 ||
	    lab_run_settings(&run, p->settings, &error) != 0) {
		fail_msg("%s: %s", p->name, error.text);
	}
	return run;
}

static void every_network_that_needs_no_file_is_one_and_has_its_own_name(void **state)
{
	const struct lab_bench *b;

	(void)state;
	for (size_t i = 0; (b = lab_bench(i)) != NULL; i++) {
		for (enum lab_bench_sample sample = 0; sample < LAB_BENCH_SAMPLES && !b->recorded; sample++) {
			struct lab_bench_points all;
			struct lab_error error;

			assert_int_equal(lab_bench_points(b, sample, "", &all, &error), 0);
			assert_true(all.n > 0);
			for (size_t p = 0; p < all.n; p++) {
				struct lab_run run = run_of(&all.points[p]);

				assert_int_equal(run.scenario.n_paths, 2);
				for (size_t q = 0; q < p; q++) {
					assert_string_not_equal(all.points[q].name, all.points[p].name);
				}
			}
			free(all.points);
		}
	}
}

static void the_guard_needs_no_file(void **state)
{
	const struct lab_bench *b;

	(void)state;
	for (size_t i = 0; (b = lab_bench(i)) != NULL; i++) {
		struct lab_bench_points all;
		struct lab_error error;

		assert_int_equal(lab_bench_points(b, LAB_BENCH_GUARD, "/nowhere", &all, &error), 0);
		assert_true(b->recorded == (all.n == 0));
		free(all.points);
		assert_int_equal(lab_bench_points(b, LAB_BENCH_QUICK, "/nowhere", &all, &error),
		                 b->recorded ? -1 : 0);
		free(all.points);
	}
}

/* --- what they give --- */

/* A study of auto over both paths, on each, and of plain SCTP on each; {goodput, duration} in that order. */
static struct lab_study study_of(const double results[5][2])
{
	const struct lab_bench_point p = {.scenario = "8Mbit/10ms,4Mbit/10ms,msg=1400,bytes=1MB"};
	struct lab_run run = run_of(&p);
	struct lab_study study = {.n_rows = 0};

	strcpy(run.scheduler, "auto");
	lab_study_add(&study, "auto", -1);
	lab_study_add_single_paths(&study, "auto", &run.scenario);
	lab_study_add_single_paths(&study, LAB_STOCK, &run.scenario);
	lab_study_prepare(&study, &run, 1);
	for (size_t i = 0; i < 5; i++) {
		study.jobs[i].result = json_pack("{s:s, s:f, s:f}", "integrity", "ok", "goodput_bps",
		                                 results[i][0], "duration_us", results[i][1]);
	}
	return study;
}

static void values_are_compared_with_the_best_path_for_them(void **state)
{
	static const struct lab_bench b = {
	    .measures = {{.key = "goodput_bps", .of = LAB_BENCH_BENEFIT},
	                 {.key = "goodput_bps", .of = LAB_BENCH_OF_PLAIN},
	                 {.key = "duration_us", .of = LAB_BENCH_OF_PLAIN, .less = true},
	                 {.key = "duration_us", .of = LAB_BENCH_OF_SAME, .less = true},
	                 {.key = "duration_us", .unit = 1e3, .less = true},
	                 {.key = "goodput_bps", .of = LAB_BENCH_OF_CEILING}},
	    .n_measures = 6};
	static const double results[5][2] = {{9e6, 4000}, {6e6, 6000}, {4e6, 7000}, {5e6, 8000}, {3e6, 5000}};
	struct lab_study study = study_of(results);
	struct lab_bench_values v;

	(void)state;
	lab_bench_values(&b, &study, "auto", &v);
	assert_false(v.failed);
	assert_near(v.of[0], 0.75); /* (9 - 6) / (10 - 6) */
	assert_near(v.of[1], 9.0 / 5);
	assert_near(v.of[2], 5000.0 / 4000); /* path 2 is best for this, path 1 for goodput */
	assert_near(v.of[3], 6000.0 / 4000);
	assert_near(v.of[4], 4);
	assert_near(v.of[5], 9e6 / (12e6 * 1400 / 1448));
	json_object_set_new(study.jobs[0].result, "integrity", json_string("corrupt"));
	lab_bench_values(&b, &study, "auto", &v);
	assert_true(v.failed);
	assert_near(v.of[0], -1);
	assert_true(isnan(v.of[1]));
	lab_study_free(&study);
}

static void a_fair_share_is_half_of_the_link_and_all_of_what_nobody_else_has(void **state)
{
	const struct lab_bench *b = &lab_bench_shared;
	const struct lab_bench_point one_path = {
	    .scenario = "30Mbit/5ms/via=core,10Mbit/10ms,link.core=10Mbit/5ms,msg=1400,competitor=linked@1"};
	const double ceiling_bps = 10e6 * 1400 / 1448;
	struct lab_run run = run_of(&one_path);
	struct lab_study study = {.n_rows = 0};
	struct lab_bench_values v;

	(void)state;
	strcpy(run.scheduler, "auto");
	lab_study_add(&study, "auto", -1);
	lab_study_prepare(&study, &run, 1);
	study.jobs[0].result =
	    json_pack("{s:s, s:f, s:f, s:f}", "integrity", "ok", "goodput_bps", 1.8 * ceiling_bps,
	              "competitor_goodput_bps", 0.2 * ceiling_bps, "competitor_ratio", 9.0);
	lab_bench_values(b, &study, "auto", &v);
	assert_near(v.of[0], 0.4);
	assert_near(v.of[1], 1.8 / 1.5);
	assert_near(v.of[2], 0.2 / 0.5);
	lab_study_free(&study);
}

static void the_command_is_all_that_it_takes(void **state)
{
	struct lab_bench_results r = {
	    .bench = &lab_bench_steps, .scheduler = "rr", .options = " --cc linked --seed 7", .n_seeds = 1};
	char command[1600];

	(void)state;
	strcpy(lab_bench_add(&r.points, "g", "n")->scenario, "1Mbit/10ms,2Mbit/20ms,q=50p");
	strcpy(r.points.points[0].settings, "path.1.trace=a/b.csv duration=20s");
	assert_string_equal(lab_bench_command(&r, 0, command, sizeof(command)),
	                    "cmt-lab compare '1Mbit/10ms,2Mbit/20ms,q=50p' -s rr --set path.1.trace=a/b.csv "
	                    "--set duration=20s --cc linked --seed 7");
	free(r.points.points);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(percentiles_count_weights_from_the_bad_end),
	    cmocka_unit_test(a_tenth_of_twenty_networks_is_the_second_worst),
	    cmocka_unit_test(a_share_counts_what_is_just_in_time),
	    cmocka_unit_test(a_sample_is_spread_over_the_list_and_has_nothing_twice),
	    cmocka_unit_test(every_network_that_needs_no_file_is_one_and_has_its_own_name),
	    cmocka_unit_test(the_guard_needs_no_file),
	    cmocka_unit_test(values_are_compared_with_the_best_path_for_them),
	    cmocka_unit_test(a_fair_share_is_half_of_the_link_and_all_of_what_nobody_else_has),
	    cmocka_unit_test(the_command_is_all_that_it_takes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
