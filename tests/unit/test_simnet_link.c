/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queue, serialisation, delay and cross traffic of a link: literal times. Randomness is in
 * test_simnet_link_random.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <math.h>

#include <cmocka.h>

#include "link.h"

static void start(struct simnet_link *link, struct usrsctp_cmt_sim_link config)
{
	assert_int_equal(simnet_link_check(&config), 0);
	simnet_link_init(link, &config, 1, 0);
}

static struct simnet_verdict send_at(struct simnet_link *link, uint64_t now_us, uint32_t wire_bytes)
{
	struct simnet_offer offer = {
	    .now_us = now_us, .wire_bytes = wire_bytes, .payload_bytes = wire_bytes - 20};
	struct simnet_verdict verdict;

	assert_int_equal(simnet_link_send(link, &offer, &verdict), 0);
	return verdict;
}

static void a_link_of_zeros_delivers_at_once(void **state)
{
	struct simnet_link link;
	struct simnet_verdict v;

	(void)state;
	start(&link, (struct usrsctp_cmt_sim_link){.rate_bps = 0});
	for (unsigned i = 0; i < 1000; i++) {
		v = send_at(&link, 77, 1500);
		assert_int_equal(v.fate, SIMNET_PASSES);
		assert_int_equal(v.arrivals, 1);
		assert_int_equal(v.arrive_us[0], 77);
		assert_int_equal(v.wait_us, 0);
	}
	simnet_link_free(&link);
}

static void a_packet_of_1064_bytes_takes_5320_us_at_1600_kbit(void **state)
{
	struct simnet_link link;
	struct simnet_verdict v;

	(void)state;
	start(&link, (struct usrsctp_cmt_sim_link){.rate_bps = 1600000, .delay_us = 10000});
	v = send_at(&link, 100, 1064);
	assert_int_equal(v.wait_us, 0);
	assert_int_equal(v.depart_us, 5420);
	assert_int_equal(v.arrive_us[0], 15420);
	v = send_at(&link, 200, 1064);
	assert_int_equal(v.wait_us, 5220);
	assert_int_equal(v.arrive_us[0], 20740);
	v = send_at(&link, 10740, 1064);
	assert_int_equal(v.wait_us, 0);
	assert_int_equal(v.arrive_us[0], 26060);
	assert_int_equal(link.stats.queue_wait_us_sum, 5220);
	simnet_link_free(&link);
}

static void a_queue_of_100_packets_drops_the_101st_that_would_wait(void **state)
{
	struct simnet_link link;

	(void)state;
	start(&link, (struct usrsctp_cmt_sim_link){.rate_bps = 1600000, .queue_pkts = 100});
	for (unsigned i = 0; i < 101; i++) {
		assert_int_equal(send_at(&link, 0, 1064).fate, SIMNET_PASSES);
	}
	assert_int_equal(simnet_link_waiting_pkts(&link), 100);
	assert_int_equal(send_at(&link, 0, 1064).fate, SIMNET_QUEUE_FULL);
	assert_int_equal(send_at(&link, 5319, 1064).fate, SIMNET_QUEUE_FULL);
	/* The second packet goes into transmission: one place is free, one packet takes it. */
	assert_int_equal(send_at(&link, 5320, 1064).depart_us, 102 * 5320);
	assert_int_equal(send_at(&link, 5320, 1064).fate, SIMNET_QUEUE_FULL);
	assert_int_equal(link.stats.dropped_queue_pkts, 3);
	assert_int_equal(link.stats.queue_max_pkts, 100);
	assert_int_equal(link.stats.sent_pkts, 105);
	simnet_link_free(&link);
}

static void a_queue_in_bytes_takes_small_packets_where_a_large_one_does_not_fit(void **state)
{
	struct simnet_link link;

	(void)state;
	start(&link, (struct usrsctp_cmt_sim_link){.rate_bps = 8000000, .queue_bytes = 3000});
	assert_int_equal(send_at(&link, 0, 1500).fate, SIMNET_PASSES);
	assert_int_equal(send_at(&link, 0, 1500).fate, SIMNET_PASSES);
	assert_int_equal(send_at(&link, 0, 1400).fate, SIMNET_PASSES);
	assert_int_equal(send_at(&link, 0, 101).fate, SIMNET_QUEUE_FULL);
	assert_int_equal(send_at(&link, 0, 100).fate, SIMNET_PASSES);
	assert_int_equal(link.waiting_bytes, 3000);
	assert_int_equal(send_at(&link, 1500, 1500).fate, SIMNET_PASSES);
	simnet_link_free(&link);
}

