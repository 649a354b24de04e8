/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several back ends in a process: each has its addresses, ports and associations, even where all are the same
 * as another's; one ends, others go on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <time.h>

#include "support/carrier.h"
#include "support/isolate.h"
#include "support/packet.h"

enum { BYTES = 500000, LIMIT_US = 60000000, TIMES = 500 };

static struct carrier c;

static void in_a_process(isolate_scenario *scenario)
{
	uint8_t nothing;

	isolate_run(scenario, NULL, &nothing, sizeof(nothing));
}

static void expect(unsigned client, size_t bytes)
{
	REQUIRE(carrier_run(&c, client, bytes, LIMIT_US));
	REQUIRE(c.hosts[client + 1].received == bytes && c.hosts[client + 1].intact);
}

/* Two pairs of hosts with the same addresses, SCTP ports and UDP ports but for their last digit. */
static void transfer_twice(const void *job, void *outcome)
{
	(void)job, (void)outcome;
	c.n_paths = 2;
	REQUIRE(carrier_open(&c) == 0 && carrier_open(&c) == 2);
	carrier_connect(&c, 0, BYTES);
	carrier_connect(&c, 2, 2 * BYTES);
	expect(0, BYTES);
	expect(2, 2 * BYTES);
	carrier_close(&c);
}

static void addresses_and_ports_may_be_the_same(void **state)
{
	(void)state;
	in_a_process(transfer_twice);
}

/* A packet of an association, to another back end with the same addresses. */
static size_t strayed;

/* As on a four-tuple of nobody. */
static void give_from_elsewhere(struct usrsctp_cmt_packets *packets, struct usrsctp_cmt_arrival arrival)
{
	struct sockaddr_in remote = *(const struct sockaddr_in *)(const void *)arrival.remote;

	remote.sin_port = htons(1);
	arrival.remote = (const struct sockaddr *)&remote;
	REQUIRE(usrsctp_cmt_packets_input(packets, &arrival) == 0);
}

static bool lead_astray(struct carrier *carrier, const struct carrier_packet *packet)
{
	const unsigned host = (unsigned)(packet->to - carrier->hosts);
	const struct usrsctp_cmt_arrival arrival = {.size = sizeof(arrival),
	                                            .local = (const struct sockaddr *)&packet->local,
	                                            .remote = (const struct sockaddr *)&packet->remote,
	                                            .bytes = packet->bytes,
	                                            .len = packet->len};

	/* All but what anybody may send: it finds no association there. */
	if (carrier->n_hosts < 4 || host >= 2 || packet_get32(packet->bytes + 4) == 0 ||
	    packet_has(packet->bytes, packet->len, CHUNK_COOKIE_ECHO))
		return true;
	strayed++;
	REQUIRE(usrsctp_cmt_packets_input(carrier->hosts[host + 2].packets, &arrival) == 0);
	give_from_elsewhere(carrier->hosts[host + 2].packets, arrival);
	return false;
}

static void go_astray(const void *job, void *outcome)
{
	size_t received;

	(void)job, (void)outcome;
	c.bound_to_any = true;
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
	REQUIRE(carrier_run(&c, 0, BYTES / 10, LIMIT_US));
	REQUIRE(carrier_open(&c) == 2);
	carrier_connect(&c, 2, BYTES);
	c.passes = lead_astray;
	received = c.hosts[1].received;
	expect(2, BYTES);
	/* Those on the wire then were still led right. */
	REQUIRE(strayed > 0);
	received = c.hosts[1].received;
	carrier_step(&c, 1000);
	carrier_step(&c, 1000);
	REQUIRE(c.hosts[1].received == received && received < BYTES);
	/* Nor do they ask where it comes from. */
	REQUIRE(c.hosts[0].nowhere_pkts == 0 && c.hosts[1].nowhere_pkts == 0);
	/* Whoever knows no such association answers with an ABORT, to the other host of its own. */
	c.passes = NULL;
	expect(0, BYTES);
	carrier_close(&c);
}

static void a_packet_finds_associations_of_its_back_end_alone(void **state)
{
	(void)state;
	in_a_process(go_astray);
}

