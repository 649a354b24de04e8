/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_rate.c - delivery rate from literal arrival times: 1064-byte packets take 5320 us at 1.6 Mbit/s and
 * 21280 us at 0.4 Mbit/s. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_rate.h"

enum { PACKET_BYTES = 1064, FAST_US = 5320, SLOW_US = 21280 };

/* A path whose packets are all echoed. */
struct path {
	struct cmt_rate rate;
	struct cmt_rate_mark mark;
};

static struct path new_path(uint32_t first_number)
{
	return (struct path){.mark = {.arrival_us = 1000000, .number = first_number}};
}

/* `count` echoes arrive `gap_us` after each other, each of `pkts` packets; returns the estimate then. */
static uint64_t arrive_in_groups(struct path *p, unsigned count, uint32_t pkts, int64_t gap_us, bool busy)
{
	for (unsigned i = 0; i < count; i++) {
		p->mark.arrival_us += gap_us;
		p->mark.end_bytes += (uint64_t)pkts * PACKET_BYTES;
		p->mark.number += pkts;
		p->mark.heard = pkts;
		p->mark.busy = busy;
		cmt_rate_on_echo(&p->rate, &p->mark);
	}
	return cmt_rate_bps(&p->rate);
}

static uint64_t arrive(struct path *p, unsigned count, int64_t gap_us, bool busy)
{
	return arrive_in_groups(p, count, 1, gap_us, busy);
}

static void nothing_is_measured_before_the_quick_start(void **state)
{
	struct path p = new_path(0);

	(void)state;
	assert_int_equal(cmt_rate_bps(&p.rate), 0);
	for (unsigned i = 0; i < CMT_RATE_QUICK_PKTS; i++, p.mark.sent_us += FAST_US)
		assert_int_equal(arrive(&p, 1, FAST_US, true), 0);
	assert_int_equal(arrive(&p, 1, FAST_US, true), 1600000);
	assert_false(cmt_rate_is_exact(&p.rate));
}

static void a_train_that_left_together_shows_the_rate_behind_its_third_packet(void **state)
{
	struct path p = new_path(0);

	(void)state;
	p.mark.rtt_us = 200000;
	assert_int_equal(arrive(&p, CMT_RATE_EVEN_PKTS, FAST_US, true), 0);
	assert_int_equal(arrive(&p, 1, FAST_US, true), 1600000);
	assert_true(cmt_rate_is_exact(&p.rate));
	/* The next one, after a pause, does not mistake that for a thin link. */
	p.mark.sent_us += 200000;
	assert_int_equal(arrive(&p, 1, 200000, false), 1600000);
	assert_int_equal(arrive(&p, 5, SLOW_US, true), 400000); /* longer */
	p.mark.sent_us += 200000;
	arrive(&p, 1, 200000, false);
	assert_int_equal(arrive(&p, 4, SLOW_US / 2, true), 400000); /* shorter */
}

static void trains_that_jitter_made_uneven_show_nothing(void **state)
{
	static const int64_t gaps_us[] = {FAST_US, FAST_US, FAST_US * 2, FAST_US};
	struct path p = new_path(0), spaced = new_path(0);

	(void)state;
	for (unsigned i = 0; i < sizeof(gaps_us) / sizeof(gaps_us[0]); i++)
		arrive(&p, 1, gaps_us[i], true);
	assert_false(cmt_rate_is_exact(&p.rate));
	/* Nor do those that the sender spaced. */
	for (unsigned i = 0; i < 5; i++, spaced.mark.sent_us += FAST_US / 5 * 4)
		arrive(&spaced, 1, FAST_US, true);
	assert_false(cmt_rate_is_exact(&spaced.rate));
}

/* Jitter held the first one up until the others came. */
static void nothing_arrives_faster_than_it_was_sent(void **state)
{
	struct path p = new_path(0);

	(void)state;
	for (unsigned i = 0; i < CMT_RATE_QUICK_PKTS; i++, p.mark.sent_us += FAST_US)
		arrive(&p, 1, FAST_US / 4, true);
	assert_int_equal(arrive(&p, 1, FAST_US / 4, true), 1600000);
	p.mark.sent_us += FAST_US / 2;
	assert_int_equal(arrive(&p, 1, FAST_US * 13 / 2 - FAST_US / 4 * CMT_RATE_QUICK_PKTS, true), 1723076);
}