static void a_million_odd_packets_neither_gain_nor_lose_a_microsecond(void **state)
{
	const uint64_t rate_bps = 7654321;
	struct simnet_link link;
	uint64_t bits = 0;

	(void)state;
	start(&link, (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps});
	for (uint32_t i = 0; i < 1000000; i++) {
		uint32_t bytes = 61 + (i * 7919) % 1400;
		struct simnet_verdict v = send_at(&link, 0, bytes);
		uint64_t whole, rest;

		bits += 8 * (uint64_t)bytes;
		/* The exact time of the last bit, rounded up: bits * 10^6 / rate without overflow. */
		whole = bits / rate_bps;
		rest = bits % rate_bps;
		assert_true(v.depart_us == whole * 1000000 + (rest * 1000000 + rate_bps - 1) / rate_bps);
	}
	simnet_link_free(&link);
}

static void a_busy_link_that_is_fed_in_time_keeps_its_rate_too(void **state)
{
	struct simnet_link link;
	struct simnet_verdict v = {.depart_us = 0};

	(void)state;
	/* 1000 bytes take 2666 2/3 us. A sender that hands over the next packet just before the link runs dry
	 * gets three packets through in 8000 us, for ever. */
	start(&link, (struct usrsctp_cmt_sim_link){.rate_bps = 3000000});
	for (unsigned i = 0; i < 300000; i++) {
		v = send_at(&link, v.depart_us > 0 ? v.depart_us - 1 : 0, 1000);
	}
	assert_int_equal(v.depart_us, 800000000);
	simnet_link_free(&link);
}

static void a_new_rate_counts_from_the_next_packet(void **state)
{
	struct usrsctp_cmt_sim_link config = {.rate_bps = 8000000};
	struct simnet_link link;

	(void)state;
	start(&link, config);
	assert_int_equal(send_at(&link, 0, 1000).depart_us, 1000);
	assert_int_equal(send_at(&link, 0, 1000).depart_us, 2000);
	config.rate_bps = 4000000;
	simnet_link_configure(&link, &config, 500);
	assert_int_equal(send_at(&link, 500, 1000).depart_us, 4000);
	config.rate_bps = 0;
	simnet_link_configure(&link, &config, 600);
	/* Unlimited, yet behind what is there already. */
	assert_int_equal(send_at(&link, 600, 1000).depart_us, 4000);
	assert_int_equal(send_at(&link, 5000, 1000).depart_us, 5000);
	simnet_link_free(&link);
}

static void a_shorter_delay_does_not_let_packets_overtake_unless_allowed(void **state)
{
	struct usrsctp_cmt_sim_link config = {.delay_us = 100000};
	struct simnet_link link;

	(void)state;
	start(&link, config);
	assert_int_equal(send_at(&link, 0, 100).arrive_us[0], 100000);
	config.delay_us = 10000;
	simnet_link_configure(&link, &config, 1000);
	assert_int_equal(send_at(&link, 1000, 100).arrive_us[0], 100000);
	config.jitter_reorders = true;
	simnet_link_configure(&link, &config, 2000);
	assert_int_equal(send_at(&link, 2000, 100).arrive_us[0], 12000);
	simnet_link_free(&link);
}

static void down_and_mtu_drop_before_the_queue(void **state)
{
	struct usrsctp_cmt_sim_link config = {.rate_bps = 8000, .mtu_bytes = 600};
	struct simnet_link link;

	(void)state;
	start(&link, config);
	assert_int_equal(send_at(&link, 0, 601).fate, SIMNET_TOO_BIG);
	assert_int_equal(send_at(&link, 0, 600).depart_us, 600000);
	config.down = true;
	simnet_link_configure(&link, &config, 0);
	assert_int_equal(send_at(&link, 0, 100).fate, SIMNET_LINK_DOWN);
	config.down = false;
	config.mtu_bytes = 0;
	simnet_link_configure(&link, &config, 0);
	assert_int_equal(send_at(&link, 0, 1501).fate, SIMNET_TOO_BIG);
	assert_int_equal(send_at(&link, 0, 100).depart_us, 700000);
	assert_int_equal(link.stats.dropped_mtu_pkts, 2);
	assert_int_equal(link.stats.dropped_down_pkts, 1);
	simnet_link_free(&link);
}

static void constant_cross_traffic_takes_its_share_of_queue_and_rate(void **state)
{
	struct usrsctp_cmt_sim_link config = {.rate_bps = 8000000,
	                                      .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR,
	                                                .packet_bytes = 1000,
	                                                .interval_us = 2000,
	                                                .from_us = 10000,
	                                                .until_us = 20000}};
	struct simnet_link link;

	(void)state;
	start(&link, config);
	assert_int_equal(send_at(&link, 9000, 500).depart_us, 9500);
	assert_int_equal(link.stats.cross_pkts, 0);
	/* Cross packets of 1 ms each begin at 10, 12, 14 ms; ours meets the second one halfway. */
	assert_int_equal(send_at(&link, 12500, 500).wait_us, 500);
	assert_int_equal(link.stats.cross_pkts, 2);
	assert_int_equal(send_at(&link, 50000, 500).wait_us, 0);
	assert_int_equal(link.stats.cross_pkts, 5);
	assert_int_equal(link.cross_next_us, SIMNET_NEVER_US);
	assert_int_equal(link.stats.cross_dropped_pkts, 0);
	simnet_link_free(&link);
}

