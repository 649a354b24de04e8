/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_start.c - order in start-up: copies measure a path (cmt_probing.h), and what a path delivers
 * while its window grows (cmt_growth.h). Packets of 1000 bytes, 1 ms on the fast path and 2 ms on the slow
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/cmt_growth.h"
#include "sched/cmt_probing.h"
#include "sched_pair.h"

enum { WAITING = 200 };

static const char *const names[] = {"arrival", "lcm", "osia"};

static struct cmt_path_view path(uint8_t id, int64_t delay_us, uint64_t rate_bps)
{
	return (struct cmt_path_view){.id = id,
	                              .usable = true,
	                              .cwnd_bytes = 100 * PKT,
	                              .flight_bytes = 50 * PKT,
	                              .ssthresh_bytes = UINT32_MAX,
	                              .room_bytes = PKT,
	                              .room_at_us = CMT_NEVER_US,
	                              .srtt_us = 2 * (uint32_t)delay_us,
	                              .min_rtt_us = 2 * (uint32_t)delay_us,
	                              .rate_bps = rate_bps,
	                              .rate_measured = true,
	                              .base_us = delay_us,
	                              .start_us = NOW_US + delay_us,
	                              .delay_us = delay_us,
	                              .weight_pct = 100};
}

/* The slow path was never measured and may carry a copy of TSN 0. */
static void begin(const char *name, unsigned waiting)
{
	begin_pair(name, "", waiting);
	paths[FAST] = path(FAST, 10000, 8000000);
	paths[SLOW] = path(SLOW, 50000, 4000000);
	paths[SLOW].rate_measured = false;
	paths[SLOW].has_copy = true;
	view.copies = true;
}

/* The path that new data go to when only `only` has room; -1: none. */
static int chosen(unsigned only)
{
	struct cmt_decision d;

	for (unsigned i = 0; i < 2; i++)
		paths[i].room_bytes = i == only ? PKT : 0;
	if (ops->plan != NULL)
		ops->plan(state_bytes, &view);
	d = ops->next(state_bytes, &view);
	assert_true(cmt_sched_legal(&view, &d));
	paths[FAST].room_bytes = paths[SLOW].room_bytes = PKT;
	return d.verdict == CMT_SEND ? d.path_id : -1;
}

static int copied(void)
{
	struct cmt_decision d = ops->copy(state_bytes, &view);

	assert_true(cmt_sched_copy_legal(&view, &d));
	return d.verdict == CMT_SEND ? d.path_id : -1;
}

static void a_path_carries_copies_until_its_rate_is_measured(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		begin(names[i], WAITING);
		assert_true(ops->copies_to_measure);
		assert_int_equal(chosen(SLOW), -1);
		assert_int_equal(chosen(FAST), FAST);
		assert_int_equal(copied(), SLOW);
		paths[SLOW].room_bytes = 0;
		assert_int_equal(copied(), -1);
		paths[SLOW].room_bytes = PKT;
		paths[SLOW].rate_measured = true;
		assert_int_equal(copied(), -1);
		assert_int_equal(chosen(SLOW), SLOW);
	}
}

static void a_trial_ends_after_two_windows(void **state)
{
	(void)state;
	begin("arrival", WAITING);
	paths[SLOW].sent_pkts = 29;
	assert_int_equal(copied(), SLOW);
	assert_int_equal(chosen(SLOW), -1);
	paths[SLOW].sent_pkts = 30;
	assert_int_equal(copied(), -1);
	assert_int_equal(chosen(SLOW), SLOW);
}

static void no_path_is_on_trial_when_there_can_be_no_copies(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		begin(names[i], WAITING);
		view.copies = false;
		paths[SLOW].has_copy = false;
		assert_int_equal(chosen(SLOW), SLOW);
		assert_int_equal(copied(), -1);
	}
}

static void one_path_always_carries_data(void **state)
{
	(void)state;
	begin("arrival", WAITING);
	paths[FAST].rate_measured = false; /* of two that nothing is known of the one with the shorter loop */
	assert_int_equal(chosen(FAST), FAST);
	assert_int_equal(chosen(SLOW), -1);
	paths[SLOW].sent_pkts = 10; /* data have begun there */
	paths[SLOW].has_copy = false;
	paths[FAST].has_copy = true;
	assert_int_equal(chosen(SLOW), SLOW);
	assert_int_equal(chosen(FAST), -1);
	assert_int_equal(copied(), FAST);
	paths[SLOW].sent_pkts = 0;
	paths[SLOW].has_copy = true;
	paths[FAST].has_copy = false;
	paths[FAST].usable = false;
	paths[FAST].room_bytes = 0;
	assert_int_equal(chosen(SLOW), SLOW);
	assert_int_equal(copied(), -1);
	begin("arrival", WAITING);
	paths[FAST].rate_measured = false; /* before it one that is measured */
	paths[FAST].has_copy = true;
	paths[SLOW].rate_measured = true;
	paths[SLOW].has_copy = false;
	assert_int_equal(chosen(FAST), -1);
	assert_int_equal(chosen(SLOW), SLOW);
	assert_int_equal(copied(), FAST);
}

/* Their first packet arrives 39 ms behind one of the other path, which delivers 40 packets in that time. */
static void there_are_no_copies_of_data_that_a_path_could_not_help_with(void **state)
{
	uint64_t look_ahead;

	(void)state;
	begin("arrival", 40);
	assert_int_equal(copied(), -1);
	begin("arrival", 41);
	assert_int_equal(copied(), SLOW);
	look_ahead = ops->look_ahead(state_bytes, &view);
	assert_in_range(look_ahead, 40 * PKT, 50 * PKT);
}

