/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Paths that die, come back, flap, or swallow large packets: data moves to the other path within a second,
 * the application is told, and the path is used again soon unless it cannot be trusted.
 *
 * cost: 7 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/sanitized.h"
#include "support/transfer.h"

static const char *const schedulers[] = {"arrival", "rr", "lcm"};
enum { N_SCHEDULERS = SCHEDULERS_TO_RUN(3) };

/* Marks of the outcome. */
enum {
	DOWN_AT_US,
	UP_AT_US,      /* last */
	USED_AGAIN_US, /* first packet with DATA that left there after that */
	N_FAILED,      /* events */
	FAILED_AT_US,  /* the first */
	N_AVAILABLE,
	AVAILABLE_AT_US, /* the last */
	N_WRONG,         /* events of other paths, or of the server's */
	N_FLAPS,
	N_SWALLOWING,      /* paths, from the first on */
	N_SAID_TO_BE_DOWN, /* paths, just before all return */
	FIRST_PATH_PKTS,   /* with DATA, in the second after its return */
	HEARTBEATS_LOST
};

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

static void want_path_events(struct socket *so)
{
	struct sctp_event changes = {
	    .se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = SCTP_PEER_ADDR_CHANGE, .se_on = 1};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_EVENT, &changes, sizeof(changes)) == 0);
}

static bool is_first_path(struct transfer *t, const struct sockaddr_storage *address)
{
	struct sockaddr_storage expected;

	REQUIRE(usrsctp_cmt_sim_address(t->sim, TRANSFER_SERVER, 0, 0, &expected) == 0);
	if (address->ss_family != expected.ss_family)
		return false;
	if (address->ss_family == AF_INET)
		return ((const struct sockaddr_in *)address)->sin_addr.s_addr ==
		       ((const struct sockaddr_in *)&expected)->sin_addr.s_addr;
	return memcmp(&((const struct sockaddr_in6 *)address)->sin6_addr,
	              &((const struct sockaddr_in6 *)&expected)->sin6_addr, sizeof(struct in6_addr)) == 0;
}

/* Only the sender of data finds out. */
static void on_path_event(struct transfer *t, int host, const union sctp_notification *event)
{
	const struct sctp_paddr_change *change = &event->sn_paddr_change;
	uint64_t *marks = t->outcome->marks;

	if (event->sn_header.sn_type != SCTP_PEER_ADDR_CHANGE || change->spc_state == SCTP_ADDR_CONFIRMED)
		return;
	if (host != TRANSFER_CLIENT || !is_first_path(t, &change->spc_aaddr)) {
		marks[N_WRONG]++;
	} else if (change->spc_state == SCTP_ADDR_POTENTIALLY_FAILED) {
		if (marks[N_FAILED]++ == 0)
			marks[FAILED_AT_US] = usrsctp_cmt_sim_now_us(t->sim);
	} else if (change->spc_state == SCTP_ADDR_AVAILABLE) {
		marks[N_AVAILABLE]++;
		marks[AVAILABLE_AT_US] = usrsctp_cmt_sim_now_us(t->sim);
	}
}

