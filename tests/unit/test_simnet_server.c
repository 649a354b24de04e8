/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Links that dequeue: the same times as those that know them beforehand, queueing delays under loads that
 * respond, the share of cross traffic, and bursts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "link.h"

enum { MTU = 1500, MBIT_12 = 12000000 };

static struct simnet_link link_;

static void start(struct usrsctp_cmt_sim_link config)
{
	assert_int_equal(simnet_link_check(&config), 0);
	assert_int_equal(simnet_link_init(&link_, &config, 1, 0), 0);
}

/* A packet of ours; `tag` comes back. */
static void send_tagged(uint64_t now_us, uint32_t bytes, uint32_t flow, uint64_t tag)
{
	uint64_t *flight = malloc(sizeof(*flight));
	struct simnet_offer offer = {.now_us = now_us,
	                             .wire_bytes = bytes,
	                             .payload_bytes = bytes - 20,
	                             .flight = flight,
	                             .flow = flow};
	struct simnet_verdict v;

	assert_non_null(flight);
	*flight = tag;
	assert_int_equal(simnet_link_send(&link_, &offer, &v), 0);
	assert_int_equal(v.fate, SIMNET_WAITS);
}

/* The next one whose fate is known by until_us; looks when the link says so. */
static bool decided_by(uint64_t until_us, struct simnet_verdict *verdict, uint64_t *tag)
{
	uint64_t *flight;

	while ((flight = simnet_link_decided(&link_, verdict)) == NULL) {
		uint64_t wakes_us = simnet_link_wakes_us(&link_);

		if (wakes_us > until_us) {
			return false;
		}
		simnet_link_advance(&link_, wakes_us);
	}
	*tag = *flight;
	free(flight);
	return true;
}

/* --- the same as links without a queue discipline --- */

static uint32_t some_bytes(unsigned i)
{
	return 60 + i * 7919 % 1400;
}

/* Offers 2000 packets at times that are now closer, now farther apart, to both kinds of link. PIE does
 * nothing in its first 150 ms, and CoDel nothing below its target: drop tail under another name. */
static void departs_as_without(struct usrsctp_cmt_sim_link config)
{
	static uint64_t expected_us[2000];
	struct simnet_link plain;
	struct simnet_verdict v;
	uint64_t now_us = 0, tag;
	unsigned n = 0;

	assert_int_equal(simnet_link_init(&plain, &config, 1, 0), 0);
	config.aqm = USRSCTP_CMT_SIM_AQM_CODEL;
	start(config);
	for (unsigned i = 0; i < 2000; i++) {
		struct simnet_offer offer = {.wire_bytes = some_bytes(i), .payload_bytes = 40};

		now_us += i % 8 < 5 ? i % 100 : 2000 + i % 1000;
		while (decided_by(now_us, &v, &tag)) {
			assert_int_equal(tag, n);
			assert_int_equal(v.arrive_us[0], expected_us[n++]);
		}
		offer.now_us = now_us;
		assert_int_equal(simnet_link_send(&plain, &offer, &v), 0);
		assert_int_equal(v.fate, SIMNET_PASSES);
		expected_us[i] = v.arrive_us[0];
		send_tagged(now_us, some_bytes(i), i % 7, i);
	}
	while (decided_by(UINT64_MAX - 1, &v, &tag)) {
		assert_int_equal(tag, n);
		assert_int_equal(v.arrive_us[0], expected_us[n++]);
	}
	assert_int_equal(n, 2000);
	assert_int_equal(link_.stats.cross_pkts > 0, config.cross.kind != USRSCTP_CMT_SIM_CROSS_NONE);
	simnet_link_free(&link_);
	simnet_link_free(&plain);
}

static void packets_leave_as_from_a_link_that_knows_when(void **state)
{
	static const struct usrsctp_cmt_sim_point steps[] = {{0, MBIT_12}, {30000, 3 * MBIT_12}};
	static const struct usrsctp_cmt_sim_rates stepped = {.period_us = 50000, .n = 2, .points = steps};
	static const struct usrsctp_cmt_sim_point chances[] = {{400, 700}, {500, 1504}, {1000, 600}};
	static const struct usrsctp_cmt_sim_rates mahimahi = {
	    .opportunities = true, .period_us = 1000, .n = 3, .points = chances};

	(void)state;
	departs_as_without((struct usrsctp_cmt_sim_link){.delay_us = 77});
	departs_as_without((struct usrsctp_cmt_sim_link){.rate_bps = MBIT_12 + 7});
	departs_as_without((struct usrsctp_cmt_sim_link){.rates = &stepped});
	departs_as_without((struct usrsctp_cmt_sim_link){.rates = &mahimahi});
	departs_as_without((struct usrsctp_cmt_sim_link){
	    .rate_bps = MBIT_12, .grants = {.interval_us = 500, .block_failure = 0.1}});
	departs_as_without((struct usrsctp_cmt_sim_link){
	    .rate_bps = MBIT_12,
	    .jitter = USRSCTP_CMT_SIM_JITTER_EXPONENTIAL,
	    .jitter_us = 5000,
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 300, .interval_us = 1234}});
}

