/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host behind a NAT that only receives, when the NAT gives out other ports: what its peer sends goes where
 * nobody is, and nothing that arrives makes it answer. It notices that what flowed has stopped and says on
 * that path what it has received, by which its peer learns the new port.
 *
 * cost: 7 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { S = 1000000, MS = 1000, FROM_US = 2 * S, UNTIL_US = 8 * S, REBIND_US = 4 * S, SEEDS = 20 };
enum { MESSAGE_BYTES = 1300, MAX_PATHS = 2, FRAME_US = 40 * MS };

struct job {
	uint64_t seed;
	int n_paths;
	bool nat_each;           /* one NAT for each path; else one for all */
	bool rebinds[MAX_PATHS]; /* by NAT */
	uint32_t frame_messages; /* at once every FRAME_US; 0 = as much as goes */
	bool pauses;             /* the server sends no more since the rebinding, which does not happen */
	uint64_t bound_us; /* what most seeds keep */
};

struct outcome {
	uint64_t longest_us;      /* between two arrivals at the client that end after the rebinding */
	uint64_t path_silence_us; /* of path 0, which is rebound */
	unsigned idle_pkts;       /* sent by the client in a pause of the server */
	int n_paths;
	unsigned aborts;
	bool ended;
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;
static uint64_t last_us, last_path_us[MAX_PATHS];

static uint64_t rebind_us(void)
{
	return REBIND_US + job->seed * 7777;
}

static bool is_pause(void)
{
	return job->pauses && usrsctp_cmt_sim_now_us(pair.sim) >= rebind_us();
}

static void build(struct usrsctp_cmt_sim *sim, void *arg)
{
	const struct usrsctp_cmt_sim_nat nat = {.mapping = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT,
	                                        .filtering = USRSCTP_CMT_SIM_NAT_ADDRESS_AND_PORT_DEPENDENT};

	(void)arg;
	for (int path = 1; path < job->n_paths; path++)
		REQUIRE(usrsctp_cmt_sim_share_address(sim, path, PAIR_SERVER, 0) == 0);
	for (int path = 0; path < job->n_paths; path++) {
		const int at = job->nat_each ? path : 0;

		if (path == 0 || job->nat_each)
			REQUIRE(usrsctp_cmt_sim_add_nat(sim, PAIR_CLIENT, &nat) == at);
		REQUIRE(usrsctp_cmt_sim_behind(sim, path, at) == 0);
	}
}

static void configure(struct socket *so, int host, void *arg)
{
	const struct sctp_assoc_value none = {.assoc_value = SCTP_CMT_INIT_ADDRESSES_NONE};

	(void)arg;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_INIT_ADDRESSES, &none, sizeof(none)) == 0);
	REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER, host == PAIR_SERVER ? -1 : 0) == 0);
}

static void note_gap(uint64_t *longest_us, uint64_t before_us, uint64_t now_us)
{
	if (before_us != 0 && now_us > rebind_us() && now_us - before_us > *longest_us)
		*longest_us = now_us - before_us;
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	(void)sim, (void)arg;
	if (p->event == USRSCTP_CMT_SIM_SENT && p->direction == PAIR_CLIENT && is_pause() &&
	    p->at_us >= rebind_us() + S / 2)
		outcome->idle_pkts++;
	if (p->event != USRSCTP_CMT_SIM_DELIVERED)
		return;
	outcome->aborts += packet_has(p->packet, p->packet_bytes, CHUNK_ABORT);
	if (p->direction != PAIR_SERVER || !packet_has(p->packet, p->packet_bytes, CHUNK_DATA))
		return;
	note_gap(&outcome->longest_us, last_us, p->at_us);
	note_gap(&outcome->path_silence_us, p->path == 0 ? last_path_us[0] : 0, p->at_us);
	last_us = last_path_us[p->path] = p->at_us;
}

static void write_some(struct socket *so, uint32_t messages)
{
	static const uint8_t message[MESSAGE_BYTES];

	while (!is_pause() && messages-- > 0 && (usrsctp_get_events(so) & SCTP_EVENT_WRITE) != 0 &&
	       usrsctp_sendv(so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) > 0) {
	}
}

static void on_server(struct socket *so, void *arg, int flags)
{
	(void)arg, (void)flags;
	if (job->frame_messages == 0)
		write_some(so, UINT32_MAX);
}

static void on_client(struct socket *so, void *arg, int flags)
{
	uint8_t buffer[MESSAGE_BYTES];

	(void)arg, (void)flags;
	while ((usrsctp_get_events(so) & SCTP_EVENT_READ) != 0) {
		socklen_t info_bytes = 0;
		unsigned kind = 0;
		int msg_flags = 0;
		const ssize_t n = usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes,
		                                &kind, &msg_flags);

		if (n <= 0) {
			outcome->ended = true;
			break;
		}
	}
}

static void send_frame(struct usrsctp_cmt_sim *sim, void *arg)
{
	write_some(pair.server, job->frame_messages);
	REQUIRE(usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + FRAME_US, send_frame, arg) == 0);
}

static void rebind(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	for (int nat = 0; nat < job->n_paths; nat++) {
		if (job->rebinds[nat])
			REQUIRE(usrsctp_cmt_sim_rebind_nat(sim, nat, false) == 0);
	}
}

