/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rack.c - when a packet is lost and when to probe, by literal packets on a path whose smallest round
 * trip is 100 ms, a quarter of it 25 ms, and whose smoothed one is 110 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_rack.h"

enum { MS = 1000, S = 1000000 };

static const struct cmt_rack_path path = {.min_rtt_us = 100 * MS, .srtt_us = 110 * MS};
static const struct cmt_rack_path unmeasured = {.min_rtt_us = CMT_UNKNOWN_US, .srtt_us = 0};

static struct cmt_rack new_rack(void)
{
	struct cmt_rack r;

	cmt_rack_init(&r);
	return r;
}

static void delivered(struct cmt_rack *r, uint32_t number, uint64_t sent_us, uint64_t now_us)
{
	cmt_rack_on_delivered(r, &path, &(struct cmt_rack_packet){.number = number, .sent_us = sent_us},
	                      now_us);
}

static void redelivered(struct cmt_rack *r, uint32_t number, uint64_t sent_us, uint64_t now_us)
{
	cmt_rack_on_delivered(
	    r, &path, &(struct cmt_rack_packet){.number = number, .sent_us = sent_us, .times_sent = 2},
	    now_us);
}

static uint64_t deadline_on(const struct cmt_rack *r, const struct cmt_rack_path *p, uint32_t number,
                            uint64_t sent_us)
{
	return cmt_rack_deadline_us(r, p, &(struct cmt_rack_packet){.number = number, .sent_us = sent_us});
}

static uint64_t deadline(const struct cmt_rack *r, uint32_t number, uint64_t sent_us)
{
	return deadline_on(r, &path, number, sent_us);
}

/* Packet 1000000, delivered in a SACK of its own after `rtt_us`. */
static void deliver_far_ahead(struct cmt_rack *r, uint64_t rtt_us)
{
	delivered(r, 1000000, 10 * S, 10 * S + rtt_us);
	cmt_rack_on_sack_end(r);
}

/* The window as a packet sees it that was overtaken by one with a round trip of 100 ms. */
static uint64_t window_on(struct cmt_rack r, const struct cmt_rack_path *p)
{
	deliver_far_ahead(&r, 100 * MS);
	return deadline_on(&r, p, 1000000 - 1, 5 * S) - 5 * S - 100 * MS;
}

static uint64_t window_us(struct cmt_rack r)
{
	return window_on(r, &path);
}

/* --- what is lost, and when ------------------------------------------------------------------------------
 */

static void nothing_is_lost_that_no_later_packet_overtook(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	assert_int_equal(deadline(&r, 0, 0), CMT_NEVER_US);
	assert_int_equal(deadline(&r, UINT32_MAX, 0), CMT_NEVER_US);
	delivered(&r, 7, 1 * S, 1 * S + 100 * MS);
	assert_int_equal(deadline(&r, 7, 1 * S), CMT_NEVER_US);
	assert_int_equal(deadline(&r, 8, 1 * S), CMT_NEVER_US);
	assert_true(deadline(&r, 6, 1 * S) != CMT_NEVER_US);
}

static void an_overtaken_packet_has_the_round_trip_of_the_later_one_and_a_quarter(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 2, 1 * S + 10 * MS, 1 * S + 115 * MS);
	assert_int_equal(deadline(&r, 1, 1 * S), 1 * S + 105 * MS + 25 * MS);
	assert_int_equal(deadline(&r, 0, 1 * S - 1), 1 * S - 1 + 105 * MS + 25 * MS);
}

static void the_newest_packet_gives_the_round_trip_in_whatever_order_a_sack_names_them(void **state)
{
	struct cmt_rack up = new_rack(), down = new_rack();

	(void)state;
	delivered(&up, 4, 1 * S, 1 * S + 140 * MS);
	delivered(&up, 5, 1 * S + 20 * MS, 1 * S + 140 * MS);
	delivered(&down, 5, 1 * S + 20 * MS, 1 * S + 140 * MS);
	delivered(&down, 4, 1 * S, 1 * S + 140 * MS);
	assert_int_equal(deadline(&up, 3, 1 * S), 1 * S + 120 * MS + 25 * MS);
	assert_int_equal(deadline(&down, 3, 1 * S), 1 * S + 120 * MS + 25 * MS);
}

