/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A link that several paths share, behind their own: literal times, order, and that no packet is lost from
 * the books. The packets are injected, of a size that no answer of the stack has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include <usrsctp_cmt_sim.h>

enum { PACKET_BYTES = 980, MANY = 3000 };

/* 1000 bytes take 1 ms on path 0 and on the shared link, 0.5 ms on path 1. */
static const struct usrsctp_cmt_sim_link own[2] = {{.rate_bps = 8000000, .delay_us = 10000},
                                                   {.rate_bps = 16000000, .delay_us = 5000}};
static const struct usrsctp_cmt_sim_link common = {.rate_bps = 8000000, .delay_us = 20000};

struct seen {
	unsigned n[3]; /* by event */
	struct {
		uint64_t serial, at_us;
		int path;
	} delivered[MANY];
	uint64_t dropped_at_us;
};

static struct seen seen;
static int shared;

static void on_tap(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	(void)sim;
	(void)arg;
	if (packet->packet_bytes != PACKET_BYTES) {
		return;
	}
	if (packet->event == USRSCTP_CMT_SIM_DELIVERED) {
		unsigned n = seen.n[USRSCTP_CMT_SIM_DELIVERED];

		seen.delivered[n].serial = packet->serial;
		seen.delivered[n].at_us = packet->at_us;
		seen.delivered[n].path = packet->path;
	} else if (packet->event == USRSCTP_CMT_SIM_DROPPED) {
		seen.dropped_at_us = packet->at_us;
	}
	seen.n[packet->event]++;
}

static int new_sim(void **state)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	memset(&seen, 0, sizeof(seen));
	if (sim == NULL || usrsctp_cmt_sim_add_path(sim, &own[0], &own[0]) != 0 ||
	    usrsctp_cmt_sim_add_path(sim, &own[1], &own[1]) != 1) {
		return -1;
	}
	shared = usrsctp_cmt_sim_add_shared_link(sim, &common, &common);
	usrsctp_cmt_sim_tap(sim, on_tap, NULL);
	*state = sim;
	return shared == USRSCTP_CMT_SIM_MAX_PATHS && usrsctp_cmt_sim_via(sim, 0, shared) == 0 &&
	               usrsctp_cmt_sim_via(sim, 1, shared) == 0
	           ? 0
	           : -1;
}

static int free_sim(void **state)
{
	return usrsctp_cmt_sim_free(*state);
}

static void inject(struct usrsctp_cmt_sim *sim, int path, int from_host)
{
	static const uint8_t packet[PACKET_BYTES];

	assert_int_equal(usrsctp_cmt_sim_inject(sim, path, from_host, packet, sizeof(packet)), 0);
}

static void nothing(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	(void)arg;
}

/* Time only passes while something is left to happen. */
static void run_to(struct usrsctp_cmt_sim *sim, uint64_t at_us)
{
	assert_int_equal(usrsctp_cmt_sim_at(sim, at_us, nothing, NULL), 0);
	usrsctp_cmt_sim_run(sim, at_us);
}

static struct usrsctp_cmt_sim_link_stats stats(struct usrsctp_cmt_sim *sim, int link, int direction)
{
	struct usrsctp_cmt_sim_link_stats out;

	assert_int_equal(usrsctp_cmt_sim_link_stats(sim, link, direction, &out), 0);
	return out;
}

static void packets_of_two_paths_wait_for_each_other_behind_their_own_links(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;
	/* At the shared link: path 0 at 11 and 12 ms; path 1, sent at 6 ms, at 11.5 and 12 ms. */
	static const uint64_t at_us[] = {32000, 33000, 34000, 35000}, serial[] = {1, 3, 2, 4};

	for (int direction = 0; direction < 2; direction++) {
		uint64_t from_us = usrsctp_cmt_sim_now_us(sim);

		seen.n[USRSCTP_CMT_SIM_DELIVERED] = 0;
		inject(sim, 0, direction);
		inject(sim, 0, direction);
		run_to(sim, from_us + 6000);
		inject(sim, 1, direction);
		inject(sim, 1, direction);
		run_to(sim, from_us + 100000);
		assert_int_equal(seen.n[USRSCTP_CMT_SIM_DELIVERED], 4);
		for (unsigned i = 0; i < 4; i++) {
			assert_int_equal(seen.delivered[i].at_us, from_us + at_us[i]);
			assert_int_equal(seen.delivered[i].serial - seen.delivered[0].serial, serial[i] - 1);
		}
		/* The third waited 0.5 ms, the second of path 0 and the last 1 and 2 ms. */
		assert_int_equal(stats(sim, shared, direction).queue_wait_us_sum, 500 + 1000 + 2000);
		assert_int_equal(stats(sim, 0, direction).shared_wait_us_sum, 1000);
		assert_int_equal(stats(sim, 1, direction).shared_wait_us_sum, 500 + 2000);
		assert_int_equal(stats(sim, 0, direction).queue_wait_us_sum, 1000);
	}
}

static void a_path_of_its_own_does_not_notice(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;

	assert_int_equal(usrsctp_cmt_sim_via(sim, 1, -1), 0);
	for (int i = 0; i < 100; i++) {
		inject(sim, 0, 0);
	}
	run_to(sim, 20000);
	inject(sim, 1, 0);
	run_to(sim, 25500);
	assert_int_equal(seen.n[USRSCTP_CMT_SIM_DELIVERED], 1);
	assert_int_equal(seen.delivered[0].at_us, 25500);
	assert_int_equal(seen.delivered[0].path, 1);
}