static void watch_use(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;

	if (packet->event == USRSCTP_CMT_SIM_SENT && packet->direction == 0 && packet->path == 0 &&
	    marks[UP_AT_US] != 0 && marks[USED_AGAIN_US] == 0 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		marks[USED_AGAIN_US] = packet->at_us;
}

/* 10 Mbit/s and 20 ms each, for so many milliseconds of data over one of them. */
static struct transfer_job equal_paths(const char *scheduler, uint32_t one_path_ms)
{
	struct transfer_job job = {.scheduler = scheduler,
	                           .seed = 1,
	                           .n_paths = 2,
	                           .message = kilobyte,
	                           .n_messages = {one_path_ms * 10 / 9},
	                           .configure = want_path_events,
	                           .on_event = on_path_event,
	                           .tap = watch_use};

	/* Short queues: behind a long one a dead path is heard of for a while after its return path has gone,
	 * with the SACKs that go there. */
	for (int p = 0; p < 2; p++)
		job.links[p] =
		    (struct usrsctp_cmt_sim_link){.rate_bps = 10000000, .delay_us = 20000, .queue_pkts = 30};
	return job;
}

static struct transfer_outcome run(const char *what, const struct transfer_job *job)
{
	struct transfer_outcome o = transfer_run(job);

	print_message(
	    "%s, %s: %.3f s, gap %.0f ms, failed %llu times, first %.0f ms after the end of the path; "
	    "available %llu times, the last %.0f ms after its return, used after %.0f ms\n",
	    job->scheduler, what, (double)(o.last_us - o.up_us) / 1e6, (double)o.longest_gap_us / 1e3,
	    (unsigned long long)o.marks[N_FAILED],
	    ((double)o.marks[FAILED_AT_US] - (double)o.marks[DOWN_AT_US]) / 1e3,
	    (unsigned long long)o.marks[N_AVAILABLE],
	    ((double)o.marks[AVAILABLE_AT_US] - (double)o.marks[UP_AT_US]) / 1e3,
	    ((double)o.marks[USED_AGAIN_US] - (double)o.marks[UP_AT_US]) / 1e3);
	transfer_assert_arrived(job, &o);
	assert_int_equal(o.end[TRANSFER_CLIENT], TRANSFER_CLOSED);
	return o;
}

static void down(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	transfer_set_down(t, 0, true);
	t->outcome->marks[DOWN_AT_US] = usrsctp_cmt_sim_now_us(sim);
}

static void up(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;

	transfer_set_down(t, 0, false);
	t->outcome->marks[UP_AT_US] = usrsctp_cmt_sim_now_us(sim);
	t->outcome->marks[USED_AGAIN_US] = 0;
}

/* --- one failure ------------------------------------------------------------------------------------------
 */

static void die_after_1_s(struct transfer *t)
{
	transfer_after(t, 1000000, down);
}

static void a_dead_path_stops_delivery_for_less_than_a_second(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (int family = 0; family < 2; family++) {
			struct transfer_job job = equal_paths(schedulers[s], 5000);
			struct transfer_outcome o;

			job.family = family == 0 ? AF_INET : AF_INET6;
			job.on_up = die_after_1_s;
			o = run("path 1 dies", &job);
			assert_in_range(o.longest_gap_us, 50000, 1000000);
			assert_int_equal(o.marks[N_FAILED], 1);
			assert_true(o.marks[FAILED_AT_US] - o.marks[DOWN_AT_US] < 1000000);
			assert_int_equal(o.marks[N_AVAILABLE], 0);
			assert_int_equal(o.marks[N_WRONG], 0);
			assert_int_equal(o.paths[0].state, SCTP_CMT_PATH_FAILED);
			assert_int_equal(o.paths[0].failures, 1);
			assert_int_equal(o.paths[1].failures, 0);
			/* Both for a second, then one, at 9.4 Mbit/s of data each. */
			assert_in_range(o.last_us - o.up_us, 3900000, 4800000);
		}
	}
}

static void return_after_1_s(struct transfer *t)
{
	transfer_after(t, 1000000, down);
	transfer_after(t, 2000000, up);
}

static void return_after_5_s(struct transfer *t)
{
	transfer_after(t, 1000000, down);
	transfer_after(t, 6000000, up);
}

static void return_after_15_s(struct transfer *t)
{
	transfer_after(t, 1000000, down);
	transfer_after(t, 16000000, up);
}

static void a_path_is_in_use_2_s_after_its_return(void **state)
{
	void (*const returns[])(struct transfer *) = {return_after_1_s, return_after_5_s, return_after_15_s};
	const uint32_t outages_ms[] = {1000, 5000, 15000};

	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (unsigned i = 0; i < 3; i++) {
			struct transfer_job job = equal_paths(schedulers[s], outages_ms[i] + 8000);
			struct transfer_outcome o;

			job.on_up = returns[i];
			o = run("path 1 dies and returns", &job);
			assert_true(o.longest_gap_us <= 1000000);
			assert_int_equal(o.marks[N_FAILED], 1);
			assert_int_equal(o.marks[N_AVAILABLE], 1);
			assert_int_equal(o.marks[N_WRONG], 0);
			assert_true(o.marks[AVAILABLE_AT_US] >= o.marks[UP_AT_US]);
			assert_true(o.marks[USED_AGAIN_US] >= o.marks[AVAILABLE_AT_US]);
			assert_true(o.marks[USED_AGAIN_US] - o.marks[UP_AT_US] <= 2000000);
			assert_int_equal(o.paths[0].state, SCTP_CMT_PATH_ACTIVE);
		}
	}
}

