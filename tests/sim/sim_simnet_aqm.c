/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Links with a managed queue under the real stack: what is told of packets, marks that the peer echoes, and
 * that nothing is lost from the books. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/pair.h"

enum { BYTES = 8000000, WAIT_US = 60000000 };

struct job {
	struct usrsctp_cmt_sim_link link;
	bool shared, left_waiting;
};

struct outcome {
	bool intact;
	uint64_t done_us, hash;
	uint64_t sent_pkts, delivered_pkts, dropped_pkts, ce_pkts, late_drops; /* told, forward */
	uint64_t last_sent_us;
	struct usrsctp_cmt_sim_link_stats stats, shared_stats;
	unsigned echoes;
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct usrsctp_cmt_sim_link plain = {.rate_bps = 0};

	(void)arg;
	if (job->shared) {
		int number = usrsctp_cmt_sim_add_shared_link(sim, &job->link, &plain);

		REQUIRE(number >= 0 && usrsctp_cmt_sim_via(sim, 0, number) == 0);
	}
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	(void)sim;
	(void)arg;
	if (packet->direction != 0) {
		return;
	}
	switch (packet->event) {
	case USRSCTP_CMT_SIM_SENT:
		outcome->sent_pkts++;
		outcome->last_sent_us = packet->at_us;
		break;
	case USRSCTP_CMT_SIM_DELIVERED:
		outcome->delivered_pkts++;
		outcome->ce_pkts += packet->ecn == 3;
		break;
	case USRSCTP_CMT_SIM_DROPPED:
		outcome->dropped_pkts++;
		outcome->late_drops += packet->at_us > outcome->last_sent_us;
		break;
	}
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link back = {.rate_bps = 10000000, .delay_us = 10000};
	struct pair_options o = {.seed = 1, .n_paths = 1, .bytes = BYTES, .build = build, .tap = watch};
	struct sctpstat stats;

	job = what;
	outcome = out;
	o.forward[0] = job->link;
	if (job->shared) {
		o.forward[0] = back;
	}
	o.backward[0] = back;
	pair_open(&pair, &o);
	if (job->left_waiting) {
		/* The sockets go while packets wait in the queue. */
		pair_run(&pair, 1000000);
		REQUIRE(!pair.complete);
		pair_close(&pair);
		return;
	}
	pair_run(&pair, WAIT_US);
	outcome->intact = pair.intact && pair.complete;
	outcome->done_us = pair.done_us;
	pair_linger(&pair, pair.done_us + 2000000);
	outcome->hash = usrsctp_cmt_sim_trace_hash(pair.sim);
	REQUIRE(usrsctp_cmt_sim_link_stats(pair.sim, 0, 0, &outcome->stats) == 0);
	if (job->shared) {
		REQUIRE(usrsctp_cmt_sim_link_stats(pair.sim, USRSCTP_CMT_SIM_MAX_PATHS, 0,
		                                   &outcome->shared_stats) == 0);
	}
	usrsctp_get_stat(&stats);
	outcome->echoes = stats.sctps_recvecne;
	pair_close(&pair);
}

static struct outcome run_link(struct usrsctp_cmt_sim_link link, bool shared)
{
	struct job j = {.link = link, .shared = shared};
	struct outcome o;

	isolate_run(run, &j, &o, sizeof(o));
	return o;
}

static const struct usrsctp_cmt_sim_link managed = {
    .rate_bps = 10000000, .delay_us = 20000, .queue_pkts = 1000, .aqm = USRSCTP_CMT_SIM_AQM_CODEL};