static void run(const void *what, void *out)
{
	const struct usrsctp_cmt_sim_link links[MAX_PATHS] = {{.rate_bps = 10000000,
	                                                       .delay_us = 20000,
	                                                       .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                                       .jitter_us = 2000,
	                                                       .queue_pkts = 60},
	                                                      {.rate_bps = 6000000,
	                                                       .delay_us = 40000,
	                                                       .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                                       .jitter_us = 2000,
	                                                       .queue_pkts = 60}};
	struct pair_options o = {
	    .bytes = 100000, .scheduler = "auto", .build = build, .configure = configure, .tap = watch};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	job = what;
	outcome = out;
	o.seed = job->seed;
	o.n_paths = job->n_paths;
	for (int path = 0; path < job->n_paths; path++)
		o.forward[path] = o.backward[path] = links[path];
	pair_open(&pair, &o);
	pair_run(&pair, FROM_US);
	REQUIRE(pair.complete);
	usrsctp_set_upcall(pair.client, on_client, NULL);
	usrsctp_set_upcall(pair.server, on_server, NULL);
	if (job->frame_messages > 0)
		send_frame(pair.sim, NULL);
	else
		write_some(pair.server, UINT32_MAX);
	REQUIRE(usrsctp_cmt_sim_at(pair.sim, rebind_us(), rebind, NULL) == 0);
	usrsctp_cmt_sim_run(pair.sim, UNTIL_US);
	if (!job->pauses) {
		note_gap(&outcome->longest_us, last_us, UNTIL_US);
		note_gap(&outcome->path_silence_us, last_path_us[0], UNTIL_US);
	}
	outcome->n_paths = pair_path_stats(pair.server, paths);
	pair_close(&pair);
}

struct measured {
	uint64_t longest_us, path_silence_us; /* the worst of all seeds */
	unsigned late;                        /* seeds with more than the job's bound */
	uint64_t own_pkts;
};

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static struct measured measure(const char *name, struct job what)
{
	struct measured worst = {.longest_us = 0};

	for (unsigned i = 0; i < SEEDS; i++) {
		struct outcome o;

		what.seed = i + 1;
		isolate_run(run, &what, &o, sizeof(o));
		assert_false(o.ended);
		assert_int_equal(o.aborts, 0);
		assert_int_equal(o.n_paths, what.n_paths);
		worst.longest_us = larger(worst.longest_us, o.longest_us);
		worst.late += o.longest_us > what.bound_us;
		worst.path_silence_us = larger(worst.path_silence_us, o.path_silence_us);
		worst.own_pkts = larger(worst.own_pkts, o.idle_pkts);
	}
	print_message("%s: nothing arrives for %.0f ms at most, on the rebound path for %.0f ms\n", name,
	              (double)worst.longest_us / MS, (double)worst.path_silence_us / MS);
	return worst;
}

/* The bound: a round trip and 100 ms. */
static void one_path_that_is_rebound_goes_on_after_a_round_trip_and_100_ms(void **state)
{
	const struct measured m = measure("one path", (struct job){.n_paths = 1, .rebinds = {true}});

	(void)state;
	assert_in_range(m.longest_us, 0, (40 + 2 + 100) * MS);
}

static void two_paths_that_are_rebound_at_once_go_on(void **state)
{
	const struct measured m = measure("both of two", (struct job){.n_paths = 2, .rebinds = {true}});

	(void)state;
	/* SACKs may take the path of 80 ms, and go there first. */
	assert_in_range(m.longest_us, 0, 250 * MS);
	assert_in_range(m.path_silence_us, 0, 300 * MS);
}

static void one_of_two_paths_that_is_rebound_is_used_again(void **state)
{
	const struct measured m =
	    measure("one of two", (struct job){.n_paths = 2, .nat_each = true, .rebinds = {true, false}});

	(void)state;
	assert_in_range(m.longest_us, 0, (40 + 2 + 20) * MS);
	assert_in_range(m.path_silence_us, 0, (40 + 2 + 100) * MS);
}

/* 25 frames a second: what is no silence is not taken for one. With one of sixteen seeds (of 200) a
 * frame more passes, with one two. */
static void a_stream_of_frames_goes_on(void **state)
{
	const struct measured m =
	    measure("frames", (struct job){.n_paths = 1,
	                                   .rebinds = {true},
	                                   .frame_messages = 10,
	                                   .bound_us = (40 + 40 + 2 + 100) * MS});

	(void)state;
	assert_in_range(m.late, 0, SEEDS / 10);
	assert_in_range(m.longest_us, 0, 300 * MS);
}

/* Nobody can tell that from a NAT that has forgotten: a few small packets, and no more. */
static void a_pause_of_the_sender_costs_a_few_packets(void **state)
{
	const struct measured m =
	    measure("a pause", (struct job){.n_paths = 1, .pauses = true, .frame_messages = 10});

	(void)state;
	assert_in_range(m.own_pkts, 0, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_path_that_is_rebound_goes_on_after_a_round_trip_and_100_ms),
	    cmocka_unit_test(two_paths_that_are_rebound_at_once_go_on),
	    cmocka_unit_test(one_of_two_paths_that_is_rebound_is_used_again),
	    cmocka_unit_test(a_stream_of_frames_goes_on),
	    cmocka_unit_test(a_pause_of_the_sender_costs_a_few_packets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
