/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What usrsctp_cmt_sim.h promises besides transfers: virtual time, errors, taps, injected packets, the end.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include <usrsctp_cmt_sim.h>

static const struct usrsctp_cmt_sim_link ideal = {.rate_bps = 8000000, .delay_us = 10000};

static int new_sim(void **state)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config), .seed = 1};
	struct usrsctp_cmt_sim *sim = usrsctp_cmt_sim_new(&config);

	if (sim == NULL || usrsctp_cmt_sim_add_path(sim, &ideal, &ideal) != 0 ||
	    usrsctp_cmt_sim_add_path(sim, &ideal, &ideal) != 1) {
		return -1;
	}
	*state = sim;
	return 0;
}

static int free_sim(void **state)
{
	return usrsctp_cmt_sim_free(*state);
}

static void a_second_simulation_and_wrong_arguments_are_refused(void **state)
{
	struct usrsctp_cmt_sim_config config = {.size = sizeof(config)};
	struct usrsctp_cmt_sim_link wrong = {.loss = 2.0}, out;
	struct usrsctp_cmt_sim *sim = *state;
	struct sockaddr_storage address;

	errno = 0;
	assert_null(usrsctp_cmt_sim_new(&config));
	assert_int_equal(errno, EBUSY);
	assert_int_equal(usrsctp_cmt_sim_add_path(sim, &wrong, &ideal), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 2, 0, &ideal), -1);
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 0, 2, &ideal), -1);
	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 0, 0, &wrong), -1);
	assert_int_equal(usrsctp_cmt_sim_get_link(sim, 0, 0, &out), 0);
	assert_true(out.rate_bps == ideal.rate_bps && out.delay_us == ideal.delay_us);
	assert_int_equal(usrsctp_cmt_sim_address(sim, 2, 0, 1, &address), -1);
	assert_int_equal(usrsctp_cmt_sim_inject(sim, 0, 2, "x", 1), -1);
	for (int path = 2; path < USRSCTP_CMT_SIM_MAX_PATHS; path++) {
		assert_int_equal(usrsctp_cmt_sim_add_path(sim, &ideal, &ideal), path);
	}
	assert_int_equal(usrsctp_cmt_sim_add_path(sim, &ideal, &ideal), -1);
	assert_int_equal(errno, ENOSPC);
}

static void addresses_follow_their_scheme(void **state)
{
	struct sockaddr_storage address;
	const struct sockaddr_in *sin = (const struct sockaddr_in *)&address;
	char text[INET_ADDRSTRLEN];

	assert_int_equal(usrsctp_cmt_sim_address(*state, 1, 1, 4711, &address), 0);
	assert_string_equal(inet_ntop(AF_INET, &sin->sin_addr, text, sizeof(text)), "10.2.0.2");
	assert_int_equal(ntohs(sin->sin_port), 4711);
}

static char called[8];

static void note_a(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	strcat(called, arg);
}

static void note_and_stop(struct usrsctp_cmt_sim *sim, void *arg)
{
	note_a(sim, arg);
	usrsctp_cmt_sim_stop(sim);
}

static void calls_come_by_time_then_by_registration_and_the_run_ends_behind_them(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;

	called[0] = 0;
	usrsctp_cmt_sim_at(sim, 2500, note_a, "c");
	usrsctp_cmt_sim_at(sim, 1500, note_a, "a");
	usrsctp_cmt_sim_at(sim, 1500, note_and_stop, "b");
	usrsctp_cmt_sim_at(sim, 9999, note_a, "d");
	assert_int_equal(usrsctp_cmt_sim_run(sim, 1499), 1499);
	assert_string_equal(called, "");
	assert_int_equal(usrsctp_cmt_sim_run(sim, USRSCTP_CMT_SIM_FOREVER), 1500);
	assert_string_equal(called, "ab");
	assert_int_equal(usrsctp_cmt_sim_run(sim, 3000), 3000);
	assert_string_equal(called, "abc");
	usrsctp_cmt_sim_at(sim, 10, note_and_stop, "e");
	assert_int_equal(usrsctp_cmt_sim_run(sim, USRSCTP_CMT_SIM_FOREVER), 3000);
	assert_string_equal(called, "abce");
	/* "d" is taken away with the simulation. */
}

