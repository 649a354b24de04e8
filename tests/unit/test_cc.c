/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cc.c - what all congestion controls share, by literal events on one path of 1000-byte packets, mostly
 * with the control `uncoupled`: growth 1000 * bytes / cwnd. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cc_events.h"

static void controls_are_found_by_name(void **state)
{
	(void)state;
	assert_string_equal(cmt_cc_builtin(0)->name, "veno");
	for (size_t i = 0; cmt_cc_builtin(i) != NULL; i++) {
		const struct cmt_cc_ops *ops = cmt_cc_builtin(i);

		assert_ptr_equal(cmt_cc_find(ops->name), ops);
		assert_int_equal(strspn(ops->name, "abcdefghijklmnopqrstuvwxyz0123456789+-_"),
		                 strlen(ops->name));
		assert_true(strlen(ops->summary) > 0);
		assert_non_null(ops->increase);
		assert_non_null(ops->decrease);
	}
	assert_null(cmt_cc_find("linke"));
	assert_null(cmt_cc_find(""));
	assert_null(cmt_cc_find(NULL));
}

/* RFC 9002, section 7.2: ten packets, but no more than ten of an Ethernet's; two of any size. */
static void the_first_window_counts_packets_up_to_a_size(void **state)
{
	struct cmt_cc cc = new_cc("", 10000);

	(void)state;
	assert_int_equal(cmt_cc_initial_window_bytes(&cc, 1200), 12000);
	assert_int_equal(cmt_cc_initial_window_bytes(&cc, 1472), 14720);
	assert_int_equal(cmt_cc_initial_window_bytes(&cc, 1500), 14720);
	assert_int_equal(cmt_cc_initial_window_bytes(&cc, 8952), 17904);
	cc = new_cc("initial_pkts=3", 10000);
	assert_int_equal(cmt_cc_initial_window_bytes(&cc, 1200), 3600);
}

static void options_have_defaults_and_bounds(void **state)
{
	static const char *const bad[] = {"hystart=2",  "pacing=2",          "queue_us=10000001",
	                                  "pacing",     "hystart=0,queue=1", "rate=1",
	                                  "hystart=0,", "initial_pkts=1",    "initial_pkts=101"};
	struct cmt_cc cc = new_cc("hystart=0,pacing=0,queue_us=10000000", 10000), before;

	(void)state;
	assert_int_equal(cc.options.hystart, 0);
	assert_int_equal(cc.options.pacing, 0);
	assert_int_equal(cc.options.queue_us, 10000000);
	before = cc;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(cmt_cc_set(&cc, cmt_cc_find("olia"), bad[i]), -EINVAL);
		assert_memory_equal(&cc, &before, sizeof(cc));
	}
	assert_int_equal(cmt_cc_set(&cc, NULL, ""), -EINVAL);
	assert_int_equal(cmt_cc_set(&cc, &(struct cmt_cc_ops){.name = "x"}, ""), -EINVAL);
	assert_memory_equal(&cc, &before, sizeof(cc));

	assert_int_equal(cmt_cc_set(&cc, cmt_cc_find("olia"), NULL), 0);
	assert_ptr_equal(cc.ops, cmt_cc_find("olia"));
	assert_int_equal(cc.options.hystart, 1);
	assert_int_equal(cc.options.pacing, 1);
	assert_int_equal(cc.options.queue_us, 0);
	assert_memory_equal(cc.paths, before.paths, sizeof(cc.paths));
	assert_non_null(strstr(cmt_cc_option_help, "hystart=1 ["));
	assert_non_null(strstr(cmt_cc_option_help, "; pacing=1 ["));
	assert_non_null(strstr(cmt_cc_option_help, "; queue_us=0 ["));
}

static void slow_start_doubles_and_counts_sixteen_packets_of_a_train(void **state)
{
	struct cmt_cc cc = new_cc("", 10000);

	(void)state;
	assert_int_equal(acked(&cc, 1000, 1), 11000);
	assert_int_equal(acked(&cc, 1999, 2), 12999);
	assert_int_equal(acked(&cc, 16000, 3), 28999);
	assert_int_equal(acked(&cc, 16001, 4), 44999);
}

static uint32_t grown_conservatively(uint32_t bytes)
{
	struct cmt_cc cc = new_cc("", 10000);

	cc.paths[0].hystart.phase = CMT_HYSTART_CONSERVATIVE;
	return acked(&cc, bytes, 1);
}

/* A quarter of what one acknowledgement frees counts, not a quarter of the most that may count. */
static void the_conservative_phase_grows_by_a_quarter_however_sacks_come(void **state)
{
	(void)state;
	assert_int_equal(grown_conservatively(40000), 20000);
	assert_int_equal(grown_conservatively(68000), 26000);
}

