/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cc_rate.c - window and pacing of the control `rate`, by literal events on a path of 1000-byte packets:
 * at 8 Mbit/s a loop of 100 ms holds 100 packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_cc.h"

enum { MSS = 1000, MS = 1000, RATE_BPS = 8000000, WINDOW = 2 * 100 * MSS + 4 * MSS };

static struct cmt_cc new_cc(const char *options, uint32_t cwnd_bytes)
{
	struct cmt_cc cc = {.ops = NULL};

	assert_int_equal(cmt_cc_set(&cc, cmt_cc_find("rate"), options), 0);
	cmt_cc_open(&cc, 0, cwnd_bytes, MSS);
	cc.paths[0].srtt_us = 100 * MS;
	return cc;
}

/* The path is known to deliver 8 Mbit/s and no more. */
static struct cmt_cc full(const char *options, uint32_t cwnd_bytes)
{
	struct cmt_cc cc = new_cc(options, cwnd_bytes);

	cc.paths[0].rate_bps = RATE_BPS;
	cc.paths[0].min_rtt_us = 100 * MS;
	cc.paths[0].full = true;
	return cc;
}

static uint32_t acked_when(struct cmt_cc *cc, uint32_t bytes, uint32_t number, bool cwnd_limited)
{
	cmt_cc_on_ack(cc, 0,
	              &(struct cmt_cc_ack){.bytes = bytes,
	                                   .number = number,
	                                   .next_number = number + 100,
	                                   .delay_us = CMT_UNKNOWN_US,
	                                   .cwnd_limited = cwnd_limited});
	return cc->paths[0].cwnd_bytes;
}

static uint32_t acked(struct cmt_cc *cc, uint32_t bytes, uint32_t number)
{
	return acked_when(cc, bytes, number, true);
}

/* Whether the window was reduced. */
static bool lost(struct cmt_cc *cc, uint32_t bytes, uint32_t number, uint32_t next_number)
{
	return cmt_cc_on_loss(
	    cc, 0, &(struct cmt_cc_loss){.bytes = bytes, .number = number, .next_number = next_number});
}

/* --- start-up --------------------------------------------------------------------------------------------
 */

static void the_window_doubles_every_round_trip_until_the_path_is_full(void **state)
{
	struct cmt_cc cc = new_cc("", 10000);

	(void)state;
	assert_int_equal(acked(&cc, 10000, 10), 20000);
	cc.paths[0].rate_bps = RATE_BPS;
	assert_int_equal(acked(&cc, 20000, 30), 40000);
	cc.paths[0].min_rtt_us = 100 * MS;
	/* Neither a threshold nor a longer round trip ends it. */
	cc.paths[0].ssthresh_bytes = 5000;
	cc.paths[0].srtt_us = 300 * MS;
	for (uint32_t i = 1; i <= 40; i++)
		assert_int_equal(acked(&cc, 1000, 30 + i), 40000 + 1000 * i);
	cc.paths[0].full = true;
	assert_int_equal(acked(&cc, 1000, 71), 81000);
	assert_int_equal(acked(&cc, 80999, 152), 161999);
	assert_int_equal(acked(&cc, 80999, 233), WINDOW);
}

static void a_full_path_without_rate_or_loop_is_still_in_start_up(void **state)
{
	struct cmt_cc no_rate = full("", 300000), no_loop = full("", 300000);

	(void)state;
	no_rate.paths[0].rate_bps = 0;
	no_loop.paths[0].min_rtt_us = 0;
	assert_int_equal(acked(&no_rate, 1000, 1), 301000);
	assert_int_equal(acked(&no_loop, 1000, 1), 301000);
}

static void start_up_needs_data_that_fill_the_window(void **state)
{
	struct cmt_cc cc = new_cc("", 10000);

	(void)state;
	assert_int_equal(acked_when(&cc, 10000, 10, false), 10000);
	assert_int_equal(acked_when(&cc, 10000, 20, true), 20000);
}

static void start_up_sends_in_trains(void **state)
{
	struct cmt_cc cc = new_cc("", 10000), unpaced = new_cc("pacing=0", 10000);

	(void)state;
	(void)acked(&cc, 2500, 1);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
	cc.paths[0].srtt_us = 0;
	(void)acked(&cc, 0, 2);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
	(void)acked(&unpaced, 2500, 1);
	assert_int_equal(unpaced.paths[0].pacing_bps, 0);
}

/* --- the window that rate and loop want ------------------------------------------------------------------
 */

static void the_window_is_two_loops_of_the_rate_and_four_packets(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	assert_int_equal(acked(&cc, 1000, 1), 204000);
	cc.paths[0].rate_bps = 12000000;
	cc.paths[0].min_rtt_us = 20 * MS;
	/* 2 * 30000 + 4000, at once. */
	assert_int_equal(acked(&cc, 1000, 2), 64000);
	cc.paths[0].rate_bps = 100;
	assert_int_equal(acked(&cc, 1000, 3), 4000);
}

