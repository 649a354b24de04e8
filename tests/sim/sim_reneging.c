/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A peer takes back what it had reported in gap ack blocks (RFC 9260, section 6.2.1): that is sent again,
 * whichever of its SACKs said so first. What its last SACK reports is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/policy.h"
#include "support/raw.h"

enum { N_PATHS = 2, ADDRESS_BYTES = 8, MESSAGES = 8, MESSAGE_BYTES = 400 };
enum { SOON_US = 20000, PATIENCE_US = 20000000 };

/* A first SACK has the messages 3 and 7, a second one 5 as well, and a third has lost one of the lower two.
 * Above the highest that it reports upstream waits for the cumulative ack. */
enum { OLD = 3, NEW = 5, HIGHEST = 7 };

static void configure(struct socket *so)
{
	policy_choose(so, SCTP_CMT_SCHEDULER, "auto");
}

static struct raw r;

/* How often each message was sent in what was heard from `since` on. */
static void count(unsigned since, unsigned *sent)
{
	memset(sent, 0, MESSAGES * sizeof(*sent));
	for (; since < r.n_heard; since++) {
		size_t offset = 0;
		struct chunk c;

		while (packet_next_chunk(r.heard[since].bytes, r.heard[since].len, &offset, &c)) {
			if (!chunk_is_data(&c))
				continue;
			REQUIRE(chunk_tsn(&c) - r.stack_tsn < MESSAGES);
			sent[chunk_tsn(&c) - r.stack_tsn]++;
		}
	}
}

static void report(bool has_old, bool has_new)
{
	struct raw_gap gaps[3];
	unsigned n = 0;

	if (has_old)
		gaps[n++] = (struct raw_gap){OLD, OLD};
	if (has_new)
		gaps[n++] = (struct raw_gap){NEW, NEW};
	gaps[n++] = (struct raw_gap){HIGHEST, HIGHEST};
	raw_sack(&r, r.stack_tsn, RAW_WINDOW_BYTES, gaps, n);
	raw_run(&r, SOON_US);
}

/* After the last of them. */
static void play(const void *job, void *outcome)
{
	const struct raw_options options = {.n_paths = N_PATHS,
	                                    .configure = configure,
	                                    .parameters = {RAW_ADDRESS(0), RAW_ADDRESS(1)},
	                                    .parameters_bytes = N_PATHS * ADDRESS_BYTES};
	const bool *keeps_old = job;
	unsigned *sent_again = outcome, since;

	raw_accepted(&r, &options);
	for (unsigned i = 0; i < MESSAGES; i++)
		raw_write(&r, MESSAGE_BYTES);
	raw_run(&r, SOON_US);
	count(0, sent_again);
	for (unsigned i = 0; i < MESSAGES; i++)
		REQUIRE(sent_again[i] > 0);
	report(true, false);
	report(true, true);
	since = r.n_heard;
	report(*keeps_old, !*keeps_old);
	raw_run(&r, PATIENCE_US);
	count(since, sent_again);
	raw_acknowledge(&r);
	REQUIRE(raw_alive(&r));
	raw_close(&r);
}

static void what_is_taken_back_is_sent_again(void **state)
{
	unsigned sent_again[MESSAGES];

	(void)state;
	for (int i = 0; i < 2; i++) {
		const bool keeps_old = i != 0;

		isolate_run(play, &keeps_old, sent_again, sizeof(sent_again));
		assert_true(sent_again[keeps_old ? NEW : OLD] > 0);
		assert_int_equal(sent_again[keeps_old ? OLD : NEW], 0);
		assert_int_equal(sent_again[HIGHEST], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_taken_back_is_sent_again)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
