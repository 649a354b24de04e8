/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_clock.c - the peer's clock: unwrapping, offset by causality, steps, skew. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "delay/cmt_clock.h"
#include "util/cmt_time.h"

#define SECOND_US INT64_C(1000000)
#define HOUR_US   (3600 * SECOND_US)

/* The receiver's clock as a function of ours. */
struct receiver {
	int64_t offset_us;
	int64_t skew_ppm;
};

static int64_t receiver_us(const struct receiver *r, uint64_t at_us)
{
	return (int64_t)at_us + r->offset_us + (int64_t)at_us * r->skew_ppm / 1000000;
}

/* A packet and its SACK: forward and return delay as given, no wait between. */
static struct cmt_clock_reading exchange(struct cmt_clock *c, const struct receiver *r, uint64_t sent_us,
                                         uint64_t forward_us, uint64_t return_us)
{
	return cmt_clock_on_echo(
	    c, &(struct cmt_clock_echo){.sent_us = sent_us,
	                                .now_us = sent_us + forward_us + return_us,
	                                .tr_us = (uint32_t)receiver_us(r, sent_us + forward_us),
	                                .return_path_id = return_us > 50000 ? 2 : 1});
}

static struct cmt_clock new_clock(void)
{
	struct cmt_clock c;

	cmt_clock_init(&c);
	return c;
}

static void receiver_times_unwrap_across_2_to_the_32(void **state)
{
	/* After 1000 us the receiver shows 0xfffffff0. */
	const struct receiver r = {.offset_us = 0xfffffff0 - INT64_C(1000)};
	struct cmt_clock c = new_clock();

	(void)state;
	assert_int_equal(exchange(&c, &r, 900, 100, 100).arrival_us, 0xfffffff0);
	assert_int_equal(exchange(&c, &r, 932, 100, 100).arrival_us, 0x100000010);
	assert_int_equal(exchange(&c, &r, 908, 100, 150).arrival_us, 0xfffffff8);
	assert_int_equal(exchange(&c, &r, 948, 100, 150).arrival_us, 0x100000020);
	/* 35 minutes are 2.1e9 us, below 2^31. */
	assert_int_equal(exchange(&c, &r, 2100000948, 100, 150).arrival_us,
	                 INT64_C(0x100000020) + 2100000000);
	assert_int_equal(c.steps, 0);
}

static void the_time_elapsed_is_taken_off(void **state)
{
	struct cmt_clock c = new_clock();
	struct cmt_clock_reading reading =
	    cmt_clock_on_echo(&c, &(struct cmt_clock_echo){.sent_us = 1000,
	                                                   .now_us = 250000,
	                                                   .tr_us = 5200000,
	                                                   .elapsed_us = 200000,
	                                                   .return_path_id = 1});

	(void)state;
	assert_int_equal(reading.built_us, 5200000);
	assert_int_equal(reading.arrival_us, 5000000);
	assert_int_equal(reading.news, CMT_CLOCK_STEADY);
}

static void without_a_pair_the_offset_is_unknown(void **state)
{
	struct cmt_clock c = new_clock();

	(void)state;
	assert_int_equal(cmt_clock_offset_us(&c, NULL), CMT_UNKNOWN_US);
}

static void one_symmetric_path_of_10_ms_gives_the_offset_within_10_ms(void **state)
{
	const struct receiver r = {.offset_us = SECOND_US};
	struct cmt_clock c = new_clock();
	int64_t uncertainty_us;

	(void)state;
	assert_int_equal(exchange(&c, &r, 0, 10000, 10000).news, CMT_CLOCK_STEADY);
	assert_int_equal(cmt_clock_offset_us(&c, &uncertainty_us), 1000000);
	assert_int_equal(uncertainty_us, 10000);
}

static void the_paths_intervals_are_intersected(void **state)
{
	const struct receiver r = {.offset_us = SECOND_US};
	struct cmt_clock c = new_clock();
	int64_t uncertainty_us;

	(void)state;
	/* Forward 10, return 30 ms: 0.970 .. 1.010 s. */
	exchange(&c, &r, 0, 10000, 30000);
	assert_int_equal(cmt_clock_offset_us(&c, &uncertainty_us), 990000);
	assert_int_equal(uncertainty_us, 20000);
	/* Forward 25, return 5 ms: 0.995 .. 1.025 s. */
	exchange(&c, &r, 100000, 25000, 5000);
	assert_int_equal(cmt_clock_offset_us(&c, &uncertainty_us), 1002500);
	assert_int_equal(uncertainty_us, 7500);
	/* A longer path adds nothing. */
	exchange(&c, &r, 200000, 300000, 300000);
	assert_int_equal(cmt_clock_offset_us(&c, &uncertainty_us), 1002500);
	assert_int_equal(uncertainty_us, 7500);
}

