/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_queue_bound.c - how long a queue may be before a path is left alone, from literal times, and what
 * becomes of the data that wait for it meanwhile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/cmt_ahead.h"
#include "sched_pair.h"

/* The longest queue within the bound. */
static int64_t bound_us(uint32_t min_rtt_us, int64_t tx_time_us, int64_t jitter_us)
{
	const struct cmt_ahead_options options = CMT_AHEAD_OPTIONS_DEFAULT;
	const struct cmt_path_view path = {.min_rtt_us = min_rtt_us, .jitter_us = jitter_us};
	const struct cmt_ahead_path p = {.path = &path, .tx_time_us = tx_time_us};

	return -cmt_ahead_queue_excess_us(&options, &p);
}

static void ten_milliseconds_a_quarter_of_the_loop_or_three_packets(void **state)
{
	(void)state;
	assert_int_equal(bound_us(400000, 300, 0), 10000);
	assert_int_equal(bound_us(20000, 300, 0), 5000);
	assert_int_equal(bound_us(2000, 300, 0), 1000);
	assert_int_equal(bound_us(2000, 2000, 0), 6000);
	assert_int_equal(bound_us(400000, 20000, 0), 14000);
}

/* A scatter of 20 ms, which is half the range. */
static void and_the_range_of_the_jitter(void **state)
{
	(void)state;
	assert_int_equal(bound_us(400000, 20000, 40000), 14000 + 40000);
	/* Two packets in the scatter, and three: 20 ms * (3/2 + 1/3) is less than its range. */
	assert_int_equal(bound_us(400000, 10000, 40000), 14000 + 40000);
	assert_int_equal(bound_us(400000, 5001, 40000), 14000 + 40000);
}

static void and_more_the_more_packets_jitter_in_order_holds_up(void **state)
{
	(void)state;
	/* 4 packets in 20 ms: 30 ms and two thirds of 20. */
	assert_int_equal(bound_us(400000, 5000, 40000), 14000 + 30000 + 13333);
	/* 128 packets in 40 ms: 60 ms and seven thirds of 40. */
	assert_int_equal(bound_us(400000, 312, 80000), 10000 + 60000 + 93333);
	assert_int_equal(bound_us(400000, 313, 80000), 10000 + 60000 + 80000);
}

static void but_a_loop_at_most(void **state)
{
	(void)state;
	assert_int_equal(bound_us(120000, 312, 80000), 10000 + 120000);
	assert_int_equal(bound_us(30000, 20000, 80000), 14000 + 30000);
}

static struct cmt_path_view path(uint8_t id, int64_t delay_us, int64_t queue_us)
{
	return (struct cmt_path_view){.id = id,
	                              .usable = true,
	                              .cwnd_bytes = 100 * PKT,
	                              .room_bytes = PKT,
	                              .srtt_us = 2 * (uint32_t)delay_us,
	                              .min_rtt_us = 2 * (uint32_t)delay_us,
	                              .rate_bps = 8000000,
	                              .rate_measured = true,
	                              .base_us = delay_us,
	                              .queue_us = queue_us,
	                              .start_us = NOW_US + queue_us + delay_us,
	                              .delay_us = delay_us,
	                              .weight_pct = 100};
}

/* The first packet waits for the fast path's queue, of 30 ms, beyond the time after which any path that may
 * send takes it. */
static void what_waits_for_a_queue_is_not_given_to_a_path_that_delivers_later(void **state)
{
	struct cmt_decision d;

	(void)state;
	begin_pair("arrival", "", 200);
	paths[FAST] = path(FAST, 5000, 30000);
	paths[SLOW] = path(SLOW, 100000, 0);
	view.head_since_us = NOW_US - 1000000;
	d = ops->next(state_bytes, &view);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, SLOW);
	assert_int_equal(d.tsn, 1 + 66); /* the fast path delivers for 65 ms before */
	paths[FAST] = path(FAST, 5000, 100000);
	assert_int_equal(ops->next(state_bytes, &view).tsn, 1);
	/* Congestion control does not tell when there will be room. */
	paths[FAST] = path(FAST, 5000, 30000);
	paths[FAST].room_bytes = 0;
	assert_int_equal(ops->next(state_bytes, &view).tsn, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ten_milliseconds_a_quarter_of_the_loop_or_three_packets),
	    cmocka_unit_test(and_the_range_of_the_jitter),
	    cmocka_unit_test(and_more_the_more_packets_jitter_in_order_holds_up),
	    cmocka_unit_test(but_a_loop_at_most),
	    cmocka_unit_test(what_waits_for_a_queue_is_not_given_to_a_path_that_delivers_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
