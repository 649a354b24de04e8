/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An attacker off the path who knows addresses and ports of an association, and in the end its tags, sends
 * packets of every kind from many addresses and ports, and sees no answer: nothing moves, no association
 * ends, every byte arrives, and memory stays what it was.
 *
 * cost: 5 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>
#include <netinet/in.h>
#include <stdio.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { S = 1000000, N_PATHS = 2, BYTES = 4000000, WARM_UP_PKTS = 2000 };

/* What the attacker knows. */
enum knowledge { PORTS, TAG };

struct job {
	enum knowledge knowledge;
	uint32_t n_pkts;
	uint64_t seed;
};

struct outcome {
	bool complete, ended;
	uint32_t sent_pkts, n_paths[2];
	uint64_t done_us, sent_bytes;
	struct usrsctp_cmt_sim_elsewhere back; /* to the attacker */
	int64_t grown_bytes;                   /* at most, since WARM_UP_PKTS */
	bool moved;                            /* a path has another address or port than before */
	unsigned aborts;
};

static const struct job *job;
static struct outcome *outcome;
static struct pair pair;
static uint32_t tags[2], tsns[2]; /* of packets to a host; newest, by sender */
static size_t warm_bytes;
static uint64_t burst_us;
static uint64_t random_state;

static uint32_t draw(uint32_t n)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(random_state >> 33) % n;
}

static const uint8_t types[] = {
    CHUNK_DATA,        CHUNK_SACK,        CHUNK_HEARTBEAT, CHUNK_HEARTBEAT_ACK,
    CHUNK_ABORT,       CHUNK_SHUTDOWN,    CHUNK_ERROR,     CHUNK_SHUTDOWN_ACK,
    CHUNK_COOKIE_ECHO, CHUNK_COOKIE_ACK,  CHUNK_ECNE,      CHUNK_SHUTDOWN_COMPLETE,
    CHUNK_NR_SACK,     CHUNK_IDATA,       CHUNK_ASCONF,    CHUNK_ASCONF_ACK,
    CHUNK_RECONFIG,    CHUNK_FORWARD_TSN, CHUNK_TIMESTAMP, CHUNK_ECHO,
    CHUNK_INIT_ACK,    CHUNK_AUTH,        CHUNK_CWR,       CHUNK_INIT};

/* Mostly from a few hundred addresses and thousands of ports, now and then from one of the peer's addresses
 * with another port: who knows the tag and can send from the peer's four-tuple needs no more. */
static void choose_source(struct sockaddr_storage *out, int to)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)out;

	REQUIRE(usrsctp_cmt_sim_address(pair.sim, 1 - to, (int)draw(N_PATHS), 0, out) == 0);
	if (draw(8) != 0)
		sin->sin_addr.s_addr = htonl(0xc6120000 | draw(300));
	sin->sin_port = htons((uint16_t)(USRSCTP_CMT_SIM_UDP_PORT + 1 + draw(50000)));
}

static void compose(struct packet_draft *d, int to)
{
	const uint8_t type = types[draw(sizeof(types))];
	uint8_t body[1000] = {0};
	const size_t bytes = draw(16) == 0 ? 4 + draw(sizeof(body) - 4) : 28;

	/* With a TSN that would fit. */
	packet_put32(body, type == CHUNK_SACK || type == CHUNK_SHUTDOWN || type == CHUNK_NR_SACK
	                       ? tsns[to] - draw(4)
	                       : tsns[1 - to] + draw(4));
	packet_put32(body + 4, 100000);
	packet_put16(body + 8, (uint16_t)draw(12));
	packet_put16(body + 10, (uint16_t)draw(12));
	packet_begin(d, to == 0 ? PAIR_SERVER_PORT : PAIR_CLIENT_PORT,
	             to == 0 ? PAIR_CLIENT_PORT : PAIR_SERVER_PORT,
	             job->knowledge == TAG ? tags[draw(16) == 0 ? 1 - to : to]
	             : draw(3) == 0        ? 0
	                                   : draw(UINT32_MAX));
	packet_add(d, type, (uint16_t)(bytes + 4), body, bytes);
	d->bytes[COMMON_HEADER_BYTES + 1] = (uint8_t)draw(4);
	packet_finish(d);
}

static void watch_memory(void)
{
	const size_t bytes = mallinfo2().uordblks;

	if (outcome->sent_pkts == WARM_UP_PKTS)
		warm_bytes = bytes;
	if (outcome->sent_pkts > WARM_UP_PKTS && (int64_t)(bytes - warm_bytes) > outcome->grown_bytes)
		outcome->grown_bytes = (int64_t)(bytes - warm_bytes);
}

enum { BURST_PKTS = 100 };

static void attack(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < BURST_PKTS && outcome->sent_pkts < job->n_pkts; i++) {
		struct sockaddr_storage from;
		struct packet_draft d;
		const int to = (int)draw(2);

		choose_source(&from, to);
		compose(&d, to);
		REQUIRE(usrsctp_cmt_sim_arrive(sim, to, (int)draw(N_PATHS), &from, d.bytes, d.len) == 0);
		outcome->sent_pkts++;
		outcome->sent_bytes += d.len;
		watch_memory();
	}
	if (outcome->sent_pkts < job->n_pkts)
		REQUIRE(usrsctp_cmt_sim_at(sim, usrsctp_cmt_sim_now_us(sim) + burst_us, attack, NULL) == 0);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	static bool answered;
	size_t offset = 0;
	struct chunk c;

	(void)sim;
	(void)arg;
	if (p->event != USRSCTP_CMT_SIM_SENT)
		return;
	while (packet_next_chunk(p->packet, p->packet_bytes, &offset, &c)) {
		if (chunk_tells_init(&c, &answered)) {
			tags[p->direction] = packet_get32(c.bytes + 4);
			tsns[p->direction] = packet_get32(c.bytes + 16) - 1;
		}
		if (chunk_is_data(&c) && (int32_t)(chunk_tsn(&c) - tsns[p->direction]) > 0)
			tsns[p->direction] = chunk_tsn(&c);
		outcome->aborts += c.type == CHUNK_ABORT;
	}
}

