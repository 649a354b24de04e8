/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How much is cut into chunks, and so has its place, before it can leave: what a plan makes use of, and no
 * more than the index of unsent chunks holds, however far a plan looks. What stands behind those was walked
 * over with every message, and held up the messages of other streams.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { MESSAGES = 60000, MESSAGE_BYTES = 200, TAKEN_AT_ONCE = 50000, EVERY = 100, CALL_STREAM = 1 };

static struct transfer_message bulk_and_calls(int host, uint32_t index)
{
	(void)host;
	return (struct transfer_message){
	    .bytes = MESSAGE_BYTES, .stream = index > TAKEN_AT_ONCE && index % EVERY == 0 ? CALL_STREAM : 0};
}

/* The plan is for a second, 6000 chunks; 40000 wait, 7 s. */
static void other_streams_wait_for_no_more_than_the_index_holds(void **state)
{
	const struct transfer_job job = {
	    .scheduler = "arrival",
	    .seed = 1,
	    .n_paths = 2,
	    .links = {{.rate_bps = 10000000, .delay_us = 10000, .queue_pkts = 1000},
	              {.rate_bps = 10000000, .delay_us = 1000000, .queue_pkts = 1000}},
	    .n_messages = {MESSAGES},
	    .message = bulk_and_calls,
	    .sndbuf_bytes = 8 << 20,
	    .rcvbuf_bytes = 16 << 20,
	};
	const struct transfer_outcome o = transfer_run(&job);

	(void)state;
	transfer_assert_delivered(&job, &o);
	print_message("calls after %u ms\n", (unsigned)(o.stream_1_median_us / 1000));
	assert_in_range(o.stream_1_median_us, 0, 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(other_streams_wait_for_no_more_than_the_index_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
