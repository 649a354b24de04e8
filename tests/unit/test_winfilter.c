/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_winfilter.c - cmt_winfilter against literal times and against a list of all samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"

#define MINUTE_US UINT64_C(60000000)

static struct cmt_winfilter new_filter(uint64_t bucket_us)
{
	struct cmt_winfilter f;

	cmt_winfilter_init(&f, bucket_us);
	return f;
}

static void without_a_sample_the_minimum_is_unknown(void **state)
{
	struct cmt_winfilter f = new_filter(MINUTE_US);

	(void)state;
	assert_int_equal(cmt_winfilter_min(&f), CMT_UNKNOWN_US);
}

static void the_smallest_sample_wins_negative_ones_too(void **state)
{
	struct cmt_winfilter f = new_filter(MINUTE_US);

	(void)state;
	cmt_winfilter_add(&f, 0, 500);
	cmt_winfilter_add(&f, 1, 700);
	assert_int_equal(cmt_winfilter_min(&f), 500);
	cmt_winfilter_add(&f, 2, -3600000000);
	cmt_winfilter_add(&f, 3, 0);
	assert_int_equal(cmt_winfilter_min(&f), -3600000000);
}

static void a_minute_bucket_is_forgotten_ten_minutes_after_its_start(void **state)
{
	struct cmt_winfilter f = new_filter(MINUTE_US);

	(void)state;
	cmt_winfilter_add(&f, 59999999, 100);
	cmt_winfilter_add(&f, 60000000, 200);
	cmt_winfilter_add(&f, 599999999, 900);
	assert_int_equal(cmt_winfilter_min(&f), 100);
	cmt_winfilter_add(&f, 600000000, 900);
	assert_int_equal(cmt_winfilter_min(&f), 200);
	cmt_winfilter_add(&f, 660000000, 900);
	assert_int_equal(cmt_winfilter_min(&f), 900);
}

static void silence_keeps_the_last_value_until_a_new_sample_comes(void **state)
{
	struct cmt_winfilter f = new_filter(MINUTE_US);

	(void)state;
	cmt_winfilter_add(&f, 1000 * MINUTE_US, 100);
	assert_int_equal(cmt_winfilter_min(&f), 100);
	cmt_winfilter_add(&f, 5000 * MINUTE_US, 777);
	assert_int_equal(cmt_winfilter_min(&f), 777);
	cmt_winfilter_add(&f, UINT64_MAX, 888);
	assert_int_equal(cmt_winfilter_min(&f), 888);
}

static void a_faster_clock_raises_each_minimum_by_its_age(void **state)
{
	struct cmt_winfilter f = new_filter(MINUTE_US);

	(void)state;
	cmt_winfilter_tilt(&f, MINUTE_US, 500000);
	assert_int_equal(cmt_winfilter_min(&f), CMT_UNKNOWN_US);
	cmt_winfilter_add(&f, 0, 10000);
	cmt_winfilter_add(&f, 100000000, 70000);
	/* 500 ppm of 100 s are 50 ms, of 0 s none. */
	cmt_winfilter_tilt(&f, 100000000, 500000);
	assert_int_equal(cmt_winfilter_min(&f), 60000);
	cmt_winfilter_tilt(&f, 100000000, -500000);
	assert_int_equal(cmt_winfilter_min(&f), 10000);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void ten_thousand_random_samples_agree_with_a_list_of_them(void **state)
{
	enum { SAMPLES = 10000, BUCKET_US = 1000 };
	static uint64_t at_us[SAMPLES];
	static int64_t sample[SAMPLES];
	struct cmt_winfilter f = new_filter(BUCKET_US);
	uint64_t seed = 11, now_us = 0;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (unsigned n = 0; n < SAMPLES; n++) {
		int64_t min = INT64_MAX;

		now_us +=
		    next_random(&seed) % 50 == 0 ? next_random(&seed) % 15000 : next_random(&seed) % 300;
		at_us[n] = now_us;
		sample[n] = (int64_t)(next_random(&seed) % 2000000) - 1000000;
		cmt_winfilter_add(&f, now_us, sample[n]);
		for (unsigned k = 0; k <= n; k++) {
			if (at_us[k] / BUCKET_US + CMT_WINFILTER_BUCKETS > now_us / BUCKET_US &&
			    sample[k] < min)
				min = sample[k];
		}
		assert_int_equal(cmt_winfilter_min(&f), min);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_sample_the_minimum_is_unknown),
	    cmocka_unit_test(the_smallest_sample_wins_negative_ones_too),
	    cmocka_unit_test(a_minute_bucket_is_forgotten_ten_minutes_after_its_start),
	    cmocka_unit_test(silence_keeps_the_last_value_until_a_new_sample_comes),
	    cmocka_unit_test(a_faster_clock_raises_each_minimum_by_its_age),
	    cmocka_unit_test(ten_thousand_random_samples_agree_with_a_list_of_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