/* --- loads that respond: additive increase, multiplicative decrease --- */

enum { MOST_SENDERS = 20, RTT_US = 40000 };

/* Reno without slow start: a packet more each round trip, half at a loss or mark, once a round trip. */
struct sender {
	double window_pkts;
	unsigned flying;
	uint64_t cut_us;
};

struct load {
	unsigned senders;
	bool ect;
	uint64_t until_us, settled_us;
	/* of what left after settled_us: */
	double wait_us_sum, pkts, dropped, marked;
};

struct answer {
	uint64_t at_us;
	unsigned sender;
	bool congested;
};

static int by_time(const void *a, const void *b)
{
	const struct answer *x = a, *y = b;

	return (x->at_us > y->at_us) - (x->at_us < y->at_us);
}

static void fill(struct sender *senders, unsigned i, const struct load *load, uint64_t now_us)
{
	while (senders[i].flying < senders[i].window_pkts) {
		uint64_t *flight = malloc(sizeof(*flight));
		struct simnet_offer offer = {.now_us = now_us,
		                             .wire_bytes = MTU,
		                             .payload_bytes = MTU - 20,
		                             .flight = flight,
		                             .flow = i + 1,
		                             .ect = load->ect};
		struct simnet_verdict v;

		assert_non_null(flight);
		*flight = i;
		assert_int_equal(simnet_link_send(&link_, &offer, &v), 0);
		senders[i].flying++;
	}
}

/* Losses are known as late as arrivals would be. */
static void run(struct load *load)
{
	static struct answer answers[100000];
	struct sender senders[MOST_SENDERS] = {{0}};
	size_t n = 0;

	for (unsigned i = 0; i < load->senders; i++) {
		senders[i].window_pkts = 2;
		fill(senders, i, load, 0);
	}
	for (uint64_t now_us = 0; now_us < load->until_us;) {
		struct simnet_verdict v;
		uint64_t tag, next_us = n > 0 ? answers[0].at_us : UINT64_MAX - 1;
		struct sender *s;

		if (decided_by(next_us, &v, &tag)) {
			uint64_t left_us = v.arrivals > 0 ? v.arrive_us[0] : now_us;

			assert_true(n < sizeof(answers) / sizeof(answers[0]));
			answers[n++] = (struct answer){.at_us = left_us + RTT_US,
			                               .sender = (unsigned)tag,
			                               .congested = v.marked || v.arrivals == 0};
			qsort(answers, n, sizeof(answers[0]), by_time);
			if (left_us >= load->settled_us) {
				load->pkts += v.arrivals;
				load->wait_us_sum += (double)v.wait_us;
				load->dropped += v.arrivals == 0;
				load->marked += v.marked;
			}
			continue;
		}
		now_us = answers[0].at_us;
		s = &senders[answers[0].sender];
		s->flying--;
		if (!answers[0].congested) {
			s->window_pkts += 1 / s->window_pkts;
		} else if (now_us > s->cut_us) {
			s->window_pkts = s->window_pkts > 4 ? s->window_pkts / 2 : 2;
			s->cut_us = now_us + RTT_US;
		}
		tag = answers[0].sender;
		memmove(answers, answers + 1, --n * sizeof(answers[0]));
		simnet_link_advance(&link_, now_us);
		fill(senders, (unsigned)tag, load, now_us);
	}
	simnet_link_free(&link_);
}

static struct load respond(enum usrsctp_cmt_sim_aqm aqm, unsigned senders, bool ecn)
{
	struct load load = {.senders = senders, .ect = ecn, .until_us = 40000000, .settled_us = 10000000};

	start((struct usrsctp_cmt_sim_link){.rate_bps = MBIT_12, .queue_pkts = 1000, .aqm = aqm, .ecn = ecn});
	run(&load);
	return load;
}

/* A packet each millisecond. */
static double utilisation(const struct load *load)
{
	return load->pkts * 1000 / (double)(load->until_us - load->settled_us);
}

