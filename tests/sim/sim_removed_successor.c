/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The peer takes back the address that an unanswered ASCONF or SHUTDOWN went to, and the one behind it in the
 * list. The timer of the ASCONF outlives the first: upstream looked for another address from there on, and
 * found the second, which had been freed. AddressSanitizer says when it is so. That of the SHUTDOWN runs on
 * for an address that is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"

enum { PATHS = 4, TAKEN_BACK = 2, BYTES = 20000 };
enum { SETTLE_US = 5000000, ARRIVED_US = 100000, SILENCE_US = 20000000 };

struct outcome {
	bool complete;
	int paths_left;
	unsigned requests[PATHS]; /* of the server, after the removal */
};

struct request {
	uint8_t type;
	void (*make)(void); /* the server's application */
};

static struct pair pair;
static struct outcome seen;
static const struct request *request;
static bool removed;
static const int taken_back[TAKEN_BACK] = {0, PATHS - 1}; /* neighbours in the list of the server */

/* Loses the server's requests. */
static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	const bool is_request = packet_has(packet->packet, packet->packet_bytes, request->type);
	struct usrsctp_cmt_sim_link link;

	(void)arg;
	if (packet->event != USRSCTP_CMT_SIM_SENT || packet->direction != 1)
		return;
	REQUIRE(usrsctp_cmt_sim_get_link(sim, packet->path, 1, &link) == 0);
	link.down = is_request;
	REQUIRE(usrsctp_cmt_sim_set_link(sim, packet->path, 1, &link) == 0);
	seen.requests[packet->path] += removed && is_request;
}

static void linger(uint64_t for_us)
{
	pair_linger(&pair, usrsctp_cmt_sim_now_us(pair.sim) + for_us);
}

static void address_of(int host, int path, struct sockaddr_in6 *out)
{
	struct sockaddr_storage address;

	REQUIRE(usrsctp_cmt_sim_address(pair.sim, host, path, 0, &address) == 0);
	memcpy(out, &address, sizeof(*out));
}

static void ask_for_primary(void)
{
	struct sctp_setpeerprim asked = {.sspp_assoc_id = SCTP_CURRENT_ASSOC};
	struct sockaddr_in6 address;

	address_of(PAIR_SERVER, 0, &address);
	memcpy(&asked.sspp_addr, &address, sizeof(address));
	REQUIRE(usrsctp_setsockopt(pair.server, IPPROTO_SCTP, SCTP_SET_PEER_PRIMARY_ADDR, &asked,
	                           sizeof(asked)) == 0);
}

static void shut_down(void)
{
	REQUIRE(usrsctp_shutdown(pair.server, SHUT_WR) == 0);
}

static void take_back(void)
{
	struct sockaddr_in6 addresses[TAKEN_BACK];

	for (int i = 0; i < TAKEN_BACK; i++)
		address_of(PAIR_CLIENT, taken_back[i], &addresses[i]);
	REQUIRE(usrsctp_bindx(pair.client, (struct sockaddr *)addresses, TAKEN_BACK, SCTP_BINDX_REM_ADDR) ==
	        0);
}

static void hear_no_answer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 5000};
	/* Over IPv4 upstream takes nothing back. */
	const struct pair_options options = {.family = AF_INET6,
	                                     .n_paths = PATHS,
	                                     .forward = {link, link, link, link},
	                                     .backward = {link, link, link, link},
	                                     .bytes = BYTES,
	                                     .tap = watch};
	struct sctp_cmt_path_stats paths[USRSCTP_CMT_SIM_MAX_PATHS];

	request = job;
	pair_open(&pair, &options);
	pair_run(&pair, SETTLE_US);
	linger(SETTLE_US);
	seen.complete = pair.complete;
	request->make();
	linger(ARRIVED_US);
	take_back();
	linger(ARRIVED_US);
	removed = true;
	seen.paths_left = pair_path_stats(pair.server, paths);
	linger(SILENCE_US);
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void a_request_goes_on_to_an_address_that_is_left(void **state)
{
	static const struct request requests[] = {{CHUNK_ASCONF, ask_for_primary},
	                                          {CHUNK_SHUTDOWN, shut_down}};

	(void)state;
	for (unsigned n = 0; n < sizeof(requests) / sizeof(requests[0]); n++) {
		struct outcome o;

		isolate_run(hear_no_answer, &requests[n], &o, sizeof(o));
		assert_true(o.complete);
		assert_int_equal(o.paths_left, PATHS - TAKEN_BACK);
		for (int i = 0; i < TAKEN_BACK; i++)
			assert_int_equal(o.requests[taken_back[i]], 0);
		assert_true(o.requests[1] + o.requests[2] > 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_goes_on_to_an_address_that_is_left)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