static void the_third_later_packet_leaves_no_window_without_reordering(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 2, 1 * S + 1 * MS, 1 * S + 101 * MS);
	cmt_rack_on_sack_end(&r);
	delivered(&r, 3, 1 * S + 2 * MS, 1 * S + 102 * MS);
	cmt_rack_on_sack_end(&r);
	assert_int_equal(deadline(&r, 1, 1 * S), 1 * S + 100 * MS + 25 * MS);
	delivered(&r, 4, 1 * S + 3 * MS, 1 * S + 103 * MS);
	/* In the past by now. */
	assert_int_equal(deadline(&r, 1, 1 * S), 1 * S + 100 * MS);
	assert_int_equal(deadline(&r, 2, 1 * S + 1 * MS), 1 * S + 101 * MS + 25 * MS);
}

static void numbers_and_their_distances_wrap(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 0xfffffffe, 1 * S, 1 * S + 100 * MS);
	cmt_rack_on_sack_end(&r);
	assert_int_equal(deadline(&r, 0, 1 * S), CMT_NEVER_US);
	delivered(&r, 0, 1 * S + 2 * MS, 1 * S + 104 * MS);
	cmt_rack_on_sack_end(&r);
	assert_int_equal(deadline(&r, 0xffffffff, 1 * S + 1 * MS), 1 * S + 1 * MS + 102 * MS + 25 * MS);
	assert_int_equal(deadline(&r, 1, 1 * S + 3 * MS), CMT_NEVER_US);
	delivered(&r, 2, 1 * S + 4 * MS, 1 * S + 104 * MS);
	cmt_rack_on_sack_end(&r);
	assert_int_equal(deadline(&r, 0xffffffff, 1 * S + 1 * MS), 1 * S + 1 * MS + 100 * MS);
	/* Half the circle behind is not behind. */
	assert_int_equal(deadline(&r, 0x80000002, 1 * S), CMT_NEVER_US);
	assert_int_equal(deadline(&r, 0x80000003, 1 * S), 1 * S + 100 * MS);
	assert_false(r.reordering);
	delivered(&r, 0xffffffff, 1 * S + 1 * MS, 1 * S + 106 * MS);
	assert_true(r.reordering);
}

/* --- acknowledgements that say nothing certain -----------------------------------------------------------
 */

static void a_retransmission_acknowledged_sooner_than_any_round_trip_says_nothing(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	redelivered(&r, 9, 1 * S, 1 * S + 100 * MS - 1);
	assert_int_equal(deadline(&r, 8, 1 * S), CMT_NEVER_US);
	redelivered(&r, 9, 1 * S, 1 * S + 100 * MS);
	assert_int_equal(deadline(&r, 8, 1 * S), 1 * S + 125 * MS);
}

static void what_was_sent_once_may_take_a_shorter_round_trip_than_ever_before(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 9, 1 * S, 1 * S + 90 * MS);
	assert_int_equal(deadline(&r, 8, 1 * S), 1 * S + 90 * MS + 25 * MS);
}

static void without_a_smallest_round_trip_retransmissions_are_believed(void **state)
{
	const struct cmt_rack_path no_loop = {.min_rtt_us = CMT_UNKNOWN_US, .srtt_us = 110 * MS};
	struct cmt_rack r = new_rack();

	(void)state;
	cmt_rack_on_delivered(&r, &no_loop,
	                      &(struct cmt_rack_packet){.number = 9, .sent_us = 1 * S, .times_sent = 2},
	                      1 * S + 3 * MS);
	assert_int_equal(deadline_on(&r, &no_loop, 8, 1 * S), 1 * S + 3 * MS + 27500);
}

/* --- order -----------------------------------------------------------------------------------------------
 */

