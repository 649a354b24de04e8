/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_gap.c - when an unsent gap at the peer goes before everything else, from literal TSNs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/cmt_gap.h"

enum { PKT = 1000, LOWEST = 100, HIGHEST = 110 };

/* The peer has told of 110, and waits for 100, which is unsent; its window is just closed, since something is
 * under way to it. */
static struct cmt_gap at_full_peer(void)
{
	return (struct cmt_gap){.lowest_tsn = LOWEST,
	                        .unsent_tsn = LOWEST,
	                        .highest_tsn = HIGHEST,
	                        .window_bytes = PKT - 1,
	                        .a_rwnd_bytes = 2 * PKT,
	                        .packet_bytes = PKT};
}

static void a_gap_goes_first_when_less_than_a_packet_is_left_of_the_window(void **state)
{
	struct cmt_gap g = at_full_peer();

	(void)state;
	assert_true(cmt_gap_goes_first(&g));
	g.window_bytes = PKT;
	assert_false(cmt_gap_goes_first(&g));
}

static void a_gap_is_one_as_long_as_the_peer_has_something_behind_it(void **state)
{
	struct cmt_gap g = at_full_peer();

	(void)state;
	g.highest_tsn = LOWEST;
	assert_false(cmt_gap_is_unsent(&g));
	assert_false(cmt_gap_goes_first(&g));
	g.highest_tsn = LOWEST - 1;
	assert_false(cmt_gap_goes_first(&g));
	g.highest_tsn = LOWEST + 1;
	assert_true(cmt_gap_goes_first(&g));
}

/* What was sent is retransmitted, and probes the window, as without us. */
static void a_gap_that_was_sent_is_not_meant(void **state)
{
	struct cmt_gap g = at_full_peer();

	(void)state;
	g.unsent_tsn = LOWEST + 1;
	assert_false(cmt_gap_is_unsent(&g));
	assert_false(cmt_gap_goes_first(&g));
}

static void tsns_may_wrap_within_the_gap(void **state)
{
	struct cmt_gap g = at_full_peer();

	(void)state;
	g.lowest_tsn = g.unsent_tsn = UINT32_MAX;
	g.highest_tsn = 3;
	assert_true(cmt_gap_goes_first(&g));
	assert_true(cmt_gap_is_refused(&g, 4, 2));
	assert_false(cmt_gap_is_refused(&g, UINT32_MAX, 2));
}

static void a_peer_with_an_open_window_is_full_when_it_refuses_something_twice(void **state)
{
	struct cmt_gap g = at_full_peer();

	(void)state;
	g.window_bytes = 100 * PKT;
	g.refuses = true;
	assert_true(cmt_gap_goes_first(&g));
	g.unsent_tsn++;
	assert_false(cmt_gap_goes_first(&g));
}

/* It waits for 100, which is under way, for 101, which was never sent, and for more of either kind. */
static struct cmt_gap with_many_gaps(void)
{
	struct cmt_gap g = at_full_peer();

	g.unsent_tsn++;
	g.a_rwnd_bytes = PKT - 1;
	g.flight_bytes = 3 * PKT;
	g.unsent_bytes = 3 * PKT + 1;
	return g;
}

static void of_many_gaps_all_go_while_more_is_missing_than_under_way(void **state)
{
	struct cmt_gap g = with_many_gaps();

	(void)state;
	assert_true(cmt_gap_goes_first(&g));
	g.flight_bytes++;
	assert_false(cmt_gap_goes_first(&g));
}

static void of_many_gaps_none_goes_to_a_peer_that_says_it_has_room(void **state)
{
	struct cmt_gap g = with_many_gaps();

	(void)state;
	g.a_rwnd_bytes++;
	assert_false(cmt_gap_has_no_room(&g));
	assert_false(cmt_gap_goes_first(&g));
}

static void of_many_gaps_the_lowest_goes_first_though_it_was_sent(void **state)
{
	struct cmt_gap g = with_many_gaps();

	(void)state;
	g.resends_lowest = true;
	assert_false(cmt_gap_goes_first(&g));
}

static void one_loss_is_not_a_refusal_and_none_below_what_the_peer_has(void **state)
{
	const struct cmt_gap g = at_full_peer();

	(void)state;
	assert_false(cmt_gap_is_refused(&g, HIGHEST + 1, 1));
	assert_true(cmt_gap_is_refused(&g, HIGHEST + 1, 2));
	assert_false(cmt_gap_is_refused(&g, HIGHEST, 2));
	assert_false(cmt_gap_is_refused(&g, HIGHEST - 1, 5));
}

static void the_gap_takes_the_path_where_it_arrives_first_and_waits_for_its_window(void **state)
{
	uint32_t memory[32];
	struct cmt_units units;
	struct cmt_path_view paths[] = {
	    {.id = 2, .usable = true, .room_bytes = PKT, .start_us = 10000},
	    {.id = 5, .usable = true, .room_bytes = PKT, .start_us = 9000},
	};
	const struct cmt_view v = {.units = &units, .n_paths = 2, .paths = paths};
	struct cmt_decision d;

	(void)state;
	cmt_units_init(&units, 16, LOWEST, memory);
	(void)cmt_units_add(&units, LOWEST, PKT);
	(void)cmt_units_add(&units, LOWEST + 1, PKT);
	d = cmt_gap_decide(&v);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, 5);
	assert_int_equal(d.tsn, LOWEST);
	paths[1].room_bytes = 0;
	d = cmt_gap_decide(&v);
	assert_int_equal(d.verdict, CMT_WAIT);
	assert_true(d.wake_us == CMT_NEVER_US);
	paths[1].ready_at_us = 10001;
	d = cmt_gap_decide(&v);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, 2);
	paths[0].usable = paths[1].usable = false;
	assert_int_equal(cmt_gap_decide(&v).verdict, CMT_WAIT);
}

static void the_window_is_open_for_one_chunk_for_a_probe_and_for_the_gap(void **state)
{
	struct cmt_view v = {.peer_rwnd_bytes = 300, .window_unit_bytes = 300, .total_flight_bytes = 1};

	(void)state;
	assert_true(cmt_gap_window_is_open(&v, false));
	v.peer_rwnd_bytes--;
	assert_false(cmt_gap_window_is_open(&v, false));
	assert_true(cmt_gap_window_is_open(&v, true));
	v.total_flight_bytes = 0;
	assert_true(cmt_gap_window_is_open(&v, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_gap_goes_first_when_less_than_a_packet_is_left_of_the_window),
	    cmocka_unit_test(a_gap_is_one_as_long_as_the_peer_has_something_behind_it),
	    cmocka_unit_test(a_gap_that_was_sent_is_not_meant),
	    cmocka_unit_test(tsns_may_wrap_within_the_gap),
	    cmocka_unit_test(a_peer_with_an_open_window_is_full_when_it_refuses_something_twice),
	    cmocka_unit_test(of_many_gaps_all_go_while_more_is_missing_than_under_way),
	    cmocka_unit_test(of_many_gaps_none_goes_to_a_peer_that_says_it_has_room),
	    cmocka_unit_test(of_many_gaps_the_lowest_goes_first_though_it_was_sent),
	    cmocka_unit_test(one_loss_is_not_a_refusal_and_none_below_what_the_peer_has),
	    cmocka_unit_test(the_gap_takes_the_path_where_it_arrives_first_and_waits_for_its_window),
	    cmocka_unit_test(the_window_is_open_for_one_chunk_for_a_probe_and_for_the_gap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
