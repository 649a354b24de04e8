/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data of an association are authenticated (RFC 4895), and behind such a packet comes an ASCONF without AUTH
 * from an address that is not the peer's, with the right tag: it adds no address, its UDP port is not the
 * peer's, and an ABORT behind it does not count. */
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
#include "support/variant.h"

enum { S = 1000000, BYTES = 20000, OTHER_PORT = 20004 };

struct outcome {
	bool complete, ended;
	int addresses;          /* of the client, as the server knows them */
	uint64_t astray_pkts;   /* to other UDP ports and addresses than the client's */
	unsigned authenticated; /* packets of the client */
};

static struct pair pair;
static struct outcome seen;
static uint32_t tag, serial; /* of packets to the server; of the first ASCONF */

static void authenticate_data(struct socket *so, int host, void *arg)
{
	const struct sctp_authchunk data = {.sauth_chunk = CHUNK_DATA};

	(void)host;
	(void)arg;
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_AUTH_CHUNK, &data, sizeof(data)) == 0);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	struct chunk c;

	(void)sim;
	(void)arg;
	if (p->event != USRSCTP_CMT_SIM_SENT)
		return;
	if (packet_find(p->packet, p->packet_bytes, CHUNK_INIT_ACK, &c))
		tag = packet_get32(c.bytes + 4);
	if (packet_find(p->packet, p->packet_bytes, CHUNK_INIT, &c))
		serial = packet_get32(c.bytes + 16);
	seen.authenticated += p->direction == 0 && packet_has(p->packet, p->packet_bytes, CHUNK_AUTH);
}

/* For the association of the client's address, the packet's own source is added. */
static void add_own_address(bool aborts)
{
	static const uint8_t parameters[] = {0, 5, 0, 8, 10, 1, 0, 1, 0xc0, 1, 0, 16,
	                                     0, 0, 0, 1, 0,  5, 0, 8, 0,    0, 0, 0};
	struct sockaddr_storage stranger;
	uint8_t body[4 + sizeof(parameters)];
	struct packet_draft d;

	packet_put32(body, serial);
	memcpy(body + 4, parameters, sizeof(parameters));
	packet_begin(&d, PAIR_CLIENT_PORT, PAIR_SERVER_PORT, tag);
	packet_add(&d, CHUNK_ASCONF, 4 + sizeof(body), body, sizeof(body));
	if (aborts)
		packet_add(&d, CHUNK_ABORT, 4, NULL, 0);
	packet_finish(&d);
	REQUIRE(usrsctp_cmt_sim_address(pair.sim, PAIR_CLIENT, 0, 0, &stranger) == 0);
	((struct sockaddr_in *)&stranger)->sin_addr.s_addr = htonl(0xc6120001);
	((struct sockaddr_in *)&stranger)->sin_port = htons(OTHER_PORT);
	REQUIRE(usrsctp_cmt_sim_arrive(pair.sim, PAIR_SERVER, 0, &stranger, d.bytes, d.len) == 0);
}

static void forge(const void *job, void *outcome)
{
	static const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 5000};
	const struct pair_options options = {.n_paths = 1,
	                                     .forward = {link},
	                                     .backward = {link},
	                                     .bytes = BYTES,
	                                     .configure = authenticate_data,
	                                     .tap = watch};
	struct usrsctp_cmt_sim_elsewhere elsewhere;
	struct sockaddr *addresses = NULL;

	pair_open(&pair, &options);
	pair_run(&pair, 10 * S);
	seen.complete = pair.complete && pair.intact;
	add_own_address(*(const bool *)job);
	(void)usrsctp_sendv(pair.server, "x", 1, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0);
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + S);
	seen.ended = pair.ended;
	usrsctp_cmt_sim_get_elsewhere(pair.sim, &elsewhere);
	seen.astray_pkts = elsewhere.sent_pkts;
	if (!seen.ended) {
		seen.addresses = usrsctp_getpaddrs(pair.server, 0, &addresses);
		usrsctp_freepaddrs(addresses);
	}
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void an_asconf_without_auth_adds_no_address_and_ends_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const bool aborts = i == 1;
		struct outcome o;

		isolate_run(forge, &aborts, &o, sizeof(o));
		assert_true(o.complete);
		assert_true(o.authenticated > 5);
		assert_int_equal(o.ended, aborts && !CMT_TEST_FIXED);
		if (!aborts || CMT_TEST_FIXED)
			assert_int_equal(o.astray_pkts == 0, CMT_TEST_FIXED);
		if (!o.ended)
			assert_int_equal(o.addresses, CMT_TEST_FIXED ? 1 : 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_asconf_without_auth_adds_no_address_and_ends_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