static void one_sack_may_name_packets_in_any_order(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 1, 1 * S - 1 * MS, 1 * S + 99 * MS);
	cmt_rack_on_sack_end(&r);
	delivered(&r, 5, 1 * S + 4 * MS, 1 * S + 104 * MS);
	delivered(&r, 3, 1 * S + 2 * MS, 1 * S + 104 * MS);
	delivered(&r, 4, 1 * S + 3 * MS, 1 * S + 104 * MS);
	assert_false(r.reordering);
	cmt_rack_on_sack_end(&r);
	assert_int_equal(deadline(&r, 2, 1 * S), 1 * S + 100 * MS);
	delivered(&r, 2, 1 * S, 1 * S + 105 * MS);
	assert_true(r.reordering);
}

static void retransmissions_are_not_reordering(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 5, 1 * S, 1 * S + 100 * MS);
	cmt_rack_on_sack_end(&r);
	redelivered(&r, 4, 1 * S - 1 * MS, 1 * S + 160 * MS);
	assert_false(r.reordering);
	assert_int_equal(deadline(&r, 2, 1 * S), 1 * S + 100 * MS);
}

static void what_was_told_late_is_not_reordering(void **state)
{
	const struct cmt_rack_packet older = {.number = 4, .sent_us = 1 * S - 1 * MS, .told_late = true},
	                             newer = {.number = 6, .sent_us = 1 * S + 1 * MS, .told_late = true};
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 5, 1 * S, 1 * S + 100 * MS);
	cmt_rack_on_sack_end(&r);
	cmt_rack_on_delivered(&r, &path, &older, 1 * S + 160 * MS);
	assert_false(r.reordering);
	/* But it was delivered. */
	cmt_rack_on_delivered(&r, &path, &newer, 1 * S + 161 * MS);
	assert_int_equal(r.now.number, 6);
	assert_int_equal(r.now.rtt_us, 160 * MS);
}

/* Also where three later ones were delivered. */
static void what_will_be_told_late_is_waited_for_as_long_as_any_window_may_be(void **state)
{
	const struct cmt_rack_packet copy = {.number = 1, .sent_us = 1 * S, .told_late = true};
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 5, 1 * S, 1 * S + 100 * MS);
	assert_int_equal(deadline(&r, 1, 1 * S), 1 * S + 100 * MS);
	assert_int_equal(cmt_rack_deadline_us(&r, &path, &copy), 1 * S + 100 * MS + 110 * MS);
}

static void once_reordering_was_seen_any_number_of_later_packets_leaves_a_window(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 2, 1 * S + 1 * MS, 1 * S + 101 * MS);
	cmt_rack_on_sack_end(&r);
	delivered(&r, 1, 1 * S, 1 * S + 102 * MS);
	cmt_rack_on_sack_end(&r);
	delivered(&r, 100, 2 * S, 2 * S + 104 * MS);
	assert_int_equal(deadline(&r, 3, 2 * S - 10 * MS), 2 * S - 10 * MS + 104 * MS + 25 * MS);
	assert_int_equal(deadline(&r, 99, 2 * S), 2 * S + 104 * MS + 25 * MS);
}

/* --- the window ------------------------------------------------------------------------------------------
 */

static void the_window_is_a_quarter_of_the_smallest_round_trip_else_of_the_smoothed_one(void **state)
{
	const struct cmt_rack_path no_loop = {.min_rtt_us = CMT_UNKNOWN_US, .srtt_us = 110 * MS},
	                           no_srtt = {.min_rtt_us = 80 * MS, .srtt_us = 0},
	                           near = {.min_rtt_us = 3999, .srtt_us = 8 * MS},
	                           nearest = {.min_rtt_us = 50, .srtt_us = 60};
	const struct cmt_rack r = new_rack();

	(void)state;
	assert_int_equal(window_us(r), 25 * MS);
	assert_int_equal(window_on(r, &no_loop), 27500);
	assert_int_equal(window_on(r, &no_srtt), 20 * MS);
	/* No timer is finer than a millisecond, but no window is above the round trip. */
	assert_int_equal(window_on(r, &near), 1 * MS);
	assert_int_equal(window_on(r, &unmeasured), 1 * MS);
	assert_int_equal(window_on(r, &nearest), 60);
}

