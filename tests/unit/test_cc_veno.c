/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cc_veno.c - what the control `veno` leaves of a window after a loss, by what was in the path's queue:
 * at 8 Mbit/s three packets of 1000 bytes are 3 ms; half of the loop is 2 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_cc.h"
#include "cc/cmt_cc_sums.h"

enum { MSS = 1000, MS = 1000, RATE_BPS = 8000000 };

static struct cmt_cc new_cc(uint32_t cwnd_bytes, uint64_t rate_bps, int64_t queue_us)
{
	struct cmt_cc cc = {.ops = NULL};

	assert_int_equal(cmt_cc_set(&cc, cmt_cc_find("veno"), ""), 0);
	cmt_cc_open(&cc, 0, cwnd_bytes, MSS);
	cc.paths[0].ssthresh_bytes = cwnd_bytes;
	cc.paths[0].rate_bps = rate_bps;
	cc.paths[0].min_rtt_us = 4 * MS;
	cc.paths[0].queue_us = queue_us;
	return cc;
}

static uint32_t lose(struct cmt_cc cc)
{
	assert_true(
	    cmt_cc_on_loss(&cc, 0, &(struct cmt_cc_loss){.bytes = MSS, .number = 5, .next_number = 25}));
	assert_int_equal(cc.paths[0].ssthresh_bytes, cc.paths[0].cwnd_bytes);
	return cc.paths[0].cwnd_bytes;
}

static uint32_t after_loss(uint32_t cwnd_bytes, uint64_t rate_bps, int64_t queue_us)
{
	return lose(new_cc(cwnd_bytes, rate_bps, queue_us));
}

/* Ten times as fast: three packets are 0.3 ms. */
static uint32_t after_loss_with_loop(uint32_t min_rtt_us, int64_t queue_us)
{
	struct cmt_cc cc = new_cc(20000, UINT64_C(10) * RATE_BPS, queue_us);

	cc.paths[0].min_rtt_us = min_rtt_us;
	return lose(cc);
}

static void three_packets_in_the_queue_take_half_of_the_window(void **state)
{
	(void)state;
	assert_int_equal(after_loss(20000, RATE_BPS, 3000), 10000);
	assert_int_equal(after_loss(20000, RATE_BPS, 500000), 10000);
}

static void less_takes_a_fifth_of_it(void **state)
{
	(void)state;
	assert_int_equal(after_loss(20000, RATE_BPS, 2999), 16000);
	assert_int_equal(after_loss(20000, RATE_BPS, 0), 16000);
	assert_int_equal(after_loss(20004, RATE_BPS, 0), 16000);
}

static void the_queue_is_counted_in_packets_of_the_path(void **state)
{
	(void)state;
	/* 3 ms at 4 Mbit/s are one packet and a half, 6 ms three. */
	assert_int_equal(after_loss(20000, RATE_BPS / 2, 3000), 16000);
	assert_int_equal(after_loss(20000, RATE_BPS / 2, 5999), 16000);
	assert_int_equal(after_loss(20000, RATE_BPS / 2, 6000), 10000);
}

static uint32_t after_loss_in_a_queue_over(uint64_t rate_bps, uint32_t quiet_us)
{
	struct cmt_cc cc = new_cc(20000, rate_bps, 10 * MS);

	cc.paths[0].quiet_us = quiet_us;
	return lose(cc);
}

/* A millisecond holds a packet. */
static void what_the_path_holds_without_a_queue_is_kept_up_to_four_fifths(void **state)
{
	(void)state;
	assert_int_equal(after_loss_in_a_queue_over(RATE_BPS, 9 * MS), 10000);
	assert_int_equal(after_loss_in_a_queue_over(RATE_BPS, 12 * MS), 12000);
	assert_int_equal(after_loss_in_a_queue_over(RATE_BPS, 17 * MS), 16000);
	assert_int_equal(after_loss_in_a_queue_over(UINT64_MAX, UINT32_MAX), 16000);
}

