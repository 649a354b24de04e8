/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A gap ack block of all that is out begins right behind the cumulative TSN ack, which it contradicts (RFC
 * 9260, section 3.3.4): it counts for nothing, and what is out is sent again. So is what an earlier SACK
 * acknowledged in a gap ack block and one with such blocks alone does not, as without the fix. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/raw.h"
#include "support/variant.h"

enum { TWO_CHUNKS_BYTES = 3500, LATER_US = 100000, PATIENCE_US = 10000000 };

static struct raw r;
static const struct raw_options options = {.n_paths = 1};

struct outcome {
	unsigned sent_again; /* DATA chunks */
	bool alive;
};

static void acknowledge(uint32_t cum_ack, uint16_t start, uint16_t end)
{
	raw_sack(&r, cum_ack, RAW_WINDOW_BYTES, &(struct raw_gap){start, end}, 1);
}

static void contradict(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	raw_write(&r, 1000);
	since = r.n_heard;
	acknowledge(r.stack_tsn - 1, 1, 1);
	raw_run(&r, PATIENCE_US);
	o->sent_again = raw_count(&r, since, CHUNK_DATA);
	raw_acknowledge(&r);
	o->alive = raw_alive(&r);
	raw_close(&r);
}

static void revoke_by_contradiction(const void *job, void *outcome)
{
	struct outcome *o = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	raw_write(&r, TWO_CHUNKS_BYTES);
	raw_run(&r, LATER_US);
	acknowledge(r.stack_tsn - 1, 2, 2);
	raw_run(&r, LATER_US);
	acknowledge(r.stack_tsn, 1, 1);
	raw_run(&r, LATER_US);
	since = r.n_heard;
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

static void what_only_such_blocks_report_is_missing_again(void **state)
{
	struct outcome o;

	(void)state;
	isolate_run(revoke_by_contradiction, NULL, &o, sizeof(o));
	assert_true(o.sent_again > 0);
	assert_true(o.alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_block_that_contradicts_the_cumulative_ack_acknowledges_nothing),
	    cmocka_unit_test(what_only_such_blocks_report_is_missing_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