static void a_full_shared_queue_drops_when_the_packet_gets_there(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;
	struct usrsctp_cmt_sim_link slow = common;

	slow.rate_bps = 800000; /* 10 ms a packet */
	slow.queue_pkts = 1;
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, shared, 0, &slow), 0);
	inject(sim, 0, 0);
	inject(sim, 0, 0);
	inject(sim, 0, 0);
	run_to(sim, 100000);
	/* One in transmission from 11 ms on, one waiting, and the third comes at 13 ms. */
	assert_int_equal(seen.n[USRSCTP_CMT_SIM_DROPPED], 1);
	assert_int_equal(seen.dropped_at_us, 13000);
	assert_int_equal(seen.delivered[0].at_us, 11000 + 10000 + 20000);
	assert_int_equal(seen.delivered[1].at_us, 11000 + 20000 + 20000);
	assert_int_equal(stats(sim, shared, 0).dropped_queue_pkts, 1);
	assert_int_equal(stats(sim, 0, 0).shared_dropped_pkts, 1);
	assert_int_equal(stats(sim, 0, 0).dropped_queue_pkts, 0);
	assert_int_equal(stats(sim, 0, 0).delivered_pkts, 3);
}

/* Each path's packets, and all of one arrival order, come out as they went in; none appears from nowhere. */
static void nothing_overtakes_and_nothing_vanishes_under_overload(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;
	struct usrsctp_cmt_sim_link narrow = common, flat = {.rate_bps = 0};
	struct usrsctp_cmt_sim_link_stats out, in[2];

	narrow.queue_pkts = 20;
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, shared, 0, &narrow), 0);
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 0, 0, &flat), 0);
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 1, 0, &flat), 0);
	for (int i = 0; i < MANY; i++) {
		inject(sim, (int)(usrsctp_cmt_sim_random(sim) % 2), 0);
		run_to(sim, usrsctp_cmt_sim_now_us(sim) + usrsctp_cmt_sim_random(sim) % 1500);
	}
	run_to(sim, usrsctp_cmt_sim_now_us(sim) + 1000000);
	out = stats(sim, shared, 0);
	in[0] = stats(sim, 0, 0);
	in[1] = stats(sim, 1, 0);
	assert_int_equal(in[0].delivered_pkts + in[1].delivered_pkts, MANY);
	assert_int_equal(out.sent_pkts, MANY);
	assert_int_equal(out.delivered_pkts + out.dropped_queue_pkts, MANY);
	assert_true(out.dropped_queue_pkts > MANY / 10);
	assert_int_equal(in[0].shared_dropped_pkts + in[1].shared_dropped_pkts, out.dropped_queue_pkts);
	assert_true(in[0].shared_dropped_pkts > 0 && in[1].shared_dropped_pkts > 0);
	assert_int_equal(in[0].shared_wait_us_sum + in[1].shared_wait_us_sum, out.queue_wait_us_sum);
	assert_int_equal(seen.n[USRSCTP_CMT_SIM_DELIVERED], out.delivered_pkts);
	assert_int_equal(seen.n[USRSCTP_CMT_SIM_DROPPED], out.dropped_queue_pkts);
	for (unsigned i = 1; i < seen.n[USRSCTP_CMT_SIM_DELIVERED]; i++) {
		assert_true(seen.delivered[i].serial > seen.delivered[i - 1].serial);
		assert_true(seen.delivered[i].at_us >= seen.delivered[i - 1].at_us + 1000);
	}
}

static void wrong_numbers_are_refused(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;
	struct usrsctp_cmt_sim_link wrong = {.loss = 2.0}, out;
	struct usrsctp_cmt_sim_link_stats counters;

	assert_int_equal(usrsctp_cmt_sim_add_shared_link(sim, &wrong, &common), -1);
	assert_int_equal(usrsctp_cmt_sim_add_shared_link(sim, &common, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(usrsctp_cmt_sim_via(sim, 2, shared), -1);
	assert_int_equal(usrsctp_cmt_sim_via(sim, 0, 1), -1);
	assert_int_equal(usrsctp_cmt_sim_via(sim, 0, shared + 1), -1);
	assert_int_equal(usrsctp_cmt_sim_get_link(sim, shared + 1, 0, &out), -1);
	assert_int_equal(usrsctp_cmt_sim_link_stats(sim, shared, 2, &counters), -1);
	assert_int_equal(usrsctp_cmt_sim_get_link(sim, shared, 1, &out), 0);
	assert_int_equal(out.delay_us, common.delay_us);
	for (int i = 1; i < USRSCTP_CMT_SIM_MAX_SHARED_LINKS; i++) {
		assert_int_equal(usrsctp_cmt_sim_add_shared_link(sim, &common, &common), shared + i);
	}
	assert_int_equal(usrsctp_cmt_sim_add_shared_link(sim, &common, &common), -1);
	assert_int_equal(errno, ENOSPC);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(packets_of_two_paths_wait_for_each_other_behind_their_own_links,
	                                    new_sim, free_sim),
	    cmocka_unit_test_setup_teardown(a_path_of_its_own_does_not_notice, new_sim, free_sim),
	    cmocka_unit_test_setup_teardown(a_full_shared_queue_drops_when_the_packet_gets_there, new_sim,
	                                    free_sim),
	    cmocka_unit_test_setup_teardown(nothing_overtakes_and_nothing_vanishes_under_overload, new_sim,
	                                    free_sim),
	    cmocka_unit_test_setup_teardown(wrong_numbers_are_refused, new_sim, free_sim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