static void what_takes_less_than_half_of_the_loop_is_noise(void **state)
{
	(void)state;
	assert_int_equal(after_loss_with_loop(4 * MS, 1999), 16000);
	assert_int_equal(after_loss_with_loop(4 * MS, 2000), 10000);
}

static void but_four_milliseconds_are_a_queue(void **state)
{
	(void)state;
	assert_int_equal(after_loss_with_loop(10 * MS, 3999), 16000);
	assert_int_equal(after_loss_with_loop(10 * MS, 4000), 10000);
	assert_int_equal(after_loss_with_loop(UINT32_MAX, 4000), 10000);
}

static void without_a_loop_packets_alone_count(void **state)
{
	(void)state;
	assert_int_equal(after_loss_with_loop(0, 299), 16000);
	assert_int_equal(after_loss_with_loop(0, 300), 10000);
	assert_int_equal(after_loss_with_loop(0, -300), 16000);
}

static void without_a_rate_a_loss_takes_half(void **state)
{
	(void)state;
	assert_int_equal(after_loss(20000, 0, 0), 10000);
	assert_int_equal(after_loss(20000, 0, 500000), 10000);
}

static void a_forward_delay_below_the_base_is_no_queue(void **state)
{
	(void)state;
	assert_int_equal(after_loss(20000, RATE_BPS, -1), 16000);
	assert_int_equal(after_loss(20000, RATE_BPS, -3000), 16000);
	assert_int_equal(after_loss(20000, UINT64_MAX, INT64_MIN), 16000);
}

static void two_packets_are_left_of_the_smallest_windows(void **state)
{
	(void)state;
	assert_int_equal(after_loss(2400, RATE_BPS, 0), 2000);
	assert_int_equal(after_loss(3000, RATE_BPS, 3000), 2000);
}

static void the_largest_rates_and_queues_do_not_overflow(void **state)
{
	(void)state;
	assert_int_equal(after_loss(20000, UINT64_MAX, INT64_MAX), 10000);
	/* 2^52 bit/s * 2^12 us overflow 64 bits to 0. */
	assert_int_equal(after_loss(20000, UINT64_C(1) << 52, 4096), 10000);
	assert_int_equal(after_loss(CMT_CC_MAX_CWND_BYTES, RATE_BPS, 0), 1717986916);
}

static void acknowledge(struct cmt_cc *cc, int64_t delay_us, bool behind_loss)
{
	static uint64_t now_us = 1;

	now_us += 100 * MS;
	cmt_cc_on_delay(
	    cc, 0,
	    &(struct cmt_cc_delay){.now_us = now_us, .delay_us = delay_us, .behind_loss = behind_loss});
	cmt_cc_on_ack(cc, 0,
	              &(struct cmt_cc_ack){.now_us = now_us,
	                                   .bytes = MSS,
	                                   .number = 1,
	                                   .next_number = 21,
	                                   .delay_us = delay_us,
	                                   .cwnd_limited = true});
}

/* A path whose losses came with long delays, or with any, once in a round trip. */
static struct cmt_cc with_losses(bool at_long_delays)
{
	struct cmt_cc cc = new_cc(20000, RATE_BPS, 0);

	cc.paths[0].srtt_us = 10 * MS;
	for (unsigned i = 0; i < 100; i++) {
		bool is_long = i % 10 == 9;

		acknowledge(&cc, is_long ? 50 * MS : 40 * MS, i >= 50 && is_long == at_long_delays);
	}
	cc.paths[0].cwnd_bytes = 20000;
	return cc;
}

/* Just after a loss: CUBIC's part comes with time. */
static uint32_t growth_of(struct cmt_cc cc)
{
	cc.paths[0].cubic = (struct cmt_cubic){.began_ms = 0};
	cc.paths[0].srtt_us = 100000;
	cc.paths[0].cwnd_bytes = 20000;
	cc.paths[0].in_recovery = false;
	cc.paths[0].ssthresh_bytes = 20000;
	acknowledge(&cc, 45 * MS, false);
	return cc.paths[0].cwnd_bytes - 20000;
}

