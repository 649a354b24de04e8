/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pwf.c - progressive water filling against Table 1 of the OSIA paper (with errata), Theorem 2, and what
 * must hold for any paths; plans of osia and lcm for any paths (tests/bench/bench_plan.c makes a million of
 * them). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"
#include "pwf_theory.h"
#include "util/cmt_random.h"

enum { MERGE_US = 10000, PLANS = 60000, PLAN_BYTES_MAX = 4096 };

static struct cmt_pwf plan(const struct cmt_pwf_path *paths, uint8_t n)
{
	struct cmt_pwf p;

	cmt_pwf_plan(&p, paths, n, MERGE_US);
	return p;
}

static void one_path_has_no_pre_chunk(void **state)
{
	const struct cmt_pwf_path paths[] = {{60000, 4000000}};
	struct cmt_pwf p = plan(paths, 1);

	(void)state;
	assert_int_equal(p.n, 1);
	assert_int_equal(pwf_chunk_bytes(&p, 0), 0);
	assert_int_equal(pwf_f_ppm(&p, 0), 0);
	assert_int_equal(pwf_g_ppm(&p, 0, 0), 1000000);
	assert_int_equal(pwf_timeout_ppm(&p, 1000), 0);
	p = plan(paths, 0);
	assert_int_equal(p.n, 0);
	assert_int_equal(pwf_f_ppm(&p, 0), 0);
	assert_int_equal(pwf_g_ppm(&p, 0, 0), 0);
}

static void two_paths_of_table_1_get_15000_bytes_then_three_to_one(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 3000000}, {80000, 1000000}};
	struct cmt_pwf p = plan(paths, 2);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_int_equal(pwf_chunk_bytes(&p, 0), 15000);
	assert_int_equal(pwf_chunk_bytes(&p, 1), 0);
	assert_int_equal(pwf_f_ppm(&p, 0), 1000000);
	assert_int_equal(pwf_g_ppm(&p, 0, 0), 1000000);
	assert_int_equal(pwf_g_ppm(&p, 0, 1), 750000);
	assert_int_equal(pwf_g_ppm(&p, 1, 1), 250000);
	/* 1 / (2 g_22) = 2 < 4: no timeout. */
	assert_int_equal(pwf_timeout_ppm(&p, 1000), 2000000);
}

/* As the table lists them: 2/40, 1.25/80, 0.75/60. */
static void three_paths_of_table_1_are_sorted_by_delay(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 2000000}, {80000, 1250000}, {60000, 750000}};
	struct cmt_pwf p = plan(paths, 3);

	(void)state;
	assert_int_equal(p.paths[1].delay_us, 60000);
	assert_int_equal(p.paths[1].rate_bps, 750000);
	assert_int_equal(p.paths[2].rate_bps, 1250000);
	assert_int_equal(pwf_chunk_bytes(&p, 0), 5000);
	assert_int_equal(pwf_chunk_bytes(&p, 1), 6875);
	assert_int_equal(pwf_f_ppm(&p, 0), 421053);
	assert_int_equal(pwf_f_ppm(&p, 1), 578947);
	assert_int_equal(pwf_g_ppm(&p, 0, 1), 727273);
	assert_int_equal(pwf_g_ppm(&p, 1, 1), 272727);
	assert_int_equal(pwf_g_ppm(&p, 0, 2), 500000);
	assert_int_equal(pwf_g_ppm(&p, 1, 2), 187500);
	assert_int_equal(pwf_g_ppm(&p, 2, 2), 312500);
}

static void four_paths_of_table_1_make_three_pre_chunks(void **state)
{
	const struct cmt_pwf_path paths[] = {
	    {40000, 1250000}, {20000, 1000000}, {100000, 1000000}, {80000, 750000}};
	struct cmt_pwf p = plan(paths, 4);

	(void)state;
	assert_int_equal(pwf_chunk_bytes(&p, 0), 2500);
	assert_int_equal(pwf_chunk_bytes(&p, 1), 11250);
	assert_int_equal(pwf_chunk_bytes(&p, 2), 7500);
	assert_int_equal(pwf_f_ppm(&p, 0), 117647);
	assert_int_equal(pwf_f_ppm(&p, 1), 529412);
	assert_int_equal(pwf_f_ppm(&p, 2), 352941);
	assert_int_equal(cmt_pwf_rate_bps(&p, 3), 4000000);
	assert_int_equal(pwf_g_ppm(&p, 3, 3), 250000);
	assert_int_equal(pwf_g_ppm(&p, 3, 2), 0);
}

