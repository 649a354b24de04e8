/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whatever is given to usrsctp_cmt_packets_input(), from wherever: associations go on, and what they send
 * goes to their peer alone, but for answers to INIT and to packets of nobody. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "support/carrier.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "util/cmt_random.h"

enum { BYTES = 500000, DELAY_US = 5000, LIMIT_US = 120000000, LONG_BYTES = 3000, KINDS = 6, PLACES = 7 };

struct outcome {
	bool complete, intact;
	size_t given, refused;
	uint64_t paths; /* that are confirmed */
};

static struct carrier c;
static uint64_t random_state;
static size_t given, refused;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)(cmt_random_take(&random_state) % below);
}

/* --- what is given --- */

/* Of a packet that is on its way: cut off, lengthened, changed with the checksum put right or not, or none of
 * it at all. A kind of its own: as it is. Returns its length. */
static size_t spoil(const struct carrier_packet *packet, uint32_t kind, uint8_t bytes[LONG_BYTES])
{
	size_t len = packet->len < LONG_BYTES ? packet->len : LONG_BYTES;

	memcpy(bytes, packet->bytes, len);
	switch (kind) {
	case 0: return draw((uint32_t)len + 1);
	case 1:
		for (; len < LONG_BYTES && draw(50) > 0; len++)
			bytes[len] = (uint8_t)draw(256);
		break;
	case 2: bytes[draw((uint32_t)len)] ^= (uint8_t)(1u << draw(8)); return len;
	case 3: /* behind the ports and the tag: an insider's */
		bytes[COMMON_HEADER_BYTES + draw((uint32_t)len - COMMON_HEADER_BYTES)] = (uint8_t)draw(256);
		break;
	case 4: /* nobody's */
		for (size_t i = 0; i < len; i++)
			bytes[i] = (uint8_t)draw(256);
		break;
	default: return len;
	}
	packet_put_checksum(bytes, len);
	return len;
}

static struct sockaddr_in any_address(uint32_t first, uint32_t last)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
	                            .sin_port = htons((uint16_t)draw(65536)),
	                            .sin_addr.s_addr = htonl((first << 24) + draw(65536) + last)};
}

/* Where it says it comes from and goes to: as the packet does, unknown ends, aliases, a host's own address.
 */
static void place(const struct carrier_packet *packet, uint32_t kind, struct sockaddr_in *local,
                  struct sockaddr_in *remote)
{
	*local = packet->local;
	*remote = packet->remote;
	switch (kind) {
	case 0: break;
	case 1: *remote = any_address(172, 1); break;
	case 2: *remote = any_address(240, 0); break;
	case 3: *local = any_address(192, 1); break;
	case 4: remote->sin_port = htons((uint16_t)draw(65536)); break;
	case 5: *remote = packet->local; break;
	default: *remote = (struct sockaddr_in){.sin_family = AF_INET}; break;
	}
}

/* An insider's packets from where they come from may end the association as the peer may: none of those. */
static bool is_the_peers(uint32_t kind, uint32_t from)
{
	return from == 0 && (kind == 1 || kind == 3);
}

static bool disturb(struct carrier *carrier, const struct carrier_packet *packet)
{
	static uint8_t bytes[LONG_BYTES];
	struct sockaddr_in local, remote;
	const uint32_t kind = draw(KINDS), from = draw(PLACES);
	struct usrsctp_cmt_arrival arrival = {.size = sizeof(arrival), .bytes = bytes};

	/* Once data flow: an insider may answer an INIT in the peer's place. */
	if (carrier->hosts[1].received == 0)
		return true;
	if (is_the_peers(kind, from) || (kind == 3 && packet->len <= COMMON_HEADER_BYTES))
		return true;
	arrival.len = spoil(packet, kind, bytes);
	place(packet, from, &local, &remote);
	arrival.local = (const struct sockaddr *)&local;
	arrival.remote = (const struct sockaddr *)&remote;
	arrival.ecn = (uint8_t)draw(256);
	arrival.at_us = draw(3) == 0 ? cmt_random_take(&random_state) : 0;
	given++;
	if (usrsctp_cmt_packets_input(packet->to->packets, &arrival) != 0) {
		REQUIRE(errno == EBADMSG && arrival.len < 16);
		refused++;
	}
	return true;
}

static void transfer(const void *what, void *out)
{
	struct outcome *o = out;
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	size_t n;

	random_state = *(const uint64_t *)what;
	c = (struct carrier){.in_virtual_time = true, .delay_us = DELAY_US, .n_paths = 2, .passes = disturb};
	c.random = random_state;
	REQUIRE(carrier_open(&c) == 0);
	carrier_connect(&c, 0, BYTES);
	o->complete = carrier_run(&c, 0, BYTES, LIMIT_US);
	o->intact = c.hosts[1].intact && c.hosts[1].received == BYTES;
	n = carrier_paths(&c.hosts[0], paths);
	for (size_t i = 0; i < n; i++)
		o->paths += paths[i].state != SCTP_CMT_PATH_UNCONFIRMED;
	o->given = given;
	o->refused = refused;
	c.passes = NULL;
	carrier_close(&c);
}

static void associations_go_on(void **state)
{
	struct outcome o;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		isolate_run(transfer, &seed, &o, sizeof(o));
		if (!o.complete || !o.intact || o.given < 300 || o.refused == 0 || o.paths != 2)
			fail_msg("seed %u: complete %d, intact %d, %zu given, %zu refused, %u paths",
			         (unsigned)seed, o.complete, o.intact, o.given, o.refused, (unsigned)o.paths);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(associations_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