static void slow_start_ends_at_the_threshold(void **state)
{
	struct cmt_cc cc = new_cc("", 20000);

	(void)state;
	cc.paths[0].ssthresh_bytes = 20500;
	assert_int_equal(acked(&cc, 1000, 1), 20500);
	/* 1000 * 1000 / 20500 = 48.78 */
	assert_int_equal(acked(&cc, 1000, 2), 20548);
}

static void avoidance_grows_one_packet_per_window(void **state)
{
	struct cmt_cc cc = avoiding(10000);

	(void)state;
	assert_int_equal(acked(&cc, 1000, 1), 10100);
	cc.paths[0].cwnd_bytes = 10000;
	assert_int_equal(acked(&cc, 5000, 2), 10500);
	cc.paths[0].cwnd_bytes = 10000;
	assert_int_equal(acked(&cc, 90000, 3), 11000);
}

static void avoidance_keeps_what_is_less_than_a_byte(void **state)
{
	struct cmt_cc cc = avoiding(30000000);

	(void)state;
	/* Every time 65536 * 1000 * 1000 / 30000000 = 2184 of 65536 parts of a byte. */
	for (uint32_t i = 1; i <= 30; i++)
		assert_int_equal(acked(&cc, 1000, i), 30000000);
	assert_int_equal(acked(&cc, 1000, 31), 30000001);
	assert_int_equal(cc.paths[0].growth, 31 * 2184 - 65536);
}

static void a_window_that_was_not_the_limit_does_not_grow(void **state)
{
	struct cmt_cc slow = new_cc("", 10000), avoid = avoiding(10000);
	const struct cmt_cc_ack ack = {
	    .bytes = 1000, .number = 1, .next_number = 5, .delay_us = CMT_UNKNOWN_US};

	(void)state;
	cmt_cc_on_ack(&slow, 0, &ack);
	cmt_cc_on_ack(&avoid, 0, &ack);
	assert_int_equal(slow.paths[0].cwnd_bytes, 10000);
	assert_int_equal(avoid.paths[0].cwnd_bytes, 10000);
	assert_int_equal(avoid.paths[0].growth, 0);
}

/* Half of it in slow start, which doubles, or while pacing alone holds packets back. */
static void a_window_was_the_limit_when_it_was_filled(void **state)
{
	struct cmt_cc_path p = {.cwnd_bytes = 10 * MSS, .ssthresh_bytes = CMT_CC_NO_SSTHRESH};

	(void)state;
	assert_false(cmt_cc_was_limited(&p, 5 * MSS, true));
	assert_true(cmt_cc_was_limited(&p, 5 * MSS + 1, false));
	p.ssthresh_bytes = 10 * MSS;
	assert_false(cmt_cc_was_limited(&p, 10 * MSS - 1, false));
	assert_true(cmt_cc_was_limited(&p, 10 * MSS, false));
	assert_false(cmt_cc_was_limited(&p, 5 * MSS, true));
	assert_true(cmt_cc_was_limited(&p, 5 * MSS + 1, true));
}

static void a_queue_above_its_bound_stops_growth(void **state)
{
	struct cmt_cc cc = new_cc("queue_us=10000", 10000);

	(void)state;
	cc.paths[0].queue_us = 10001;
	assert_int_equal(acked(&cc, 1000, 1), 10000);
	cc.paths[0].queue_us = 10000;
	assert_int_equal(acked(&cc, 1000, 2), 11000);
	cc.paths[0].queue_us = 10001;
	cc.options.queue_us = 0;
	assert_int_equal(acked(&cc, 1000, 3), 12000);
}

static void packets_of_a_known_path_are_spread_over_half_or_four_fifths_of_the_round_trip(void **state)
{
	struct cmt_cc cc = new_cc("", 9000);

	(void)state;
	(void)acked(&cc, 1000, 1);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
	cc.paths[0].srtt_us = SRTT_US;
	(void)acked(&cc, 1000, 2);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
	cc.paths[0].full = true;
	cc.paths[0].cwnd_bytes = 9000;
	(void)acked(&cc, 1000, 2);
	assert_int_equal(cc.paths[0].pacing_bps, 2 * 10000 * 8 * 10);
	(void)lost(&cc, 3, 10);
	assert_int_equal(cc.paths[0].pacing_bps, 5000 * 8 * 10 * 5 / 4);
	(void)timed_out(&cc, 10, 11);
	assert_int_equal(cc.paths[0].pacing_bps, 2 * 1000 * 8 * 10);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].pacing_bps, 5000 * 8 * 10 * 5 / 4);
	assert_int_equal(cmt_cc_set(&cc, cc.ops, "pacing=0"), 0);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
}