static void it_follows_upwards_by_what_is_acknowledged(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	cc.paths[0].min_rtt_us = 102 * MS;
	assert_int_equal(acked(&cc, 3000, 1), 207000);
	assert_int_equal(acked(&cc, 1000, 2), 208000);
	assert_int_equal(acked(&cc, 1000, 3), 208000);
}

static void a_sender_with_little_to_send_keeps_the_window(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	assert_int_equal(acked_when(&cc, 1000, 1, false), WINDOW);
}

static void pacing_is_above_the_rate_while_the_queue_is_short_and_below_it_else(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	(void)acked(&cc, 1000, 1);
	assert_int_equal(cc.paths[0].pacing_bps, 10000000);
	cc.paths[0].queue_us = 25 * MS;
	(void)acked(&cc, 1000, 2);
	assert_int_equal(cc.paths[0].pacing_bps, 10000000);
	cc.paths[0].queue_us = 25 * MS + 1;
	(void)acked(&cc, 1000, 3);
	assert_int_equal(cc.paths[0].pacing_bps, 7000000);
	assert_int_equal(cmt_cc_set(&cc, cc.ops, "pacing=0"), 0);
	(void)acked(&cc, 1000, 4);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
}

static void no_queue_of_ten_milliseconds_is_long(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	cc.paths[0].min_rtt_us = 4 * MS;
	cc.paths[0].queue_us = 10 * MS;
	(void)acked(&cc, 1000, 1);
	assert_int_equal(cc.paths[0].pacing_bps, 10000000);
	cc.paths[0].queue_us = 10 * MS + 1;
	(void)acked(&cc, 1000, 2);
	assert_int_equal(cc.paths[0].pacing_bps, 7000000);
}

static void a_queue_above_its_bound_stops_growth(void **state)
{
	struct cmt_cc starting = new_cc("queue_us=5000", 10000), cc = full("queue_us=5000", 100000);

	(void)state;
	starting.paths[0].queue_us = cc.paths[0].queue_us = 5001;
	assert_int_equal(acked(&starting, 1000, 1), 10000);
	assert_int_equal(acked(&cc, 1000, 1), 100000);
	/* But does not keep a window that is too large. */
	cc.paths[0].min_rtt_us = 20 * MS;
	assert_int_equal(acked(&cc, 1000, 2), 44000);
	cc.paths[0].min_rtt_us = 100 * MS;
	starting.paths[0].queue_us = cc.paths[0].queue_us = 5000;
	assert_int_equal(acked(&starting, 1000, 2), 11000);
	assert_int_equal(acked(&cc, 1000, 3), 45000);
}

/* --- losses ----------------------------------------------------------------------------------------------
 */

static void one_random_loss_in_a_hundred_never_reduces(void **state)
{
	uint64_t seed = UINT64_C(0x5ca1ab1e0c0ffee5);
	struct cmt_cc cc = full("", WINDOW);
	unsigned losses = 0;

	(void)state;
	print_message("seed %#llx\n", (unsigned long long)seed);
	for (uint32_t number = 1; number <= 1000000; number++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		if (seed % 100 == 0) {
			assert_false(lost(&cc, MSS, number, number + 100));
			losses++;
		} else {
			(void)acked(&cc, MSS, number);
		}
		assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW);
	}
	assert_in_range(losses, 9500, 10500);
}

static void more_than_one_in_ten_reduces_once_per_event(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	(void)acked(&cc, 90000, 90);
	/* 10 of 100 are not above one in ten. */
	assert_false(lost(&cc, 10000, 100, 190));
	assert_true(lost(&cc, 1000, 101, 190));
	assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW / 10 * 7);
	assert_false(lost(&cc, 40000, 189, 190));
	assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW / 10 * 7);
	assert_true(lost(&cc, 1000, 190, 250));
	assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW / 10 * 7 / 10 * 7);
}

static void eight_packets_are_too_few_to_judge_by(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	assert_false(lost(&cc, 8000, 8, 100));
	assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW);
	assert_true(lost(&cc, 1, 9, 100));
}

static void losses_long_ago_do_not_count(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	assert_false(lost(&cc, 8000, 8, 100));
	for (uint32_t number = 9; number <= 2000; number++)
		(void)acked(&cc, MSS, number);
	assert_false(lost(&cc, 8000, 2008, 2100));
	assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW);
}