static const struct cmt_cc_loss loss = {.bytes = MSS, .number = 5, .next_number = 25};

static void losses_at_any_delay_take_nothing(void **state)
{
	struct cmt_cc cc = with_losses(false);

	(void)state;
	assert_false(cmt_cc_on_loss(&cc, 0, &loss));
	assert_int_equal(cc.paths[0].cwnd_bytes, 20000);
}

static void but_they_do_while_there_is_a_queue(void **state)
{
	struct cmt_cc cc = with_losses(false);

	(void)state;
	cc.paths[0].queue_us = 10 * MS;
	assert_true(cmt_cc_on_loss(&cc, 0, &loss));
	assert_int_equal(cc.paths[0].cwnd_bytes, 10000);
}

static void and_when_one_packet_in_ten_is_lost(void **state)
{
	struct cmt_cc cc = with_losses(false);
	unsigned lost = 1;

	(void)state;
	while (!cmt_cc_on_loss(&cc, 0, &loss))
		lost++;
	/* Of 100 and those. */
	assert_int_equal(lost, 12);
	assert_int_equal(cc.paths[0].cwnd_bytes, 10000);
	assert_int_equal(growth_of(cc), 50);
}

/* Of 3 % now and then 6 % of a few hundred packets are lost. */
static void but_not_when_chance_takes_some_more(void **state)
{
	struct cmt_cc cc = with_losses(false);

	(void)state;
	for (unsigned i = 0; i < 1000; i++)
		acknowledge(&cc, 40 * MS, false);
	cc.paths[0].cwnd_bytes = 20000;
	for (unsigned i = 0; i < 20; i++)
		assert_false(cmt_cc_on_loss(&cc, 0, &loss));
	assert_int_equal(cc.paths[0].cwnd_bytes, 20000);
}

static void losses_at_long_delays_do_without_a_queue(void **state)
{
	(void)state;
	assert_int_equal(lose(with_losses(true)), 16000);
}

static void with_a_queue_the_window_grows_as_if_it_were_alone(void **state)
{
	(void)state;
	assert_int_equal(growth_of(new_cc(20000, RATE_BPS, 10 * MS)), 50);
	assert_int_equal(growth_of(with_losses(true)), 50);
	/* Nothing tells of queues there. */
	assert_int_equal(growth_of(new_cc(20000, 0, 0)), 50);
}

static void without_any_sign_of_one_by_a_16th_per_round_trip(void **state)
{
	(void)state;
	assert_int_equal(growth_of(new_cc(20000, RATE_BPS, 0)), 62);
	assert_int_equal(growth_of(with_losses(false)), 62);
}

/* Ten seconds after a loss at 20 packets, 0.4 * 10^3 and more: as much as CUBIC may. */
static void and_as_cubic_in_time(void **state)
{
	struct cmt_cc cc = new_cc(20000, RATE_BPS, 10 * MS);

	(void)state;
	cc.paths[0].srtt_us = 100000;
	for (unsigned i = 0; i < 100; i++) {
		cc.paths[0].cwnd_bytes = 20000;
		acknowledge(&cc, 45 * MS, false);
	}
	assert_int_equal(cc.paths[0].cwnd_bytes - 20000, 500);
	assert_int_equal(lose(cc), 10250);
}

static void which_is_less_for_the_smallest_windows(void **state)
{
	struct cmt_cc cc = new_cc(4000, RATE_BPS, 0);

	(void)state;
	cc.paths[0].srtt_us = 100000;
	acknowledge(&cc, 45 * MS, false);
	assert_int_equal(cc.paths[0].cwnd_bytes, 4250);
}

