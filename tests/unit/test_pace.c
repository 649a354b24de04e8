/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_pace.c - when packets of a path may leave, with literal time: at 8 Mbit/s a byte takes a microsecond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_pace.h"

#define RATE_BPS UINT64_C(8000000)

enum { NOW_US = 1000000, PACKET_BYTES = 5000, CREDIT_US = 10000, TICK_US = 1000 };

static void send_at(struct cmt_pace *p, uint64_t now_us, uint64_t control_bps, uint64_t limit_bps)
{
	cmt_pace_on_sent(p, &(struct cmt_pace_packet){.now_us = now_us,
	                                              .wire_bytes = PACKET_BYTES,
	                                              .control_bps = control_bps,
	                                              .limit_bps = limit_bps});
}

static void without_a_rate_packets_leave_at_once(void **state)
{
	struct cmt_pace p = {.at_us = 0};

	(void)state;
	assert_int_equal(cmt_pace_opens_us(&p, 0), 0);
	send_at(&p, NOW_US, RATE_BPS, 0);
	send_at(&p, NOW_US, 0, 0);
	assert_int_equal(p.at_us, 0);
	assert_int_equal(cmt_pace_opens_us(&p, NOW_US), 0);
}

/* Two packets of 5 ms are behind, which is less than the credit; the third is not. */
static void timers_that_are_late_are_made_up_for_by_ten_milliseconds(void **state)
{
	struct cmt_pace p = {.at_us = 0};

	(void)state;
	send_at(&p, NOW_US, RATE_BPS, 0);
	assert_int_equal(p.at_us, NOW_US - CREDIT_US + PACKET_BYTES);
	send_at(&p, NOW_US, RATE_BPS, 0);
	send_at(&p, NOW_US, RATE_BPS, 0);
	assert_int_equal(p.at_us, NOW_US + PACKET_BYTES);
	assert_int_equal(cmt_pace_opens_us(&p, NOW_US), NOW_US + PACKET_BYTES - TICK_US);
}

/* SACKs that a radio link gives back together open much of the window at once. */
static void what_waited_for_the_window_is_not_made_up_for(void **state)
{
	struct cmt_pace p = {.at_us = 0};

	(void)state;
	cmt_pace_on_sent(
	    &p, &(struct cmt_pace_packet){
	            .now_us = NOW_US, .wire_bytes = PACKET_BYTES, .control_bps = RATE_BPS, .limited = true});
	send_at(&p, NOW_US + 50000, RATE_BPS, 0);
	assert_int_equal(p.at_us, NOW_US + 50000 + PACKET_BYTES);
	/* Again only of a late timer. */
	send_at(&p, NOW_US + 100000, RATE_BPS, 0);
	assert_int_equal(p.at_us, NOW_US + 100000 - CREDIT_US + PACKET_BYTES);
}

static void what_is_due_before_the_next_tick_may_leave(void **state)
{
	const struct cmt_pace p = {.at_us = NOW_US + TICK_US};

	(void)state;
	assert_int_equal(cmt_pace_opens_us(&p, NOW_US), 0);
	assert_int_equal(cmt_pace_opens_us(&p, NOW_US - 1), NOW_US);
}

static void the_lower_of_two_rates_counts(void **state)
{
	struct cmt_pace p = {.at_us = NOW_US};

	(void)state;
	send_at(&p, NOW_US, RATE_BPS, RATE_BPS / 2);
	assert_int_equal(p.at_us, NOW_US + 2 * PACKET_BYTES);
	send_at(&p, NOW_US, RATE_BPS / 2, RATE_BPS);
	assert_int_equal(p.at_us, NOW_US + 4 * PACKET_BYTES);
	send_at(&p, NOW_US, 0, RATE_BPS);
	assert_int_equal(p.at_us, NOW_US + 5 * PACKET_BYTES);
}

static void a_clock_that_has_just_begun_has_no_credit_yet(void **state)
{
	struct cmt_pace p = {.at_us = 0};

	(void)state;
	send_at(&p, 1, RATE_BPS, 0);
	assert_int_equal(p.at_us, PACKET_BYTES);
}

/* Of the largest rate, since the weight lowers what is measured. */
static void a_weight_is_a_part_of_the_best_rate_once_that_is_known(void **state)
{
	struct cmt_pace p = {.weight_pct = 25};

	(void)state;
	assert_int_equal(cmt_pace_limit_bps(&p, true), 0);
	cmt_pace_on_rate(&p, RATE_BPS);
	cmt_pace_on_rate(&p, RATE_BPS / 4);
	assert_int_equal(cmt_pace_limit_bps(&p, true), RATE_BPS / 4);
	assert_int_equal(cmt_pace_limit_bps(&p, false), 0);
}

/* Also of one that turns out to be faster. */
static void all_of_a_path_is_no_limit(void **state)
{
	struct cmt_pace p = {.weight_pct = 100};

	(void)state;
	cmt_pace_on_rate(&p, RATE_BPS);
	assert_int_equal(cmt_pace_limit_bps(&p, true), 0);
}

static void a_weight_beside_a_cap_is_a_part_of_the_cap(void **state)
{
	struct cmt_pace p = {.weight_pct = 100, .cap_bps = RATE_BPS / 2};

	(void)state;
	cmt_pace_on_rate(&p, RATE_BPS);
	assert_int_equal(cmt_pace_limit_bps(&p, true), RATE_BPS / 2);
	p.weight_pct = 75;
	assert_int_equal(cmt_pace_limit_bps(&p, true), RATE_BPS / 8 * 3);
	p.weight_pct = 25;
	assert_int_equal(cmt_pace_limit_bps(&p, true), RATE_BPS / 8);
	assert_int_equal(cmt_pace_limit_bps(&p, false), RATE_BPS / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_rate_packets_leave_at_once),
	    cmocka_unit_test(timers_that_are_late_are_made_up_for_by_ten_milliseconds),
	    cmocka_unit_test(what_waited_for_the_window_is_not_made_up_for),
	    cmocka_unit_test(what_is_due_before_the_next_tick_may_leave),
	    cmocka_unit_test(the_lower_of_two_rates_counts),
	    cmocka_unit_test(a_clock_that_has_just_begun_has_no_credit_yet),
	    cmocka_unit_test(a_weight_is_a_part_of_the_best_rate_once_that_is_known),
	    cmocka_unit_test(all_of_a_path_is_no_limit),
	    cmocka_unit_test(a_weight_beside_a_cap_is_a_part_of_the_cap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