enum { DOWN_FROM_US = 1500000, HELD_FROM_US = 2000000, HELD_UNTIL_US = 5000000 };

/* As a radio link does, or a router that looks for a neighbour. */
static const struct usrsctp_cmt_sim_point held_points[] = {
    {0, 10000000}, {HELD_FROM_US, 0}, {HELD_UNTIL_US, 10000000}};
static const struct usrsctp_cmt_sim_rates held = {
    .period_us = UINT64_C(1000000000), .n = 3, .points = held_points};

static void count_first_path(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event == USRSCTP_CMT_SIM_DELIVERED && packet->direction == 0 && packet->path == 0 &&
	    packet->at_us - HELD_UNTIL_US - 100000 < 1000000 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		t->outcome->marks[FIRST_PATH_PKTS]++;
}

static void drop_and_hold(struct transfer *t)
{
	transfer_after(t, DOWN_FROM_US - usrsctp_cmt_sim_now_us(t->sim), down);
	transfer_after(t, HELD_FROM_US - usrsctp_cmt_sim_now_us(t->sim), up);
}

/* What it was asked meanwhile is answered then: how long that took is not how long a round trip takes. */
static void a_path_that_held_packets_back_is_filled_within_a_second(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 12000);
		struct transfer_outcome o;

		job.links[0].rates = &held;
		job.on_up = drop_and_hold;
		job.tap = count_first_path;
		o = run("path 1 holds packets back for 3 s", &job);
		print_message("%s: %llu packets on path 1 in a second\n", schedulers[s],
		              (unsigned long long)o.marks[FIRST_PATH_PKTS]);
		assert_int_equal(o.marks[N_FAILED], 1);
		assert_int_equal(o.marks[N_AVAILABLE], 1);
		/* Of 10 Mbit/s and packets of 1464 bytes. */
		assert_true(o.marks[FIRST_PATH_PKTS] > 600);
	}
}

/* Of the second path: when each host sent the first DATA there. */
static void watch_second_path(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *first_us = &t->outcome->marks[packet->direction];

	if (packet->event == USRSCTP_CMT_SIM_SENT && packet->path == 1 && *first_us == 0 &&
	    packet_has(packet->packet, packet->packet_bytes, CHUNK_DATA))
		*first_us = packet->at_us;
}

static void second_path_up(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, 1, false);
}

static void second_path_down_for_200_ms(struct transfer *t)
{
	transfer_set_down(t, 1, true);
	transfer_after(t, 200000, second_path_up);
}

/* The client's application named the address, which counts as confirmed; the server's has to be verified.
 * Both wait for a HEARTBEAT to be answered, and ask again after RTO.Initial (RFC 9260, sections 5.4 and 8.3).
 */
static void a_path_whose_first_heartbeat_is_lost_is_in_use_2_s_later(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 4000);
		struct transfer_outcome o;

		job.configure = NULL;
		job.on_event = NULL;
		job.n_messages[TRANSFER_SERVER] = job.n_messages[TRANSFER_CLIENT];
		job.tap = watch_second_path;
		job.on_up = second_path_down_for_200_ms;
		o = transfer_run(&job);
		transfer_assert_arrived(&job, &o);
		for (int host = 0; host < 2; host++) {
			print_message("%s: host %d sends there %.0f ms after it was up\n", schedulers[s],
			              host, ((double)o.marks[host] - (double)o.up_us) / 1e3);
			assert_in_range(o.marks[host], o.up_us, o.up_us + 2200000);
		}
	}
}

static void look_often(struct socket *so)
{
	struct sctp_paddrparams often = {
	    .spp_assoc_id = SCTP_FUTURE_ASSOC, .spp_hbinterval = 500, .spp_flags = SPP_HB_ENABLE};

	want_path_events(so);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &often, sizeof(often)) == 0);
}

static void ask(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	struct sctp_paddrparams once = {.spp_assoc_id = SCTP_CURRENT_ASSOC, .spp_flags = SPP_HB_DEMAND};

	REQUIRE(usrsctp_cmt_sim_address(sim, TRANSFER_SERVER, 0, 0, &once.spp_address) == 0);
	REQUIRE(usrsctp_setsockopt(t->sides[TRANSFER_CLIENT].so, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &once,
	                           sizeof(once)) == 0);
}