/* Its first slow start was ended by a loss of which nothing is known. */
static struct cmt_cc with_a_lost_start(void)
{
	struct cmt_cc cc = with_losses(false);

	cc.paths[0].ssthresh_bytes = CMT_CC_NO_SSTHRESH;
	cmt_loss_cause_init(&cc.paths[0].loss_cause);
	assert_true(cmt_cc_on_loss(&cc, 0, &loss));
	assert_int_equal(cc.paths[0].cwnd_bytes, 16000);
	cc.paths[0].in_recovery = false;
	return cc;
}

static void losses_seem_random(struct cmt_cc *cc)
{
	cc->paths[0].loss_cause.evidence = 12;
}

static void a_start_that_a_random_loss_has_ended_goes_on(void **state)
{
	struct cmt_cc cc = with_a_lost_start();

	(void)state;
	acknowledge(&cc, 40 * MS, false);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 16000);
	losses_seem_random(&cc);
	cc.paths[0].queue_us = 10 * MS;
	acknowledge(&cc, 40 * MS, false);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 16000);
	cc.paths[0].queue_us = 0;
	acknowledge(&cc, 40 * MS, false);
	assert_int_equal(cc.paths[0].ssthresh_bytes, CMT_CC_NO_SSTHRESH);
}

/* And what it loses when it overshoots makes other losses no less random. */
static void but_only_once(void **state)
{
	const struct cmt_cc_loss many = {.bytes = 50 * MSS, .number = 50, .next_number = 60};
	struct cmt_cc cc = with_a_lost_start();

	(void)state;
	losses_seem_random(&cc);
	acknowledge(&cc, 40 * MS, false);
	assert_true(cmt_cc_on_loss(&cc, 0, &many));
	assert_int_equal(cmt_loss_cause_verdict(&cc.paths[0].loss_cause), CMT_LOSS_CAUSE_RANDOM);
	cmt_cc_on_ack(&cc, 0,
	              &(struct cmt_cc_ack){.bytes = MSS,
	                                   .number = 61,
	                                   .next_number = 62,
	                                   .delay_us = CMT_UNKNOWN_US,
	                                   .cwnd_limited = true});
	assert_false(cmt_cc_loses_by_load(&cc.paths[0]));
	assert_int_not_equal(cc.paths[0].ssthresh_bytes, CMT_CC_NO_SSTHRESH);
}

static void a_start_that_lost_much_at_once_does_not_go_on(void **state)
{
	struct cmt_cc cc = with_a_lost_start();

	(void)state;
	assert_false(cmt_cc_on_loss(&cc, 0, &(struct cmt_cc_loss){.bytes = 50 * MSS, .number = 20}));
	for (unsigned i = 0; i < 1000; i++)
		acknowledge(&cc, 40 * MS, false);
	losses_seem_random(&cc);
	acknowledge(&cc, 40 * MS, false);
	assert_int_not_equal(cc.paths[0].ssthresh_bytes, CMT_CC_NO_SSTHRESH);
}

/* In its first slow start, with a rate and without a queue. */
static struct cmt_cc starting(bool growing)
{
	struct cmt_cc cc = new_cc(20000, RATE_BPS, 0);

	cc.paths[0].ssthresh_bytes = CMT_CC_NO_SSTHRESH;
	cc.paths[0].growing = growing;
	return cc;
}

static void no_loss_ends_a_start_whose_round_trips_deliver_more_and_more(void **state)
{
	struct cmt_cc cc = starting(true), over = starting(true);

	(void)state;
	assert_false(cmt_cc_on_loss(&cc, 0, &loss));
	assert_int_equal(cc.paths[0].cwnd_bytes, 20000);
	assert_int_equal(lose(starting(false)), 16000);
	over.paths[0].ssthresh_bytes = 20000;
	assert_int_equal(lose(over), 16000);
}

