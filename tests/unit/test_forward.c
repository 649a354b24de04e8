/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_forward.c - forward prediction of FPS and F2P-DPS, on numbers worked out by hand. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/cmt_forward.h"

enum { NO_LIMIT = 1000000 };

/* Figure 2 of the OCPS paper: the faster path's window is 2 and grows by one per round. Its first five
 * packets leave in two rounds. */
static void a_window_of_2_that_grows_by_one_delivers_2_then_3_then_4(void **state)
{
	const struct cmt_forward_path p = {.round_us = 100000,
	                                   .tx_time_us = 1000,
	                                   .cwnd_pkts = 2,
	                                   .ssthresh_pkts = 2,
	                                   .window_pkts = NO_LIMIT};

	(void)state;
	assert_int_equal(cmt_forward_fps(&p, 0), 1);
	assert_int_equal(cmt_forward_fps(&p, 49999), 1);
	assert_int_equal(cmt_forward_fps(&p, 50000), 2); /* 100 ms / 2 */
	assert_int_equal(cmt_forward_fps(&p, 99999), 2);
	assert_int_equal(cmt_forward_fps(&p, 100000), 3); /* 2, and the first of 3 */
	assert_int_equal(cmt_forward_fps(&p, 199999),
	                 2 + 4); /* 100 ms / 3 = 33333 us, three times, and the first */
	assert_int_equal(cmt_forward_fps(&p, 200000), 2 + 3 + 1);
	assert_int_equal(cmt_forward_fps(&p, 1000000), (2 + 11) * 10 / 2 + 1);
}

static void slow_start_doubles_up_to_ssthresh(void **state)
{
	const struct cmt_forward_path p = {.round_us = 100000,
	                                   .tx_time_us = 1000,
	                                   .cwnd_pkts = 2,
	                                   .ssthresh_pkts = 7,
	                                   .window_pkts = NO_LIMIT};

	(void)state;
	/* Rounds of 2, 4, 7, 8; then a packet every 100 ms / 9 = 11111 us. */
	assert_int_equal(cmt_forward_fps(&p, 200000), 2 + 4 + 1);
	assert_int_equal(cmt_forward_fps(&p, 300000), 2 + 4 + 7 + 1);
	assert_int_equal(cmt_forward_fps(&p, 450000), 2 + 4 + 7 + 8 + 4 + 1);
}

static void link_and_window_bound_a_round(void **state)
{
	struct cmt_forward_path p = {.round_us = 100000,
	                             .tx_time_us = 30000,
	                             .cwnd_pkts = 2,
	                             .ssthresh_pkts = 100,
	                             .window_pkts = NO_LIMIT};

	(void)state;
	/* A round of 2, then the link alone: 3 1/3 packets per round. */
	assert_int_equal(cmt_forward_fps(&p, 100000), 3);
	assert_int_equal(cmt_forward_fps(&p, 100000 + 900000), 2 + 30 + 1);
	p.window_pkts = 1;
	assert_int_equal(cmt_forward_fps(&p, 900000), 10);
	p.round_us = 0;
	assert_int_equal(cmt_forward_fps(&p, 900000), 31);
	assert_int_equal(cmt_forward_f2p(&p, 900000), 31);
}

static void losses_take_their_share_and_halve_the_window(void **state)
{
	struct cmt_forward_path p = {.round_us = 100000,
	                             .tx_time_us = 1000,
	                             .cwnd_pkts = 2,
	                             .ssthresh_pkts = 2,
	                             .window_pkts = NO_LIMIT,
	                             .loss_ppm = 500000};

	(void)state;
	/* p = 1/2. Round 1: 1 of 2 packets; s = 1/4, so w becomes 3/4 + 3/4 = 1.5. Round 2: 0.75; s = 3/8,
	 * between 1/2 and 1/4, so w becomes 2.5 * 3/8 + 0.75 * 5/8 = 1.40625, and the rest is one packet, or
	 * half. */
	assert_int_equal(cmt_forward_f2p(&p, 100000), 2); /* 1 + 0.5 = 1.5 */
	assert_int_equal(cmt_forward_f2p(&p, 200000), 2); /* 1 + 0.75 + 0.5 = 2.25 */
	assert_int_equal(cmt_forward_f2p(&p, 200000 + 71110), 2);
	assert_int_equal(cmt_forward_f2p(&p, 200000 + 71111), 3); /* 100 ms / 1.40625: one more, 2.75 */
	p.loss_ppm = 1000000;
	assert_int_equal(cmt_forward_f2p(&p, 300000), 0);
	/* 1 %: rounds of 10 lose 0.1 packets each; (0.99)^10 = 0.9044, so w becomes 0.9044 * 11 + 0.0956 * 5
	 * = 10.426, then 0.9044 * 11.426 + 0.0956 * 5.213 = 10.832: 0.99 * (10 + 10.426 + 1) = 21.2. */
	p.loss_ppm = 10000;
	p.cwnd_pkts = 10;
	assert_int_equal(cmt_forward_f2p(&p, 200000), 21);
	assert_int_equal(cmt_forward_fps(&p, 200000), 22);
	/* 0.99 * (10 + 10.426 + 10.832 + 1) = 31.9 against 10 + 11 + 12 + 1. */
	assert_int_equal(cmt_forward_f2p(&p, 300000), 32);
	assert_int_equal(cmt_forward_fps(&p, 300000), 34);
}

