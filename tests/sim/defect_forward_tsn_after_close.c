/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A FORWARD-TSN (RFC 3758) for an application that has written its last message and closed its socket. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

static struct raw r;
static const struct raw_options styles[] = {
    {.parameters = {0xc0, 0, 0, 4}, .parameters_bytes = 4},
    {.parameters = {0xc0, 0, 0, 4}, .parameters_bytes = 4, .one_to_many = true},
};

struct outcome {
	unsigned shutdowns, aborts;
};

static void give_up_a_message(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	uint8_t cumulative[4];
	struct packet_draft d;
	unsigned since;

	raw_accepted(&r, job);
	raw_write(&r, 5);
	raw_run(&r, 1000);
	raw_close_socket(&r);
	since = r.n_heard;
	packet_put32(cumulative, r.tsn);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_FORWARD_TSN, 8, cumulative, sizeof(cumulative));
	raw_send(&r, 0, &d);
	raw_acknowledge(&r);
	o->shutdowns = raw_count(&r, since, CHUNK_SHUTDOWN);
	o->aborts = raw_count(&r, since, CHUNK_ABORT);
	raw_run(&r, 1000000);
	raw_close(&r);
}

static void the_last_message_is_delivered_and_the_end_is_in_good_order(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
		struct outcome o;

		isolate_run(give_up_a_message, &styles[i], &o, sizeof(o));
		assert_int_equal(o.shutdowns, CMT_TEST_FIXED);
		assert_int_equal(o.aborts, !CMT_TEST_FIXED);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_last_message_is_delivered_and_the_end_is_in_good_order)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