static void but_one_in_a_queue_does_or_one_of_many(void **state)
{
	struct cmt_cc cc = starting(true);
	unsigned lost = 1;

	(void)state;
	cc.paths[0].queue_us = 10 * MS;
	assert_int_equal(lose(cc), 10000);
	cc.paths[0].queue_us = 0;
	cc.paths[0].recent.acked_bytes = 80 * MSS;
	while (!cmt_cc_on_loss(&cc, 0, &loss))
		lost++;
	assert_int_equal(lost, 9);
	assert_int_equal(cc.paths[0].cwnd_bytes, 10000);
}

static void what_a_queue_loses_makes_other_losses_no_less_random(void **state)
{
	const struct cmt_cc_loss many = {.bytes = 50 * MSS, .number = 50, .next_number = 60};
	struct cmt_cc seen = with_losses(false), unseen = with_losses(false);

	(void)state;
	seen.paths[0].queue_us = 10 * MS;
	assert_true(cmt_cc_on_loss(&seen, 0, &many));
	assert_int_equal(cmt_loss_cause_verdict(&seen.paths[0].loss_cause), CMT_LOSS_CAUSE_RANDOM);
	assert_true(cmt_cc_on_loss(&unseen, 0, &many));
	assert_int_equal(cmt_loss_cause_verdict(&unseen.paths[0].loss_cause), CMT_LOSS_CAUSE_QUEUE);
}

/* With `n` paths of the same rate, `shared` of them through one bottleneck. */
static struct cmt_cc with_paths(unsigned n, unsigned shared)
{
	struct cmt_cc cc = new_cc(20000, RATE_BPS, 10 * MS);

	cc.paths[0].srtt_us = 100 * MS;
	for (unsigned i = 1; i < n; i++) {
		cmt_cc_open(&cc, i, 40000, MSS);
		cc.paths[i].srtt_us = 200 * MS;
	}
	cc.paths[0].shared_with = (uint8_t)((1u << shared) - 2);
	return cc;
}

static int64_t growth(struct cmt_cc cc)
{
	return cc.ops->increase(&cc, 0, 20000);
}

/* Reno's: as a rate goes with its root, n paths with an n-th of the rate each are one flow with 1/n^2. */
static void paths_through_one_bottleneck_grow_together_as_one(void **state)
{
	const int64_t alone = growth(with_paths(1, 1));

	(void)state;
	assert_int_equal(alone, MSS * CMT_CC_GROWTH_ONE);
	assert_int_equal(growth(with_paths(4, 1)), alone);
	assert_int_equal(growth(with_paths(4, 2)), alone / 4);
	assert_int_equal(growth(with_paths(4, 4)), alone / 16);
}

/* 3 ms at 4 Mbit/s are one packet and a half; of both paths three. */
static void packets_of_all_paths_through_the_bottleneck_are_its_queue(void **state)
{
	struct cmt_cc alone = with_paths(2, 1), shared = with_paths(2, 2);

	(void)state;
	alone.paths[0].rate_bps = shared.paths[0].rate_bps = RATE_BPS / 2;
	alone.paths[0].queue_us = shared.paths[0].queue_us = 3 * MS;
	assert_int_equal(lose(alone), 16000);
	assert_int_equal(lose(shared), 10000);
}

static void what_one_takes_for_a_queue_of_others_is_the_other_ones(void **state)
{
	struct cmt_cc alone = with_paths(2, 1), shared = with_paths(2, 2);

	(void)state;
	alone.paths[0].quiet_us = shared.paths[0].quiet_us = 17 * MS;
	cmt_cc_see_others(&alone.paths[0], 12 * MS);
	cmt_cc_see_others(&shared.paths[0], 12 * MS);
	assert_int_equal(alone.paths[0].queue_us, 10 * MS);
	assert_int_equal(shared.paths[0].queue_us, 22 * MS);
	assert_int_equal(shared.paths[0].min_rtt_us, 0);
	assert_int_equal(lose(alone), 16000);
	assert_int_equal(lose(shared), 10000);
}