static void pacing_is_never_zero_by_rounding_nor_overflows(void **state)
{
	struct cmt_cc cc = new_cc("", 1);

	(void)state;
	cc.paths[0] = (struct cmt_cc_path){.in_use = true,
	                                   .full = true,
	                                   .mss_bytes = 1,
	                                   .cwnd_bytes = 1,
	                                   .ssthresh_bytes = 1,
	                                   .srtt_us = 60000000};
	(void)acked(&cc, 0, 1);
	assert_int_equal(cc.paths[0].pacing_bps, 1);
	cc.paths[0].cwnd_bytes = UINT32_MAX - 1;
	cc.paths[0].ssthresh_bytes = CMT_CC_NO_SSTHRESH;
	cc.paths[0].srtt_us = 1;
	(void)acked(&cc, 0, 2);
	assert_int_equal(cc.paths[0].cwnd_bytes, CMT_CC_MAX_CWND_BYTES);
	assert_int_equal(cc.paths[0].pacing_bps, UINT64_C(2147483648) * 16000000);
}

/* `n` acknowledgements of a packet each, with `delay_us`, one round trip. */
static uint32_t delayed(struct cmt_cc *cc, uint32_t *number, unsigned n, int64_t delay_us)
{
	const uint32_t next_number = *number + n;

	for (unsigned i = 0; i < n; i++)
		cmt_cc_on_ack(cc, 0,
		              &(struct cmt_cc_ack){.bytes = 1000,
		                                   .number = (*number)++,
		                                   .next_number = next_number,
		                                   .delay_us = delay_us,
		                                   .cwnd_limited = true});
	return cc->paths[0].cwnd_bytes;
}

static void slow_start_ends_when_delays_grow(void **state)
{
	const unsigned whole_pkts[] = {27, 34, 42, 53, 67};
	const uint32_t grown_bytes[] = {34000, 42500, 53000, 66250, 83000};
	struct cmt_cc cc = new_cc("", 10000);
	uint32_t number = 0;

	(void)state;
	assert_int_equal(delayed(&cc, &number, 10, 50000), 20000);
	/* The eighth of the second round trip and those behind it count a quarter. */
	assert_int_equal(delayed(&cc, &number, 8, 54000), 27250);
	/* Five round trips of a whole window each. */
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(delayed(&cc, &number, whole_pkts[i], 54000), grown_bytes[i]);
	assert_int_equal(cc.paths[0].ssthresh_bytes, CMT_CC_NO_SSTHRESH);
	/* 1000 * 1000 / 83000 = 12.05 */
	assert_int_equal(delayed(&cc, &number, 1, 54000), 83012);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 83000);
}

static void delays_end_neither_later_slow_starts_nor_any_if_told_so(void **state)
{
	struct cmt_cc off = new_cc("hystart=0", 10000), later = new_cc("", 10000);
	uint32_t off_number = 0, later_number = 0;

	(void)state;
	(void)delayed(&off, &off_number, 8, 50000);
	assert_int_equal(delayed(&off, &off_number, 16, 99000), 34000);
	later.paths[0].ssthresh_bytes = 100000;
	(void)delayed(&later, &later_number, 8, 50000);
	assert_int_equal(delayed(&later, &later_number, 16, 99000), 34000);
}

/* --- a control that takes growth over ----------------------------------------------------------------------
 */

static struct {
	unsigned acks;
	bool reduces;
} own;

/* 100 packets of a round trip hold what 20 did before: a quarter of what is acknowledged, up to there. */
static void a_longer_route_is_filled_in_slow_start(void **state)
{
	struct cmt_cc cc = avoiding(20000), full, lossy;
	struct cmt_cc_path *p = &cc.paths[0];

	(void)state;
	p->min_rtt_us = SRTT_US;
	p->rate_bps = 8000000;
	cmt_cc_on_longer_route(&cc, 0, 100000, 50);
	assert_int_equal(acked(&cc, 4000, 10), 21000);
	assert_int_equal(acked(&cc, 20000, 30), 26000);

	full = cc;
	full.paths[0].queue_us = 50000;
	(void)acked(&full, 4000, 50);
	assert_true(full.paths[0].ssthresh_bytes == 100000);
	(void)acked(&full, 4000, 150);
	assert_int_equal(full.paths[0].ssthresh_bytes, 27000);

	lossy = cc;
	assert_int_equal(lost(&lossy, 40, 60), 13000);
	assert_int_equal(acked(&lossy, 4000, 60), 13307);

	for (uint32_t number = 51; p->cwnd_bytes < 100000; number++)
		(void)acked(&cc, 4000, number);
	assert_int_equal(p->cwnd_bytes, 100000);
	assert_in_range(acked(&cc, 4000, 200), 100001, 100100);
}

