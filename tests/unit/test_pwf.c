/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pwf.c - progressive water filling against Table 1 of the OSIA paper (with errata), its equations and
 * Theorem 2, and what must hold for any paths; plans of osia and lcm for any paths (tests/bench/bench_plan.c
 * makes a million of them). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"
#include "fill/cmt_pwf.h"
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
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 0), 0);
	assert_int_equal(cmt_pwf_f_ppm(&p, 0), 0);
	assert_int_equal(cmt_pwf_g_ppm(&p, 0, 0), 1000000);
	assert_int_equal(cmt_pwf_timeout_ppm(&p, 1000), 0);
	p = plan(paths, 0);
	assert_int_equal(p.n, 0);
	assert_int_equal(cmt_pwf_f_ppm(&p, 0), 0);
	assert_int_equal(cmt_pwf_g_ppm(&p, 0, 0), 0);
}

static void two_paths_of_table_1_get_15000_bytes_then_three_to_one(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 3000000}, {80000, 1000000}};
	struct cmt_pwf p = plan(paths, 2);

	(void)state;
	assert_int_equal(p.n, 2);
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 0), 15000);
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 1), 0);
	assert_int_equal(cmt_pwf_f_ppm(&p, 0), 1000000);
	assert_int_equal(cmt_pwf_g_ppm(&p, 0, 0), 1000000);
	assert_int_equal(cmt_pwf_g_ppm(&p, 0, 1), 750000);
	assert_int_equal(cmt_pwf_g_ppm(&p, 1, 1), 250000);
	/* 1 / (2 g_22) = 2 < 4: no timeout. */
	assert_int_equal(cmt_pwf_timeout_ppm(&p, 1000), 2000000);
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
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 0), 5000);
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 1), 6875);
	assert_int_equal(cmt_pwf_f_ppm(&p, 0), 421053);
	assert_int_equal(cmt_pwf_f_ppm(&p, 1), 578947);
	assert_int_equal(cmt_pwf_g_ppm(&p, 0, 1), 727273);
	assert_int_equal(cmt_pwf_g_ppm(&p, 1, 1), 272727);
	assert_int_equal(cmt_pwf_g_ppm(&p, 0, 2), 500000);
	assert_int_equal(cmt_pwf_g_ppm(&p, 1, 2), 187500);
	assert_int_equal(cmt_pwf_g_ppm(&p, 2, 2), 312500);
}

static void four_paths_of_table_1_make_three_pre_chunks(void **state)
{
	const struct cmt_pwf_path paths[] = {
	    {40000, 1250000}, {20000, 1000000}, {100000, 1000000}, {80000, 750000}};
	struct cmt_pwf p = plan(paths, 4);

	(void)state;
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 0), 2500);
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 1), 11250);
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 2), 7500);
	assert_int_equal(cmt_pwf_f_ppm(&p, 0), 117647);
	assert_int_equal(cmt_pwf_f_ppm(&p, 1), 529412);
	assert_int_equal(cmt_pwf_f_ppm(&p, 2), 352941);
	assert_int_equal(cmt_pwf_rate_bps(&p, 3), 4000000);
	assert_int_equal(cmt_pwf_g_ppm(&p, 3, 3), 250000);
	assert_int_equal(cmt_pwf_g_ppm(&p, 3, 2), 0);
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
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 0), 3375);
}

/* b_1 < 7 b_2, whatever the delays. */
static void theorem_2_bounds_the_second_of_two_paths_by_an_eighth(void **state)
{
	struct cmt_pwf_path paths[] = {{40000, 7000000}, {140000, 1000000}};
	struct cmt_pwf p = plan(paths, 2);

	(void)state;
	assert_int_equal(cmt_pwf_timeout_ppm(&p, 1000), 4000000);
	paths[1].delay_us = 1040000;
	p = plan(paths, 2);
	assert_int_equal(cmt_pwf_timeout_ppm(&p, 1000), 4000000);
	paths[0].rate_bps = 6900000;
	p = plan(paths, 2);
	assert_in_range(cmt_pwf_timeout_ppm(&p, 1000), 3949999, 3950000);
}

/* --- the paper's equations that no function has: what follows from those that do --- */

static const struct cmt_pwf_path table_1_of_three[] = {{40000, 2000000}, {80000, 1250000}, {60000, 750000}};

/* Eq. 1: a path begins with the last chunk when the next slower one does, less the difference of their
 * delays. Eq. 2: with chunk h as much later than with h + 1. Eq. 3: path i + 1 with chunk h + 1 when path i
 * with h; and each path at 0 with the first that it carries (Eq. 6). */
