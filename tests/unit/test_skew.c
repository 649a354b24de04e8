/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Skew of the peer's clock from return delays. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "delay/cmt_skew.h"

#define MS UINT64_C(1000)
#define S  UINT64_C(1000000)

/* A SACK every 10 ms from `from_us` to `until_us`, 12 ms under way plus up to `jitter_us`; the peer's clock
 * is `ppm` faster and an hour ahead. */
static void hear(struct cmt_skew *s, uint64_t from_us, uint64_t until_us, int64_t ppm, uint64_t jitter_us)
{
	uint64_t random = 7;

	for (uint64_t now_us = from_us; now_us < until_us; now_us += 10 * MS) {
		int64_t peer_us = (int64_t)now_us + (int64_t)now_us / 1000 * ppm / 1000 + 3600 * (int64_t)S;

		random = random * 6364136223846793005u + 1442695040888963407u;
		cmt_skew_add(s, 1, now_us,
		             (int64_t)now_us + 12000 + (int64_t)((random >> 33) % (jitter_us + 1)) - peer_us);
	}
}

static void nothing_is_known_before_four_intervals(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	hear(&s, 0, 15 * S, 500, 0);
	assert_int_equal(cmt_skew_ppb(&s, 0), 0);
	hear(&s, 15 * S, 25 * S, 500, 0);
	assert_in_range(cmt_skew_ppb(&s, 0), 499000, 501000);
}

static void a_slow_clock_has_a_negative_skew(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	hear(&s, 0, 60 * S, -500, 0);
	assert_in_range(-cmt_skew_ppb(&s, 0), 499000, 501000);
}

static void equal_clocks_with_jitter_of_20_ms_stay_within_20_ppm(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	hear(&s, 0, 120 * S, 0, 20000);
	assert_in_range(cmt_skew_ppb(&s, 0) + 20000, 0, 40000);
}

static void an_hour_fits_the_memory_and_sharpens_the_estimate(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	hear(&s, 0, 3600 * S, 37, 20000);
	assert_true(s.interval_us > CMT_SKEW_INTERVAL_US);
	assert_in_range(cmt_skew_ppb(&s, 0), 36000, 38000);
}

static void a_disturbed_interval_moves_nothing(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	hear(&s, 0, 20 * S, 100, 0);
	for (uint64_t now_us = 20 * S; now_us < 26 * S; now_us += 10 * MS)
		cmt_skew_add(&s, 1, now_us, 300000 - 3600 * (int64_t)S);
	hear(&s, 26 * S, 60 * S, 100, 0);
	assert_in_range(cmt_skew_ppb(&s, 0), 99000, 101000);
}

static void a_path_that_is_longer_from_some_time_on_is_no_skew(void **state)
{
	static const int64_t longer_us[] = {5000, 10000, 20000, -8000};

	(void)state;
	for (size_t i = 0; i < sizeof(longer_us) / sizeof(longer_us[0]); i++) {
		for (uint64_t at = 1; at < 14; at++) {
			struct cmt_skew s;

			cmt_skew_init(&s);
			for (uint64_t k = 0; k < 15; k++) {
				cmt_skew_add(&s, 1, k * 6 * S, 50000 + (k >= at ? longer_us[i] : 0));
				assert_int_equal(cmt_skew_ppb(&s, 0), 0);
			}
		}
	}
}

static void what_is_known_stays_while_intervals_allow_it(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	assert_int_equal(cmt_skew_ppb(&s, 70000), 70000);
	hear(&s, 0, 120 * S, 100, 20000);
	assert_int_equal(cmt_skew_ppb(&s, 100000), 100000);
	/* From either side. */
	assert_in_range(cmt_skew_ppb(&s, 0), 60000, 100000);
	assert_in_range(cmt_skew_ppb(&s, 500000), 100000, 140000);
}

static void only_one_return_path_is_listened_to_until_it_is_silent(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	hear(&s, 0, 30 * S, 0, 0);
	assert_false(cmt_skew_add(&s, 2, 30 * S, 900000));
	assert_int_equal(s.path_id, 1);
	cmt_skew_add(&s, 2, 60 * S, 900000);
	assert_int_equal(s.path_id, 2);
	assert_int_equal(cmt_skew_ppb(&s, 0), 0);
}

static void a_clock_that_was_set_is_no_skew(void **state)
{
	struct cmt_skew s;

	(void)state;
	cmt_skew_init(&s);
	for (uint64_t i = 0; i < 8; i++)
		cmt_skew_add(&s, 1, i * 6 * S, (int64_t)(i % 2) * 3600 * (int64_t)S);
	assert_int_equal(cmt_skew_ppb(&s, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_known_before_four_intervals),
	    cmocka_unit_test(a_slow_clock_has_a_negative_skew),
	    cmocka_unit_test(equal_clocks_with_jitter_of_20_ms_stay_within_20_ppm),
	    cmocka_unit_test(an_hour_fits_the_memory_and_sharpens_the_estimate),
	    cmocka_unit_test(a_disturbed_interval_moves_nothing),
	    cmocka_unit_test(a_path_that_is_longer_from_some_time_on_is_no_skew),
	    cmocka_unit_test(what_is_known_stays_while_intervals_allow_it),
	    cmocka_unit_test(only_one_return_path_is_listened_to_until_it_is_silent),
	    cmocka_unit_test(a_clock_that_was_set_is_no_skew),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