/* A threshold that is higher, or that of the first slow start, needs no help. */
static void a_longer_route_lowers_no_threshold(void **state)
{
	struct cmt_cc cc = avoiding(20000), starting = new_cc("", 20000);

	(void)state;
	cmt_cc_on_longer_route(&cc, 0, 10000, 50);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 20000);
	cmt_cc_on_longer_route(&starting, 0, 100000, 50);
	assert_int_equal(acked(&starting, 4000, 1), 24000);
	cmt_cc_close(&cc, 0);
	cmt_cc_on_longer_route(&cc, 0, 100000, 50);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 0);
}

static void own_on_ack(struct cmt_cc *cc, unsigned i, const struct cmt_cc_ack *ack)
{
	own.acks++;
	cc->paths[i].cwnd_bytes = 7 * ack->bytes;
	cc->paths[i].pacing_bps = 123;
}

static int64_t own_increase(const struct cmt_cc *cc, unsigned i, uint32_t bytes)
{
	(void)cc;
	(void)i;
	(void)bytes;
	fail_msg("increase is called");
	return 0;
}

static uint32_t own_decrease(const struct cmt_cc *cc, unsigned i)
{
	return cc->paths[i].cwnd_bytes + 5000;
}

static bool own_reduces(const struct cmt_cc *cc, unsigned i, const struct cmt_cc_loss *loss)
{
	(void)cc;
	(void)i;
	(void)loss;
	return own.reduces;
}

static const struct cmt_cc_ops own_ops = {
    .name = "own",
    .summary = "-",
    .increase = own_increase,
    .decrease = own_decrease,
    .on_ack = own_on_ack,
    .reduces = own_reduces,
};

static void a_control_may_take_growth_and_pacing_over(void **state)
{
	struct cmt_cc cc = avoiding(10000);

	(void)state;
	assert_int_equal(cmt_cc_set(&cc, &own_ops, ""), 0);
	assert_int_equal(acked(&cc, 2000, 1), 14000);
	assert_int_equal(cc.paths[0].pacing_bps, 123);
	assert_int_equal(acked(&cc, 0, 2), MSS);
	assert_int_equal(cmt_cc_set(&cc, &own_ops, "pacing=0"), 0);
	(void)acked(&cc, 2000, 3);
	assert_int_equal(cc.paths[0].pacing_bps, 0);
}

static void a_control_may_decide_which_losses_count(void **state)
{
	struct cmt_cc cc = avoiding(10000);

	(void)state;
	assert_int_equal(cmt_cc_set(&cc, &own_ops, ""), 0);
	(void)acked(&cc, 2000, 1);
	own.reduces = false;
	assert_int_equal(lost(&cc, 2, 102), 14000);
	assert_false(cc.paths[0].in_recovery);
	own.reduces = true;
	/* No window grows by a loss, even if the control says so. */
	assert_int_equal(lost(&cc, 150, 202), 14000);
	assert_true(cc.paths[0].in_recovery);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(controls_are_found_by_name),
	    cmocka_unit_test(the_first_window_counts_packets_up_to_a_size),
	    cmocka_unit_test(options_have_defaults_and_bounds),
	    cmocka_unit_test(slow_start_doubles_and_counts_sixteen_packets_of_a_train),
	    cmocka_unit_test(the_conservative_phase_grows_by_a_quarter_however_sacks_come),
	    cmocka_unit_test(slow_start_ends_at_the_threshold),
	    cmocka_unit_test(avoidance_grows_one_packet_per_window),
	    cmocka_unit_test(avoidance_keeps_what_is_less_than_a_byte),
	    cmocka_unit_test(a_window_that_was_not_the_limit_does_not_grow),
	    cmocka_unit_test(a_window_was_the_limit_when_it_was_filled),
	    cmocka_unit_test(a_queue_above_its_bound_stops_growth),
	    cmocka_unit_test(packets_of_a_known_path_are_spread_over_half_or_four_fifths_of_the_round_trip),
	    cmocka_unit_test(pacing_is_never_zero_by_rounding_nor_overflows),
	    cmocka_unit_test(slow_start_ends_when_delays_grow),
	    cmocka_unit_test(delays_end_neither_later_slow_starts_nor_any_if_told_so),
	    cmocka_unit_test(a_longer_route_is_filled_in_slow_start),
	    cmocka_unit_test(a_longer_route_lowers_no_threshold),
	    cmocka_unit_test(a_control_may_take_growth_and_pacing_over),
	    cmocka_unit_test(a_control_may_decide_which_losses_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
