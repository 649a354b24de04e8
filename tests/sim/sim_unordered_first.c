/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls beside a bulk, more than the links carry: unordered ones do not wait until the fast path has carried
 * all that stands before them; ordered ones are not held up by a bulk that is unordered.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum {
	SEEDS = 2,
	N_MESSAGES = 8000,
	INTERVAL_US = 380,
	EVERY = 40,
	CALL_BYTES = 100,
	BULK_BYTES = 1400,
	CALL_STREAM = 1,
	FAST_DELAY_US = 10000,
	SLOW_DELAY_US = 60000
};

static bool is_call(uint32_t index)
{
	return index % EVERY == 0;
}

static struct transfer_message of(uint32_t index, bool unordered)
{
	return (struct transfer_message){.bytes = is_call(index) ? CALL_BYTES : BULK_BYTES,
	                                 .stream = is_call(index) ? CALL_STREAM : 0,
	                                 .unordered = unordered};
}

static struct transfer_message all_ordered(int host, uint32_t index)
{
	(void)host;
	return of(index, false);
}

static struct transfer_message calls_unordered(int host, uint32_t index)
{
	(void)host;
	return of(index, is_call(index));
}

static struct transfer_message bulk_unordered(int host, uint32_t index)
{
	(void)host;
	return of(index, !is_call(index));
}

static struct transfer_outcome run(const char *scheduler, uint64_t seed,
                                   struct transfer_message (*message)(int host, uint32_t index))
{
	struct transfer_job job = {
	    .scheduler = scheduler,
	    .seed = seed,
	    .n_paths = 2,
	    .message = message,
	    .n_messages = {N_MESSAGES},
	    .interval_us = INTERVAL_US,
	    .rcvbuf_bytes = 4000000,
	    .sndbuf_bytes = 400000,
	    .links = {{.rate_bps = 20000000, .delay_us = FAST_DELAY_US, .queue_pkts = 100},
	              {.rate_bps = 10000000, .delay_us = SLOW_DELAY_US, .queue_pkts = 100}}};
	struct transfer_outcome o;

	for (int p = 0; p < job.n_paths; p++) {
		job.links[p].jitter_us = 500;
		job.links[p].jitter = USRSCTP_CMT_SIM_JITTER_NORMAL;
	}
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	print_message("%s: calls %u us, all %u ms\n", scheduler, (unsigned)o.stream_1_median_us,
	              (unsigned)((o.last_us - o.up_us) / 1000));
	return o;
}

/* More than 60 ms where they keep their place. The bulk is as fast. */
static void unordered_calls_go_before_a_bulk(void **state)
{
	static const char *const schedulers[] = {"auto", "arrival", "lcm"};

	(void)state;
	for (size_t i = 0; i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		for (uint64_t seed = 1; seed <= SEEDS; seed++) {
			struct transfer_outcome o = run(schedulers[i], seed, calls_unordered);
			struct transfer_outcome ordered = run(schedulers[i], seed, all_ordered);

			assert_in_range(o.stream_1_median_us, FAST_DELAY_US, 2 * FAST_DELAY_US);
			assert_in_range(o.last_us - o.up_us, 0,
			                (ordered.last_us - ordered.up_us) * 102 / 100);
		}
	}
}

static void ordered_calls_are_not_held_up_by_an_unordered_bulk(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t ordered_us = run("auto", seed, all_ordered).stream_1_median_us;

		assert_in_range(run("auto", seed, bulk_unordered).stream_1_median_us, 0,
		                ordered_us * 11 / 10);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(unordered_calls_go_before_a_bulk),
	    cmocka_unit_test(ordered_calls_are_not_held_up_by_an_unordered_bulk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