static void cross_traffic_above_the_rate_fills_the_queue(void **state)
{
	struct usrsctp_cmt_sim_link config = {
	    .rate_bps = 4000000,
	    .queue_pkts = 10,
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 1000, .interval_us = 1000}};
	struct simnet_link link;

	(void)state;
	start(&link, config);
	simnet_link_advance(&link, 1000000);
	assert_int_equal(link.stats.cross_pkts, 1001);
	/* 2 ms each: half of them fit, and those in the queue. */
	assert_in_range(link.stats.cross_dropped_pkts, 488, 492);
	assert_int_equal(link.stats.queue_max_pkts, 10);
	simnet_link_free(&link);
}

static void cross_traffic_goes_on_undisturbed_when_something_else_changes(void **state)
{
	struct usrsctp_cmt_sim_link config = {
	    .rate_bps = 8000000,
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 1000, .interval_us = 3000}};
	struct simnet_link link;

	(void)state;
	start(&link, config);
	simnet_link_advance(&link, 1000);
	config.delay_us = 5;
	simnet_link_configure(&link, &config, 1000);
	assert_int_equal(link.cross_next_us, 3000);
	config.cross.interval_us = 500;
	simnet_link_configure(&link, &config, 1000);
	assert_int_equal(link.cross_next_us, 1000);
	config.cross.kind = USRSCTP_CMT_SIM_CROSS_NONE;
	simnet_link_configure(&link, &config, 1000);
	assert_int_equal(link.cross_next_us, SIMNET_NEVER_US);
	simnet_link_free(&link);
}

static void values_out_of_range_are_refused(void **state)
{
	struct usrsctp_cmt_sim_link config = {.loss = 0.5};

	(void)state;
	assert_int_equal(simnet_link_check(&config), 0);
	config.loss = 1.01;
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config.loss = NAN;
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){.corrupt = -0.1};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){.rate_bps = UINT64_MAX};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){.jitter = (enum usrsctp_cmt_sim_jitter)9};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 100, .interval_us = 0}};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_PARETO, .packet_bytes = 100, .interval_us = 1}};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config.cross.on_us = 1000;
	assert_int_equal(simnet_link_check(&config), 0);
}

static void a_black_hole_lets_fragments_through(void **state)
{
	struct usrsctp_cmt_sim_link config = {.black_hole_bytes = 1280};
	struct simnet_link link;
	struct simnet_offer offer = {.wire_bytes = 1520, .payload_bytes = 1480, .piece_bytes = 1240};
	struct simnet_verdict v;

	(void)state;
	start(&link, config);
	assert_int_equal(simnet_link_mtu_bytes(&config), 1500);
	assert_int_equal(send_at(&link, 0, 1281).fate, SIMNET_TOO_BIG);
	assert_int_equal(send_at(&link, 0, 1280).fate, SIMNET_PASSES);
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.fate, SIMNET_PASSES);
	offer.piece_bytes = 1300;
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.fate, SIMNET_TOO_BIG);
	assert_int_equal(link.stats.dropped_mtu_pkts, 2);
	simnet_link_free(&link);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_link_of_zeros_delivers_at_once),
	    cmocka_unit_test(a_packet_of_1064_bytes_takes_5320_us_at_1600_kbit),
	    cmocka_unit_test(a_queue_of_100_packets_drops_the_101st_that_would_wait),
	    cmocka_unit_test(a_queue_in_bytes_takes_small_packets_where_a_large_one_does_not_fit),
	    cmocka_unit_test(a_million_odd_packets_neither_gain_nor_lose_a_microsecond),
	    cmocka_unit_test(a_busy_link_that_is_fed_in_time_keeps_its_rate_too),
	    cmocka_unit_test(a_new_rate_counts_from_the_next_packet),
	    cmocka_unit_test(a_shorter_delay_does_not_let_packets_overtake_unless_allowed),
	    cmocka_unit_test(down_and_mtu_drop_before_the_queue),
	    cmocka_unit_test(a_black_hole_lets_fragments_through),
	    cmocka_unit_test(constant_cross_traffic_takes_its_share_of_queue_and_rate),
	    cmocka_unit_test(cross_traffic_above_the_rate_fills_the_queue),
	    cmocka_unit_test(cross_traffic_goes_on_undisturbed_when_something_else_changes),
	    cmocka_unit_test(values_out_of_range_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