static void a_level_is_in_the_chunk_that_begins_at_or_below_it(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 2000000}, {80000, 1250000}, {60000, 750000}};
	struct cmt_pwf p = plan(paths, 3);

	(void)state;
	assert_int_equal(cmt_pwf_chunk_at(&p, 0), 0);
	assert_int_equal(cmt_pwf_chunk_at(&p, 59999), 0);
	assert_int_equal(cmt_pwf_chunk_at(&p, 60000), 1);
	assert_int_equal(cmt_pwf_chunk_at(&p, 79999), 1);
	assert_int_equal(cmt_pwf_chunk_at(&p, 80000), 2);
	assert_int_equal(cmt_pwf_chunk_at(&p, INT64_MAX), 2);
}

/* 36 and 44 ms are 40 when rounded to 10 ms, 45 is 50. */
static void delays_that_agree_to_ten_milliseconds_are_one_path(void **state)
{
	const struct cmt_pwf_path paths[] = {{44000, 1000000}, {45000, 1000000}, {36000, 2000000}};
	struct cmt_pwf p = plan(paths, 3);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_int_equal(p.paths[0].delay_us, 36000);
	assert_int_equal(p.paths[0].rate_bps, 3000000);
	assert_int_equal(pwf_chunk_bytes(&p, 0), 3375);
}

/* b_1 < 7 b_2, whatever the delays. */
static void theorem_2_bounds_the_second_of_two_paths_by_an_eighth(void **state)
{
	struct cmt_pwf_path paths[] = {{40000, 7000000}, {140000, 1000000}};
	struct cmt_pwf p = plan(paths, 2);

	(void)state;
	assert_int_equal(pwf_timeout_ppm(&p, 1000), 4000000);
	paths[1].delay_us = 1040000;
	p = plan(paths, 2);
	assert_int_equal(pwf_timeout_ppm(&p, 1000), 4000000);
	paths[0].rate_bps = 6900000;
	p = plan(paths, 2);
	assert_in_range(pwf_timeout_ppm(&p, 1000), 3949999, 3950000);
}

/* Half of the views of the conformance suite's kind: any order of magnitude, the ends, nonsense. */
static uint64_t any_size(uint64_t *seed, uint64_t max)
{
	uint64_t value = cmt_random_take(seed) >> (cmt_random_take(seed) % 64);

	return cmt_random_take(seed) % 20 == 0 ? max : value % (max + 1);
}

static void check_any_plan(const struct cmt_pwf *p, const struct cmt_pwf_path *paths, uint8_t n)
{
	uint64_t rate_bps = 0, chunks = 0;

	for (uint8_t i = 0; i < n; i++) {
		uint64_t bps = paths[i].rate_bps == 0 ? 1 : paths[i].rate_bps;

		rate_bps += bps < CMT_PWF_RATE_MAX_BPS ? bps : CMT_PWF_RATE_MAX_BPS;
	}
	assert_int_equal(cmt_pwf_rate_bps(p, (uint8_t)(p->n - 1)), rate_bps);
	for (uint8_t h = 0; h < p->n; h++) {
		assert_true(h == 0 || p->paths[h].delay_us > p->paths[h - 1].delay_us);
		chunks += pwf_chunk_bytes(p, h);
	}
	/* What all paths carry until the slowest begins is what the pre-chunks hold, but for rounding. */
	rate_bps = 0;
	for (uint8_t i = 0; i < p->n; i++)
		rate_bps += (uint64_t)((double)p->paths[i].rate_bps *
		                       (double)(p->paths[p->n - 1].delay_us - p->paths[i].delay_us) / 8e6);
	assert_true(chunks <= rate_bps + 8 + rate_bps / 1000000 && rate_bps <= chunks + 8 + chunks / 1000000);
}

static void check_shares(const struct cmt_pwf *p)
{
	uint32_t f = 0;

	for (uint8_t h = 0; h < p->n; h++) {
		uint32_t g = 0;

		f += pwf_f_ppm(p, h);
		for (uint8_t i = 0; i < p->n; i++)
			g += pwf_g_ppm(p, i, h);
		assert_int_equal(g, 1000000);
	}
	assert_true(f == 1000000 || f == 0);
	/* The mean deviation is at most twice the share beyond the mean times the largest: K is 1/2 or more.
	 */
	assert_true(pwf_timeout_ppm(p, 1500) == 0 || pwf_timeout_ppm(p, 1500) >= 499999);
}

