/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Rates over time and opportunities to send: literal times, and the same answers as by adding up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>

#include "link.h"
#include "rates.h"

#define N(points) (sizeof(points) / sizeof((points)[0]))

static const struct usrsctp_cmt_sim_point steps[] = {{0, 8000000}, {10000, 0}, {15000, 2000000}};
static const struct usrsctp_cmt_sim_rates stepped = {.period_us = 20000, .n = N(steps), .points = steps};

/* The lines 1, 1, 3, 10 of a file with 1504 bytes for each, at microseconds. */
static const struct usrsctp_cmt_sim_point chances[] = {{1000, 3008}, {3000, 1504}, {10000, 1504}};
static const struct usrsctp_cmt_sim_rates mahimahi = {
    .opportunities = true, .period_us = 10000, .n = N(chances), .points = chances};

static void leaves_at(const struct usrsctp_cmt_sim_rates *rates, struct simnet_position *position,
                      uint32_t bytes, uint64_t expected_us)
{
	*position = simnet_rates_after(rates, 0, *position, bytes);
	assert_int_equal(simnet_rates_until_us(rates, *position), expected_us);
}

static void a_step_changes_the_speed_in_the_middle_of_a_packet(void **state)
{
	struct simnet_position at = {.at_us = 9000};

	(void)state;
	/* 1000 of 1250 bytes before the pause, 250 after it at a quarter of the rate. */
	leaves_at(&stepped, &at, 1250, 16000);
	/* 4000 us at 2 Mbit/s, then the first rate again. */
	leaves_at(&stepped, &at, 2000, 21000);
	leaves_at(&stepped, &at, 1, 21001);
}

static void what_ends_with_a_stretch_does_not_wait_for_the_next_one(void **state)
{
	struct simnet_position at = {.at_us = 9000};

	(void)state;
	leaves_at(&stepped, &at, 1000, 10000);
	leaves_at(&stepped, &at, 1, 15004);
}

static void fractions_of_a_microsecond_are_kept(void **state)
{
	static const struct usrsctp_cmt_sim_point thirds[] = {{0, 3000000}};
	static const struct usrsctp_cmt_sim_rates rates = {.period_us = 1000, .n = 1, .points = thirds};
	struct simnet_position at = {.at_us = 0}, constant = {.at_us = 0};

	(void)state;
	for (unsigned i = 1; i <= 30000; i++) {
		at = simnet_rates_after(&rates, 0, at, 100);
		constant = simnet_rates_after(NULL, 3000000, constant, 100);
		assert_int_equal(at.at_us, constant.at_us);
		assert_int_equal(at.work, constant.work);
		assert_int_equal(simnet_rates_until_us(&rates, at), (800 * (uint64_t)i + 2) / 3);
	}
}

static void an_opportunity_takes_its_bytes_in_as_many_packets_as_fit(void **state)
{
	struct simnet_position at = {.at_us = 0};

	(void)state;
	leaves_at(&mahimahi, &at, 1504, 1000);
	leaves_at(&mahimahi, &at, 1000, 1000);
	leaves_at(&mahimahi, &at, 504, 1000);
	/* A packet begins in one and ends in the next. */
	leaves_at(&mahimahi, &at, 1505, 10000);
	leaves_at(&mahimahi, &at, 1503, 10000);
	leaves_at(&mahimahi, &at, 3009, 13000);
}

static void an_opportunity_that_nobody_takes_is_gone(void **state)
{
	struct simnet_link link;
	struct usrsctp_cmt_sim_link config = {.rates = &mahimahi, .queue_pkts = 2};
	struct simnet_offer offer = {.wire_bytes = 400, .payload_bytes = 380};
	struct simnet_verdict v;

	(void)state;
	assert_int_equal(simnet_link_check(&config), 0);
	simnet_link_init(&link, &config, 1, 0);
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.wait_us, 1000);
	assert_int_equal(v.arrive_us[0], 1000);
	offer.now_us = 1001;
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.arrive_us[0], 3000);
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.arrive_us[0], 3000);
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.fate, SIMNET_QUEUE_FULL);
	offer.now_us = 3000;
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.arrive_us[0], 3000);
	offer.now_us = 99999;
	offer.wire_bytes = 1500;
	assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
	assert_int_equal(v.arrive_us[0], 100000);
	simnet_link_free(&link);
}