static void cubics_time_passes_with_the_share(void **state)
{
	struct cmt_cc one = with_paths(2, 1), two = with_paths(2, 2);

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct cmt_cc_path *p = i == 0 ? &one.paths[0] : &two.paths[0];

		cmt_cubic_restart(&p->cubic, 20000);
		cmt_cubic_on_ack(&p->cubic, 1000 * MS, true, 20000, MSS);
		cmt_cubic_on_ack(&p->cubic, 4900 * MS, true, 20000, MSS);
	}
	/* 0.4 packets / s^3 after 5 s, with the round trip that is to come; after half of it. */
	assert_int_equal(growth(one) / CMT_CC_GROWTH_ONE, 10000);
	assert_int_equal(growth(two) / CMT_CC_GROWTH_ONE, 3200);
}

static void a_path_without_a_round_trip_has_no_share(void **state)
{
	struct cmt_cc cc = with_paths(2, 2);

	(void)state;
	cc.paths[1].srtt_us = 0;
	assert_int_equal(growth(cc), MSS * CMT_CC_GROWTH_ONE);
	cc.paths[0].srtt_us = 0;
	assert_int_equal(growth(cc), MSS * CMT_CC_GROWTH_ONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(three_packets_in_the_queue_take_half_of_the_window),
	    cmocka_unit_test(less_takes_a_fifth_of_it),
	    cmocka_unit_test(the_queue_is_counted_in_packets_of_the_path),
	    cmocka_unit_test(what_the_path_holds_without_a_queue_is_kept_up_to_four_fifths),
	    cmocka_unit_test(what_takes_less_than_half_of_the_loop_is_noise),
	    cmocka_unit_test(but_four_milliseconds_are_a_queue),
	    cmocka_unit_test(without_a_loop_packets_alone_count),
	    cmocka_unit_test(without_a_rate_a_loss_takes_half),
	    cmocka_unit_test(a_forward_delay_below_the_base_is_no_queue),
	    cmocka_unit_test(two_packets_are_left_of_the_smallest_windows),
	    cmocka_unit_test(the_largest_rates_and_queues_do_not_overflow),
	    cmocka_unit_test(losses_at_any_delay_take_nothing),
	    cmocka_unit_test(but_they_do_while_there_is_a_queue),
	    cmocka_unit_test(and_when_one_packet_in_ten_is_lost),
	    cmocka_unit_test(but_not_when_chance_takes_some_more),
	    cmocka_unit_test(losses_at_long_delays_do_without_a_queue),
	    cmocka_unit_test(with_a_queue_the_window_grows_as_if_it_were_alone),
	    cmocka_unit_test(without_any_sign_of_one_by_a_16th_per_round_trip),
	    cmocka_unit_test(and_as_cubic_in_time),
	    cmocka_unit_test(which_is_less_for_the_smallest_windows),
	    cmocka_unit_test(a_start_that_a_random_loss_has_ended_goes_on),
	    cmocka_unit_test(but_only_once),
	    cmocka_unit_test(a_start_that_lost_much_at_once_does_not_go_on),
	    cmocka_unit_test(no_loss_ends_a_start_whose_round_trips_deliver_more_and_more),
	    cmocka_unit_test(but_one_in_a_queue_does_or_one_of_many),
	    cmocka_unit_test(what_a_queue_loses_makes_other_losses_no_less_random),
	    cmocka_unit_test(paths_through_one_bottleneck_grow_together_as_one),
	    cmocka_unit_test(packets_of_all_paths_through_the_bottleneck_are_its_queue),
	    cmocka_unit_test(what_one_takes_for_a_queue_of_others_is_the_other_ones),
	    cmocka_unit_test(cubics_time_passes_with_the_share),
	    cmocka_unit_test(a_path_without_a_round_trip_has_no_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