/* Four packets left, three were heard: of the other one late, or never. */
static void a_train_with_a_hole_only_raises_the_rate(void **state)
{
	struct path p = new_path(0);

	(void)state;
	arrive(&p, 5, FAST_US, true);
	p.mark.arrival_us += 2 * FAST_US;
	p.mark.end_bytes += 2 * PACKET_BYTES;
	p.mark.number += 2;
	p.mark.heard = 1;
	cmt_rate_on_echo(&p.rate, &p.mark);
	assert_int_equal(cmt_rate_bps(&p.rate), 1600000);
	assert_int_equal(arrive(&p, 1, FAST_US, true), 1600000);
}

/* At 128 kbit/s a packet takes 66.5 ms. */
static void a_thin_link_shows_with_two_packets_that_left_together(void **state)
{
	enum { THIN_US = 66500, MIN_RTT_US = 130000 };
	struct path p = new_path(0), jittery = new_path(0), spaced = new_path(0), stalled = new_path(0);

	(void)state;
	p.mark.bytes = PACKET_BYTES;
	p.mark.rtt_us = jittery.mark.rtt_us = MIN_RTT_US;
	assert_int_equal(arrive(&p, 1, THIN_US, false), 0);
	assert_int_equal(arrive(&p, 1, THIN_US, false), 128000);
	assert_int_equal(arrive(&p, 1, 2 * THIN_US, false), 85333); /* the longer span is nearer */
	assert_int_equal(arrive(&p, 1, CMT_RATE_SPREAD_US, false), 111267);
	/* Too little for a thin link, or for the loop. */
	arrive(&jittery, 1, 0, false);
	assert_int_equal(arrive(&jittery, 1, CMT_RATE_SPREAD_US - 1, false), 0);
	jittery = new_path(0);
	jittery.mark.rtt_us = 2 * THIN_US + 2;
	assert_int_equal(arrive(&jittery, 2, THIN_US, false), 0);
	/* The first one was back before a link that thin had sent it. */
	stalled.mark.bytes = PACKET_BYTES;
	stalled.mark.rtt_us = THIN_US - 1;
	assert_int_equal(arrive(&stalled, 2, THIN_US, false), 0);
	/* The sender spaced them. */
	arrive(&spaced, 1, 0, false);
	spaced.mark.sent_us += THIN_US / 2 + 1;
	assert_int_equal(arrive(&spaced, 1, THIN_US, false), 0);
}

static void a_train_replaces_what_a_pair_has_shown(void **state)
{
	struct path p = new_path(0);

	(void)state;
	assert_true(arrive(&p, 2, 40000, true) > 200000);
	assert_int_equal(arrive(&p, CMT_RATE_QUICK_PKTS - 1, 85120, true), 109690);
}

static void a_backlogged_path_is_measured_exactly(void **state)
{
	struct path fast = new_path(0), slow = new_path(0);

	(void)state;
	assert_int_equal(arrive(&fast, 1000, FAST_US, true), 1600000);
	assert_int_equal(arrive(&slow, 1000, SLOW_US, true), 400000);
}

static void echoes_that_skip_packets_are_as_exact(void **state)
{
	struct path p = new_path(0);

	(void)state;
	for (uint32_t i = 0; i < 200; i++)
		arrive_in_groups(&p, 1, i % 5 + 1, (i % 5 + 1) * (int64_t)FAST_US, true);
	assert_int_equal(cmt_rate_bps(&p.rate), 1600000);
}

static void an_application_limited_sender_does_not_lower_the_rate(void **state)
{
	struct path p = new_path(0);

	(void)state;
	arrive(&p, 200, FAST_US, true);
	assert_int_equal(arrive(&p, 2000, 50000, false), 1600000);
	/* One idle packet in each span is enough to know that the span was not backlogged. */
	for (int i = 0; i < 200; i++) {
		arrive(&p, 7, FAST_US, true);
		arrive(&p, 1, 200000, false);
	}
	assert_int_equal(cmt_rate_bps(&p.rate), 1600000);
}

static void an_application_limited_sample_may_raise_the_rate(void **state)
{
	struct path p = new_path(0);

	(void)state;
	assert_int_equal(arrive(&p, 400, SLOW_US, true), 400000);
	assert_int_equal(arrive(&p, 400, FAST_US, false), 1600000);
}