/* The first one, too, which a socket has that was not assigned. */
static void end_one(const void *job, void *outcome)
{
	(void)job, (void)outcome;
	REQUIRE(carrier_open(&c) == 0 && carrier_open(&c) == 2);
	carrier_connect(&c, 0, BYTES);
	carrier_connect(&c, 2, BYTES);
	REQUIRE(carrier_run(&c, 0, BYTES / 10, LIMIT_US) && carrier_run(&c, 2, BYTES / 10, LIMIT_US));
	REQUIRE(c.hosts[1].received < BYTES && c.hosts[3].received < BYTES);
	usrsctp_close(c.hosts[0].so);
	c.hosts[0].so = NULL;
	/* It shuts down; the end is an ABORT, which the last call of `output` gets. */
	REQUIRE(usrsctp_cmt_packets_free(c.hosts[0].packets) == 0);
	c.hosts[0].packets = NULL;
	while (!c.hosts[1].over)
		carrier_step(&c, 1000);
	expect(2, BYTES);
	REQUIRE(carrier_open(&c) == 4);
	carrier_connect(&c, 4, BYTES);
	expect(4, BYTES);
	carrier_close(&c);
}

static void one_ends_and_others_go_on(void **state)
{
	(void)state;
	in_a_process(end_one);
}

/* As a program does that loads and unloads a plugin. */
static void come_and_go(const void *job, void *outcome)
{
	const struct usrsctp_cmt_packets_config config = {.size = sizeof(config)};
	const struct sockaddr_in here = carrier_address(0, 3);

	(void)job, (void)outcome;
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, TIMES * 1000);
	for (unsigned i = 0; i < TIMES; i++) {
		struct usrsctp_cmt_packets *packets = usrsctp_cmt_packets_new(&config);
		struct socket *so = usrsctp_socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
		struct sockaddr_in address = here;

		address.sin_port = htons(7);
		REQUIRE(packets != NULL && so != NULL);
		REQUIRE(usrsctp_cmt_packets_add_address(packets, (const struct sockaddr *)&here) == 0);
		REQUIRE(usrsctp_cmt_packets_assign(packets, so) == 0);
		REQUIRE(usrsctp_bindx(so, (struct sockaddr *)&address, 1, SCTP_BINDX_ADD_ADDR) == 0);
		REQUIRE(usrsctp_listen(so, 1) == 0);
		usrsctp_close(so);
		REQUIRE(usrsctp_cmt_packets_free(packets) == 0);
		carrier_step(&c, 0);
	}
	expect(0, TIMES * 1000);
	carrier_close(&c);
}

static void back_ends_come_and_go(void **state)
{
	(void)state;
	in_a_process(come_and_go);
}

/* --- timers --- */

/* Whichever loop looks first runs what is due for all; what leaves waits for its own. */
static void let_one_look(const void *job, void *outcome)
{
	struct usrsctp_cmt_packets *other;

	(void)job, (void)outcome;
	REQUIRE(carrier_open(&c) == 0 && carrier_open(&c) == 2);
	carrier_connect(&c, 0, BYTES);
	other = c.hosts[2].packets;
	REQUIRE(c.hosts[2].calls_sooner > 0); /* a timer has been started, whoever's it is */
	REQUIRE(usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) == 0);
	REQUIRE(usrsctp_cmt_packets_timeout_us(other) > 0);
	REQUIRE(usrsctp_cmt_packets_run(c.hosts[0].packets) == 0);
	REQUIRE(c.hosts[0].out_pkts[0] == 1);
	/* The INIT is lost: until RTO.Initial is over. */
	while (usrsctp_cmt_packets_timeout_us(c.hosts[0].packets) != 0) {
		const struct timespec wait = {.tv_nsec = 1000000};

		(void)nanosleep(&wait, NULL);
		REQUIRE(usrsctp_cmt_packets_run(other) == 0);
	}
	REQUIRE(c.hosts[0].out_pkts[0] == 1 && c.hosts[2].out_pkts[0] == 0);
	REQUIRE(usrsctp_cmt_packets_run(c.hosts[0].packets) == 0);
	REQUIRE(c.hosts[0].out_pkts[0] == 2);
	expect(0, BYTES);
	carrier_close(&c);
}

static void timers_are_run_by_whoever_looks_first(void **state)
{
	(void)state;
	in_a_process(let_one_look);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_and_ports_may_be_the_same),
	    cmocka_unit_test(a_packet_finds_associations_of_its_back_end_alone),
	    cmocka_unit_test(one_ends_and_others_go_on),
	    cmocka_unit_test(back_ends_come_and_go),
	    cmocka_unit_test(timers_are_run_by_whoever_looks_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
