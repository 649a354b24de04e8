/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a link leaves to chance: bands over many packets, and which decisions may depend on which. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "link.h"

enum { N = 200000 };

static void start(struct simnet_link *link, struct usrsctp_cmt_sim_link config, uint64_t stream)
{
	assert_int_equal(simnet_link_check(&config), 0);
	simnet_link_init(link, &config, 1, stream);
}

static struct simnet_verdict send_at(struct simnet_link *link, uint64_t now_us, uint32_t wire_bytes)
{
	struct simnet_offer offer = {
	    .now_us = now_us, .wire_bytes = wire_bytes, .payload_bytes = wire_bytes - 20};
	struct simnet_verdict verdict;

	assert_int_equal(simnet_link_send(link, &offer, &verdict), 0);
	return verdict;
}

static void independent_loss_has_its_rate_and_no_memory(void **state)
{
	struct simnet_link link;
	unsigned pairs = 0;
	bool last = false;

	(void)state;
	start(&link, (struct usrsctp_cmt_sim_link){.loss = 0.05}, 0);
	for (unsigned i = 0; i < N; i++) {
		bool lost = send_at(&link, i, 100).fate == SIMNET_LOST;

		pairs += lost && last;
		last = lost;
	}
	assert_in_range(link.stats.dropped_loss_pkts, 9600, 10400);
	assert_in_range(pairs, 400, 600);
	simnet_link_free(&link);
}

static void gilbert_elliott_loses_the_right_share_in_bursts(void **state)
{
	struct simnet_link link;
	unsigned pairs = 0;
	bool last = false;

	(void)state;
	/* Bad for 1 / 0.25 = 4 packets on average, 0.02 / 0.27 of the time, and then half of them are lost.
	 */
	start(&link, (struct usrsctp_cmt_sim_link){.ge_bad = 0.02, .ge_good = 0.25, .ge_loss_bad = 0.5}, 0);
	for (unsigned i = 0; i < N; i++) {
		bool lost = send_at(&link, i, 100).fate == SIMNET_LOST;

		pairs += lost && last;
		last = lost;
	}
	assert_in_range(link.stats.dropped_loss_pkts, 7100, 7720);
	/* After a loss the next packet is lost with 0.75 * 0.5, ten times the mean of 0.037. */
	assert_in_range(pairs, link.stats.dropped_loss_pkts * 35 / 100,
	                link.stats.dropped_loss_pkts * 40 / 100);
	simnet_link_free(&link);
}

static void bit_errors_hit_large_packets_and_use_the_link(void **state)
{
	struct simnet_link link;

	(void)state;
	/* 1 - (1 - 2e-5)^8000 = 0.1479. */
	start(&link, (struct usrsctp_cmt_sim_link){.bit_error = 2e-5, .rate_bps = 8000000}, 0);
	for (unsigned i = 0; i < N; i++) {
		assert_int_equal(send_at(&link, 0, 1000).depart_us, 1000 * (i + 1));
	}
	assert_in_range(link.stats.dropped_bit_error_pkts, 28900, 30250);
	simnet_link_free(&link);
}

static void order_keeping_jitter_never_reorders(void **state)
{
	const enum usrsctp_cmt_sim_jitter kinds[3] = {
	    USRSCTP_CMT_SIM_JITTER_NORMAL, USRSCTP_CMT_SIM_JITTER_EXPONENTIAL, USRSCTP_CMT_SIM_JITTER_PARETO};

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		struct usrsctp_cmt_sim_link config = {
		    .delay_us = 10000, .jitter = kinds[k], .jitter_us = 5000, .duplicate = 0.1};
		struct simnet_link link;
		uint64_t last_us = 0;
		unsigned overtakes = 0;

		start(&link, config, 0);
		for (unsigned i = 0; i < 20000; i++) {
			struct simnet_verdict v = send_at(&link, 100 * i, 100);

			for (unsigned a = 0; a < v.arrivals; a++) {
				assert_true(v.arrive_us[a] >= last_us);
				last_us = v.arrive_us[a];
			}
		}
		simnet_link_free(&link);

		config.jitter_reorders = true;
		config.duplicate = 0.0;
		start(&link, config, 0);
		last_us = 0;
		for (unsigned i = 0; i < 20000; i++) {
			uint64_t arrive_us = send_at(&link, 100 * i, 100).arrive_us[0];

			overtakes += arrive_us < last_us;
			last_us = arrive_us;
		}
		assert_true(overtakes > 5000);
		simnet_link_free(&link);
	}
}

