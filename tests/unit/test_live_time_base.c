/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "live_message.h"
#include "time_base.h"

#define S UINT64_C(1000000)

static void the_smallest_difference_counts(void **state)
{
	struct time_base tb;

	(void)state;
	time_base_init(&tb);
	assert_int_equal(time_base_due_us(&tb, 5 * S, 0), 0);
	time_base_add(&tb, 100 * S + 50000, 7 * S);
	assert_int_equal(time_base_at_us(&tb, 8 * S, 0), 101 * S + 50000);
	time_base_add(&tb, 101 * S + 20000, 8 * S);
	assert_int_equal(time_base_at_us(&tb, 9 * S, 300000), 102 * S + 320000);
	time_base_add(&tb, 102 * S + 90000, 9 * S);
	assert_int_equal(time_base_due_us(&tb, 102 * S + 20000, 300000), 9 * S - 300000);
}

/* The sender's clock may be ahead of the receiver's. */
static void a_negative_offset_is_an_offset(void **state)
{
	struct time_base tb;

	(void)state;
	time_base_init(&tb);
	time_base_add(&tb, 3 * S, 500 * S);
	assert_int_equal(time_base_at_us(&tb, 501 * S, 1000), 4 * S + 1000);
	assert_int_equal(time_base_due_us(&tb, 4 * S, 0), 501 * S);
	time_base_add(&tb, 4 * S, LIVE_MAX_TIME_US);
	assert_int_equal(time_base_due_us(&tb, 4 * S, 0), LIVE_MAX_TIME_US);
}

static void a_longer_way_is_followed_slowly_after_half_a_minute(void **state)
{
	struct time_base tb;
	uint64_t now_us = 0, before = 0;

	(void)state;
	time_base_init(&tb);
	for (; now_us < 60 * S; now_us += 10000) {
		const uint64_t way_us = now_us < 10 * S ? 20000 : 80000;

		time_base_add(&tb, now_us + way_us, now_us);
		if (now_us == 29 * S) {
			assert_int_equal(time_base_at_us(&tb, 0, 0), 20000);
		}
		/* Never faster than 1 % of the time. */
		assert_true(time_base_at_us(&tb, 0, 0) <= before + 600 || before == 0);
		before = time_base_at_us(&tb, 0, 0);
	}
	assert_int_equal(before, 80000);
}

/* 100 ppm: the base stays within 3 ms of the truth, and the drift is found. */
static void drift_is_followed_and_told(void **state)
{
	struct time_base tb;
	double ppm;

	(void)state;
	for (int sign = -1; sign <= 1; sign += 2) {
		time_base_init(&tb);
		assert_false(time_base_drift_ppm(&tb, &ppm));
		for (uint64_t t = 0; t < 200 * S; t += 20000) {
			const int64_t shift_us = sign * (int64_t)(t / 10000);

			time_base_add(
			    &tb, (uint64_t)((int64_t)(t + 10 * S + (t / 20000 % 7) * 1000) + shift_us), t);
			assert_true(llabs((int64_t)time_base_at_us(&tb, t, 0) -
			                  ((int64_t)(t + 10 * S) + shift_us)) < 3100);
		}
		assert_true(time_base_drift_ppm(&tb, &ppm));
		assert_true(fabs(ppm - sign * 100) < 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_smallest_difference_counts),
	    cmocka_unit_test(a_negative_offset_is_an_offset),
	    cmocka_unit_test(a_longer_way_is_followed_slowly_after_half_a_minute),
	    cmocka_unit_test(drift_is_followed_and_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
