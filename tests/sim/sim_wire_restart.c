/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer restarts (RFC 9260, section 5.2): a new association from the same addresses and port. Path ids and
 * Path Packet Numbers start anew on both sides, and nothing that was heard before stands in the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "wire/cmt_wire.h"

enum { PATHS = 2, MESSAGE_BYTES = 1000, MESSAGES = 200 };

/* What a host sent since the last (re)start. */
struct numbers {
	uint32_t first[PATHS], last[PATHS], misnumbered;
	uint16_t path_ids[PATHS];
};

struct outcome {
	struct numbers before[2], after[2]; /* by host */
	uint64_t samples[2], rejected[2];   /* at the end: the new client's, the server's */
	uint16_t extension[2], paths[2];
	uint32_t received_messages[2]; /* at the server: before, after */
	bool same_socket;              /* the server saw a restart, no second association */
};

struct watch {
	struct outcome *o;
	struct numbers *now; /* of both hosts */
};

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	struct watch *w = arg;
	struct numbers *n = &w->now[packet->direction];
	struct cmt_timestamp ts;
	struct chunk c;

	(void)sim;
	if (packet->event != USRSCTP_CMT_SIM_SENT ||
	    !packet_find(packet->packet, packet->packet_bytes, CHUNK_TIMESTAMP, &c) ||
	    cmt_timestamp_decode(c.bytes, c.len, &ts) != 0)
		return;
	if (n->first[packet->path] == 0)
		n->first[packet->path] = ts.path_packet_number;
	else
		n->misnumbered += ts.path_packet_number != n->last[packet->path] + 1;
	n->last[packet->path] = ts.path_packet_number;
	n->path_ids[packet->path] = ts.path_id;
}

static void set_links(struct usrsctp_cmt_sim *sim, bool down)
{
	for (int i = 0; i < 2 * PATHS; i++) {
		struct usrsctp_cmt_sim_link link;

		REQUIRE(usrsctp_cmt_sim_get_link(sim, i / 2, i % 2, &link) == 0);
		link.down = down;
		REQUIRE(usrsctp_cmt_sim_set_link(sim, i / 2, i % 2, &link) == 0);
	}
}

static void send_messages(struct socket *so)
{
	uint8_t message[MESSAGE_BYTES] = {0};

	for (unsigned i = 0; i < MESSAGES; i++)
		REQUIRE(usrsctp_sendv(so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) ==
		        MESSAGE_BYTES);
}

static uint32_t receive_messages(struct socket *so)
{
	uint8_t buffer[2 * MESSAGE_BYTES];
	uint32_t messages = 0;

	for (;;) {
		socklen_t info_bytes = 0;
		unsigned kind = 0;
		int flags = 0;
		ssize_t n =
		    usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, NULL, &info_bytes, &kind, &flags);

		if (n <= 0)
			return messages;
		messages += n == MESSAGE_BYTES;
	}
}

static void large_buffers(struct socket *so, int host, void *arg)
{
	const int bytes = 1000000;

	(void)host;
	(void)arg;
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes)) == 0);
	REQUIRE(usrsctp_setsockopt(so, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) == 0);
}

/* Dies without a word, and comes back on the same port. */
static struct socket *restart_client(struct pair *p)
{
	const struct linger hard = {.l_onoff = 1, .l_linger = 0};
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .name = "arrival"};
	struct socket *so;

	set_links(p->sim, true);
	REQUIRE(usrsctp_setsockopt(p->client, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard)) == 0);
	usrsctp_set_upcall(p->client, NULL, NULL);
	usrsctp_close(p->client);
	usrsctp_cmt_sim_run(p->sim, usrsctp_cmt_sim_now_us(p->sim) + 200000);
	set_links(p->sim, false);
	so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	REQUIRE(so != NULL && usrsctp_set_non_blocking(so, 1) == 0);
	large_buffers(so, PAIR_CLIENT, NULL);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0);
	REQUIRE(usrsctp_cmt_sim_bind(p->sim, so, PAIR_CLIENT, PAIR_CLIENT_PORT, -1) == 0);
	REQUIRE(usrsctp_cmt_sim_connect(p->sim, so, PAIR_SERVER, PAIR_SERVER_PORT, -1) == 0);
	return so;
}

static void describe(struct socket *so, struct outcome *o, unsigned host)
{
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	for (int i = 0, n = pair_path_stats(so, paths); i < n; i++) {
		o->samples[host] += paths[i].samples;
		o->rejected[host] += paths[i].samples_rejected;
	}
	o->extension[host] = pair_stats(so).extension;
	o->paths[host] = pair_stats(so).paths;
}

static void both_send(struct pair *p, uint32_t *received)
{
	usrsctp_set_upcall(p->server, NULL, NULL);
	send_messages(p->client);
	send_messages(p->server);
	usrsctp_cmt_sim_run(p->sim, usrsctp_cmt_sim_now_us(p->sim) + 10000000);
	*received = receive_messages(p->server);
	REQUIRE(receive_messages(p->client) == MESSAGES);
}

static void restart(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link fast = {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100};
	const struct usrsctp_cmt_sim_link slow = {.rate_bps = 2000000, .delay_us = 40000, .queue_pkts = 100};
	struct outcome *o = outcome;
	struct watch w = {.o = o, .now = o->before};
	struct pair_options options = {.seed = 23,
	                               .n_paths = PATHS,
	                               .forward = {fast, slow},
	                               .backward = {fast, slow},
	                               .scheduler = "arrival",
	                               .configure = large_buffers,
	                               .tap = watch,
	                               .arg = &w};
	struct socket *server;
	struct pair p;

	(void)job;
	pair_open(&p, &options);
	usrsctp_cmt_sim_run(p.sim, 1000000);
	REQUIRE(p.server != NULL);
	both_send(&p, &o->received_messages[0]);
	server = p.server;
	p.client = restart_client(&p);
	w.now = o->after;
	usrsctp_cmt_sim_run(p.sim, usrsctp_cmt_sim_now_us(p.sim) + 1000000);
	o->same_socket = p.server == server;
	both_send(&p, &o->received_messages[1]);
	describe(p.client, o, PAIR_CLIENT);
	describe(p.server, o, PAIR_SERVER);
	pair_close(&p);
}

static void assert_numbered_from_one(const struct numbers *n)
{
	assert_int_equal(n->misnumbered, 0);
	for (unsigned path = 0; path < PATHS; path++) {
		assert_int_equal(n->first[path], 1);
		assert_in_range(n->last[path], 20, 250);
		assert_int_equal(n->path_ids[path], path + 1);
	}
}

static void a_restarted_peer_finds_a_clean_slate(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(restart, NULL, &o, sizeof(o));
	assert_true(o.same_socket);
	for (unsigned host = 0; host < 2; host++) {
		printf("host %u: packets %u + %u before, %u + %u after, %llu samples\n", host,
		       o.before[host].last[0], o.before[host].last[1], o.after[host].last[0],
		       o.after[host].last[1], (unsigned long long)o.samples[host]);
		assert_numbered_from_one(&o.before[host]);
		assert_numbered_from_one(&o.after[host]);
		assert_int_equal(o.received_messages[host], MESSAGES);
		assert_int_equal(o.extension[host], 1);
		assert_int_equal(o.paths[host], PATHS);
		/* Measurements of this life only. SACKs that overtake each other on two paths make some late.
		 */
		assert_in_range(o.samples[host], 100, 400);
		assert_in_range(o.rejected[host], 0, 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_restarted_peer_finds_a_clean_slate)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