/* Every path of an application ends where the simulated network has one. */
static void look_at_paths(int host, struct socket *so)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];
	const int n = pair_path_stats(so, paths);

	outcome->n_paths[host] = (uint32_t)n;
	for (int i = 0; i < n; i++) {
		bool known = false;

		for (int path = 0; path < N_PATHS; path++) {
			struct sockaddr_storage a;

			REQUIRE(usrsctp_cmt_sim_address(pair.sim, 1 - host, path, 0, &a) == 0);
			known |= ((struct sockaddr_in *)&a)->sin_addr.s_addr ==
			         ((struct sockaddr_in *)&paths[i].remote)->sin_addr.s_addr;
		}
		outcome->moved |= !known && paths[i].state != SCTP_CMT_PATH_UNCONFIRMED;
	}
}

static void configure(struct socket *so, int host, void *arg)
{
	(void)arg;
	REQUIRE(usrsctp_cmt_sim_encapsulate(pair.sim, so, PAIR_SERVER, host == PAIR_SERVER ? -1 : 0) == 0);
}

static void run(const void *what, void *out)
{
	static const struct usrsctp_cmt_sim_link link = {
	    .rate_bps = 8000000, .delay_us = 20000, .queue_pkts = 100};
	struct pair_options o = {.n_paths = N_PATHS,
	                         .bytes = BYTES,
	                         .scheduler = "auto",
	                         .rcvbuf_bytes = 1000000,
	                         .configure = configure,
	                         .tap = watch};

	job = what;
	outcome = out;
	o.seed = random_state = job->seed;
	for (int path = 0; path < N_PATHS; path++)
		o.forward[path] = o.backward[path] = link;
	pair_open(&pair, &o);
	/* Spread over the transfer, which takes 2.2 s. */
	burst_us = UINT64_C(2000000) * BURST_PKTS / job->n_pkts;
	REQUIRE(usrsctp_cmt_sim_at(pair.sim, 200000, attack, NULL) == 0);
	pair_run(&pair, 60 * S);
	outcome->complete = pair.complete && pair.intact;
	outcome->done_us = pair.done_us;
	/* All that was sent is there, and is still known. */
	pair_linger(&pair, pair.done_us + 10 * S);
	outcome->ended = pair.ended;
	if (!pair.ended) {
		look_at_paths(PAIR_CLIENT, pair.client);
		look_at_paths(PAIR_SERVER, pair.server);
	}
	usrsctp_cmt_sim_get_elsewhere(pair.sim, &outcome->back);
	pair_close(&pair);
}

static struct outcome attacked(enum knowledge knowledge, uint32_t n_pkts, uint64_t seed)
{
	const struct job what = {.knowledge = knowledge, .n_pkts = n_pkts, .seed = seed};
	struct outcome o;

	isolate_run(run, &what, &o, sizeof(o));
	print_message(
	    "knows %s: %u packets of %llu bytes, %llu of %llu bytes went back; transfer in %.2f s, %u and "
	    "%u paths, memory + %lld KiB at most\n",
	    knowledge == TAG ? "the tag" : "ports", o.sent_pkts, (unsigned long long)o.sent_bytes,
	    (unsigned long long)o.back.sent_pkts, (unsigned long long)o.back.sent_bytes,
	    (double)o.done_us / S, o.n_paths[0], o.n_paths[1], (long long)o.grown_bytes / 1024);
	return o;
}

enum { ENTERED_MAX_BYTES = 512 * 1024 };

static void assert_nothing_came_of_it(const struct outcome *o, uint32_t n_pkts)
{
	assert_true(o->complete);
	assert_false(o->ended);
	assert_false(o->moved);
	assert_int_equal(o->sent_pkts, n_pkts);
	assert_in_range(o->back.sent_bytes, 0, 3 * o->sent_bytes);
	assert_in_range(o->grown_bytes, 0, ENTERED_MAX_BYTES);
}

/* A million once. */
static uint32_t n_packets(uint64_t seed)
{
	return seed > 1 ? 30000 : ISOLATE_WATCHES_MEMORY ? 100000 : 1000000;
}

static void who_knows_the_ports_moves_nothing_and_ends_nothing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct outcome o = attacked(PORTS, n_packets(seed), seed);

		assert_nothing_came_of_it(&o, n_packets(seed));
		assert_in_range(o.done_us, 2 * S, 26 * S / 10);
	}
}

static void who_knows_the_tag_and_sees_no_answer_moves_nothing_and_ends_nothing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 3; seed++) {
		struct outcome o = attacked(TAG, n_packets(seed), seed);

		assert_nothing_came_of_it(&o, n_packets(seed));
		assert_in_range(o.done_us, 2 * S, 26 * S / 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(who_knows_the_ports_moves_nothing_and_ends_nothing),
	    cmocka_unit_test(who_knows_the_tag_and_sees_no_answer_moves_nothing_and_ends_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
