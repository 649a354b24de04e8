/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receiver that has as many chunks as it takes, behind one that is missing: the missing one must be let in,
 * or nothing ever moves again. With I-DATA (RFC 8260) it was refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { OPTION_INTERLEAVING_SUPPORTED = 0x1206 };
enum { MESSAGES = 700, ACCEPTED_MIN = 400, MESSAGE_BYTES = 20, IN_A_PACKET = 20, WHOLE = 3 };

struct outcome {
	uint32_t cumulative_before, cumulative_after;
	size_t received_bytes;
	bool ended;
};

static struct raw r;

static void offer_interleaving(struct socket *so)
{
	const struct sctp_assoc_value on = {.assoc_id = SCTP_FUTURE_ASSOC, .assoc_value = 1};
	const int streams = 2;

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_FRAGMENT_INTERLEAVE, &streams, sizeof(streams)) ==
	        0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, OPTION_INTERLEAVING_SUPPORTED, &on, sizeof(on)) == 0);
}

static const struct raw_options options = {.parameters = {0x80, 0x08, 0, 5, CHUNK_IDATA, 0, 0, 0},
                                           .parameters_bytes = 8,
                                           .configure = offer_interleaving};

static void add_message(struct packet_draft *d, uint32_t number)
{
	uint8_t body[16 + MESSAGE_BYTES] = {0};
	uint8_t *const at = d->bytes + d->len;

	packet_put32(body, RAW_TSN + number);
	packet_put32(body + 8, number);
	packet_add(d, CHUNK_IDATA, 4 + sizeof(body), body, sizeof(body));
	at[1] = WHOLE;
}

static uint32_t last_cumulative(void)
{
	uint32_t cumulative = 0;
	unsigned since = 0;
	struct chunk c;

	while (raw_hear(&r, &since, CHUNK_SACK, &c))
		cumulative = packet_get32(c.bytes + 4);
	return cumulative;
}

static void fill_up_then_close_the_hole(const void *job, void *outcome)
{
	struct outcome *const o = outcome;
	struct packet_draft d;

	(void)job;
	raw_accepted(&r, &options);
	for (uint32_t i = 1; i < MESSAGES; i += IN_A_PACKET) {
		raw_begin(&r, &d);
		for (uint32_t k = i; k < i + IN_A_PACKET; k++)
			add_message(&d, k);
		raw_send(&r, 0, &d);
	}
	o->cumulative_before = last_cumulative() - RAW_TSN;
	raw_begin(&r, &d);
	add_message(&d, 0);
	raw_send(&r, 0, &d);
	raw_run(&r, 1000000);
	o->cumulative_after = last_cumulative() - RAW_TSN;
	o->received_bytes = r.received_bytes;
	o->ended = r.ended;
	raw_close(&r);
}

static void the_missing_message_is_let_in(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(fill_up_then_close_the_hole, NULL, &o, sizeof(o));
	assert_false(o.ended);
	assert_int_equal(o.cumulative_before, UINT32_MAX);
	if (CMT_TEST_FIXED) {
		assert_in_range(o.cumulative_after, ACCEPTED_MIN, MESSAGES);
		assert_int_equal(o.received_bytes, (o.cumulative_after + 1) * MESSAGE_BYTES);
	} else {
		assert_int_equal(o.cumulative_after, UINT32_MAX);
		assert_int_equal(o.received_bytes, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_missing_message_is_let_in)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