static double mean_wait_ms(const struct load *load)
{
	return load->wait_us_sum / load->pkts / 1000;
}

static void codel_keeps_the_queue_near_its_target(void **state)
{
	(void)state;
	for (unsigned ecn = 0; ecn < 2; ecn++) {
		struct load load = respond(USRSCTP_CMT_SIM_AQM_CODEL, 4, ecn != 0);

		assert_true(utilisation(&load) > 0.93);
		assert_true(mean_wait_ms(&load) > 2 && mean_wait_ms(&load) < 10);
		assert_true(ecn == 0 ? load.dropped > 0 && load.marked == 0
		                     : load.dropped == 0 && load.marked > 0);
	}
}

static void pie_keeps_it_at_15_ms(void **state)
{
	(void)state;
	for (unsigned ecn = 0; ecn < 2; ecn++) {
		struct load load = respond(USRSCTP_CMT_SIM_AQM_PIE, 5, ecn != 0);

		assert_true(utilisation(&load) > 0.95);
		assert_true(mean_wait_ms(&load) > 14 && mean_wait_ms(&load) < 16);
		assert_true(ecn == 0 ? load.dropped > 0 && load.marked == 0
		                     : load.dropped == 0 && load.marked > 0);
	}
}

/* --- others --- */

/* Ours is an eighth of the link; others want twice all of it. */
static double our_wait_ms(enum usrsctp_cmt_sim_aqm aqm, unsigned *lost)
{
	double sum_us = 0;
	unsigned n = 0;

	start((struct usrsctp_cmt_sim_link){
	    .rate_bps = MBIT_12,
	    .queue_pkts = 200,
	    .aqm = aqm,
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = MTU, .interval_us = 500}});
	for (uint64_t now_us = 0; now_us < 4000000; now_us += 8000) {
		struct simnet_verdict v;
		uint64_t tag;

		send_tagged(now_us, MTU, 1, 0);
		while (decided_by(now_us + 7999, &v, &tag)) {
			sum_us += (double)v.wait_us;
			n += v.arrivals;
		}
	}
	*lost = 500 - n - (unsigned)link_.server->ours;
	assert_true(link_.stats.cross_dropped_pkts > 3000);
	simnet_link_free(&link_);
	return sum_us / n / 1000;
}

static void a_flow_below_its_share_does_not_wait_for_the_others(void **state)
{
	unsigned lost;

	(void)state;
	/* The packet in transmission, and no more, once all are there. */
	assert_true(our_wait_ms(USRSCTP_CMT_SIM_AQM_FQ_CODEL, &lost) < 1.01);
	assert_int_equal(lost, 0);
	assert_true(our_wait_ms(USRSCTP_CMT_SIM_AQM_CAKE, &lost) < 1.01);
	assert_int_equal(lost, 0);
	assert_true(our_wait_ms(USRSCTP_CMT_SIM_AQM_CODEL, &lost) > 50);
	assert_true(lost > 50);
}

static void cross_traffic_alone_asks_for_no_look(void **state)
{
	(void)state;
	start((struct usrsctp_cmt_sim_link){
	    .rate_bps = MBIT_12,
	    .queue_pkts = 50,
	    .aqm = USRSCTP_CMT_SIM_AQM_FQ_CODEL,
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = MTU, .interval_us = 500}});
	assert_int_equal(simnet_link_wakes_us(&link_), SIMNET_NEVER_US);
	simnet_link_advance(&link_, 100000);
	assert_int_equal(simnet_link_wakes_us(&link_), SIMNET_NEVER_US);
	assert_int_equal(link_.stats.cross_pkts, 201);
	assert_in_range(simnet_link_waiting_pkts(&link_), 20, 50);
	simnet_link_free(&link_);
}

static void what_a_queue_discipline_is_cannot_change(void **state)
{
	struct usrsctp_cmt_sim_link config = {.aqm = USRSCTP_CMT_SIM_AQM_PIE};

	(void)state;
	start(config);
	assert_true(simnet_link_may_become(&link_, &config));
	config.aqm = USRSCTP_CMT_SIM_AQM_CODEL;
	assert_false(simnet_link_may_become(&link_, &config));
	config.aqm = USRSCTP_CMT_SIM_AQM_PIE;
	config.wifi.burst_pkts = 1;
	assert_false(simnet_link_may_become(&link_, &config));
	config.aqm = (enum usrsctp_cmt_sim_aqm)77;
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	config = (struct usrsctp_cmt_sim_link){.wifi = {.burst_pkts = 1}, .grants = {.interval_us = 1000}};
	assert_int_equal(simnet_link_check(&config), -EINVAL);
	simnet_link_free(&link_);
}

