/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Somebody who knows ports and tags reports the error "NAT: missing state" to the client, which asks the
 * server to add the wildcard address. The server says that this was done: to no address that the client has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/impostor.h"
#include "support/isolate.h"
#include "support/packet.h"
#include "support/pair.h"
#include "support/variant.h"

struct outcome {
	bool complete, intact;
	unsigned errors, answers; /* ERRORs forged, ASCONF-ACKs seen */
};

static struct outcome seen;

static size_t forge(const struct usrsctp_cmt_sim_packet *packet, uint8_t *out, size_t size, void *arg)
{
	static const uint8_t error[] = {CHUNK_ERROR, 0, 0, 8, 0, 0xb1, 0, 4};

	(void)arg;
	if (seen.errors > 0 || size < COMMON_HEADER_BYTES + sizeof(error) ||
	    !packet_has(packet->packet, packet->packet_bytes, CHUNK_SACK))
		return 0;
	seen.errors++;
	memcpy(out, packet->packet, COMMON_HEADER_BYTES);
	memcpy(out + COMMON_HEADER_BYTES, error, sizeof(error));
	return COMMON_HEADER_BYTES + sizeof(error);
}

static struct impostor impostor = {.forge = forge, .beside = true};

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	(void)arg;
	seen.answers += packet->event == USRSCTP_CMT_SIM_DELIVERED &&
	                packet_has(packet->packet, packet->packet_bytes, CHUNK_ASCONF_ACK);
	impostor_meet(&impostor, sim, packet);
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 1000000, .delay_us = 10000};
	const struct pair_options options = {
	    .n_paths = 2, .forward = {link, link}, .backward = {link, link}, .bytes = 200000, .tap = watch};
	struct pair pair;

	(void)job;
	pair_open(&pair, &options);
	pair_run(&pair, 20000000);
	seen.complete = pair.complete;
	seen.intact = pair.intact;
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void what_was_done_for_no_address_changes_none(void **state)
{
	struct outcome o = {.complete = false};

	(void)state;
	assert_int_equal(isolate_survives(transfer, NULL, &o, sizeof(o)), CMT_TEST_FIXED);
	if (!CMT_TEST_FIXED)
		return;
	assert_true(o.complete && o.intact);
	assert_int_equal(o.errors, 1);
	assert_in_range(o.answers, 1, 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_was_done_for_no_address_changes_none)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