static uint64_t mean_delay_us(enum usrsctp_cmt_sim_jitter jitter, uint64_t *least_us)
{
	struct simnet_link link;
	uint64_t sum_us = 0;

	*least_us = UINT64_MAX;
	start(&link,
	      (struct usrsctp_cmt_sim_link){
	          .delay_us = 20000, .jitter = jitter, .jitter_us = 2000, .jitter_reorders = true},
	      0);
	for (uint64_t i = 0; i < N; i++) {
		uint64_t delay_us = send_at(&link, 1000 * i, 100).arrive_us[0] - 1000 * i;

		sum_us += delay_us;
		if (delay_us < *least_us) {
			*least_us = delay_us;
		}
	}
	simnet_link_free(&link);
	return sum_us / N;
}

static void jitter_has_the_mean_that_the_contract_names(void **state)
{
	uint64_t least_us;

	(void)state;
	assert_in_range(mean_delay_us(USRSCTP_CMT_SIM_JITTER_NORMAL, &least_us), 19980, 20020);
	assert_in_range(least_us, 9000, 13500);
	assert_in_range(mean_delay_us(USRSCTP_CMT_SIM_JITTER_EXPONENTIAL, &least_us), 21980, 22020);
	assert_int_equal(least_us, 20000);
	assert_in_range(mean_delay_us(USRSCTP_CMT_SIM_JITTER_PARETO, &least_us), 21960, 22040);
	assert_int_equal(least_us, 21200);
}

static void normal_jitter_never_arrives_before_departure(void **state)
{
	struct simnet_link link;

	(void)state;
	start(&link,
	      (struct usrsctp_cmt_sim_link){.delay_us = 10,
	                                    .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                    .jitter_us = 1000,
	                                    .jitter_reorders = true},
	      0);
	for (uint64_t i = 0; i < 10000; i++) {
		assert_true(send_at(&link, 5 * i, 100).arrive_us[0] >= 5 * i);
	}
	simnet_link_free(&link);
}

static void duplicates_held_back_and_corrupted_packets_have_their_rates(void **state)
{
	struct simnet_link link;
	unsigned late = 0;

	(void)state;
	start(&link,
	      (struct usrsctp_cmt_sim_link){
	          .delay_us = 100, .duplicate = 0.1, .reorder = 0.2, .reorder_us = 5000, .corrupt = 0.3},
	      0);
	for (unsigned i = 0; i < N; i++) {
		struct simnet_verdict v = send_at(&link, i, 120);

		late += v.arrive_us[0] == i + 5100;
		assert_true(v.arrive_us[0] == i + 100 || v.arrive_us[0] == i + 5100);
		assert_true(v.arrivals == 1 || v.arrive_us[1] == i + 100);
		assert_true(v.corrupt_bit < 800);
	}
	assert_int_equal(late, link.stats.reordered_pkts);
	assert_in_range(link.stats.duplicated_pkts, 19400, 20600);
	assert_in_range(link.stats.reordered_pkts, 39200, 40800);
	assert_in_range(link.stats.corrupted_pkts, 59100, 60900);
	simnet_link_free(&link);
}

static void pareto_cross_traffic_comes_in_bursts_of_its_mean_rate(void **state)
{
	struct usrsctp_cmt_sim_link config = {.rate_bps = 100000000,
	                                      .cross = {.kind = USRSCTP_CMT_SIM_CROSS_PARETO,
	                                                .packet_bytes = 500,
	                                                .interval_us = 1000,
	                                                .on_us = 50000,
	                                                .off_us = 150000}};
	struct simnet_link link;

	(void)state;
	start(&link, config, 0);
	simnet_link_advance(&link, UINT64_C(2000000000));
	/* On a quarter of the time; the mean of a Pareto distribution of shape 1.5 is reached slowly. */
	assert_in_range(link.stats.cross_pkts, 400000, 620000);
	simnet_link_free(&link);
}