/* --- bursts --- */

enum { OVERHEAD_US = 200 };

static void start_wifi(uint32_t burst_pkts, uint64_t burst_us)
{
	start((struct usrsctp_cmt_sim_link){
	    .rate_bps = MBIT_12,
	    .wifi = {.burst_pkts = burst_pkts, .burst_us = burst_us, .overhead_us = OVERHEAD_US}});
}

static void a_burst_arrives_together_and_ends_at_its_packets_or_its_time(void **state)
{
	static const uint64_t arrive_us[] = {1200,  6400,  6400,  6400,  6400,  6400,
	                                     11600, 11600, 11600, 11600, 11600, 12800};
	struct simnet_verdict v;
	uint64_t tag, n = 0;

	(void)state;
	/* The first goes alone; then five at a time, a millisecond each. */
	for (unsigned by_time_ = 0; by_time_ < 2; by_time_++) {
		start_wifi(by_time_ != 0 ? 64 : 5, by_time_ != 0 ? 5999 : 64000);
		for (unsigned i = 0; i < 12; i++) {
			send_tagged(0, MTU, 1, i);
		}
		for (n = 0; decided_by(1000000, &v, &tag); n++) {
			assert_int_equal(tag, n);
			assert_int_equal(v.arrive_us[0], arrive_us[n]);
		}
		assert_int_equal(n, 12);
		assert_int_equal(link_.stats.bursts, 4);
		simnet_link_free(&link_);
	}
}

/* n L / R of each n L / R + overhead are data. */
static void a_busy_link_has_the_efficiency_of_its_bursts(void **state)
{
	static const struct {
		uint32_t pkts, bytes;
		uint64_t us;
		double n;
	} cases[] = {{1, 1500, 9000, 1},
	             {32, 1500, 4000, 4},
	             {64, 300, 4000, 20},
	             {8, 300, 4000, 8},
	             {64, 1500, 10, 1}};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double tx_time_us = cases[i].bytes * 8 / 12.0, data_us = cases[i].n * tx_time_us;
		struct simnet_verdict v = {.arrivals = 0};
		uint64_t tag;

		start_wifi(cases[i].pkts, cases[i].us);
		for (unsigned p = 0; p < 8000; p++) {
			send_tagged(0, cases[i].bytes, 1, p);
		}
		while (decided_by(UINT64_MAX - 1, &v, &tag)) {
		}
		assert_true(
		    fabs(8000 * tx_time_us / (double)v.arrive_us[0] / (data_us / (data_us + OVERHEAD_US)) -
		         1) < 0.001);
		simnet_link_free(&link_);
	}
}

static void bursts_take_what_the_discipline_gives(void **state)
{
	struct simnet_verdict v;
	unsigned sparse = 0;
	uint64_t tag = 0;

	(void)state;
	start((struct usrsctp_cmt_sim_link){
	    .rate_bps = MBIT_12,
	    .aqm = USRSCTP_CMT_SIM_AQM_FQ_CODEL,
	    .wifi = {.burst_pkts = 4, .burst_us = 9000, .overhead_us = OVERHEAD_US}});
	for (unsigned i = 0; i < 20; i++) {
		send_tagged(0, MTU, 1, 1);
	}
	send_tagged(0, 100, 2, 2);
	/* The first packet goes alone; the sparse flow is in the next burst. */
	for (unsigned i = 0; i < 5; i++) {
		assert_true(decided_by(100000, &v, &tag));
		sparse += tag == 2;
		assert_int_equal(v.arrive_us[0], i == 0 ? 1200 : 1200 + OVERHEAD_US + 3 * 1000 + 67);
	}
	assert_int_equal(sparse, 1);
	simnet_link_free(&link_);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(packets_leave_as_from_a_link_that_knows_when),
	    cmocka_unit_test(codel_keeps_the_queue_near_its_target),
	    cmocka_unit_test(pie_keeps_it_at_15_ms),
	    cmocka_unit_test(a_flow_below_its_share_does_not_wait_for_the_others),
	    cmocka_unit_test(cross_traffic_alone_asks_for_no_look),
	    cmocka_unit_test(what_a_queue_discipline_is_cannot_change),
	    cmocka_unit_test(a_burst_arrives_together_and_ends_at_its_packets_or_its_time),
	    cmocka_unit_test(a_busy_link_has_the_efficiency_of_its_bursts),
	    cmocka_unit_test(bursts_take_what_the_discipline_gives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