/* Packet 1 arrives `late_us` after one in its place should have. */
static struct cmt_rack seen_late(uint64_t late_us)
{
	struct cmt_rack r = new_rack();

	delivered(&r, 2, 1 * S, 1 * S + 100 * MS);
	cmt_rack_on_sack_end(&r);
	delivered(&r, 1, 1 * S, 1 * S + 100 * MS + late_us);
	cmt_rack_on_sack_end(&r);
	return r;
}

static void what_comes_late_widens_the_window_by_that_and_a_quarter_more(void **state)
{
	(void)state;
	assert_int_equal(window_us(seen_late(0)), 25 * MS);
	/* 19999 * 5/4 = 24998 */
	assert_int_equal(window_us(seen_late(19999)), 25 * MS);
	assert_int_equal(window_us(seen_late(20000)), 50 * MS);
	assert_int_equal(window_us(seen_late(39999)), 50 * MS);
	assert_int_equal(window_us(seen_late(40000)), 75 * MS);
}

static void the_window_is_at_most_the_smoothed_round_trip(void **state)
{
	const struct cmt_rack_path slower = {.min_rtt_us = 100 * MS, .srtt_us = 500 * MS};
	struct cmt_rack r = seen_late(70 * MS);

	(void)state;
	/* 4 quarters of 25 ms are less than 110 ms, 5 are not. */
	assert_int_equal(window_us(r), 100 * MS);
	assert_false(cmt_rack_window_is_full(&r, &path));
	r = seen_late(80 * MS);
	assert_int_equal(window_us(r), 110 * MS);
	assert_true(cmt_rack_window_is_full(&r, &path));
	/* What came later than that has not been counted further. */
	r = seen_late(9 * S);
	assert_int_equal(window_on(r, &slower), 125 * MS);
	assert_false(cmt_rack_window_is_full(&r, &slower));
}

static void four_quarters_fill_the_window_where_both_round_trips_are_equal(void **state)
{
	const struct cmt_rack_path even = {.min_rtt_us = 100 * MS, .srtt_us = 100 * MS};
	struct cmt_rack r = new_rack();

	(void)state;
	for (unsigned quarters = 1; quarters < 4; quarters++) {
		assert_false(cmt_rack_window_is_full(&r, &even));
		cmt_rack_on_spurious(&r, &even, CMT_UNKNOWN_US);
	}
	assert_true(cmt_rack_window_is_full(&r, &even));
}

static void a_window_of_unknown_round_trips_is_never_full(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	cmt_rack_on_spurious(&r, &unmeasured, 100 * S);
	assert_false(cmt_rack_window_is_full(&r, &unmeasured));
	/* More than a minute is a minute: 75000 quarters of a millisecond, and one. */
	assert_int_equal(window_on(r, &unmeasured), 75001 * MS);
	assert_int_equal(window_us(r), 110 * MS);
}

static void a_spurious_loss_widens_by_its_lateness_or_else_by_a_quarter(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	cmt_rack_on_spurious(&r, &path, CMT_UNKNOWN_US);
	assert_int_equal(window_us(r), 50 * MS);
	cmt_rack_on_spurious(&r, &path, 45 * MS);
	assert_int_equal(window_us(r), 75 * MS);
	cmt_rack_on_spurious(&r, &path, CMT_UNKNOWN_US);
	assert_int_equal(window_us(r), 100 * MS);
	cmt_rack_on_spurious(&r, &path, CMT_UNKNOWN_US);
	assert_int_equal(window_us(r), 110 * MS);
	cmt_rack_on_spurious(&r, &path, CMT_UNKNOWN_US);
	assert_int_equal(window_us(r), 110 * MS);
}

static void a_spurious_loss_is_reordering_too(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	cmt_rack_on_spurious(&r, &path, 0);
	delivered(&r, 9, 1 * S, 1 * S + 100 * MS);
	assert_int_equal(deadline(&r, 1, 1 * S), 1 * S + 125 * MS);
}

