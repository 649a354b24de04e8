/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A gap ack block of all that is out begins right behind the cumulative TSN ack, which it contradicts (RFC
 * 9260, section 3.3.4): it counts for nothing, and what is out is sent again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { PATIENCE_US = 10000000 };

static struct raw r;
static const struct raw_options options = {.n_paths = 1};

struct outcome {
	unsigned sent_again; /* DATA chunks */
	bool alive;
};

static void acknowledge_behind_nothing(void)
{
	uint8_t body[16] = {0};
	struct packet_draft d;

	packet_put32(body, r.stack_tsn - 1);
	packet_put32(body + 4, RAW_WINDOW_BYTES);
	packet_put16(body + 8, 1); /* block: */
	packet_put16(body + 12, 1);
	packet_put16(body + 14, 1);
	raw_begin(&r, &d);
	packet_add(&d, CHUNK_SACK, 4 + sizeof(body), body, sizeof(body));
	raw_send(&r, 0, &d);
}

static void contradict(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	raw_write(&r, 1000);
	since = r.n_heard;
	acknowledge_behind_nothing();
	raw_run(&r, PATIENCE_US);
	o->sent_again = raw_count(&r, since, CHUNK_DATA);
	raw_acknowledge(&r);
	o->alive = raw_alive(&r);
	raw_close(&r);
}

static void a_block_that_contradicts_the_cumulative_ack_acknowledges_nothing(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(contradict, NULL, &o, sizeof(o));
	assert_int_equal(o.sent_again > 0, CMT_TEST_FIXED);
	assert_true(o.alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_block_that_contradicts_the_cumulative_ack_acknowledges_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
