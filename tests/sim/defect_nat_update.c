/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A middlebox says that it has lost its state ("NAT: missing state"). The ASCONF that answers adds the
 * wildcard address, then deletes it: the peer learns the new address from the packet and forgets the others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { ADD_IP = 0xc001, DELETE_IP = 0xc002, MISSING_STATE = 0xb1, MAX_ADDRESSES = 4 };

struct outcome {
	unsigned n;
	uint16_t changes[MAX_ADDRESSES];
	uint32_t addresses[MAX_ADDRESSES];
};

static struct raw r;

static void lose_state(const void *job, void *outcome)
{
	const struct raw_options options = {
	    .n_paths = 1, .parameters = {RAW_TAKES_ASCONF}, .parameters_bytes = RAW_TAKES_ASCONF_BYTES};
	const uint8_t cause[4] = {0, MISSING_STATE, 0, 4};
	struct outcome *o = outcome;
	struct packet_draft d;
	struct chunk asconf;
	unsigned since;
	size_t at;

	(void)job;
	raw_accepted(&r, &options);
	since = r.n_heard;
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_ERROR, 8, cause, sizeof(cause));
	raw_send(&r, 0, &d);
	REQUIRE(raw_hear(&r, &since, CHUNK_ASCONF, &asconf));
	/* Behind header and serial number stands the sender's address. */
	at = 8 + packet_get16(asconf.bytes + 8 + 2);
	while (at + 16 <= asconf.len) {
		const uint8_t *p = asconf.bytes + at;
		uint16_t change = packet_get16(p);

		if ((change == ADD_IP || change == DELETE_IP) && o->n < MAX_ADDRESSES) {
			o->changes[o->n] = change;
			o->addresses[o->n++] = packet_get32(p + 12);
		}
		at += packet_get16(p + 2);
	}
	raw_close(&r);
}

static void the_wildcard_address_is_added_then_deleted(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(lose_state, NULL, &o, sizeof(o));
	assert_in_range(o.n, 2, MAX_ADDRESSES);
	assert_int_equal(o.addresses[0], 0);
	assert_int_equal(o.addresses[1], 0);
	assert_int_equal(o.changes[0], ADD_IP);
	assert_int_equal(o.changes[1], CMT_TEST_FIXED ? DELETE_IP : ADD_IP);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_wildcard_address_is_added_then_deleted)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
