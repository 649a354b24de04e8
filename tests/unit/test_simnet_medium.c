/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Links as they are built: policers, and radio links with grants and HARQ, against their formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include "link.h"

enum { KBIT_8 = 8000, MBIT_8 = 8000000 };

static struct simnet_link link_;

static void start(struct usrsctp_cmt_sim_link config, uint64_t seed)
{
	config.mtu_bytes = 9000;
	assert_int_equal(simnet_link_check(&config), 0);
	simnet_link_init(&link_, &config, seed, 0);
}

static struct simnet_verdict send_at(uint64_t now_us, uint32_t wire_bytes)
{
	struct simnet_offer offer = {
	    .now_us = now_us, .wire_bytes = wire_bytes, .payload_bytes = wire_bytes - 20};
	struct simnet_verdict verdict;

	assert_int_equal(simnet_link_send(&link_, &offer, &verdict), 0);
	return verdict;
}

/* --- policer --- */

static void a_policer_lets_its_burst_through_and_then_its_rate(void **state)
{
	(void)state;
	/* A byte each microsecond. */
	start((struct usrsctp_cmt_sim_link){.policer = {.rate_bps = MBIT_8, .burst_bytes = 3000}}, 1);
	assert_int_equal(send_at(500, 1500).fate, SIMNET_PASSES);
	assert_int_equal(send_at(500, 1500).fate, SIMNET_PASSES);
	assert_int_equal(send_at(500, 21).fate, SIMNET_POLICED);
	assert_int_equal(send_at(1999, 1500).fate, SIMNET_POLICED);
	assert_int_equal(send_at(2000, 1500).fate, SIMNET_PASSES);
	assert_int_equal(send_at(1000000, 1500).fate, SIMNET_PASSES);
	assert_int_equal(send_at(1000000, 1501).fate, SIMNET_POLICED);
	assert_int_equal(link_.stats.dropped_policer_pkts, 3);
	simnet_link_free(&link_);
}

static void what_a_policer_accepts_is_its_burst_and_its_rate_to_the_byte(void **state)
{
	const uint64_t rate_bps = 1234567, burst_bytes = 20000;
	uint64_t accepted_bytes = 0, now_us = 0;

	(void)state;
	start((struct usrsctp_cmt_sim_link){.policer = {.rate_bps = rate_bps,
	                                                .burst_bytes = (uint32_t)burst_bytes}},
	      1);
	for (unsigned i = 0; i < 300000; i++) {
		uint32_t bytes = 40 + i * 7919 % 1400;

		now_us += 97 + i % 13;
		accepted_bytes += send_at(now_us, bytes).fate == SIMNET_PASSES ? bytes : 0;
		assert_true(accepted_bytes * 8000000 <= burst_bytes * 8000000 + rate_bps * now_us);
	}
	/* It was offered far more, so that no token lay idle for longer than a packet needs. */
	assert_true((accepted_bytes + 1440) * 8000000 >= burst_bytes * 8000000 + rate_bps * now_us);
	simnet_link_free(&link_);
}

static void cross_traffic_takes_tokens_too(void **state)
{
	(void)state;
	start(
	    (struct usrsctp_cmt_sim_link){
	        .policer = {.rate_bps = MBIT_8, .burst_bytes = 1500},
	        .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 1000, .interval_us = 1000}},
	    1);
	assert_int_equal(send_at(10000, 501).fate, SIMNET_POLICED);
	assert_int_equal(send_at(10000, 500).fate, SIMNET_PASSES);
	assert_int_equal(link_.stats.cross_dropped_pkts, 0);
	simnet_link_advance(&link_, 11000);
	assert_int_equal(link_.stats.cross_dropped_pkts, 0);
	assert_int_equal(send_at(11500, 501).fate, SIMNET_POLICED);
	simnet_link_free(&link_);
}

static void a_new_policer_is_full_and_tokens_of_the_old_rate_are_kept(void **state)
{
	struct usrsctp_cmt_sim_link config = {.mtu_bytes = 9000};

	(void)state;
	start(config, 1);
	config.policer = (struct usrsctp_cmt_sim_policer){.rate_bps = MBIT_8, .burst_bytes = 2000};
	simnet_link_configure(&link_, &config, 5000);
	assert_int_equal(send_at(5000, 2000).fate, SIMNET_PASSES);
	config.policer.rate_bps = KBIT_8;
	simnet_link_configure(&link_, &config, 6000);
	assert_int_equal(send_at(6000, 1001).fate, SIMNET_POLICED);
	assert_int_equal(send_at(6000, 1000).fate, SIMNET_PASSES);
	simnet_link_free(&link_);
}

