/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An ERROR chunk whose causes do not end on four octets, here that an HMAC is unknown (RFC 4895,
 * section 6.3), is padded where another chunk follows it in its packet (RFC 9260, section 3.2). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { SOON_US = 1000, DELAYED_US = 300000 };

static struct raw r;
static const struct raw_options options = {.parameters = {RAW_TAKES_ASCONF},
                                           .parameters_bytes = RAW_TAKES_ASCONF_BYTES};

struct outcome {
	unsigned errors, with_sack;
};

static void name_unknown_hmac(const void *job, void *outcome)
{
	static const uint8_t unknown[] = {0, 0, 0, 0x40, 1, 2, 3, 4};
	struct outcome *o = outcome;
	struct packet_draft d;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	/* The first SACK goes at once, the second waits for more. */
	for (uint16_t i = 0; i < 2; i++) {
		raw_begin(&r, &d);
		raw_add_data(&r, &d, 0, i, 100);
		raw_send(&r, 0, &d);
		raw_run(&r, i == 0 ? DELAYED_US : SOON_US);
	}
	since = r.n_heard;
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_AUTH, 4 + sizeof(unknown), unknown, sizeof(unknown));
	raw_send(&r, 0, &d);
	raw_run(&r, SOON_US);
	for (unsigned i = since; i < r.n_heard; i++) {
		const bool has_error = packet_has(r.heard[i].bytes, r.heard[i].len, CHUNK_ERROR);

		o->errors += has_error;
		o->with_sack += has_error && packet_has(r.heard[i].bytes, r.heard[i].len, CHUNK_SACK);
	}
	raw_close(&r);
}

static void what_follows_an_error_can_be_read(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(name_unknown_hmac, NULL, &o, sizeof(o));
	assert_int_equal(o.errors, 1);
	assert_int_equal(o.with_sack, CMT_TEST_FIXED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_follows_an_error_can_be_read)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