static void after_a_timeout_the_window_comes_back_with_the_acknowledgements(void **state)
{
	struct cmt_cc cc = full("", WINDOW);
	uint32_t window = MSS, rounds = 0;

	(void)state;
	cmt_cc_on_timeout(&cc, 0, &(struct cmt_cc_loss){.bytes = MSS, .number = 9, .next_number = 10});
	assert_int_equal(cc.paths[0].cwnd_bytes, MSS);
	assert_int_equal(acked(&cc, 500, 5), 1500);
	assert_int_equal(acked(&cc, 1500, 6), 3000);
	for (uint32_t number = 10; window < WINDOW; number += 100, rounds++) {
		const uint32_t before = cc.paths[0].cwnd_bytes;

		window = acked(&cc, before, number);
		assert_int_equal(window, 2 * before < WINDOW ? 2 * before : WINDOW);
	}
	assert_int_equal(rounds, 7);
}

static void the_window_is_restored_when_the_losses_were_none(void **state)
{
	struct cmt_cc cc = full("", WINDOW);

	(void)state;
	cmt_cc_on_timeout(&cc, 0, &(struct cmt_cc_loss){.bytes = MSS, .number = 9, .next_number = 10});
	cmt_cc_undo(&cc, 0, WINDOW);
	assert_int_equal(cc.paths[0].cwnd_bytes, WINDOW);
	assert_int_equal(acked(&cc, 1000, 10), WINDOW);
}

/* --- the ends of the ranges ------------------------------------------------------------------------------
 */

static void an_acknowledgement_at_most_doubles_the_window(void **state)
{
	struct cmt_cc starting = new_cc("", (1u << 30) - 1), cc = full("", 10000);

	(void)state;
	assert_int_equal(acked(&starting, UINT32_MAX, 1), 2 * ((1u << 30) - 1));
	assert_int_equal(acked(&starting, UINT32_MAX, 2), 2 * ((1u << 30) - 1));
	starting.paths[0].cwnd_bytes = MSS;
	assert_int_equal(acked(&starting, UINT32_MAX, 3), 2 * MSS);
	assert_int_equal(acked(&cc, UINT32_MAX, 1), 20000);
}

static void the_largest_rates_and_loops_do_not_overflow(void **state)
{
	struct cmt_cc cc = full("", CMT_CC_MAX_CWND_BYTES);

	(void)state;
	/* 2^32 bytes in a microsecond. */
	cc.paths[0].rate_bps = UINT64_C(8000000) << 32;
	cc.paths[0].min_rtt_us = UINT32_MAX;
	assert_int_equal(acked(&cc, 0, 1), CMT_CC_MAX_CWND_BYTES);
	assert_int_equal(cc.paths[0].pacing_bps, UINT64_C(10000000) << 32);
	cc.paths[0].queue_us = INT64_MAX;
	(void)acked(&cc, 0, 2);
	assert_int_equal(cc.paths[0].pacing_bps, UINT64_C(7000000) << 32);
	cc.paths[0].rate_bps = UINT64_MAX;
	assert_int_equal(acked(&cc, 0, 3), CMT_CC_MAX_CWND_BYTES);
	/* 2^62 bit/s * 4 us overflow 64 bits to 0. */
	cc.paths[0].rate_bps = UINT64_C(1) << 62;
	cc.paths[0].min_rtt_us = 4;
	assert_int_equal(acked(&cc, 0, 3), CMT_CC_MAX_CWND_BYTES);

	cc.paths[0].full = false;
	cc.paths[0].srtt_us = 1;
	assert_int_equal(acked(&cc, UINT32_MAX, 4), CMT_CC_MAX_CWND_BYTES);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_window_doubles_every_round_trip_until_the_path_is_full),
	    cmocka_unit_test(a_full_path_without_rate_or_loop_is_still_in_start_up),
	    cmocka_unit_test(start_up_needs_data_that_fill_the_window),
	    cmocka_unit_test(start_up_sends_in_trains),
	    cmocka_unit_test(the_window_is_two_loops_of_the_rate_and_four_packets),
	    cmocka_unit_test(it_follows_upwards_by_what_is_acknowledged),
	    cmocka_unit_test(a_sender_with_little_to_send_keeps_the_window),
	    cmocka_unit_test(pacing_is_above_the_rate_while_the_queue_is_short_and_below_it_else),
	    cmocka_unit_test(no_queue_of_ten_milliseconds_is_long),
	    cmocka_unit_test(a_queue_above_its_bound_stops_growth),
	    cmocka_unit_test(one_random_loss_in_a_hundred_never_reduces),
	    cmocka_unit_test(more_than_one_in_ten_reduces_once_per_event),
	    cmocka_unit_test(eight_packets_are_too_few_to_judge_by),
	    cmocka_unit_test(losses_long_ago_do_not_count),
	    cmocka_unit_test(after_a_timeout_the_window_comes_back_with_the_acknowledgements),
	    cmocka_unit_test(the_window_is_restored_when_the_losses_were_none),
	    cmocka_unit_test(an_acknowledgement_at_most_doubles_the_window),
	    cmocka_unit_test(the_largest_rates_and_loops_do_not_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