/* --- grants --- */

static void a_block_leaves_at_the_end_of_its_interval(void **state)
{
	(void)state;
	/* 1000 bytes each 5 ms. */
	start((struct usrsctp_cmt_sim_link){.rate_bps = 1600000,
	                                    .delay_us = 100,
	                                    .grants = {.interval_us = 5000}},
	      1);
	/* Too late for the first interval, which nothing was waiting for. */
	assert_int_equal(send_at(1, 400).arrive_us[0], 10100);
	assert_int_equal(send_at(4999, 600).arrive_us[0], 10100);
	assert_int_equal(send_at(4999, 1).arrive_us[0], 15100);
	/* In time for it, but behind what is there. */
	assert_int_equal(send_at(10000, 999).arrive_us[0], 15100);
	assert_int_equal(send_at(10001, 1).arrive_us[0], 20100);
	assert_int_equal(send_at(25000, 2001).arrive_us[0], 40100);
	simnet_link_free(&link_);
}

static void grants_carry_the_rate_to_the_byte(void **state)
{
	uint64_t sent_bytes = 0;
	struct simnet_verdict v;

	(void)state;
	/* 387.5 bytes in each: none may be lost. */
	start((struct usrsctp_cmt_sim_link){.rate_bps = 3100000, .grants = {.interval_us = 1000}}, 1);
	for (unsigned i = 0; i < 100000; i++) {
		v = send_at(0, 60 + i * 7919 % 1400);
		sent_bytes += 60 + i * 7919 % 1400;
		assert_true(v.depart_us % 1000 == 0);
		assert_true(v.depart_us * 3100 >= sent_bytes * 8000);
		assert_true((v.depart_us - 1000) * 3100 < sent_bytes * 8000);
	}
	simnet_link_free(&link_);
}

static void idle_packets_wait_one_and_a_half_intervals_on_average(void **state)
{
	double sum_us = 0;

	(void)state;
	/* One interval at most until it begins, and one more until its end. */
	start((struct usrsctp_cmt_sim_link){.rate_bps = MBIT_8, .grants = {.interval_us = 4000}}, 1);
	for (unsigned i = 0; i < 4000; i++) {
		uint64_t now_us = 100001 * (uint64_t)i;

		sum_us += (double)(send_at(now_us, 100).arrive_us[0] - now_us);
	}
	assert_true(fabs(sum_us / 4000 - 1.5 * 4000) < 4);
	simnet_link_free(&link_);
}

/* The mean of a HARQ delay with nothing to wait for: round trips times sum of p^n, n to the most. */
static double harq_mean_us(double p)
{
	double sum = 0;

	for (int n = 1; n <= USRSCTP_CMT_SIM_HARQ_MOST; n++) {
		sum += pow(p, n);
	}
	return USRSCTP_CMT_SIM_HARQ_US * sum;
}

/* The same behind a block each interval_us, each of which delays those behind it. P(none of them is later
 * than d intervals) is the product over those before it. */
static double harq_in_order_mean_us(double p, unsigned interval_us)
{
	const unsigned most = USRSCTP_CMT_SIM_HARQ_MOST * USRSCTP_CMT_SIM_HARQ_US / interval_us;
	double sum = 0;

	for (unsigned d = 0; d < most; d++) {
		double none = 1;

		for (unsigned before = 0; d + before < most; before++) {
			unsigned round_trips = (d + before) * interval_us / (unsigned)USRSCTP_CMT_SIM_HARQ_US;

			none *= 1 - pow(p, round_trips + 1);
		}
		sum += (1 - none) * interval_us;
	}
	return sum;
}