static void the_true_offset_is_inside_the_interval_but_for_10_ms_of_skew_noise(void **state)
{
	const struct receiver r = {.offset_us = -123456789};
	struct cmt_clock c = new_clock();
	uint64_t seed = 21;
	int64_t origin_us = 0, worst_us = 0;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (uint64_t i = 0; i < 20000; i++) {
		uint64_t sent_us = 1000000000 + i * 10000, forward_us, return_us;
		int64_t offset_us, uncertainty_us;
		struct cmt_clock_reading reading;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		forward_us = 1000 + seed % 200000;
		return_us = 1000 + (seed >> 32) % 200000;
		reading = exchange(&c, &r, sent_us, forward_us, return_us);
		assert_int_not_equal(reading.news, CMT_CLOCK_STEPPED);
		/* The origin of unwrapped time is a multiple of 2^32 away from the receiver's. */
		if (i == 0)
			origin_us = reading.built_us - receiver_us(&r, sent_us + forward_us);
		offset_us = cmt_clock_offset_us(&c, &uncertainty_us) - origin_us;
		worst_us =
		    cmt_max_us(worst_us, llabs(offset_us - r.offset_us) - cmt_max_us(0, uncertainty_us));
	}
	assert_in_range(worst_us, 0, 10000);
}

/* Ten seconds, a step, ten seconds more; the step is counted once and the offset found anew. */
static void survive_a_step(int64_t step_us)
{
	struct receiver r = {.offset_us = 50 * SECOND_US};
	struct cmt_clock c = new_clock();
	uint64_t t = 1000 * SECOND_US;
	int64_t uncertainty_us, apparent_us;

	for (int i = 0; i < 100; i++, t += 100000)
		assert_int_equal(exchange(&c, &r, t, 10000, 10000).news, CMT_CLOCK_STEADY);
	r.offset_us += step_us;
	assert_int_equal(exchange(&c, &r, t, 10000, 10000).news, CMT_CLOCK_STEPPED);
	for (int i = 0; i < 100; i++, t += 100000)
		assert_int_equal(
		    exchange(&c, &r, t + 100000, 10000 + (i % 2) * 90000, 10000 + (i % 2) * 90000).news,
		    CMT_CLOCK_STEADY);
	assert_int_equal(c.steps, 1);
	apparent_us = cmt_clock_offset_us(&c, &uncertainty_us) - r.offset_us;
	assert_int_equal((uint32_t)apparent_us, 0);
	assert_int_equal(uncertainty_us, 10000);
}

static void steps_of_a_second_and_an_hour_are_counted_and_survived(void **state)
{
	(void)state;
	survive_a_step(SECOND_US);
	survive_a_step(-SECOND_US);
	survive_a_step(HOUR_US);
	survive_a_step(-HOUR_US);
}

static void skew_of_500_ppm_is_taken_out_within_a_minute_and_is_no_step_in_an_hour(void **state)
{
	(void)state;
	for (int64_t ppm = -500; ppm <= 500; ppm += 100) {
		const struct receiver r = {.offset_us = SECOND_US, .skew_ppm = ppm};
		struct cmt_clock c = new_clock();
		int64_t least_us = INT64_MAX, most_us = INT64_MIN, uncertainty_us;

		for (uint64_t t = 0; t < (uint64_t)HOUR_US; t += 50000) {
			struct cmt_clock_reading reading = exchange(&c, &r, t, 10000, 10000);
			int64_t delay_us = reading.arrival_us - (int64_t)t;

			exchange(&c, &r, t + 1000, 100000, 100000);
			if (t < 60 * (uint64_t)SECOND_US)
				continue;
			least_us = delay_us < least_us ? delay_us : least_us;
			most_us = delay_us > most_us ? delay_us : most_us;
			(void)cmt_clock_offset_us(&c, &uncertainty_us);
			assert_in_range(uncertainty_us, 0, 100000);
		}
		assert_in_range(most_us - least_us, 0, 1999);
		assert_in_range(c.skew_ppb - 1000 * ppm + 20000, 0, 40000);
		assert_int_equal(c.steps, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(receiver_times_unwrap_across_2_to_the_32),
	    cmocka_unit_test(the_time_elapsed_is_taken_off),
	    cmocka_unit_test(without_a_pair_the_offset_is_unknown),
	    cmocka_unit_test(one_symmetric_path_of_10_ms_gives_the_offset_within_10_ms),
	    cmocka_unit_test(the_paths_intervals_are_intersected),
	    cmocka_unit_test(the_true_offset_is_inside_the_interval_but_for_10_ms_of_skew_noise),
	    cmocka_unit_test(steps_of_a_second_and_an_hour_are_counted_and_survived),
	    cmocka_unit_test(skew_of_500_ppm_is_taken_out_within_a_minute_and_is_no_step_in_an_hour),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