static void starting_times_satisfy_equations_1_to_3(void **state)
{
	const struct cmt_pwf p = plan(table_1_of_three, 3);

	(void)state;
	for (uint8_t h = 0; h < 3; h++) {
		assert_int_equal(cmt_pwf_start_us(&p, h, h), 0);
		for (uint8_t i = 1; i <= h; i++)
			assert_int_equal(cmt_pwf_start_us(&p, i, h),
			                 cmt_pwf_start_us(&p, (uint8_t)(i - 1), h) -
			                     (p.paths[i].delay_us - p.paths[i - 1].delay_us));
		for (uint8_t i = 0; h < 2 && i <= h; i++)
			assert_int_equal(cmt_pwf_start_us(&p, i, h),
			                 cmt_pwf_start_us(&p, i, (uint8_t)(h + 1)) -
			                     (p.paths[h + 1].delay_us - p.paths[h].delay_us));
	}
	assert_int_equal(cmt_pwf_start_us(&p, 0, 1), cmt_pwf_start_us(&p, 1, 2));
	assert_int_equal(cmt_pwf_start_us(&p, 0, 2), 40000);
}

/* Eq. 4, 5, 7, 8, 11: up to L* = 100 ms the three paths hold 15 000, 3 750 and 3 125 bytes, b_i (L* - d_i),
 * which are the pre-chunks and 20 ms of all; Eq. 9, 10: of pre-chunk h each b_i (d_{h+1} - d_h). */
static void chunks_hold_the_water_up_to_a_common_level(void **state)
{
	const struct cmt_pwf p = plan(table_1_of_three, 3);
	const int64_t level_us = 100000;
	uint64_t by_path[3], by_chunk = 0, water = 0;

	(void)state;
	for (uint8_t i = 0; i < 3; i++) {
		by_path[i] = p.paths[i].rate_bps * (uint64_t)(level_us - p.paths[i].delay_us) / 8000000;
		water += by_path[i];
	}
	assert_int_equal(by_path[0], 15000);
	assert_int_equal(by_path[1], 3750);
	assert_int_equal(by_path[2], 3125);
	for (uint8_t h = 0; h < 2; h++)
		by_chunk += cmt_pwf_chunk_bytes(&p, h);
	assert_int_equal(by_chunk, cmt_pwf_prefetch_bytes(&p));
	by_chunk += cmt_pwf_rate_bps(&p, 2) * 20000 / 8000000;
	assert_int_equal(by_chunk, water);
	/* W = L* sum b_i - sum b_i d_i, and AT = W / L*: 1.75 of 4 Mbit/s while the levels differ. */
	assert_int_equal(water, (100000 * UINT64_C(4000000) - 225000 * UINT64_C(1000000)) / 8000000);
	assert_int_equal(water * 8000000 / 100000, 1750000);
	/* The same rise of all paths in a chunk: of pre-chunk 2 path 1 has 5 000 bytes, path 2 1 875. */
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 1) * cmt_pwf_g_ppm(&p, 0, 1) / 1000000, 5000);
	assert_int_equal(cmt_pwf_chunk_bytes(&p, 1) * cmt_pwf_g_ppm(&p, 1, 1) / 1000000, 1874);
}

/* Eq. 15 to 17 with the round trips of a chunk's packets as its faucets give them: srtt + 4 rttvar covers the
 * slowest exactly when Theorem 2 says so. Slow filters are near the averages of Eq. 19 and 20. */
static void rto_covers_the_slowest_path_when_theorem_2_says_so(void **state)
{
	static const struct {
		uint64_t fast_bps;
		bool covered;
	} cases[] = {{1000000, true}, {3000000, true}, {6500000, true}, {7500000, false}, {20000000, false}};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		const struct cmt_pwf_path paths[] = {{40000, cases[k].fast_bps}, {140000, 1000000}};
		const struct cmt_pwf p = plan(paths, 2);
		const double share = cmt_pwf_g_ppm(&p, 1, 1) / 1e6, slow_us = 280000, fast_us = 80000;
		double srtt_us = slow_us, rttvar_us = 0, due = 0;

		for (unsigned n = 0; n < 200000; n++) {
			double rtt_us = fast_us;

			due += share;
			if (due >= 1) {
				rtt_us = slow_us;
				due -= 1;
			}
			srtt_us += (rtt_us - srtt_us) / 4096;
			rttvar_us +=
			    ((rtt_us > srtt_us ? rtt_us - srtt_us : srtt_us - rtt_us) - rttvar_us) / 4096;
		}
		assert_int_equal(slow_us < srtt_us + 4 * rttvar_us, cases[k].covered);
		assert_int_equal(cmt_pwf_timeout_ppm(&p, 0) < 4000000, cases[k].covered);
	}
}