static void bits_are_the_sum_over_the_time(void **state)
{
	(void)state;
	assert_true(simnet_rates_bits(&stepped, 0, 20000) == 90000.0);
	assert_true(simnet_rates_bits(&stepped, 9000, 16000) == 8000.0 + 2000.0);
	assert_true(simnet_rates_bits(&stepped, 19000, 41000) == 2000.0 + 90000.0 + 8000.0);
	assert_true(simnet_rates_bits(&stepped, 5, 5) == 0.0);
	assert_true(simnet_rates_bits(&mahimahi, 0, 100001) == 10 * 4 * 1504 * 8.0);
	assert_true(simnet_rates_bits(&mahimahi, 1000, 3000) == 2 * 1504 * 8.0);
	assert_true(simnet_rates_bits(&mahimahi, 3001, 10000) == 0.0);
}

static void a_full_link_carries_what_the_sum_says(void **state)
{
	struct simnet_position a = {.at_us = 0}, b = {.at_us = 0};

	(void)state;
	for (unsigned i = 0; i < 100000; i++) {
		a = simnet_rates_after(&stepped, 0, a, 900);
		b = simnet_rates_after(&mahimahi, 0, b, 1504);
	}
	assert_int_equal(a.at_us, UINT64_C(8000) * 20000);
	assert_int_equal(b.at_us, UINT64_C(25000) * 10000);
}

static void a_delay_over_time_is_added_to_what_leaves_then(void **state)
{
	static const struct usrsctp_cmt_sim_point points[] = {{0, 5000}, {2000, 1000}};
	static const struct usrsctp_cmt_sim_delays delays = {.period_us = 3000, .n = 2, .points = points};
	struct usrsctp_cmt_sim_link config = {
	    .rate_bps = 8000000, .delay_us = 100, .delays = &delays, .jitter_reorders = true};
	struct simnet_offer offer = {.wire_bytes = 1000, .payload_bytes = 980};
	struct simnet_verdict v;
	struct simnet_link link;

	(void)state;
	assert_int_equal(simnet_delays_at_us(&delays, 1999), 5000);
	assert_int_equal(simnet_delays_at_us(&delays, 2000), 1000);
	assert_int_equal(simnet_delays_at_us(&delays, 3000), 5000);
	simnet_link_init(&link, &config, 1, 0);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(simnet_link_send(&link, &offer, &v), 0);
		assert_int_equal(v.arrive_us[0], 1000 * (i + 1) + 100 + (i == 1 ? 1000 : 5000));
	}
	simnet_link_free(&link);
}

static void refuses(struct usrsctp_cmt_sim_rates rates)
{
	assert_int_equal(simnet_rates_check(&rates), -EINVAL);
}

static void points_that_make_no_sense_are_refused(void **state)
{
	static const struct usrsctp_cmt_sim_point nothing[] = {{0, 0}}, late[] = {{1, 5}},
	                                          twice[] = {{0, 5}, {0, 6}}, fast[] = {{0, UINT64_MAX}};
	struct usrsctp_cmt_sim_delays delays = {.period_us = 10, .n = 1, .points = late};

	(void)state;
	assert_int_equal(simnet_rates_check(&stepped), 0);
	assert_int_equal(simnet_rates_check(&mahimahi), 0);
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 10, .n = 1, .points = nothing});
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 10, .n = 1, .points = late});
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 10, .n = 2, .points = twice});
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 10, .n = 1, .points = fast});
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 15000, .n = N(steps), .points = steps});
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 0, .n = N(steps), .points = steps});
	refuses((struct usrsctp_cmt_sim_rates){.period_us = 10, .n = 0, .points = steps});
	refuses((struct usrsctp_cmt_sim_rates){
	    .opportunities = true, .period_us = 9999, .n = N(chances), .points = chances});
	assert_int_equal(simnet_delays_check(&delays), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_step_changes_the_speed_in_the_middle_of_a_packet),
	    cmocka_unit_test(what_ends_with_a_stretch_does_not_wait_for_the_next_one),
	    cmocka_unit_test(fractions_of_a_microsecond_are_kept),
	    cmocka_unit_test(an_opportunity_takes_its_bytes_in_as_many_packets_as_fit),
	    cmocka_unit_test(an_opportunity_that_nobody_takes_is_gone),
	    cmocka_unit_test(bits_are_the_sum_over_the_time),
	    cmocka_unit_test(a_full_link_carries_what_the_sum_says),
	    cmocka_unit_test(a_delay_over_time_is_added_to_what_leaves_then),
	    cmocka_unit_test(points_that_make_no_sense_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