static void every_packet_is_delivered_or_dropped_and_told_so(void **state)
{
	static const enum usrsctp_cmt_sim_aqm kinds[] = {USRSCTP_CMT_SIM_AQM_CODEL,
	                                                 USRSCTP_CMT_SIM_AQM_FQ_CODEL,
	                                                 USRSCTP_CMT_SIM_AQM_PIE, USRSCTP_CMT_SIM_AQM_CAKE};

	(void)state;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct usrsctp_cmt_sim_link link = managed;
		struct outcome o, again;

		link.aqm = kinds[i];
		o = run_link(link, false);
		again = run_link(link, false);
		assert_true(o.intact);
		assert_int_equal(o.sent_pkts, o.delivered_pkts + o.dropped_pkts);
		assert_int_equal(o.stats.sent_pkts, o.sent_pkts);
		assert_int_equal(o.stats.delivered_pkts, o.delivered_pkts);
		assert_int_equal(o.stats.dropped_aqm_pkts + o.stats.dropped_queue_pkts, o.dropped_pkts);
		assert_true(o.stats.dropped_aqm_pkts > 0);
		assert_int_equal(o.ce_pkts, 0);
		assert_int_equal(o.hash, again.hash);
		assert_int_equal(o.done_us, again.done_us);
		/* PIE drops what comes, CoDel what would leave. */
		assert_int_equal(o.late_drops > 0, link.aqm != USRSCTP_CMT_SIM_AQM_PIE);
	}
}

static void marks_arrive_and_are_echoed(void **state)
{
	struct usrsctp_cmt_sim_link link = managed;
	struct outcome o;

	(void)state;
	link.ecn = true;
	o = run_link(link, false);
	assert_true(o.intact);
	assert_true(o.ce_pkts > 0);
	assert_int_equal(o.stats.marked_pkts, o.ce_pkts);
	assert_true(o.echoes > 0);
}

static void a_shared_link_tells_its_paths(void **state)
{
	struct usrsctp_cmt_sim_link link = managed;
	struct outcome o;

	(void)state;
	link.ecn = true;
	link.rate_bps = 5000000;
	o = run_link(link, true);
	assert_true(o.intact);
	assert_int_equal(o.sent_pkts, o.delivered_pkts + o.dropped_pkts);
	assert_int_equal(o.stats.shared_marked_pkts, o.ce_pkts);
	assert_int_equal(o.shared_stats.marked_pkts, o.ce_pkts);
	assert_true(o.ce_pkts > 0);
	assert_int_equal(o.stats.shared_dropped_pkts,
	                 o.shared_stats.dropped_aqm_pkts + o.shared_stats.dropped_queue_pkts);
	assert_int_equal(o.stats.shared_wait_us_sum, o.shared_stats.queue_wait_us_sum);
}

static void bursts_carry_a_transfer_at_their_efficiency(void **state)
{
	struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 12000000,
	    .delay_us = 10000,
	    .queue_pkts = 100,
	    .wifi = {.burst_pkts = 4, .burst_us = 10000, .overhead_us = 1000}};
	struct outcome o = run_link(link, false);
	double data_us = 4 * 1048 * 8 / 12.0;

	(void)state;
	assert_true(o.intact);
	/* 1048 bytes for 1000, four at a time. */
	assert_true((double)o.done_us > 8000 * (data_us + 1000) / 4);
	assert_true((double)o.done_us < 8000 * (data_us + 1000) / 4 * 1.1);
	assert_true(o.stats.bursts * 4 >= o.delivered_pkts && o.stats.bursts * 3 < o.delivered_pkts);
}

static void a_simulation_can_end_while_packets_wait(void **state)
{
	struct job j = {.link = managed, .left_waiting = true};
	struct outcome o;

	(void)state;
	j.link.rate_bps = 100000;
	isolate_run(run, &j, &o, sizeof(o));
	assert_true(o.sent_pkts > o.delivered_pkts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_packet_is_delivered_or_dropped_and_told_so),
	    cmocka_unit_test(marks_arrive_and_are_echoed),
	    cmocka_unit_test(a_shared_link_tells_its_paths),
	    cmocka_unit_test(bursts_carry_a_transfer_at_their_efficiency),
	    cmocka_unit_test(a_simulation_can_end_while_packets_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
