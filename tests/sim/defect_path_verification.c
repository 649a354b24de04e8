/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An address of the peer is confirmed only by the nonce of a HEARTBEAT that was sent there (RFC 9260,
 * section 5.4): not by nonce 0 before one was sent, not by a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { PATHS = 8, LAST = PATHS - 1, NONCE_OFFSET = 16, ADDRESS_OFFSET = 28 };

struct outcome {
	int32_t before, nonce_zero, nonce_wrong, nonce_right;
};

static struct raw r;

static int32_t state_of(int path)
{
	struct sctp_paddrinfo info = {.spinfo_assoc_id = 0};
	socklen_t len = sizeof(info);

	REQUIRE(usrsctp_cmt_sim_address(r.sim, 1, path, RAW_PEER_PORT, &info.spinfo_address) == 0);
	REQUIRE(usrsctp_getsockopt(r.so, IPPROTO_SCTP, SCTP_GET_PEER_ADDR_INFO, &info, &len) == 0);
	return info.spinfo_state;
}

/* A HEARTBEAT-ACK made from the HEARTBEAT to another address. */
static void acknowledge(const struct chunk *heartbeat, int path, bool zero, uint8_t change)
{
	struct packet_draft d;
	uint8_t *ack = d.bytes + COMMON_HEADER_BYTES;

	raw_begin(&r, &d);
	packet_add(&d, CHUNK_HEARTBEAT_ACK, (uint16_t)heartbeat->len, heartbeat->bytes + 4,
	           heartbeat->len - 4);
	ack[ADDRESS_OFFSET + 1] = (uint8_t)(path + 1);
	if (zero)
		memset(ack + NONCE_OFFSET, 0, 8);
	ack[NONCE_OFFSET] ^= change;
	raw_send(&r, 0, &d);
}

static void confirm_blindly(const void *job, void *outcome)
{
	static const uint8_t addresses[PATHS][8] = {{RAW_ADDRESS(0)}, {RAW_ADDRESS(1)}, {RAW_ADDRESS(2)},
	                                            {RAW_ADDRESS(3)}, {RAW_ADDRESS(4)}, {RAW_ADDRESS(5)},
	                                            {RAW_ADDRESS(6)}, {RAW_ADDRESS(7)}};
	struct raw_options options = {.n_paths = PATHS, .parameters_bytes = sizeof(addresses)};
	struct outcome *o = outcome;
	struct chunk heartbeat;
	struct packet_draft d;
	unsigned since = 0;

	(void)job;
	memcpy(options.parameters, addresses, sizeof(addresses));
	raw_listen(&r, &options);
	raw_ask_cookie(&r);
	raw_begin_cookie_echo(&r, &d);
	raw_send(&r, 0, &d);
	/* A few addresses were sent a HEARTBEAT, the last was not. */
	REQUIRE(raw_hear(&r, &since, CHUNK_HEARTBEAT, &heartbeat));
	for (unsigned i = 0; i < r.n_heard; i++)
		REQUIRE(r.heard[i].path != LAST);
	o->before = state_of(LAST);
	acknowledge(&heartbeat, LAST, true, 0);
	o->nonce_zero = state_of(LAST);
	acknowledge(&heartbeat, r.heard[since - 1].path, false, 1);
	o->nonce_wrong = state_of(r.heard[since - 1].path);
	acknowledge(&heartbeat, r.heard[since - 1].path, false, 0);
	o->nonce_right = state_of(r.heard[since - 1].path);
	raw_close(&r);
}

static void only_its_own_nonce_confirms_an_address(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(confirm_blindly, NULL, &o, sizeof(o));
	assert_int_equal(o.before, SCTP_UNCONFIRMED);
	assert_int_equal(o.nonce_zero, CMT_TEST_FIXED ? SCTP_UNCONFIRMED : SCTP_ACTIVE);
	assert_int_equal(o.nonce_wrong, SCTP_UNCONFIRMED);
	assert_int_equal(o.nonce_right, SCTP_ACTIVE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(only_its_own_nonce_confirms_an_address)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
