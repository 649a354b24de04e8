/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cubic.c - growth after a loss, beside the function of RFC 9438, section 4.2, in packets and seconds.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_cubic.h"

enum { MSS = 1000, BEGAN_US = 5000000, RTT_US = 100000 };

/* After a loss at `origin_pkts` that left `left_pkts`. */
static double w_cubic(double t_s, double origin_pkts, double left_pkts)
{
	return 0.4 * pow(t_s - cbrt((origin_pkts - left_pkts) / 0.4), 3) + origin_pkts;
}

static struct cmt_cubic after_loss(uint32_t origin_pkts, uint32_t left_pkts)
{
	struct cmt_cubic c = {.began_ms = 0};

	cmt_cubic_restart(&c, origin_pkts * MSS);
	cmt_cubic_on_ack(&c, BEGAN_US, true, left_pkts * MSS, MSS);
	return c;
}

/* A round trip at a time, as a window that is always the limit grows. */
static void the_window_follows_the_function(void **state)
{
	const uint32_t origins_pkts[] = {20, 100, 1000};

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		const uint32_t left_pkts = origins_pkts[k] * 7 / 10;
		struct cmt_cubic c = after_loss(origins_pkts[k], left_pkts);
		uint32_t window = left_pkts * MSS;

		for (unsigned rtt = 1; rtt <= 120; rtt++) {
			window = cmt_cubic_target_bytes(&c, window, MSS, RTT_US, CMT_CUBIC_SPEED_ONE);
			assert_true(fabs((double)window / MSS -
			                 w_cubic(rtt * 0.1, origins_pkts[k], left_pkts)) < 0.1);
			cmt_cubic_on_ack(&c, BEGAN_US + rtt * RTT_US, true, window, MSS);
		}
	}
}

static void time_in_which_the_window_was_not_the_limit_does_not_count(void **state)
{
	struct cmt_cubic c = after_loss(100, 70), d = c;

	(void)state;
	cmt_cubic_on_ack(&c, BEGAN_US + 1000000, true, 70 * MSS, MSS);
	cmt_cubic_on_ack(&d, BEGAN_US + 500000, true, 70 * MSS, MSS);
	cmt_cubic_on_ack(&d, BEGAN_US + 9500000, false, 70 * MSS, MSS);
	cmt_cubic_on_ack(&d, BEGAN_US + 10000000, true, 70 * MSS, MSS);
	assert_true(cmt_cubic_target_bytes(&c, 70 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE) > 80 * MSS);
	assert_int_equal(cmt_cubic_target_bytes(&d, 70 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE),
	                 cmt_cubic_target_bytes(&c, 70 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE));
}

static void at_half_the_speed_it_takes_twice_the_time(void **state)
{
	(void)state;
	for (unsigned s = 1; s <= 10; s++) {
		struct cmt_cubic c = after_loss(100, 70), d = c;

		cmt_cubic_on_ack(&c, BEGAN_US + s * 1000000, true, 70 * MSS, MSS);
		cmt_cubic_on_ack(&d, BEGAN_US + s * 2000000, true, 70 * MSS, MSS);
		assert_int_equal(
		    cmt_cubic_target_bytes(&c, 70 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE),
		    cmt_cubic_target_bytes(&d, 70 * MSS, MSS, 2 * RTT_US, CMT_CUBIC_SPEED_ONE / 2));
	}
}

static void half_a_window_in_a_round_trip_is_the_most_and_nothing_the_least(void **state)
{
	struct cmt_cubic c = after_loss(100, 70);

	(void)state;
	assert_int_equal(cmt_cubic_target_bytes(&c, 150 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE), 150 * MSS);
	cmt_cubic_on_ack(&c, BEGAN_US + 60000000, true, 70 * MSS, MSS);
	assert_int_equal(cmt_cubic_target_bytes(&c, 70 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE), 105 * MSS);
}

/* Nothing overflows (UBSan). */
static void any_window_and_any_time(void **state)
{
	const uint32_t windows[] = {0, 1, 1500, UINT32_C(1) << 31, UINT32_MAX};
	const uint64_t times_us[] = {1, 1000, UINT64_C(1) << 40, UINT64_C(1) << 62};

	(void)state;
	for (unsigned i = 0; i < 5 * 5 * 4; i++) {
		struct cmt_cubic c = {.began_ms = 0};
		uint32_t window = windows[i / 4 % 5], target;

		cmt_cubic_restart(&c, windows[i / 20]);
		cmt_cubic_on_ack(&c, 1, true, window, 1);
		cmt_cubic_on_ack(&c, times_us[i % 4], true, window, 1);
		target = cmt_cubic_target_bytes(&c, window, 65535, UINT32_MAX, CMT_CUBIC_SPEED_ONE);
		assert_true(target >= window && target - window <= window / 2);
	}
}

static void without_an_epoch_nothing_grows(void **state)
{
	const struct cmt_cubic c = {.began_ms = 0};

	(void)state;
	assert_int_equal(cmt_cubic_target_bytes(&c, 70 * MSS, MSS, RTT_US, CMT_CUBIC_SPEED_ONE), 70 * MSS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_window_follows_the_function),
	    cmocka_unit_test(time_in_which_the_window_was_not_the_limit_does_not_count),
	    cmocka_unit_test(at_half_the_speed_it_takes_twice_the_time),
	    cmocka_unit_test(half_a_window_in_a_round_trip_is_the_most_and_nothing_the_least),
	    cmocka_unit_test(any_window_and_any_time),
	    cmocka_unit_test(without_an_epoch_nothing_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
