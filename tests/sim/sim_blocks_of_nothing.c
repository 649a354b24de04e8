/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A SACK is full of gap ack blocks that report nothing. It still says that the TSN behind its cumulative ack is
 * missing: that one is not assumed acked, and is sent again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"

enum { N_PATHS = 2, ADDRESS_BYTES = 8, TWO_CHUNKS_BYTES = 3500 };
enum { LATER_US = 100000, PATIENCE_US = 10000000 };

static void configure(struct socket *so)
{
	policy_choose(so, SCTP_CMT_SCHEDULER, "auto");
}

static void play(const void *job, void *outcome)
{
	static const struct raw_gap empty[RAW_GAPS_MAX]; /* as many as some receivers report at most */
	static struct raw r;
	const struct raw_options options = {.n_paths = N_PATHS,
	                                    .configure = configure,
	                                    .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
	                                    .parameters_bytes = N_PATHS * ADDRESS_BYTES};
	unsigned *sent_again = outcome;
	unsigned since;

	(void)job;
	raw_accepted(&r, &options);
	raw_write(&r, TWO_CHUNKS_BYTES);
	raw_run(&r, LATER_US);
	raw_sack(&r, r.stack_tsn - 1, RAW_WINDOW_BYTES, empty, RAW_GAPS_MAX);
	since = r.n_heard;
	raw_run(&r, PATIENCE_US);
	*sent_again = raw_count(&r, since, CHUNK_DATA);
	raw_acknowledge(&r);
	REQUIRE(raw_alive(&r));
	raw_close(&r);
}

static void what_is_missing_is_sent_again(void **state)
{
	unsigned sent_again;

	(void)state;
	isolate_run(play, NULL, &sent_again, sizeof(sent_again));
	assert_true(sent_again > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_missing_is_sent_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
