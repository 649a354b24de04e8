/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fork in upstream's threaded mode: receive, timer and iterator threads of the stack, several threads of
 * the application, real sockets. Under ThreadSanitizer the first race ends the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exchange.h"
#include "isolate.h"

static struct exchange_outcome run(const struct exchange *job)
{
	struct exchange_outcome outcome;

	isolate_run(exchange_run, job, &outcome, sizeof(outcome));
	assert_int_equal(outcome.ended, job->associations * job->rounds);
	if (!job->abort_midway)
		assert_int_equal(outcome.confirmed_bytes,
		                 (uint64_t)job->bytes * job->associations * job->rounds);
	return outcome;
}

static void arrival_delivers_every_byte(void **state)
{
	(void)state;
	(void)run(&(struct exchange){
	    .scheduler = "arrival", .associations = 1, .rounds = 1, .bytes = 8000000, .message_bytes = 1400});
}

static void without_cmt_every_byte_is_delivered(void **state)
{
	(void)state;
	(void)run(
	    &(struct exchange){.associations = 1, .rounds = 1, .bytes = 8000000, .message_bytes = 1400});
}

static void messages_larger_than_a_packet_arrive_whole(void **state)
{
	(void)state;
	(void)run(&(struct exchange){.scheduler = "arrival",
	                             .associations = 1,
	                             .rounds = 1,
	                             .bytes = 4000000,
	                             .message_bytes = 50000});
}

static void threads_of_the_application_share_the_stack(void **state)
{
	(void)state;
	(void)run(&(struct exchange){
	    .scheduler = "arrival", .associations = 4, .rounds = 3, .bytes = 700000, .message_bytes = 3000});
}

static void statistics_are_read_while_data_flow(void **state)
{
	struct exchange_outcome outcome;

	(void)state;
	outcome = run(&(struct exchange){.scheduler = "arrival",
	                                 .associations = 2,
	                                 .rounds = 2,
	                                 .bytes = 1500000,
	                                 .message_bytes = 1400,
	                                 .watch = true});
	assert_true(outcome.max_paths >= 1);
}

static void the_stacks_threads_call_the_application(void **state)
{
	(void)state;
	(void)run(&(struct exchange){.scheduler = "lcm",
	                             .associations = 3,
	                             .rounds = 2,
	                             .bytes = 700000,
	                             .message_bytes = 1400,
	                             .callbacks = true});
}

static void associations_are_aborted_while_data_flow(void **state)
{
	(void)state;
	(void)run(&(struct exchange){.scheduler = "arrival",
	                             .associations = 4,
	                             .rounds = 4,
	                             .bytes = 400000,
	                             .message_bytes = 1400,
	                             .abort_midway = true});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(arrival_delivers_every_byte),
	    cmocka_unit_test(without_cmt_every_byte_is_delivered),
	    cmocka_unit_test(messages_larger_than_a_packet_arrive_whole),
	    cmocka_unit_test(threads_of_the_application_share_the_stack),
	    cmocka_unit_test(statistics_are_read_while_data_flow),
	    cmocka_unit_test(the_stacks_threads_call_the_application),
	    cmocka_unit_test(associations_are_aborted_while_data_flow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