/* Paths with these shares of the last chunk, and these round trips in units of 2 ms; without packets. */
static double third_chunk_k(const double *g, const double *r)
{
	struct cmt_pwf p = {.n = 3};
	double two, one;

	for (unsigned i = 0; i < 3; i++)
		p.paths[i] = (struct cmt_pwf_path){.delay_us = (int64_t)(r[i] * 1000),
		                                   .rate_bps = (uint64_t)(g[i] * 1e8 + 0.5)};
	one = (double)cmt_pwf_timeout_ppm(&p, 0) / 1e6;
	p.n = 2;
	two = (double)cmt_pwf_timeout_ppm(&p, 0) / 1e6;
	/* That of the third chunk counts here. */
	return two < one ? one : 0;
}

static double any_of(uint64_t *seed, uint64_t max)
{
	return 1 + (double)(cmt_random_take(seed) % max);
}

/* Appendix A.2. Eq. 26 is Eq. 14 for m = 3; with Eq. 27, sum g = 1, it becomes Eq. 28 when the second path's
 * round trip is above the mean, and Eq. 29 when it is below. From Eq. 28 follow bounds on g_23 and g_13 that
 * suffice. The print has the fraction of Eq. 30 upside down, which is above 1 - g_33 whenever 2 K g_33 > 1
 * and would bound nothing; Eq. 31 is right. */
static void the_third_chunk_satisfies_equations_26_to_31(void **state)
{
	uint64_t seed = 11;
	unsigned above = 0, below = 0, enough = 0;
	const double K = 4;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (unsigned n = 0; n < 20000; n++) {
		const double a = any_of(&seed, 997), b = any_of(&seed, 997), c = any_of(&seed, 997);
		const double g[] = {a / (a + b + c), b / (a + b + c), c / (a + b + c)};
		const double r1 = any_of(&seed, 100), r2 = r1 + any_of(&seed, 100),
		             r3 = r2 + any_of(&seed, 100);
		const double mean = g[0] * r1 + g[1] * r2 + g[2] * r3;
		const double k = third_chunk_k(g, (const double[]){r1, r2, r3});
		double expected;

		if (k == 0)
			continue;
		if (r2 > mean) {
			expected = (r3 - mean) / (g[0] * (mean - r1)) / 2;
			above++;
		} else {
			expected = 1 / (2 * g[2]);
			below++;
		}
		assert_true(k > expected * 0.9999 && k < expected * 1.0001);
		if (r2 > mean && 2 * K * g[2] > 1) {
			const double most_2 = (1 - g[2]) * (r3 - r1) * (2 * K * g[2] - 1) /
			                      (2 * K * g[2] * (r3 - r1) + r1 - r2);
			const double least_1 = (1 - g[2]) * (r3 - r2) / (2 * K * g[2] * (r3 - r1) + r1 - r2);

			assert_true((1 - g[2]) * (2 * K * g[2] * (r3 - r1) + r1 - r2) >
			            (1 - g[2]) * (r3 - r1) * (2 * K * g[2] - 1));
			/* The two are one bound, as g_13 + g_23 = 1 - g_33. */
			assert_true(most_2 + least_1 > 1 - g[2] - 1e-9 && most_2 + least_1 < 1 - g[2] + 1e-9);
			if (g[1] < most_2) {
				assert_true(k < K);
				enough++;
			}
		}
	}
	assert_true(above > 1000 && below > 1000 && enough > 500);
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
		chunks += cmt_pwf_chunk_bytes(p, h);
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

		f += cmt_pwf_f_ppm(p, h);
		for (uint8_t i = 0; i < p->n; i++)
			g += cmt_pwf_g_ppm(p, i, h);
		assert_int_equal(g, 1000000);
	}
	assert_true(f == 1000000 || f == 0);
	/* The mean deviation is at most twice the share beyond the mean times the largest: K is 1/2 or more.
	 */
	assert_true(cmt_pwf_timeout_ppm(p, 1500) == 0 || cmt_pwf_timeout_ppm(p, 1500) >= 499999);
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
	    cmocka_unit_test(starting_times_satisfy_equations_1_to_3),
	    cmocka_unit_test(chunks_hold_the_water_up_to_a_common_level),
	    cmocka_unit_test(rto_covers_the_slowest_path_when_theorem_2_says_so),
	    cmocka_unit_test(the_third_chunk_satisfies_equations_26_to_31),
	    cmocka_unit_test(any_plan_keeps_the_water_and_its_shares_sum_to_one),
	    cmocka_unit_test(osia_plans_any_paths_within_four_kilobytes),
	    cmocka_unit_test(lcm_plans_any_paths_within_four_kilobytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