static void more_loss_is_never_more_packets(void **state)
{
	struct cmt_forward_path p = {.round_us = 40000,
	                             .tx_time_us = 4000,
	                             .cwnd_pkts = 30,
	                             .ssthresh_pkts = 20,
	                             .window_pkts = NO_LIMIT};
	uint64_t before = UINT64_MAX;

	(void)state;
	for (p.loss_ppm = 0; p.loss_ppm <= 1000000; p.loss_ppm += 1000) {
		uint64_t now = cmt_forward_f2p(&p, 1000000);

		assert_true(now <= before);
		before = now;
	}
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Within 64 rounds; also where windows, times and rates take any value. */
static void without_loss_both_predict_the_same(void **state)
{
	uint64_t seed = 11;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 100000; i++) {
		struct cmt_forward_path p = {
		    .round_us = 1 + (int64_t)(next_random(&seed) % 1000000),
		    .tx_time_us = 1 + (int64_t)(next_random(&seed) % (next_random(&seed) % 100000 + 1)),
		    .cwnd_pkts = 1 + next_random(&seed) % 1000,
		    .ssthresh_pkts = next_random(&seed) % 2000,
		    .window_pkts = 1 + next_random(&seed) % (next_random(&seed) % 5000 + 1)};
		int64_t lead_us = (int64_t)(next_random(&seed) % (uint64_t)(60 * p.round_us));

		assert_int_equal(cmt_forward_f2p(&p, lead_us), cmt_forward_fps(&p, lead_us));
		assert_true(cmt_forward_fps(&p, lead_us) <= (uint64_t)(lead_us / p.tx_time_us) + 1);
	}
}

/* Where the link bounds every round, rounds are no whole numbers of packets: 105 ms are 17.93 of them. */
static void a_link_that_is_full_delivers_as_much_with_rare_losses(void **state)
{
	const struct cmt_forward_path p = {
	    .round_us = 105000, .tx_time_us = 5856, .cwnd_pkts = 1000, .window_pkts = 1000, .loss_ppm = 1};

	(void)state;
	for (int64_t lead_us = 0; lead_us < 60 * p.round_us; lead_us += 997)
		assert_int_equal(cmt_forward_f2p(&p, lead_us), lead_us / p.tx_time_us + 1);
}

static void extreme_windows_do_not_overflow(void **state)
{
	const struct cmt_forward_path p = {.round_us = UINT32_MAX,
	                                   .tx_time_us = 1,
	                                   .cwnd_pkts = UINT32_MAX,
	                                   .ssthresh_pkts = UINT32_MAX,
	                                   .window_pkts = UINT32_MAX,
	                                   .loss_ppm = 1};

	(void)state;
	assert_int_equal(cmt_forward_fps(&p, 60000000), 60000001);
	assert_in_range(cmt_forward_f2p(&p, 60000000), 1, 60000001);
}

/* Section II of the OCPS paper: path 2's transmission lasts 200 ms, half of its RTT, path 1's 50 ms. In the
 * 150 ms between, path 1 has a round of 4, and half of one of 5: 3 packets at 0, 20, 40 ms. Predicted
 * arrivals say something else, and do not count. */
static void durations_of_the_paper_are_halves_of_rtts(void **state)
{
	static const char *const names[] = {"fps", "f2p"};
	static cmt_ahead_fn *const ahead[] = {cmt_fps_ahead, cmt_f2p_ahead};
	const struct cmt_path_view views[] = {
	    {.id = 0, .min_rtt_us = 60000, .srtt_us = 100000, .cwnd_bytes = 4000, .ssthresh_bytes = 4000},
	    {.id = 1, .min_rtt_us = 60000, .srtt_us = 400000, .cwnd_bytes = 4000, .ssthresh_bytes = 4000}};
	struct cmt_ahead_path paths[2];
	const struct cmt_view v = {.paths = views, .n_paths = 2, .packet_bytes = 1000};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		paths[i] = (struct cmt_ahead_path){.path = &views[i],
		                                   .has_share = true,
		                                   .window_pkts = NO_LIMIT,
		                                   .tx_time_us = 1000,
		                                   .arrival_us = 70000 - 10000 * (int)i};
	for (unsigned i = 0; i < 2; i++) {
		uint64_t words[CMT_SCHED_STATE_MAX / sizeof(uint64_t)] = {0};

		print_message("%s\n", names[i]);
		assert_int_equal(cmt_forward_init(words, "rtt=1"), 0);
		assert_int_equal(ahead[i](words, &v, paths, 1), 1000 * (4 + 3));
		assert_int_equal(ahead[i](words, &v, paths, 0), 0);
		assert_int_equal(cmt_forward_init(words, "rtt=0"), 0);
		assert_int_equal(ahead[i](words, &v, paths, 1), 0);
		assert_int_equal(ahead[i](words, &v, paths, 0), 1000 * 1); /* 10 ms, a packet every 15 */
		assert_int_equal(cmt_forward_init(words, "rtt=2"), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_window_of_2_that_grows_by_one_delivers_2_then_3_then_4),
	    cmocka_unit_test(slow_start_doubles_up_to_ssthresh),
	    cmocka_unit_test(link_and_window_bound_a_round),
	    cmocka_unit_test(losses_take_their_share_and_halve_the_window),
	    cmocka_unit_test(more_loss_is_never_more_packets),
	    cmocka_unit_test(without_loss_both_predict_the_same),
	    cmocka_unit_test(a_link_that_is_full_delivers_as_much_with_rare_losses),
	    cmocka_unit_test(extreme_windows_do_not_overflow),
	    cmocka_unit_test(durations_of_the_paper_are_halves_of_rtts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
