/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Window laws of competitors against the formulas that they are. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "rivals/law.h"

#define assert_near(value, wanted, within) assert_true(fabs((value) - (wanted)) <= (within))

/* One packet acknowledged each ms. */
static void acknowledge(const struct lab_law *law, struct lab_law_state *s, uint64_t from_us,
                        uint64_t until_us, double delivery_bps)
{
	for (uint64_t at_us = from_us; at_us < until_us; at_us += 1000) {
		const struct lab_law_ack ack = {.now_us = at_us,
		                                .rtt_us = 100000,
		                                .acked_pkts = 1,
		                                .in_flight_pkts = 50,
		                                .delivery_bps = delivery_bps,
		                                .new_round = at_us % 100000 == 0};

		law->acked(s, &ack);
	}
}

static void newreno_doubles_then_adds_one_a_window_and_halves(void **state)
{
	struct lab_law_state s;

	(void)state;
	lab_law_newreno.start(&s, 0);
	acknowledge(&lab_law_newreno, &s, 0, 10000, 0);
	assert_near(s.cwnd_pkts, 20, 1e-9);
	lab_law_newreno.lost(&s, 10000);
	assert_near(s.cwnd_pkts, 10, 1e-9);
	acknowledge(&lab_law_newreno, &s, 10000, 20000, 0);
	assert_near(s.cwnd_pkts, 11, 0.05);
	lab_law_newreno.timed_out(&s, 20000);
	assert_near(s.cwnd_pkts, 1, 1e-9);
	assert_near(s.ssthresh_pkts, 5.5, 0.03);
}

/* RFC 9438: K = cbrt(W_max (1 - 0.7) / 0.4); it is back at W_max after K, concave before, convex behind. */
static void cubic_is_back_at_its_window_after_k(void **state)
{
	const double k_s = cbrt(1000 * 0.3 / 0.4);
	struct lab_law_state s;
	double before_pkts;

	(void)state;
	lab_law_cubic.start(&s, 0);
	s.cwnd_pkts = 1000;
	lab_law_cubic.lost(&s, 0);
	assert_near(s.cwnd_pkts, 700, 1e-9);
	acknowledge(&lab_law_cubic, &s, 0, 1000, 0);
	assert_near(s.cubic.k_s, k_s, 1e-9);
	s.cwnd_pkts = 990;
	lab_law_cubic.acked(
	    &s, &(struct lab_law_ack){.now_us = (uint64_t)(k_s * 1e6), .rtt_us = 0, .acked_pkts = 990});
	assert_near(s.cwnd_pkts, 1000, 0.01);
	lab_law_cubic.acked(&s, &(struct lab_law_ack){
	                            .now_us = (uint64_t)((k_s + 5) * 1e6), .rtt_us = 0, .acked_pkts = 1000});
	assert_near(s.cwnd_pkts, 1000 + 0.4 * 125, 0.1);
	/* Losing below the last maximum: fast convergence. */
	before_pkts = s.cwnd_pkts;
	lab_law_cubic.lost(&s, 0);
	assert_near(s.cubic.w_max_pkts, before_pkts, 1e-9);
	lab_law_cubic.lost(&s, 0);
	assert_near(s.cubic.w_max_pkts, before_pkts * 0.7 * 0.85, 1e-6);
}

/* Where the cube is slow, no less than a control with 3 (1 - b) / (1 + b) packets a window. */
static void cubic_is_no_slower_than_reno(void **state)
{
	struct lab_law_state s;

	(void)state;
	lab_law_cubic.start(&s, 0);
	s.cwnd_pkts = 20;
	lab_law_cubic.lost(&s, 0);
	for (int window = 0; window < 5; window++) {
		lab_law_cubic.acked(&s, &(struct lab_law_ack){.now_us = 1000u * (unsigned)window,
		                                              .rtt_us = 1000,
		                                              .acked_pkts = s.cwnd_pkts});
	}
	assert_near(s.cwnd_pkts, 14 + 5 * 3 * 0.3 / 1.7, 0.01);
}

/* 12 Mbit/s x 100 ms are 100 packets. */
static void
bbr_paces_at_what_is_delivered_with_two_bdp_and_leaves_the_link_to_see_the_round_trip(void **state)
{
	struct lab_law_state s;
	bool probed = false;

	(void)state;
	lab_law_bbr.start(&s, 0);
	acknowledge(&lab_law_bbr, &s, 0, 300000, 12e6);
	assert_int_equal(s.bbr.phase, LAB_BBR_STARTUP);
	assert_near(s.pacing_bps, 2.885 * 12e6, 1);
	acknowledge(&lab_law_bbr, &s, 300000, 2000000, 12e6);
	assert_int_equal(s.bbr.phase, LAB_BBR_PROBE_BW);
	assert_near(s.cwnd_pkts, 200, 1e-6);
	lab_law_bbr.lost(&s, 2000000);
	assert_near(s.cwnd_pkts, 200, 1e-6);
	/* No shorter round trip for ten seconds. */
	for (uint64_t at_us = 2000000; at_us < 14000000; at_us += 1000) {
		lab_law_bbr.acked(&s, &(struct lab_law_ack){.now_us = at_us,
		                                            .rtt_us = 110000,
		                                            .acked_pkts = 1,
		                                            .in_flight_pkts = 50,
		                                            .delivery_bps = 12e6,
		                                            .new_round = at_us % 100000 == 0});
		probed = probed || (s.bbr.phase == LAB_BBR_PROBE_RTT && s.cwnd_pkts <= 4);
	}
	assert_true(probed);
	assert_int_equal(s.bbr.min_rtt_us, 110000);
	assert_near(s.cwnd_pkts, 220, 1e-6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(newreno_doubles_then_adds_one_a_window_and_halves),
	    cmocka_unit_test(cubic_is_back_at_its_window_after_k),
	    cmocka_unit_test(cubic_is_no_slower_than_reno),
	    cmocka_unit_test(
	        bbr_paces_at_what_is_delivered_with_two_bdp_and_leaves_the_link_to_see_the_round_trip),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
