/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A longer route is filled until a queue has stood for a round trip, or until it is shorter again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_refill.h"

enum { FIRST = 1000, PKTS = 100, MIN_RTT_US = 200000, SSTHRESH_BYTES = 50000 };

static struct cmt_refill begun(void)
{
	struct cmt_refill r = {.active = false};

	cmt_refill_begin(&r, FIRST, MIN_RTT_US, SSTHRESH_BYTES);
	assert_true(r.active);
	assert_int_equal(r.ssthresh_bytes, SSTHRESH_BYTES);
	return r;
}

/* A round trip of so many packets, of which the first `queued` meet a queue. Whether it still goes on. */
static bool round_trip(struct cmt_refill *r, uint32_t number, uint32_t queued)
{
	bool goes_on = true;

	for (uint32_t i = 0; i < PKTS; i++)
		goes_on =
		    cmt_refill_on_ack(r, number + i, number + PKTS + i, MIN_RTT_US, i < queued) && goes_on;
	return goes_on;
}

static void it_goes_on_while_there_is_no_queue(void **state)
{
	struct cmt_refill r = begun();

	(void)state;
	for (uint32_t n = 0; n < 10; n++)
		assert_true(round_trip(&r, FIRST - PKTS + n * PKTS, 0));
}

static void nor_does_the_queue_of_a_clump_end_it(void **state)
{
	struct cmt_refill r = begun();

	(void)state;
	for (uint32_t n = 0; n < 10; n++)
		assert_true(round_trip(&r, FIRST - PKTS + n * PKTS, PKTS - 1));
}

static void a_queue_that_stands_for_a_round_trip_ends_it(void **state)
{
	struct cmt_refill r = begun();

	(void)state;
	/* What was sent before is acknowledged, then a round trip of what was sent after. */
	assert_true(round_trip(&r, FIRST - PKTS, PKTS));
	assert_true(cmt_refill_on_ack(&r, FIRST, FIRST + PKTS, MIN_RTT_US, true));
	for (uint32_t i = 1; i < PKTS; i++)
		assert_true(cmt_refill_on_ack(&r, FIRST + i, FIRST + PKTS + i, MIN_RTT_US, true));
	assert_false(cmt_refill_on_ack(&r, FIRST + PKTS, FIRST + 2 * PKTS, MIN_RTT_US, true));
	assert_false(r.active);
}

static void so_does_a_route_that_is_shorter_again(void **state)
{
	struct cmt_refill r = begun();

	(void)state;
	assert_true(cmt_refill_on_ack(&r, FIRST - 2, FIRST, MIN_RTT_US / 8 * 7, false));
	assert_false(cmt_refill_on_ack(&r, FIRST - 1, FIRST, MIN_RTT_US / 8 * 7 - 1, false));
}

static void the_threshold_before_is_that_of_the_first_one_in_a_row(void **state)
{
	struct cmt_refill r = begun();

	(void)state;
	cmt_refill_begin(&r, FIRST + PKTS, 2 * MIN_RTT_US, 4 * SSTHRESH_BYTES);
	assert_int_equal(r.ssthresh_bytes, SSTHRESH_BYTES);
	assert_int_equal(r.min_rtt_us, 2 * MIN_RTT_US);
	r.active = false;
	cmt_refill_begin(&r, FIRST + PKTS, 2 * MIN_RTT_US, 4 * SSTHRESH_BYTES);
	assert_int_equal(r.ssthresh_bytes, 4 * SSTHRESH_BYTES);
}

static void numbers_may_wrap(void **state)
{
	struct cmt_refill r = {.active = false};

	(void)state;
	cmt_refill_begin(&r, 2, MIN_RTT_US, SSTHRESH_BYTES);
	assert_true(cmt_refill_on_ack(&r, UINT32_MAX - 5, 2, MIN_RTT_US, true));
	assert_true(r.had_room);
	assert_true(cmt_refill_on_ack(&r, 2, 50, MIN_RTT_US, true));
	assert_false(cmt_refill_on_ack(&r, 50, 90, MIN_RTT_US, true));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_goes_on_while_there_is_no_queue),
	    cmocka_unit_test(nor_does_the_queue_of_a_clump_end_it),
	    cmocka_unit_test(a_queue_that_stands_for_a_round_trip_ends_it),
	    cmocka_unit_test(so_does_a_route_that_is_shorter_again),
	    cmocka_unit_test(the_threshold_before_is_that_of_the_first_one_in_a_row),
	    cmocka_unit_test(numbers_may_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
