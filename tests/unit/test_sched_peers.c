/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_peers.c - the decision formulas of minrtt, blest, ecf, redundant and auto with literal numbers.
 * Packets of 1000 bytes that charge as much against the window. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sched_unequal_pair.h"

/* A scheduler with `waiting` packets from TSN 1, and two paths with 20 and 100 ms of round trip. */
static void begin(const char *name, const char *options, unsigned waiting)
{
	begin_pair(name, options, waiting);
	fill_pair();
	paths[FAST].flight_bytes = 10 * PKT;
	paths[SLOW].flight_bytes = 3 * PKT;
	paths[SLOW].room_bytes = PKT;
}

/* The path that gets the next packet; -1: wait. The fields of `view` are as the caller left them. */
static int chosen(void)
{
	struct cmt_decision d;

	if (ops->plan != NULL)
		ops->plan(state_bytes, &view);
	d = ops->next(state_bytes, &view);
	assert_true(cmt_sched_legal(&view, &d));
	return d.verdict == CMT_SEND ? d.path_id : -1;
}

static void minrtt_takes_the_smallest_round_trip_with_room(void **state)
{
	(void)state;
	begin("minrtt", "", 5);
	assert_int_equal(chosen(), SLOW);
	paths[FAST].room_bytes = PKT;
	assert_int_equal(chosen(), FAST);
	paths[FAST].srtt_us = 0; /* not measured: last */
	assert_int_equal(chosen(), SLOW);
	paths[SLOW].room_bytes = 0;
	assert_int_equal(chosen(), FAST);
	paths[FAST].room_bytes = 0;
	assert_int_equal(chosen(), -1);
}

/* The path whose copy goes out next; -1: none. */
static int copied(void)
{
	struct cmt_decision d = ops->copy(state_bytes, &view);

	assert_true(cmt_sched_copy_legal(&view, &d));
	return d.verdict == CMT_SEND ? d.path_id : -1;
}

static void redundant_copies_what_a_path_has_not_carried_before_it_takes_new_data(void **state)
{
	(void)state;
	begin("redundant", "", 5);
	paths[FAST].room_bytes = PKT;
	assert_int_equal(copied(), -1);
	assert_int_equal(chosen(), FAST);
	paths[SLOW].has_copy = true;
	paths[SLOW].copy_tsn = 0;
	assert_int_equal(copied(), SLOW);
	assert_int_equal(chosen(), FAST);
	paths[FAST].room_bytes = 0; /* the slow path is not for new data as long as it can catch up */
	assert_int_equal(chosen(), -1);
	paths[FAST].room_bytes = PKT;
	paths[FAST].has_copy = true;
	paths[FAST].copy_tsn = UINT32_MAX;
	assert_int_equal(copied(), FAST);
	assert_int_equal(chosen(), -1);
	paths[FAST].has_copy = false;
	paths[FAST].room_bytes = 0;
	paths[SLOW].has_copy = false;
	assert_int_equal(copied(), -1);
	assert_int_equal(chosen(), SLOW);
}

/* A packet takes 2 ms, so the bound is 10 ms. */
static void redundant_waits_for_a_long_queue_to_drain(void **state)
{
	struct cmt_decision d;

	(void)state;
	begin("redundant", "", 5);
	paths[SLOW].has_copy = true;
	paths[SLOW].queue_us = 10000;
	assert_int_equal(copied(), SLOW);
	paths[SLOW].queue_us = 13000;
	d = ops->copy(state_bytes, &view);
	assert_int_equal(d.verdict, CMT_WAIT);
	assert_int_equal(d.wake_us, 1003000);
	paths[SLOW].has_copy = false;
	d = ops->next(state_bytes, &view);
	assert_int_equal(d.verdict, CMT_WAIT);
	assert_int_equal(d.wake_us, 1003000);
	view.total_flight_bytes = 0; /* nothing would come to ask again */
	assert_int_equal(chosen(), SLOW);
}