static const struct usrsctp_cmt_sim_link everything = {.rate_bps = 10000000,
                                                       .delay_us = 5000,
                                                       .jitter = USRSCTP_CMT_SIM_JITTER_EXPONENTIAL,
                                                       .jitter_us = 300,
                                                       .queue_pkts = 20,
                                                       .loss = 0.02,
                                                       .ge_bad = 0.01,
                                                       .ge_good = 0.2,
                                                       .ge_loss_bad = 0.5,
                                                       .bit_error = 1e-6,
                                                       .duplicate = 0.02,
                                                       .reorder = 0.02,
                                                       .reorder_us = 900,
                                                       .corrupt = 0.02,
                                                       .cross = {.kind = USRSCTP_CMT_SIM_CROSS_PARETO,
                                                                 .packet_bytes = 900,
                                                                 .interval_us = 1500,
                                                                 .on_us = 10000,
                                                                 .off_us = 10000}};

static void the_same_seed_gives_the_same_verdicts(void **state)
{
	struct simnet_link a, b, other;
	unsigned differ = 0;

	(void)state;
	start(&a, everything, 3);
	start(&b, everything, 3);
	start(&other, everything, 4);
	for (unsigned i = 0; i < 50000; i++) {
		struct simnet_verdict va = send_at(&a, 800 * i, 1000), vb = send_at(&b, 800 * i, 1000);
		struct simnet_verdict vo = send_at(&other, 800 * i, 1000);

		assert_int_equal(va.fate, vb.fate);
		assert_int_equal(va.arrivals, vb.arrivals);
		assert_true(va.arrive_us[0] == vb.arrive_us[0] && va.arrive_us[1] == vb.arrive_us[1]);
		assert_true(va.corrupt == vb.corrupt && va.corrupt_bit == vb.corrupt_bit);
		differ += va.fate != vo.fate || va.arrive_us[0] != vo.arrive_us[0];
	}
	assert_memory_equal(&a.stats, &b.stats, sizeof(a.stats));
	assert_true(differ > 25000);
	simnet_link_free(&a);
	simnet_link_free(&b);
	simnet_link_free(&other);
}

static void one_impairment_does_not_reshuffle_another(void **state)
{
	struct usrsctp_cmt_sim_link plain = {.loss = 0.1}, rich = everything;
	struct simnet_link a, b;

	(void)state;
	rich.loss = 0.1;
	rich.ge_bad = 0.0;
	start(&a, plain, 0);
	start(&b, rich, 0);
	for (unsigned i = 0; i < 20000; i++) {
		bool lost = send_at(&a, 800 * i, 1000).fate == SIMNET_LOST;

		assert_int_equal(send_at(&b, 800 * i, 1000).fate == SIMNET_LOST, lost);
	}
	assert_true(a.stats.dropped_loss_pkts > 1800);
	simnet_link_free(&a);
	simnet_link_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(independent_loss_has_its_rate_and_no_memory),
	    cmocka_unit_test(gilbert_elliott_loses_the_right_share_in_bursts),
	    cmocka_unit_test(bit_errors_hit_large_packets_and_use_the_link),
	    cmocka_unit_test(order_keeping_jitter_never_reorders),
	    cmocka_unit_test(jitter_has_the_mean_that_the_contract_names),
	    cmocka_unit_test(normal_jitter_never_arrives_before_departure),
	    cmocka_unit_test(duplicates_held_back_and_corrupted_packets_have_their_rates),
	    cmocka_unit_test(pareto_cross_traffic_comes_in_bursts_of_its_mean_rate),
	    cmocka_unit_test(the_same_seed_gives_the_same_verdicts),
	    cmocka_unit_test(one_impairment_does_not_reshuffle_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