static void ask_after_1_s(struct transfer *t)
{
	transfer_after(t, 1000000, ask);
}

/* A packet that is about to leave the client: is it lost? */
static void lose(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet, bool lost)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(t->sim, packet->path, 0, &link) == 0);
	link.down = lost;
	REQUIRE(usrsctp_cmt_sim_set_link(t->sim, packet->path, 0, &link) == 0);
}

static void lose_heartbeats(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	bool lost;

	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0 || packet->path != 0)
		return;
	lost = t->outcome->up_us != 0 && packet->at_us > t->outcome->up_us + 900000 &&
	       packet_has(packet->packet, packet->packet_bytes, CHUNK_HEARTBEAT);
	t->outcome->marks[HEARTBEATS_LOST] += lost;
	lose(t, packet, lost);
}

static void a_lost_heartbeat_says_nothing_of_a_path_that_delivers(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 10000);
		struct transfer_outcome o;

		job.configure = look_often;
		job.on_up = ask_after_1_s;
		job.tap = lose_heartbeats;
		o = run("a HEARTBEAT is lost", &job);
		assert_int_equal(o.marks[HEARTBEATS_LOST], 1);
		assert_int_equal(o.marks[N_FAILED], 0);
	}
}

/* --- worse ------------------------------------------------------------------------------------------------
 */

enum { FLAPS = 20, FLAP_US = 700000 };

static void flap(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct transfer *t = arg;
	uint64_t turn = t->outcome->marks[N_FLAPS]++;

	if (turn == 2 * FLAPS)
		return;
	if (turn % 2 == 0)
		down(sim, arg);
	else
		up(sim, arg);
	transfer_after(t, FLAP_US, flap);
}

static void start_flapping(struct transfer *t)
{
	transfer_after(t, FLAP_US, flap);
}

static void stay_down(struct transfer *t)
{
	transfer_set_down(t, 0, true);
}

static void a_flapping_path_costs_little_and_is_held_back(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 30000);
		struct transfer_outcome flapping, alone;

		for (int p = 0; p < 2; p++)
			job.links[p].rate_bps = 5000000;
		job.n_messages[TRANSFER_CLIENT] /= 2;
		job.on_up = stay_down;
		alone = run("path 2 alone", &job);
		job.on_up = start_flapping;
		flapping = run("path 1 flaps", &job);
		assert_true((flapping.last_us - flapping.up_us) * 9 <= (alone.last_us - alone.up_us) * 10);
		/* While it is held back, for half a second, one, two, four, eight, nobody notices. */
		assert_in_range(flapping.marks[N_FLAPS], 2 * FLAPS - 8, 2 * FLAPS + 1);
		assert_in_range(flapping.marks[N_FAILED], 2, FLAPS / 2);
		/* Statistics are of the last byte, events go on. */
		assert_in_range(flapping.marks[N_FAILED], flapping.paths[0].failures,
		                flapping.paths[0].failures + 1);
	}
}

static void all_down(struct usrsctp_cmt_sim *sim, void *arg)
{
	transfer_set_down(arg, 1, true);
	down(sim, arg);
}

static void all_up(struct usrsctp_cmt_sim *sim, void *arg)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	struct transfer *t = arg;

	for (int n = transfer_path_stats(t, paths); n-- > 0;)
		t->outcome->marks[N_SAID_TO_BE_DOWN] += paths[n].state == SCTP_CMT_PATH_FAILED;
	transfer_set_down(arg, 1, false);
	up(sim, arg);
}

static void both_for_3_s(struct transfer *t)
{
	transfer_after(t, 1000000, all_down);
	transfer_after(t, 4000000, all_up);
}

static void the_path_that_is_used_where_all_have_failed_is_said_to_be_down_too(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 4000);
		struct transfer_outcome o;

		job.on_up = both_for_3_s;
		o = run("both are down", &job);
		assert_int_equal(o.marks[N_SAID_TO_BE_DOWN], 2);
	}
}

static void two_dead_paths_that_return_lose_nothing(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 4000);
		struct transfer_outcome o;

		job.on_up = both_for_3_s;
		o = run("both die and return", &job);
		assert_true(o.marks[USED_AGAIN_US] - o.marks[UP_AT_US] <= 2000000);
		assert_in_range(o.longest_gap_us, 3000000, 5000000);
		/* Half of the data in the first second. */
		assert_in_range(o.last_us - o.up_us, 4500000, 8000000);
	}
}