static void any_plan_keeps_the_water_and_its_shares_sum_to_one(void **state)
{
	uint64_t seed = 5;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	assert_true(sizeof(struct cmt_pwf) <= PLAN_BYTES_MAX);
	for (unsigned k = 0; k < PLANS; k++) {
		struct cmt_pwf_path paths[CMT_MAX_PATHS];
		uint8_t n = (uint8_t)(1 + cmt_random_take(&seed) % CMT_MAX_PATHS);
		struct cmt_pwf p;

		for (uint8_t i = 0; i < n; i++)
			paths[i] = (struct cmt_pwf_path){.delay_us = (int64_t)any_size(&seed, INT64_MAX) -
			                                             (int64_t)any_size(&seed, 1000000),
			                                 .rate_bps = any_size(&seed, UINT64_MAX - 1)};
		cmt_pwf_plan(&p, paths, n, 1 + any_size(&seed, 100000));
		check_any_plan(&p, paths, n);
		if (k % 16 == 0)
			check_shares(&p);
	}
}

/* Makes plans of eight random paths and asks for its look-ahead: nothing but the answer's
 * bounds is judged here, sanitizers judge the rest. */
static void plan_any_paths(const char *name)
{
	static uint64_t st[PLAN_BYTES_MAX / sizeof(uint64_t) + 1];
	static uint32_t memory[16 * 2];
	const struct cmt_sched_ops *ops = NULL;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_units units;
	struct cmt_view v = {.units = &units,
	                     .paths = paths,
	                     .n_paths = 8,
	                     .packet_bytes = 1400,
	                     .wire_bytes = 1460,
	                     .peer_rwnd_bytes = 1000000,
	                     .window_packet_bytes = 1500,
	                     .window_unit_bytes = 1500,
	                     .window_reserve_bytes = 1500,
	                     .limit_tsn = 4000};
	uint64_t seed = 6;

	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		if (strcmp(cmt_sched_builtin(i)->name, name) == 0)
			ops = cmt_sched_builtin(i);
	}
	assert_non_null(ops);
	assert_true(ops->state_bytes <= PLAN_BYTES_MAX);
	cmt_units_init(&units, 16, 1, memory);
	assert_int_equal(cmt_units_add(&units, 1, 1400), 0);
	memset(st, 0, sizeof(st));
	st[PLAN_BYTES_MAX / sizeof(uint64_t)] = 0x5aa5;
	assert_int_equal(ops->init(st, NULL), 0);
	for (unsigned k = 0; k < PLANS; k++) {
		v.now_us += cmt_random_take(&seed) % 1000000;
		for (uint8_t i = 0; i < 8; i++) {
			uint64_t draw = cmt_random_take(&seed);
			int64_t delay_us = (int64_t)(draw % 60000000) >> (draw % 24);

			paths[i] = (struct cmt_path_view){
			    .id = i,
			    .usable = draw % 9 != 0,
			    .cwnd_bytes = 1 + (uint32_t)(draw >> 32 >> (draw % 31)),
			    .min_rtt_us = (uint32_t)delay_us * 2,
			    .rate_bps = (draw >> 8) % UINT64_C(100000000000) >> (draw % 37),
			    .base_us = delay_us,
			    .delay_us = delay_us,
			    .queue_us = (int64_t)(draw % 50000),
			    .start_us = (int64_t)v.now_us + delay_us + (int64_t)(draw % 50000)};
		}
		ops->plan(st, &v);
		assert_true(ops->look_ahead(st, &v) >= 4 * 1400);
	}
	assert_int_equal(st[PLAN_BYTES_MAX / sizeof(uint64_t)], 0x5aa5);
}

static void osia_plans_any_paths_within_four_kilobytes(void **state)
{
	(void)state;
	plan_any_paths("osia");
}

static void lcm_plans_any_paths_within_four_kilobytes(void **state)
{
	(void)state;
	plan_any_paths("lcm");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_path_has_no_pre_chunk),
	    cmocka_unit_test(two_paths_of_table_1_get_15000_bytes_then_three_to_one),
	    cmocka_unit_test(three_paths_of_table_1_are_sorted_by_delay),
	    cmocka_unit_test(four_paths_of_table_1_make_three_pre_chunks),
	    cmocka_unit_test(a_level_is_in_the_chunk_that_begins_at_or_below_it),
	    cmocka_unit_test(delays_that_agree_to_ten_milliseconds_are_one_path),
	    cmocka_unit_test(theorem_2_bounds_the_second_of_two_paths_by_an_eighth),
	    cmocka_unit_test(any_plan_keeps_the_water_and_its_shares_sum_to_one),
	    cmocka_unit_test(osia_plans_any_paths_within_four_kilobytes),
	    cmocka_unit_test(lcm_plans_any_paths_within_four_kilobytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
