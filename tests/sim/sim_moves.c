/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A host that moves twenty times while data flow, each time to an address that it never had: every new path
 * is used, and paths that are dead make room for it, of both hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>

#include "support/carrier.h"
#include "support/isolate.h"
#include "support/packet.h"

enum { MOVES = 20, DELAY_US = 20000, STAYS_US = 300000, BEGINS_US = 6 * DELAY_US, LIMIT_US = 60000000 };
enum { ENDLESS_BYTES = 1000000000 };

struct outcome {
	size_t n_moves, paths[2], paths_most[2];
	uint64_t slowest_us; /* from an address to the first data from there */
	size_t received;
	bool intact;
};

static struct carrier c;

/* A wire has no rate: only by turns every path is needed. */
static void take_turns(struct socket *so, const struct carrier_host *host)
{
	struct sctp_cmt_policy policy = {.size = sizeof(policy), .name = "rr"};

	(void)host;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_CMT_SCHEDULER, &policy, sizeof(policy)) == 0);
}

static void bind_client(unsigned path, int flags)
{
	struct sockaddr_in address = carrier_address(0, path);

	address.sin_port = htons(CARRIER_SCTP_PORT + 1);
	REQUIRE(usrsctp_bindx(c.hosts[0].so, (struct sockaddr *)&address, 1, flags) == 0);
}

/* To the one address of the server. */
static void come(unsigned path)
{
	const struct sockaddr_in local = carrier_address(0, path), remote = carrier_address(1, 0);

	carrier_add_address(&c, 0, path);
	REQUIRE(usrsctp_cmt_packets_add_path(c.hosts[0].packets, (const struct sockaddr *)&local,
	                                     (const struct sockaddr *)&remote, 0) == 0);
	bind_client(path, SCTP_BINDX_ADD_ADDR);
}

static void go(unsigned path)
{
	const struct sockaddr_in local = carrier_address(0, path);

	bind_client(path, SCTP_BINDX_REM_ADDR);
	REQUIRE(usrsctp_cmt_packets_remove_address(c.hosts[0].packets, (const struct sockaddr *)&local) == 0);
}

static void count_paths(struct outcome *o)
{
	struct sctp_cmt_path_stats stats[SCTP_CMT_MAX_PATHS];

	for (unsigned host = 0; host < 2; host++) {
		o->paths[host] = carrier_paths(&c.hosts[host], stats);
		if (o->paths[host] > o->paths_most[host])
			o->paths_most[host] = o->paths[host];
	}
}

static bool carries(unsigned path)
{
	struct sctp_cmt_path_stats s;

	return carrier_path(&c, 0, path, &s) && s.state == SCTP_CMT_PATH_ACTIVE && s.sent_bytes > 0;
}

/* Behind a NAT the server has other names for the client's addresses: that one has gone tells it nothing. */
static bool takes_nothing_back(struct carrier *carrier, const struct carrier_packet *packet)
{
	(void)carrier;
	return !packet_has(packet->bytes, packet->len, CHUNK_ASCONF);
}

static void move(const void *job, void *out)
{
	const bool unheard = *(const bool *)job;
	struct outcome *o = out;

	c.passes = unheard ? takes_nothing_back : NULL;
	c.in_virtual_time = true;
	c.delay_us = DELAY_US;
	c.configure = take_turns;
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, ENDLESS_BYTES);
	REQUIRE(carrier_run(&c, 0, 100000, LIMIT_US));
	for (unsigned path = 1; path <= MOVES; path++) {
		const uint64_t began_us = carrier_now_us(&c);

		come(path);
		while (!carries(path) && carrier_now_us(&c) < began_us + LIMIT_US)
			carrier_step(&c, 1000);
		if (!carries(path))
			break;
		o->n_moves++;
		if (carrier_now_us(&c) - began_us > o->slowest_us)
			o->slowest_us = carrier_now_us(&c) - began_us;
		go(path - 1);
		while (carrier_now_us(&c) < began_us + STAYS_US)
			carrier_step(&c, 1000);
		count_paths(o);
	}
	c.hosts[0].to_send = c.hosts[0].sent;
	REQUIRE(carrier_run(&c, 0, c.hosts[0].to_send, LIMIT_US));
	o->received = c.hosts[1].received;
	o->intact = c.hosts[1].intact;
	carrier_close(&c);
}

static void a_host_that_moves_twenty_times_goes_on(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		const bool unheard = i != 0;
		struct outcome o;

		isolate_run(move, &unheard, &o, sizeof(o));
		print_message(
		    "%zu moves, data from a new address after %.1f ms at most, %zu and %zu paths in the end, "
		    "%.1f MB\n",
		    o.n_moves, (double)o.slowest_us / 1000, o.paths[0], o.paths[1], (double)o.received / 1e6);
		assert_int_equal(o.n_moves, MOVES);
		assert_true(o.intact);
		assert_in_range(o.slowest_us, 1, BEGINS_US);
		assert_in_range(o.paths_most[0], 1, SCTP_CMT_MAX_PATHS);
		assert_in_range(o.paths_most[1], unheard ? SCTP_CMT_MAX_PATHS : 1, SCTP_CMT_MAX_PATHS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_host_that_moves_twenty_times_goes_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
