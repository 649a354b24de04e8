/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One packet takes an address of the peer's back and acknowledges by SHUTDOWN what is out: the scheduled path
 * ends with its address, not with the next SACK. AddressSanitizer says when it does not.
 *
 * The server waits to shut down for a SACK, and with that somebody tells it "NAT: missing state": the ASCONF
 * that answers, which takes back all addresses but the packet's own, goes with the SHUTDOWN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { PATHS = 2, BYTES = 20000, IDLE_US = 5000000, ARRIVED_US = 50000, PACKET_BYTES = 500 };

struct outcome {
	bool complete, together; /* ASCONF and SHUTDOWN came in one packet */
	int paths;               /* of the client, before */
};

static struct pair pair;
static struct outcome seen;
static bool ending, injecting;

/* The SACK, and behind it the error. */
static void report_missing_state(const struct usrsctp_cmt_sim_packet *sack)
{
	static const uint8_t error[] = {CHUNK_ERROR, 0, 0, 8, 0, 0xb1, 0, 4};
	uint8_t forged[PACKET_BYTES];

	REQUIRE(sack->packet_bytes + sizeof(error) <= sizeof(forged));
	memcpy(forged, sack->packet, sack->packet_bytes);
	memcpy(forged + sack->packet_bytes, error, sizeof(error));
	packet_put_checksum(forged, sack->packet_bytes + sizeof(error));
	injecting = true;
	REQUIRE(usrsctp_cmt_sim_inject(pair.sim, sack->path, PAIR_CLIENT, forged,
	                               sack->packet_bytes + sizeof(error)) == 0);
	injecting = false;
}

static void lose_sack(const struct usrsctp_cmt_sim_packet *packet, bool lost)
{
	struct usrsctp_cmt_sim_link link;

	REQUIRE(usrsctp_cmt_sim_get_link(pair.sim, packet->path, 1, &link) == 0);
	link.down = lost;
	REQUIRE(usrsctp_cmt_sim_set_link(pair.sim, packet->path, 1, &link) == 0);
}

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	bool is_sack = packet_has(packet->packet, packet->packet_bytes, CHUNK_SACK);

	(void)sim;
	(void)arg;
	if (packet->event != USRSCTP_CMT_SIM_SENT || !ending || injecting)
		return;
	if (packet->direction == 1)
		lose_sack(packet, is_sack);
	else if (is_sack)
		report_missing_state(packet);
	seen.together |= packet_has(packet->packet, packet->packet_bytes, CHUNK_ASCONF) &&
	                 packet_has(packet->packet, packet->packet_bytes, CHUNK_SHUTDOWN);
}

static void linger(uint64_t for_us)
{
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + for_us);
}

static void send_one_byte(struct socket *so)
{
	REQUIRE(usrsctp_sendv(so, "x", 1, NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) == 1);
}

static void remove_and_shut_down(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link near = {.rate_bps = 10000000, .delay_us = 5000};
	const struct usrsctp_cmt_sim_link far = {.rate_bps = 1000000, .delay_us = 100000};
	/* Over IPv4 upstream takes nothing back. */
	const struct pair_options options = {.family = AF_INET6,
	                                     .n_paths = PATHS,
	                                     .forward = {near, far},
	                                     .backward = {near, far},
	                                     .bytes = BYTES,
	                                     .scheduler = "arrival",
	                                     .tap = watch};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	(void)job;
	pair_open(&pair, &options);
	pair_run(&pair, IDLE_US);
	linger(IDLE_US);
	seen.complete = pair.complete;
	seen.paths = pair_path_stats(pair.client, paths);

	ending = true;
	send_one_byte(pair.client);
	send_one_byte(pair.server);
	REQUIRE(usrsctp_shutdown(pair.server, SHUT_WR) == 0);
	linger(ARRIVED_US);
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void a_path_ends_with_its_address(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(remove_and_shut_down, NULL, &o, sizeof(o));
	assert_true(o.complete);
	assert_int_equal(o.paths, PATHS);
	assert_true(o.together);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_path_ends_with_its_address)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