static void what_is_less_late_than_before_narrows_nothing(void **state)
{
	struct cmt_rack r = seen_late(60 * MS);

	(void)state;
	assert_int_equal(window_us(r), 100 * MS);
	cmt_rack_on_spurious(&r, &path, 1 * MS);
	cmt_rack_on_spurious(&r, &path, -1 * S);
	assert_int_equal(window_us(r), 100 * MS);
}

static void the_window_narrows_after_sixteen_loss_events_without_more(void **state)
{
	struct cmt_rack r = seen_late(60 * MS);

	(void)state;
	for (unsigned i = 1; i <= 15; i++)
		cmt_rack_on_loss_event(&r);
	assert_int_equal(window_us(r), 100 * MS);
	/* It was needed again, if only a part of it. */
	cmt_rack_on_spurious(&r, &path, 1 * MS);
	for (unsigned i = 1; i <= 15; i++)
		cmt_rack_on_loss_event(&r);
	assert_int_equal(window_us(r), 100 * MS);
	cmt_rack_on_loss_event(&r);
	assert_int_equal(window_us(r), 25 * MS);
	/* Order stays doubtful on this path. */
	delivered(&r, 20, 1 * S, 1 * S + 100 * MS);
	assert_int_equal(deadline(&r, 1, 1 * S), 1 * S + 125 * MS);
}

static void the_next_widening_is_kept_for_sixteen_events_anew(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	for (unsigned i = 1; i <= 40; i++)
		cmt_rack_on_loss_event(&r);
	cmt_rack_on_spurious(&r, &path, CMT_UNKNOWN_US);
	for (unsigned i = 1; i <= 15; i++)
		cmt_rack_on_loss_event(&r);
	assert_int_equal(window_us(r), 50 * MS);
	cmt_rack_on_loss_event(&r);
	assert_int_equal(window_us(r), 25 * MS);
}

/* --- probes ----------------------------------------------------------------------------------------------
 */

static void a_probe_waits_two_round_trips_and_for_the_sack_of_a_single_packet(void **state)
{
	(void)state;
	assert_int_equal(cmt_rack_probe_timeout_us(110 * MS, false), 220 * MS);
	assert_int_equal(cmt_rack_probe_timeout_us(110 * MS, true), 420 * MS);
	assert_int_equal(cmt_rack_probe_timeout_us(1, false), 2);
}

/* --- whole recoveries ------------------------------------------------------------------------------------
 */

/* Packets 0 to 3 are sent at once and only the first arrives; the probe repeats the last as number 4; what it
 * shows to be lost goes out as 5 and 6, of which 5 is lost again (RFC 8985, section 3.4). */
static void a_lost_tail_and_a_lost_retransmission_are_repaired_without_a_timeout(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 0, 1000 * MS, 1100 * MS);
	cmt_rack_on_sack_end(&r);
	for (uint32_t number = 1; number <= 3; number++)
		assert_int_equal(deadline(&r, number, 1000 * MS), CMT_NEVER_US);
	assert_int_equal(1100 * MS + cmt_rack_probe_timeout_us(110 * MS, false), 1320 * MS);

	redelivered(&r, 4, 1320 * MS, 1420 * MS);
	cmt_rack_on_sack_end(&r);
	for (uint32_t number = 1; number <= 3; number++)
		assert_true(deadline(&r, number, 1000 * MS) <= 1420 * MS);

	assert_int_equal(deadline(&r, 5, 1420 * MS), CMT_NEVER_US);
	redelivered(&r, 6, 1421 * MS, 1522 * MS);
	cmt_rack_on_sack_end(&r);
	assert_int_equal(deadline(&r, 5, 1420 * MS), 1420 * MS + 101 * MS + 25 * MS);
}

/* A packet every millisecond. 2 takes 12 ms longer than the others and is taken for lost; that it arrives
 * teaches the window. 22 takes 12 ms longer as well, and waits in it. */