static void swallow_on(struct transfer *t, uint64_t n_paths)
{
	t->outcome->marks[N_SWALLOWING] = n_paths;
}

static void swallow(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	swallow_on(arg, 1);
}

static void swallow_on_both(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	swallow_on(arg, 2);
}

static void swallow_no_more(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	swallow_on(arg, 0);
}

/* Unlike a link's MTU, of which the stack is told as that of its interface. */
static void swallow_large_packets(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 0)
		return;
	lose(t, packet, (uint64_t)packet->path < t->outcome->marks[N_SWALLOWING] && packet->wire_bytes > 900);
}

static void swallow_after_1_s(struct transfer *t)
{
	transfer_after(t, 1000000, swallow);
}

/* HEARTBEATs get through: the path comes back each time, and fails again with the first data. Small receive
 * windows close behind each loss: then copies go to the other path. */
static void a_path_that_swallows_large_packets_does_not_end_the_association(void **state)
{
	const int rcvbuf_bytes[] = {0, 200000, 100000};

	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (unsigned i = 0; i < 3; i++) {
			struct transfer_job job = equal_paths(schedulers[s], 20000);
			struct transfer_outcome o;

			job.rcvbuf_bytes = rcvbuf_bytes[i];
			job.tap = swallow_large_packets;
			job.on_up = swallow_after_1_s;
			o = run("large packets lost", &job);
			assert_true(o.longest_gap_us <= 1000000);
			/* Both for a second, then nine tenths of the other path alone; the smallest buffer
			 * waits for each loss. */
			assert_in_range(o.last_us - o.up_us, 17800000, i < 2 ? 20000000 : 21500000);
		}
	}
}

static void swallow_on_both_for_20_s(struct transfer *t)
{
	transfer_after(t, 1000000, swallow_on_both);
	transfer_after(t, 21000000, swallow_no_more);
}

/* The peer answers all the time: what is sent again, on one path after the other, is no sign that it is gone,
 * however often. */
static void two_paths_that_swallow_large_packets_for_20_s_do_not_end_the_association(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = equal_paths(schedulers[s], 4000);
		struct transfer_outcome o;

		job.tap = swallow_large_packets;
		job.on_up = swallow_on_both_for_20_s;
		o = run("large packets lost on both", &job);
		assert_in_range(o.longest_gap_us, 20000000, 25000000);
	}
}

/* SACKs of all paths leave the thin one when the rate of the other is known, and take half a second from
 * there on: nothing is lost, and no timer may say so. */
static void a_thin_path_does_not_fail_when_its_sacks_take_a_longer_return_path(void **state)
{
	struct transfer_job job = equal_paths("arrival", 10000);
	struct transfer_outcome o;

	(void)state;
	job.links[0] = (struct usrsctp_cmt_sim_link){.rate_bps = 1000000, .delay_us = 7000};
	job.links[1] = (struct usrsctp_cmt_sim_link){.rate_bps = 14000000, .delay_us = 290000};
	job.rcvbuf_bytes = 3000000;
	o = run("SACKs take a longer return path", &job);
	assert_int_equal(o.timeouts, 0);
	assert_int_equal(o.marks[N_FAILED], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_dead_path_stops_delivery_for_less_than_a_second),
	    cmocka_unit_test(a_path_is_in_use_2_s_after_its_return),
	    cmocka_unit_test(a_path_that_held_packets_back_is_filled_within_a_second),
	    cmocka_unit_test(a_path_whose_first_heartbeat_is_lost_is_in_use_2_s_later),
	    cmocka_unit_test(a_lost_heartbeat_says_nothing_of_a_path_that_delivers),
	    cmocka_unit_test(a_flapping_path_costs_little_and_is_held_back),
	    cmocka_unit_test(the_path_that_is_used_where_all_have_failed_is_said_to_be_down_too),
	    cmocka_unit_test(two_dead_paths_that_return_lose_nothing),
	    cmocka_unit_test(a_path_that_swallows_large_packets_does_not_end_the_association),
	    cmocka_unit_test(two_paths_that_swallow_large_packets_for_20_s_do_not_end_the_association),
	    cmocka_unit_test(a_thin_path_does_not_fail_when_its_sacks_take_a_longer_return_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
