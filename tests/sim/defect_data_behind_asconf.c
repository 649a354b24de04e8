/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An acknowledgement leaves nothing under way, and in the same packet the peer asks for an ASCONF (RFC 5061;
 * "NAT: missing state"): data that waited go, too, though not in the packet of the ASCONF. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { MESSAGE_BYTES = 1000, SOON_US = 2000 };

static struct raw r;
static const struct raw_options options = {.parameters = {RAW_TAKES_ASCONF},
                                           .parameters_bytes = RAW_TAKES_ASCONF_BYTES};

struct outcome {
	unsigned data, requests; /* heard soon after */
};

/* Of one message, with a window that stays closed. */
static void acknowledge_and_ask_for_asconf(void)
{
	static const uint8_t missing_state[] = {0, 0xb1, 0, 4};
	uint8_t sack[12] = {0};
	struct packet_draft d;

	packet_put32(sack, r.stack_tsn + 1);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SACK, 16, sack, sizeof(sack));
	packet_add(&d, CHUNK_ERROR, 8, missing_state, sizeof(missing_state));
	raw_send(&r, 0, &d);
}

static void let_data_wait(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_connect(&r, &options);
	raw_establish(&r);
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, SOON_US);
	raw_acknowledge_within(&r, 0);
	raw_write(&r, MESSAGE_BYTES); /* asks for the window */
	raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, SOON_US);
	REQUIRE(raw_count(&r, 0, CHUNK_DATA) == 2);
	since = r.n_heard;
	acknowledge_and_ask_for_asconf();
	raw_run(&r, SOON_US);
	o->requests = raw_count(&r, since, CHUNK_ASCONF);
	o->data = raw_count(&r, since, CHUNK_DATA);
	raw_close(&r);
}

static void data_do_not_wait_for_the_answer(void **state)
{
	struct outcome o = {.data = 0};
	bool survived = isolate_survives(let_data_wait, NULL, &o, sizeof(o));

	(void)state;
	printf("%s, ASCONF %u, DATA %u\n", survived ? "survives" : "crashes", o.requests, o.data);
	assert_int_equal(survived && o.data == 1, CMT_TEST_FIXED);
	assert_int_equal(o.requests, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(data_do_not_wait_for_the_answer)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