static void a_path_that_reorders_loses_one_packet_to_learn_it(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	for (uint32_t number = 1; number <= 5; number++) {
		if (number == 2)
			continue;
		delivered(&r, number, number * MS, (number + 100) * MS);
		cmt_rack_on_sack_end(&r);
	}
	assert_true(deadline(&r, 2, 2 * MS) <= 105 * MS);
	cmt_rack_on_spurious(&r, &path, 114 * MS - 2 * MS - 100 * MS);

	for (uint32_t number = 15; number <= 33; number++) {
		if (number == 22)
			continue;
		delivered(&r, number, number * MS, (number + 100) * MS);
		cmt_rack_on_sack_end(&r);
		if (number > 22)
			assert_int_equal(deadline(&r, 22, 22 * MS), 147 * MS);
	}
	delivered(&r, 22, 22 * MS, 134 * MS);
	assert_int_equal(window_us(r), 25 * MS);
}

/* Thirty of forty packets arrive 30 ms late: as one measured lateness, not as thirty. */
static void a_long_late_burst_widens_the_window_once(void **state)
{
	struct cmt_rack r = new_rack();

	(void)state;
	delivered(&r, 40, 40 * MS, 140 * MS);
	cmt_rack_on_sack_end(&r);
	for (uint32_t number = 10; number < 40; number++) {
		delivered(&r, number, number * MS, (number + 130) * MS);
		cmt_rack_on_sack_end(&r);
	}
	assert_int_equal(window_us(r), 50 * MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_lost_that_no_later_packet_overtook),
	    cmocka_unit_test(an_overtaken_packet_has_the_round_trip_of_the_later_one_and_a_quarter),
	    cmocka_unit_test(the_newest_packet_gives_the_round_trip_in_whatever_order_a_sack_names_them),
	    cmocka_unit_test(the_third_later_packet_leaves_no_window_without_reordering),
	    cmocka_unit_test(numbers_and_their_distances_wrap),
	    cmocka_unit_test(a_retransmission_acknowledged_sooner_than_any_round_trip_says_nothing),
	    cmocka_unit_test(what_was_sent_once_may_take_a_shorter_round_trip_than_ever_before),
	    cmocka_unit_test(without_a_smallest_round_trip_retransmissions_are_believed),
	    cmocka_unit_test(one_sack_may_name_packets_in_any_order),
	    cmocka_unit_test(retransmissions_are_not_reordering),
	    cmocka_unit_test(what_was_told_late_is_not_reordering),
	    cmocka_unit_test(what_will_be_told_late_is_waited_for_as_long_as_any_window_may_be),
	    cmocka_unit_test(once_reordering_was_seen_any_number_of_later_packets_leaves_a_window),
	    cmocka_unit_test(the_window_is_a_quarter_of_the_smallest_round_trip_else_of_the_smoothed_one),
	    cmocka_unit_test(what_comes_late_widens_the_window_by_that_and_a_quarter_more),
	    cmocka_unit_test(the_window_is_at_most_the_smoothed_round_trip),
	    cmocka_unit_test(four_quarters_fill_the_window_where_both_round_trips_are_equal),
	    cmocka_unit_test(a_window_of_unknown_round_trips_is_never_full),
	    cmocka_unit_test(a_spurious_loss_widens_by_its_lateness_or_else_by_a_quarter),
	    cmocka_unit_test(a_spurious_loss_is_reordering_too),
	    cmocka_unit_test(what_is_less_late_than_before_narrows_nothing),
	    cmocka_unit_test(the_window_narrows_after_sixteen_loss_events_without_more),
	    cmocka_unit_test(the_next_widening_is_kept_for_sixteen_events_anew),
	    cmocka_unit_test(a_probe_waits_two_round_trips_and_for_the_sack_of_a_single_packet),
	    cmocka_unit_test(a_lost_tail_and_a_lost_retransmission_are_repaired_without_a_timeout),
	    cmocka_unit_test(a_path_that_reorders_loses_one_packet_to_learn_it),
	    cmocka_unit_test(a_long_late_burst_widens_the_window_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
