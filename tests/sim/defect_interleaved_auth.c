/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SCTP-AUTH (RFC 4895) of I-DATA (RFC 8260): who lists it gets it behind AUTH only, and takes no other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/isolate.h"
#include "support/pair.h"
#include "support/raw.h"
#include "support/variant.h"

enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 }; /* missing in the public header */

static void want_authentication(struct socket *so)
{
	const struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	const struct sctp_authchunk idata = {.sauth_chunk = CHUNK_IDATA};
	const int level = 2;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &level, sizeof(level)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, OPTION_INTERLEAVING_SUPPORTED, &on, sizeof(on)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_AUTH_CHUNK, &idata, sizeof(idata)) == 0);
}

struct outcome {
	unsigned packets, authenticated; /* with I-DATA; those that begin with AUTH, or a SACK and AUTH */
	bool complete, intact;
};

static struct outcome seen;

static void watch(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *packet, void *arg)
{
	bool behind_auth = false;
	size_t offset = 0;
	struct chunk c;

	(void)sim;
	(void)arg;
	if (packet->event != USRSCTP_CMT_SIM_SENT)
		return;
	while (packet_next_chunk(packet->packet, packet->packet_bytes, &offset, &c)) {
		behind_auth = behind_auth || c.type == CHUNK_AUTH;
		if (c.type != CHUNK_IDATA)
			continue;
		seen.packets++;
		seen.authenticated += behind_auth;
		return;
	}
}

static void configure(struct socket *so, int host, void *arg)
{
	(void)host;
	(void)arg;
	want_authentication(so);
}

static void transfer(const void *job, void *outcome)
{
	const struct usrsctp_cmt_sim_link link = {.rate_bps = 10000000, .delay_us = 10000, .loss = 0.05};
	const struct pair_options options = {.n_paths = 2,
	                                     .forward = {link, link},
	                                     .backward = {link, link},
	                                     .bytes = 200000,
	                                     .message_bytes = 8000,
	                                     .scheduler = *(const char *const *)job,
	                                     .configure = configure,
	                                     .tap = watch};
	struct pair pair;

	pair_open(&pair, &options);
	pair_run(&pair, 120000000);
	seen.complete = pair.complete;
	seen.intact = pair.intact;
	*(struct outcome *)outcome = seen;
	pair_close(&pair);
}

static void interleaved_data_are_authenticated_where_that_is_wanted(void **state)
{
	/* The last one sends copies. */
	static const char *const schedulers[] = {NULL, "arrival", "redundant"};

	(void)state;
	for (unsigned i = 0; i < (CMT_TEST_FIXED ? 3 : 1); i++) {
		struct outcome o;

		isolate_run(transfer, &schedulers[i], &o, sizeof(o));
		printf("%u of %u packets\n", o.authenticated, o.packets);
		assert_true(o.complete && o.intact);
		assert_true(o.packets > 100);
		assert_int_equal(o.authenticated, CMT_TEST_FIXED ? o.packets : 0);
	}
}

static void send_bare(const void *job, void *outcome)
{
	static struct raw r;
	const struct raw_options options = {
	    .n_paths = 1,
	    .parameters = {0x80, 0x08, 0, 6,  CHUNK_IDATA, CHUNK_AUTH, 0, 0, /* extensions */
	                   0x80, 0x04, 0, 6,  0,           1,          0, 0, /* HMAC algorithms */
	                   0x80, 0x02, 0, 36, 1,           2,          3, 4 /* a number of 32 octets */},
	    .parameters_bytes = 52,
	    .configure = want_authentication};
	uint8_t body[16 + 100] = {0};
	struct packet_draft d;

	(void)job;
	raw_accepted(&r, &options);
	packet_put32(body, r.tsn);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_IDATA, 4 + sizeof(body), body, sizeof(body));
	d.bytes[COMMON_HEADER_BYTES + 1] = 3; /* first and last fragment */
	raw_send(&r, 0, &d);
	*(size_t *)outcome = r.received_bytes;
	raw_close(&r);
}

static void interleaved_data_without_it_are_dropped(void **state)
{
	size_t received_bytes;

	(void)state;
	isolate_run(send_bare, NULL, &received_bytes, sizeof(received_bytes));
	assert_int_equal(received_bytes, CMT_TEST_FIXED ? 0 : 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(interleaved_data_are_authenticated_where_that_is_wanted),
	    cmocka_unit_test(interleaved_data_without_it_are_dropped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