static void a_copy_is_legal_for_the_tsn_and_the_paths_that_the_view_names(void **state)
{
	struct cmt_decision d = {.verdict = CMT_SEND, .path_id = 1, .tsn = 0};

	(void)state;
	begin("redundant", "", 5);
	assert_false(cmt_sched_copy_legal(&view, &d));
	paths[SLOW].has_copy = true;
	paths[SLOW].copy_tsn = 0;
	assert_true(cmt_sched_copy_legal(&view, &d));
	d.tsn = 1;
	assert_false(cmt_sched_copy_legal(&view, &d));
	d.tsn = 0;
	d.path_id = 0;
	assert_false(cmt_sched_copy_legal(&view, &d));
	d.path_id = 1;
	paths[SLOW].room_bytes = 0;
	assert_false(cmt_sched_copy_legal(&view, &d));
	paths[SLOW].room_bytes = PKT;
	paths[SLOW].usable = false;
	assert_false(cmt_sched_copy_legal(&view, &d));
	d.verdict = CMT_WAIT;
	assert_true(cmt_sched_copy_legal(&view, &d));
}

/* r = 5, CWND_f = 10: X = (10 + 2) * 5 = 60 packets; inflight_s + 1 = 4. */
static void blest_waits_when_the_window_holds_less_than_64_packets(void **state)
{
	(void)state;
	begin("blest", "", 5);
	view.peer_rwnd_bytes = (64 - 13) * PKT;
	assert_int_equal(chosen(), SLOW);
	view.peer_rwnd_bytes -= 1;
	assert_int_equal(chosen(), -1);
	paths[FAST].room_bytes = PKT;
	assert_int_equal(chosen(), FAST);
	/* lambda = 0.5: 30 packets, so 34 are enough. */
	begin("blest", "lambda_pct=50", 5);
	view.peer_rwnd_bytes = (34 - 13) * PKT;
	assert_int_equal(chosen(), SLOW);
	view.peer_rwnd_bytes -= 1;
	assert_int_equal(chosen(), -1);
}

/* First line: (1 + k/10) 20 ms < 100 ms, so k < 40. Second: k/10 * 100 ms >= 40 ms, so k >= 4. */
static void ecf_waits_between_4_and_39_packets(void **state)
{
	static const struct {
		unsigned k;
		int path;
	} cases[] = {{3, SLOW}, {4, -1}, {39, -1}, {40, SLOW}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin("ecf", "", cases[i].k);
		assert_int_equal(chosen(), cases[i].path);
	}
	begin("ecf", "", 4);
	view.total_flight_bytes = 0; /* nothing would come to ask again */
	assert_int_equal(chosen(), SLOW);
}

/* Once it waits: (1 + k/10) 20 ms < 1.25 * 100 ms, so k < 52.5, until that fails. */
static void ecf_goes_on_waiting_a_quarter_longer(void **state)
{
	(void)state;
	begin("ecf", "", 39);
	assert_int_equal(chosen(), -1);
	for (uint32_t tsn = 40; tsn <= 52; tsn++)
		assert_int_equal(cmt_units_add(&units, tsn, PKT), 0);
	assert_int_equal(chosen(), -1);
	assert_int_equal(cmt_units_add(&units, 53, PKT), 0);
	assert_int_equal(chosen(), SLOW);
	assert_int_equal(cmt_units_remove(&units, 53), 0);
	assert_int_equal(chosen(), SLOW);
}

/* sigma = 20 ms on either path: (1 + k/10) 20 ms < 120 ms, so k < 50. */
static void ecf_counts_the_larger_deviation(void **state)
{
	(void)state;
	begin("ecf", "", 49);
	paths[FAST].jitter_us = 20000;
	assert_int_equal(chosen(), -1);
	begin("ecf", "", 50);
	paths[FAST].jitter_us = 20000;
	assert_int_equal(chosen(), SLOW);
}

static void auto_leaves_a_path_above_the_budget_out(void **state)
{
	(void)state;
	/* 22 packets: the fast path delivers (50 - 10) / 2 + 1 = 21 before one on the slow path arrives. */
	begin("auto", "", 22);
	assert_int_equal(chosen(), SLOW);
	begin("auto", "", 21);
	assert_int_equal(chosen(), -1);
	begin("auto", "latency_budget_ms=51", 22); /* 50 ms and 2 of transmission */
	assert_int_equal(chosen(), -1);
	begin("auto", "latency_budget_ms=52", 22);
	assert_int_equal(chosen(), SLOW);
	/* The only one is used whatever its delay. */
	begin("auto", "latency_budget_ms=1", 22);
	paths[FAST].usable = false;
	assert_int_equal(chosen(), SLOW);
}