static void a_lone_block_comes_round_trips_later_with_powers_of_the_probability(void **state)
{
	enum { N = 50000 };
	unsigned late[USRSCTP_CMT_SIM_HARQ_MOST + 1] = {0};
	double sum_us = 0;

	(void)state;
	start((struct usrsctp_cmt_sim_link){.rate_bps = MBIT_8,
	                                    .grants = {.interval_us = 1000, .block_failure = 0.3}},
	      1);
	for (unsigned i = 0; i < N; i++) {
		uint64_t now_us = 1000000 * (uint64_t)i, extra_us;

		extra_us = send_at(now_us, 1000).arrive_us[0] - now_us - 1000;
		assert_true(extra_us % USRSCTP_CMT_SIM_HARQ_US == 0);
		assert_in_range(extra_us / USRSCTP_CMT_SIM_HARQ_US, 0, USRSCTP_CMT_SIM_HARQ_MOST);
		late[extra_us / USRSCTP_CMT_SIM_HARQ_US]++;
		sum_us += (double)extra_us;
	}
	assert_true(fabs(late[0] / (double)N - 0.7) < 0.01);
	assert_true(fabs(late[1] / (double)N - 0.7 * 0.3) < 0.01);
	assert_true(fabs(late[2] / (double)N - 0.7 * 0.09) < 0.005);
	assert_true(fabs(sum_us / N / harq_mean_us(0.3) - 1) < 0.03);
	simnet_link_free(&link_);
}

static void blocks_behind_one_that_failed_wait_for_it(void **state)
{
	enum { N = 200000 };
	double sum_us = 0;
	uint64_t last_us = 0;

	(void)state;
	start((struct usrsctp_cmt_sim_link){.rate_bps = MBIT_8,
	                                    .grants = {.interval_us = 1000, .block_failure = 0.1}},
	      1);
	for (unsigned i = 0; i < N; i++) {
		uint64_t now_us = 1000 * (uint64_t)i, arrive_us = send_at(now_us, 1000).arrive_us[0];

		assert_true(arrive_us >= last_us);
		last_us = arrive_us;
		sum_us += (double)(arrive_us - now_us - 1000);
	}
	/* 4.2 ms, five times what a lone block has. */
	assert_true(harq_in_order_mean_us(0.1, 1000) > 4 * harq_mean_us(0.1));
	assert_true(fabs(sum_us / N / harq_in_order_mean_us(0.1, 1000) - 1) < 0.03);
	simnet_link_free(&link_);
}

static void a_packet_in_many_blocks_waits_for_each_of_them(void **state)
{
	enum { N = 20000 };
	unsigned in_time = 0;

	(void)state;
	/* Four blocks: none of them fails in 0.9^4 of cases. */
	start((struct usrsctp_cmt_sim_link){.rate_bps = MBIT_8,
	                                    .grants = {.interval_us = 1000, .block_failure = 0.1}},
	      1);
	for (unsigned i = 0; i < N; i++) {
		uint64_t now_us = 1000000 * (uint64_t)i;

		in_time += send_at(now_us, 4000).arrive_us[0] == now_us + 4000;
	}
	assert_true(fabs(in_time / (double)N - pow(0.9, 4)) < 0.01);
	simnet_link_free(&link_);
}

static void what_makes_no_sense_is_refused(void **state)
{
	struct usrsctp_cmt_sim_link config = {.policer = {.rate_bps = 1}};

	(void)state;
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){.grants = {.interval_us = 99}};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){.grants = {.interval_us = 100, .block_failure = 1.1}};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config.grants.block_failure = 1;
	assert_int_equal(simnet_link_check(&config), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_policer_lets_its_burst_through_and_then_its_rate),
	    cmocka_unit_test(what_a_policer_accepts_is_its_burst_and_its_rate_to_the_byte),
	    cmocka_unit_test(cross_traffic_takes_tokens_too),
	    cmocka_unit_test(a_new_policer_is_full_and_tokens_of_the_old_rate_are_kept),
	    cmocka_unit_test(a_block_leaves_at_the_end_of_its_interval),
	    cmocka_unit_test(grants_carry_the_rate_to_the_byte),
	    cmocka_unit_test(idle_packets_wait_one_and_a_half_intervals_on_average),
	    cmocka_unit_test(a_lone_block_comes_round_trips_later_with_powers_of_the_probability),
	    cmocka_unit_test(blocks_behind_one_that_failed_wait_for_it),
	    cmocka_unit_test(a_packet_in_many_blocks_waits_for_each_of_them),
	    cmocka_unit_test(what_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