static void cross_traffic_alone_keeps_nothing_alive(void **state)
{
	struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 8000000,
	    .cross = {.kind = USRSCTP_CMT_SIM_CROSS_CBR, .packet_bytes = 500, .interval_us = 1000}};
	struct usrsctp_cmt_sim_link_stats stats;
	struct usrsctp_cmt_sim *sim = *state;

	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 0, 0, &link), 0);
	usrsctp_cmt_sim_at(sim, 50000, note_a, "");
	assert_true(usrsctp_cmt_sim_run(sim, USRSCTP_CMT_SIM_FOREVER) < USRSCTP_CMT_SIM_FOREVER);
	assert_int_equal(usrsctp_cmt_sim_link_stats(sim, 0, 0, &stats), 0);
	assert_true(stats.cross_pkts >= 51);
}

struct tapped {
	unsigned counts[3];
	uint64_t at_us[3], serial;
	int path, direction;
	size_t wire_bytes;
};

static void on_tap(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct tapped *tapped = arg;

	(void)sim;
	if (packet->packet_bytes != 100) {
		return; /* the stack's answer */
	}
	tapped->counts[packet->event]++;
	tapped->at_us[packet->event] = packet->at_us;
	tapped->serial = packet->serial;
	tapped->path = packet->path;
	tapped->direction = packet->direction;
	tapped->wire_bytes = packet->wire_bytes;
}

static void an_injected_packet_passes_the_link_in_sight_of_the_tap(void **state)
{
	struct usrsctp_cmt_sim_link down = {.down = true};
	struct usrsctp_cmt_sim_link_stats stats;
	struct usrsctp_cmt_sim *sim = *state;
	struct tapped tapped = {.path = -1};
	uint64_t hash = usrsctp_cmt_sim_trace_hash(sim);
	const uint8_t packet[100] = {0};

	usrsctp_cmt_sim_tap(sim, on_tap, &tapped);
	/* Something that is left to happen, so that time gets there. */
	assert_int_equal(usrsctp_cmt_sim_at(sim, 700, note_a, ""), 0);
	assert_int_equal(usrsctp_cmt_sim_run(sim, 700), 700);
	assert_int_equal(usrsctp_cmt_sim_inject(sim, 1, 1, packet, sizeof(packet)), 0);
	usrsctp_cmt_sim_run(sim, 20000);
	assert_int_equal(tapped.counts[USRSCTP_CMT_SIM_SENT], 1);
	assert_int_equal(tapped.counts[USRSCTP_CMT_SIM_DELIVERED], 1);
	assert_int_equal(tapped.at_us[USRSCTP_CMT_SIM_SENT], 700);
	/* 120 bytes at 8 Mbit/s and 10 ms. */
	assert_int_equal(tapped.at_us[USRSCTP_CMT_SIM_DELIVERED], 700 + 120 + 10000);
	assert_int_equal(tapped.serial, 1);
	assert_int_equal(tapped.path, 1);
	assert_int_equal(tapped.direction, 1);
	assert_int_equal(tapped.wire_bytes, 120);
	assert_true(usrsctp_cmt_sim_trace_hash(sim) != hash);

	assert_int_equal(usrsctp_cmt_sim_set_link(sim, 1, 1, &down), 0);
	assert_int_equal(usrsctp_cmt_sim_inject(sim, 1, 1, packet, sizeof(packet)), 0);
	assert_int_equal(tapped.counts[USRSCTP_CMT_SIM_DROPPED], 1);
	assert_int_equal(usrsctp_cmt_sim_link_stats(sim, 1, 1, &stats), 0);
	assert_int_equal(stats.sent_pkts, 2);
	assert_int_equal(stats.delivered_pkts, 1);
	assert_int_equal(stats.dropped_down_pkts, 1);
}

static void an_open_socket_keeps_the_simulation_from_being_freed(void **state)
{
	struct usrsctp_cmt_sim *sim = *state;
	struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);

	assert_non_null(so);
	assert_int_equal(usrsctp_cmt_sim_bind(sim, so, 0, 0, -1), 0);
	assert_int_equal(usrsctp_cmt_sim_free(sim), -1);
	assert_int_equal(errno, EBUSY);
	usrsctp_close(so);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_second_simulation_and_wrong_arguments_are_refused, new_sim,
	                                    free_sim),
	    cmocka_unit_test_setup_teardown(addresses_follow_their_scheme, new_sim, free_sim),
	    cmocka_unit_test_setup_teardown(
	        calls_come_by_time_then_by_registration_and_the_run_ends_behind_them, new_sim, free_sim),
	    cmocka_unit_test_setup_teardown(cross_traffic_alone_keeps_nothing_alive, new_sim, free_sim),
	    cmocka_unit_test_setup_teardown(an_injected_packet_passes_the_link_in_sight_of_the_tap, new_sim,
	                                    free_sim),
	    cmocka_unit_test_setup_teardown(an_open_socket_keeps_the_simulation_from_being_freed, new_sim,
	                                    free_sim),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