static void a_backlogged_path_that_got_slower_is_believed(void **state)
{
	struct path p = new_path(0);
	const unsigned span_pkts = CMT_RATE_SPAN_US / FAST_US + 1;

	(void)state;
	arrive(&p, 10 * span_pkts, FAST_US, true);
	assert_int_equal(arrive(&p, (CMT_RATE_SAMPLES + 1) * span_pkts, SLOW_US, true), 400000);
}

static void jitter_of_5_ms_stays_within_a_tenth(void **state)
{
	struct path p = new_path(0);
	uint64_t seed = 5, bps;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 1; i < 4000; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		p.mark.arrival_us = 1000000 + i * (int64_t)FAST_US + (int64_t)(seed % 5000);
		arrive(&p, 1, 0, true);
		if (i < 400)
			continue;
		bps = cmt_rate_bps(&p.rate);
		assert_in_range(bps, 1550000, 1760000);
	}
}

/* One packet of four is lost in front of a link with 1.6 Mbit/s: 1.2 of what was sent get through. */
static void packets_that_were_not_heard_do_not_count(void **state)
{
	struct path p = new_path(0);

	(void)state;
	for (int i = 0; i < 600; i++) {
		p.mark.arrival_us += 4 * (int64_t)FAST_US;
		p.mark.end_bytes += 4 * PACKET_BYTES;
		p.mark.number += 4;
		p.mark.heard = 3;
		p.mark.busy = true;
		cmt_rate_on_echo(&p.rate, &p.mark);
	}
	assert_int_equal(cmt_rate_bps(&p.rate), 1200000);
}

/* Idle between packets because of the congestion window, not of the application: that is the path's rate. */
/* Each is sent when the one before has been heard of: the path was not in use meanwhile, whatever was predicted. */
static void packets_now_and_then_say_nothing(void **state)
{
	struct path p = new_path(0);

	(void)state;
	arrive(&p, 200, FAST_US, true);
	p.mark.idle_us = 1000000 - FAST_US;
	for (int i = 0; i < 60; i++, p.mark.sent_us += 1000000)
		assert_int_equal(arrive(&p, 1, 1000000, true), 1600000);
}

static void a_window_limited_sample_lowers_the_rate(void **state)
{
	struct path p = new_path(0);

	(void)state;
	arrive(&p, 400, FAST_US, true);
	p.mark.limited = true;
	assert_int_equal(arrive(&p, 400, SLOW_US, false), 400000);
}

static void packet_numbers_wrap(void **state)
{
	struct path p = new_path(UINT32_MAX - 100);

	(void)state;
	for (int i = 0; i < 100; i++)
		arrive(&p, 1, FAST_US, true);
	assert_int_equal(cmt_rate_bps(&p.rate), 1600000);
	assert_int_equal(p.mark.number, UINT32_MAX);
	assert_int_equal(arrive(&p, 200, SLOW_US, true), 400000);
}

/* What was held up on the way and arrived together looks like a fast link, and the window is still growing.
 */
static uint64_t held_up_then_slow(bool queued)
{
	struct path p = new_path(0);
	const int64_t together_us = SLOW_US / 8;

	p.mark.growing = true;
	p.mark.rtt_us = 200000;
	for (int i = 0; i < 10; i++, p.mark.sent_us += together_us)
		arrive(&p, 1, together_us, true);
	p.mark.queued = queued;
	for (int i = 0; i < 80; i++, p.mark.sent_us += SLOW_US)
		arrive(&p, 1, SLOW_US, true);
	return cmt_rate_bps(&p.rate);
}

static void a_queue_that_stood_all_along_shows_the_rate_while_the_window_grows(void **state)
{
	(void)state;
	assert_int_equal(held_up_then_slow(false), 3200000);
	assert_in_range(held_up_then_slow(true), 400000, 500000);
}

static void old_and_simultaneous_arrivals_change_nothing(void **state)
{
	struct path p = new_path(0);
	struct cmt_rate_mark m;

	(void)state;
	arrive(&p, 100, FAST_US, true);
	m = p.mark;
	m.number = p.rate.start.number;
	cmt_rate_on_echo(&p.rate, &m);
	m.number = p.mark.number + 20;
	m.end_bytes += 20 * PACKET_BYTES;
	m.arrival_us = p.rate.start.arrival_us;
	cmt_rate_on_echo(&p.rate, &m);
	m.arrival_us = p.rate.start.arrival_us - 1000000;
	cmt_rate_on_echo(&p.rate, &m);
	assert_int_equal(cmt_rate_bps(&p.rate), 1600000);
}

