/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer reports as many gap ack blocks as a full SACK has, and none of them a TSN: what is out is not assumed to
 * have arrived, since the first TSN that is missing can be said to be missing by any SACK. It is sent again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"

enum { N_PATHS = 2, ADDRESS_BYTES = 8, N_BLOCKS = 16, TWO_CHUNKS_BYTES = 3500, LATER_US = 100000, PATIENCE_US = 10000000 };

static void configure(struct socket *so)
{
	policy_choose(so, SCTP_CMT_SCHEDULER, "auto");
}

static void acknowledge_nothing_in_full(struct raw *r)
{
	uint8_t body[12 + 4 * N_BLOCKS] = {0};
	struct packet_draft d;

	packet_put32(body, r->stack_tsn - 1);
	packet_put32(body + 4, RAW_WINDOW_BYTES);
	packet_put16(body + 8, N_BLOCKS);
	raw_begin(r, &d);
	packet_add(&d, CHUNK_SACK, 4 + sizeof(body), body, sizeof(body));
	raw_send(r, 0, &d);
}

static void play(const void *job, void *outcome)
{
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
	acknowledge_nothing_in_full(&r);
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
