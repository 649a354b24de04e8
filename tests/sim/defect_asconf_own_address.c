/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An authenticated ASCONF from an address that is not the peer's finds its association by an address that it
 * names (RFC 5061, section 4.1.1), and takes that one away. DATA behind it in its packet came from no address
 * that is gone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "support/isolate.h"
#include "support/packet.h"
#include "support/raw.h"
#include "support/variant.h"

enum { S = 1000000, BYTES = 100, RANDOM = 0x8002, CHUNKS = 0x8003, HMACS = 0x8004 };
enum { HMAC_SHA1 = 1, SHA1_BYTES = 20, KEY_MAX_BYTES = 200 };

/* Of the stack: RFC 2104. */
uint32_t sctp_hmac(uint16_t algorithm, uint8_t *key, uint32_t key_bytes, uint8_t *text, uint32_t text_bytes,
                   uint8_t *digest);

struct outcome {
	size_t received;
	in_addr_t from;
	int addresses;
	bool alive;
};

static struct raw r;
static in_addr_t heard_from;

static int receive(struct socket *so, union sctp_sockstore from, void *data, size_t bytes,
                   struct sctp_rcvinfo info, int flags, void *arg)
{
	(void)so;
	(void)info;
	(void)arg;
	if (data != NULL && (flags & MSG_NOTIFICATION) == 0) {
		r.received_bytes += bytes;
		heard_from = from.sin.sin_addr.s_addr;
	}
	free(data);
	return 1;
}

static const struct raw_options options = {.n_paths = 2,
                                           .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1), RAW_TAKES_ASCONF},
                                           .parameters_bytes = 16 + RAW_TAKES_ASCONF_BYTES,
                                           .receive = receive};

/* --- AUTH (RFC 4895, section 6.1) --- */

/* What a side's INIT or INIT-ACK says of its keys. */
static size_t key_vector(const struct chunk *init, uint8_t *out)
{
	static const uint16_t types[] = {RANDOM, CHUNKS, HMACS};
	size_t bytes = 0;

	for (unsigned i = 0; i < 3; i++) {
		struct chunk p;

		REQUIRE(packet_find_parameter(init, types[i], &p) && bytes + p.len <= KEY_MAX_BYTES / 2);
		memcpy(out + bytes, p.bytes, p.len);
		bytes += p.len;
	}
	return bytes;
}

/* The smaller vector first, of two of one length. */
static uint32_t make_key(uint8_t *key)
{
	uint8_t vectors[2][KEY_MAX_BYTES / 2];
	struct packet_draft d;
	unsigned since = 0;
	struct chunk c;
	size_t bytes;
	int first;

	raw_begin(&r, &d);
	raw_add_init(&r, &d, CHUNK_INIT, NULL, 0);
	REQUIRE(packet_find(d.bytes, d.len, CHUNK_INIT, &c));
	bytes = key_vector(&c, vectors[0]);
	REQUIRE(raw_hear(&r, &since, CHUNK_INIT_ACK, &c));
	REQUIRE(key_vector(&c, vectors[1]) == bytes);
	first = memcmp(vectors[0], vectors[1], bytes) < 0 ? 0 : 1;
	memcpy(key, vectors[first], bytes);
	memcpy(key + bytes, vectors[1 - first], bytes);
	return 2 * (uint32_t)bytes;
}

/* The packet begins with an AUTH chunk that is still empty. */
static void authenticate(struct packet_draft *d)
{
	uint8_t key[KEY_MAX_BYTES], *const auth = d->bytes + COMMON_HEADER_BYTES;
	const uint32_t key_bytes = make_key(key);

	REQUIRE(sctp_hmac(HMAC_SHA1, key, key_bytes, auth, (uint32_t)d->len - COMMON_HEADER_BYTES,
	                  auth + 8) == SHA1_BYTES);
}

/* --- the packet --- */

static void take_away(void)
{
	static const uint8_t empty_auth[4 + SHA1_BYTES] = {0, 0, 0, HMAC_SHA1};
	/* The address of the second path, then the request to delete it. */
	uint8_t asconf[] = {0, 0, 0, 0, RAW_ADDRESS(1), 0xc0, 2, 0, 16, 0, 0, 0, 1, RAW_ADDRESS(1)};
	struct sockaddr_storage stranger;
	struct packet_draft d;

	packet_put32(asconf, RAW_TSN);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_AUTH, 4 + sizeof(empty_auth), empty_auth, sizeof(empty_auth));
	packet_add(&d, CHUNK_ASCONF, 4 + sizeof(asconf), asconf, sizeof(asconf));
	raw_add_data(&r, &d, 0, 0, BYTES);
	authenticate(&d);
	packet_finish(&d);
	REQUIRE(usrsctp_cmt_sim_address(r.sim, 1, 0, 0, &stranger) == 0);
	((struct sockaddr_in *)&stranger)->sin_addr.s_addr = htonl(0xc6120001);
	REQUIRE(usrsctp_cmt_sim_arrive(r.sim, 0, 0, &stranger, d.bytes, d.len) == 0);
	raw_run(&r, S);
}

static void play(const void *job, void *outcome)
{
	struct sockaddr *addresses = NULL;
	struct outcome *o = outcome;

	(void)job;
	raw_accepted(&r, &options);
	take_away();
	o->received = r.received_bytes;
	o->from = heard_from;
	o->addresses = usrsctp_getpaddrs(r.so, 0, &addresses);
	usrsctp_freepaddrs(addresses);
	o->alive = raw_alive(&r);
	raw_close(&r);
}

static void data_behind_it_come_from_an_address_that_is_left(void **state)
{
	struct outcome o = {.received = 0};
	bool survives, right;

	(void)state;
	survives = isolate_survives(play, NULL, &o, sizeof(o));
	right = survives && o.received == BYTES && o.from == htonl(0x0a010002) && o.addresses == 1 && o.alive;
	assert_int_equal(right, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(data_behind_it_come_from_an_address_that_is_left)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