static void absurd_numbers_are_capped(void **state)
{
	struct path p = new_path(0);

	(void)state;
	arrive(&p, 1, FAST_US, true);
	p.mark.number += 100;
	p.mark.heard = 100;
	p.mark.end_bytes += UINT64_C(1) << 60;
	p.mark.arrival_us += CMT_RATE_SPAN_US;
	cmt_rate_on_echo(&p.rate, &p.mark);
	assert_int_equal(cmt_rate_bps(&p.rate), CMT_RATE_MAX_BPS);
}

static void a_reset_forgets_everything(void **state)
{
	struct path p = new_path(0);

	(void)state;
	arrive(&p, 300, FAST_US, true);
	cmt_rate_reset(&p.rate);
	assert_int_equal(cmt_rate_bps(&p.rate), 0);
	assert_int_equal(arrive(&p, 300, SLOW_US, true), 400000);
}

/* Jitter that keeps the order: 20 packets together each 106.4 ms, at 1.6 Mbit/s; loops of 300 ms. */
static void clumps_of_packets_do_not_look_like_a_fast_link(void **state)
{
	struct path p = new_path(0);

	(void)state;
	p.mark.rtt_us = 300000;
	p.mark.growing = true;
	for (unsigned clump = 0; clump < 40; clump++) {
		for (unsigned i = 0; i < 20; i++)
			arrive(&p, 1, i == 0 ? 20 * FAST_US - 10 : i == 1 ? 10 : 0, true);
		if (clump > 3)
			assert_in_range(cmt_rate_bps(&p.rate), 1400000, 2500000);
	}
	assert_true(cmt_rate_is_clumped(&p.rate));
}

/* Of many clumps one is even by chance: four packets at 8 Mbit/s. */
static void an_even_train_among_clumps_shows_nothing(void **state)
{
	struct path p = new_path(0);

	(void)state;
	p.mark.rtt_us = 300000;
	p.mark.growing = true;
	for (unsigned clump = 0; clump < 10; clump++) {
		const int64_t apart_us = clump == 8 ? FAST_US / 5 : 0;

		p.mark.sent_us += 20 * FAST_US;
		for (unsigned i = 0; i < 20; i++)
			arrive(&p, 1,
			       i == 0   ? 20 * FAST_US - 10
			       : i == 1 ? 10 + apart_us
			       : i < 5  ? apart_us
			                : 0,
			       true);
	}
	assert_true(cmt_rate_is_clumped(&p.rate));
	assert_false(cmt_rate_is_exact(&p.rate));
	assert_in_range(cmt_rate_bps(&p.rate), 1400000, 2500000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(clumps_of_packets_do_not_look_like_a_fast_link),
	    cmocka_unit_test(an_even_train_among_clumps_shows_nothing),
	    cmocka_unit_test(nothing_is_measured_before_the_quick_start),
	    cmocka_unit_test(a_train_that_left_together_shows_the_rate_behind_its_third_packet),
	    cmocka_unit_test(trains_that_jitter_made_uneven_show_nothing),
	    cmocka_unit_test(nothing_arrives_faster_than_it_was_sent),
	    cmocka_unit_test(a_train_with_a_hole_only_raises_the_rate),
	    cmocka_unit_test(a_thin_link_shows_with_two_packets_that_left_together),
	    cmocka_unit_test(a_train_replaces_what_a_pair_has_shown),
	    cmocka_unit_test(a_backlogged_path_is_measured_exactly),
	    cmocka_unit_test(echoes_that_skip_packets_are_as_exact),
	    cmocka_unit_test(an_application_limited_sender_does_not_lower_the_rate),
	    cmocka_unit_test(an_application_limited_sample_may_raise_the_rate),
	    cmocka_unit_test(a_backlogged_path_that_got_slower_is_believed),
	    cmocka_unit_test(a_queue_that_stood_all_along_shows_the_rate_while_the_window_grows),
	    cmocka_unit_test(jitter_of_5_ms_stays_within_a_tenth),
	    cmocka_unit_test(packets_that_were_not_heard_do_not_count),
	    cmocka_unit_test(packets_now_and_then_say_nothing),
	    cmocka_unit_test(a_window_limited_sample_lowers_the_rate),
	    cmocka_unit_test(packet_numbers_wrap),
	    cmocka_unit_test(old_and_simultaneous_arrivals_change_nothing),
	    cmocka_unit_test(absurd_numbers_are_capped),
	    cmocka_unit_test(a_reset_forgets_everything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