/* The fast path delivers 4 Mbit/s * 100 ms = 50 packets. */
static void auto_uses_an_expensive_path_when_the_cheap_one_does_not_suffice(void **state)
{
	(void)state;
	begin("auto", "", 50);
	paths[SLOW].cost = 1;
	assert_int_equal(chosen(), -1);
	assert_true(ops->look_ahead(state_bytes, &view) > 50 * PKT);
	begin("auto", "", 51);
	paths[SLOW].cost = 1;
	assert_int_equal(chosen(), SLOW);
	/* With a cap of 2 Mbit/s 25. */
	begin("auto", "", 26);
	paths[SLOW].cost = 1;
	paths[FAST].limit_bps = 2000000;
	assert_int_equal(chosen(), SLOW);
	begin("auto", "", 50);
	paths[SLOW].cost = 1;
	paths[FAST].usable = false;
	assert_int_equal(chosen(), SLOW);
}

/* The window of 53 packets leaves 43 beside the fast path's loop of 10; the fast path delivers one in 2 ms.
 * What it delivers during the jitter of a path with a fortieth of its rate must not exceed 43 packets. */
static void auto_leaves_a_thin_path_out_when_its_jitter_costs_more_than_it_brings(void **state)
{
	(void)state;
	begin("auto", "", 200);
	view.peer_rwnd_bytes = 40 * PKT;
	paths[SLOW].rate_bps = 100000;
	paths[SLOW].jitter_us = 86000;
	assert_int_equal(chosen(), SLOW);
	paths[SLOW].jitter_us = 87000;
	assert_int_equal(chosen(), -1);
	/* What the peer's buffer holds is missing in the window. */
	paths[SLOW].jitter_us = 44000;
	view.peer_rwnd_bytes = 10 * PKT;
	assert_int_equal(chosen(), -1);
	paths[SLOW].jitter_us = 42000;
	assert_int_equal(chosen(), SLOW);
	/* The only one is used whatever its jitter. */
	paths[SLOW].jitter_us = 200000;
	assert_int_equal(chosen(), -1);
	paths[FAST].usable = false;
	assert_int_equal(chosen(), SLOW);
	/* One that brings as much as the other may cost 8 times the window to spare. */
	begin("auto", "", 200);
	paths[SLOW].jitter_us = 687000;
	view.peer_rwnd_bytes = 40 * PKT;
	assert_int_equal(chosen(), SLOW);
	paths[SLOW].jitter_us = 689000;
	assert_int_equal(chosen(), -1);
}

static void bad_options_are_refused(void **state)
{
	static const char *const bad[][2] = {{"blest", "lambda_pct=0"},
	                                     {"blest", "lambda=1"},
	                                     {"ecf", "beta_pct=1001"},
	                                     {"auto", "latency_budget_ms=60001"},
	                                     {"auto", "latency_budget_ms="}};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		begin(bad[i][0], "", 1);
		assert_true(ops->init(state_bytes, bad[i][1]) < 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(redundant_copies_what_a_path_has_not_carried_before_it_takes_new_data),
	    cmocka_unit_test(redundant_waits_for_a_long_queue_to_drain),
	    cmocka_unit_test(a_copy_is_legal_for_the_tsn_and_the_paths_that_the_view_names),
	    cmocka_unit_test(minrtt_takes_the_smallest_round_trip_with_room),
	    cmocka_unit_test(blest_waits_when_the_window_holds_less_than_64_packets),
	    cmocka_unit_test(ecf_waits_between_4_and_39_packets),
	    cmocka_unit_test(ecf_goes_on_waiting_a_quarter_longer),
	    cmocka_unit_test(ecf_counts_the_larger_deviation),
	    cmocka_unit_test(auto_leaves_a_path_above_the_budget_out),
	    cmocka_unit_test(auto_uses_an_expensive_path_when_the_cheap_one_does_not_suffice),
	    cmocka_unit_test(auto_leaves_a_thin_path_out_when_its_jitter_costs_more_than_it_brings),
	    cmocka_unit_test(bad_options_are_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
