/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_queue_wait.c - what becomes of data that wait for a path whose queue is too long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched_pair.h"

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
	    cmocka_unit_test(what_waits_for_a_queue_is_not_given_to_a_path_that_delivers_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