static void others_wait_for_a_path_that_is_measured_so_it_needs_no_bound_on_its_queue(void **state)
{
	(void)state;
	begin("arrival", WAITING);
	paths[FAST].rate_measured = false;
	paths[FAST].queue_us = 50000;
	assert_int_equal(chosen(FAST), FAST);
	view.copies = false;
	paths[FAST].has_copy = paths[SLOW].has_copy = false;
	assert_int_equal(chosen(FAST), -1);
}

/* --- auto --- */

static void auto_measures_with_data_and_without_a_bound_on_the_queue(void **state)
{
	(void)state;
	begin("auto", WAITING);
	paths[SLOW].queue_us = 50000;
	assert_int_equal(chosen(SLOW), SLOW);
	assert_int_equal(copied(), -1);
	paths[SLOW].rate_measured = true;
	assert_int_equal(chosen(SLOW), -1);
}

/* The slow path before its HEARTBEAT is answered. */
static void begin_unknown(unsigned waiting)
{
	begin("auto", waiting);
	paths[SLOW].rate_bps = 0;
	paths[SLOW].srtt_us = paths[SLOW].min_rtt_us = 0;
	paths[SLOW].base_us = paths[SLOW].start_us = paths[SLOW].delay_us = CMT_UNKNOWN_US;
}

static void auto_opens_the_window_of_an_unknown_path_with_copies(void **state)
{
	(void)state;
	begin_unknown(WAITING);
	assert_int_equal(chosen(SLOW), -1);
	assert_int_equal(copied(), SLOW);
	paths[SLOW].room_bytes = 0;
	assert_int_equal(copied(), -1);
	begin_unknown(WAITING);
	paths[SLOW].has_copy = false;
	assert_int_equal(copied(), -1);
	begin_unknown(WAITING);
	paths[SLOW].usable = false;
	assert_int_equal(copied(), -1);
}

static void auto_copies_nothing_that_costs_money_or_that_nobody_waits_behind(void **state)
{
	(void)state;
	begin_unknown(0);
	assert_int_equal(copied(), -1);
	begin_unknown(WAITING);
	paths[SLOW].cost = 1;
	assert_int_equal(copied(), -1);
	paths[FAST].cost = 1;
	assert_int_equal(copied(), SLOW);
}

/* --- growth --- */

/* The fast path with a window of 8 packets, 5 of them under way; the oldest one's SACK is due in 6 ms. */
static struct cmt_ahead_path growing(void)
{
	begin("arrival", WAITING);
	paths[FAST].cwnd_bytes = 8 * PKT;
	paths[FAST].flight_bytes = 5 * PKT;
	paths[FAST].acked_at_us = NOW_US + 6000;
	return (struct cmt_ahead_path){.path = &paths[FAST],
	                               .usable = true,
	                               .has_share = true,
	                               .window_pkts = 1000,
	                               .tx_time_us = 1000,
	                               .interval_us = 2500,
	                               .arrival_us = NOW_US + 11000};
}

static void a_growing_window_delivers_in_bursts(void **state)
{
	static const struct {
		int64_t lead_us;
		uint64_t pkts;
	} expected[] = {{0, 1},    {1999, 2},   {2000, 3},   {5999, 3},   {6000, 4},
	                {7000, 5}, {14999, 12}, {15000, 13}, {25999, 13}, {26000, 27}};
	struct cmt_ahead_path p = growing();

	(void)state;
	for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		assert_int_equal(cmt_growth_pkts(&view, &p, expected[i].lead_us), expected[i].pkts);
	/* A full window has nothing before the SACK, and its next packet is the one that this lets go. */
	paths[FAST].flight_bytes = 8 * PKT;
	p.arrival_us = NOW_US + 17000;
	assert_int_equal(cmt_growth_pkts(&view, &p, 0), 1);
	assert_int_equal(cmt_growth_pkts(&view, &p, 16000), 16);
	assert_int_equal(cmt_growth_pkts(&view, &p, 19000), 16);
}

static void only_windows_smaller_than_the_link_in_slow_start_grow(void **state)
{
	struct cmt_ahead_path p = growing();

	(void)state;
	assert_true(cmt_growth_counts(&view, &p));
	p.interval_us = p.tx_time_us;
	assert_false(cmt_growth_counts(&view, &p));
	p = growing();
	p.window_pkts = 8; /* the receive window stands in the way */
	assert_false(cmt_growth_counts(&view, &p));
	p = growing();
	p.has_share = false;
	assert_false(cmt_growth_counts(&view, &p));
	p = growing();
	paths[FAST].ssthresh_bytes = 8 * PKT;
	assert_false(cmt_growth_counts(&view, &p));
	p = growing();
	paths[FAST].rate_measured = false;
	assert_false(cmt_growth_counts(&view, &p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_carries_copies_until_its_rate_is_measured),
	    cmocka_unit_test(a_trial_ends_after_two_windows),
	    cmocka_unit_test(no_path_is_on_trial_when_there_can_be_no_copies),
	    cmocka_unit_test(one_path_always_carries_data),
	    cmocka_unit_test(there_are_no_copies_of_data_that_a_path_could_not_help_with),
	    cmocka_unit_test(others_wait_for_a_path_that_is_measured_so_it_needs_no_bound_on_its_queue),
	    cmocka_unit_test(auto_measures_with_data_and_without_a_bound_on_the_queue),
	    cmocka_unit_test(auto_opens_the_window_of_an_unknown_path_with_copies),
	    cmocka_unit_test(auto_copies_nothing_that_costs_money_or_that_nobody_waits_behind),
	    cmocka_unit_test(a_growing_window_delivers_in_bursts),
	    cmocka_unit_test(only_windows_smaller_than_the_link_in_slow_start_grow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
