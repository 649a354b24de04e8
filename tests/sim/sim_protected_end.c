/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of a protected association on a link that loses every third packet: whatever is lost, both ends
 * hear that it has ended in order, though after the SHUTDOWN-COMPLETE one of them knows the association no
 * more, and has no keys.
 *
 * cost: 2 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/transfer.h"

enum { S = 1000000, SEEDS = 40, LOST_MOST = 3 };

/* marks */
enum { LOST_AT_THE_END, LOST_BEHIND_THE_END };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host, (void)index;
	return (struct transfer_message){.bytes = 1000};
}

/* The client has said its last word, and it does not arrive, or what asks for it again: a few times, so that
 * chance alone never uses up all that the server tries. */
static void count_lost(struct transfer *t, const struct usrsctp_cmt_sim_packet *packet)
{
	uint64_t *marks = t->outcome->marks;

	if (packet->event != USRSCTP_CMT_SIM_DROPPED || t->outcome->end[TRANSFER_CLIENT] != TRANSFER_CLOSED)
		return;
	marks[LOST_AT_THE_END] += packet->direction == 0;
	if (++marks[LOST_BEHIND_THE_END] == LOST_MOST)
		transfer_end_loss(t);
}

static void both_ends_hear_of_an_orderly_end(void **state)
{
	unsigned lost = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		const struct transfer_job job = {
		    .scheduler = "auto",
		    .seed = seed,
		    .n_paths = 1,
		    .links = {{.rate_bps = 8000000, .delay_us = 10000, .queue_pkts = 100, .loss = 0.33}},
		    .message = message,
		    .n_messages = {10, 10},
		    .protect = true,
		    .tap = count_lost};
		const struct transfer_outcome o = transfer_run(&job);

		transfer_assert_arrived(&job, &o);
		lost += o.marks[LOST_AT_THE_END] > 0;
		if (o.end[TRANSFER_CLIENT] != TRANSFER_CLOSED || o.end[TRANSFER_SERVER] != TRANSFER_CLOSED)
			fail_msg("seed %llu: ends %d and %d, %.1f s after the last byte",
			         (unsigned long long)seed, (int)o.end[0], (int)o.end[1],
			         (double)(o.ended_us - o.last_us) / S);
	}
	print_message("%u of %d times the last word was lost\n", lost, SEEDS);
	assert_in_range(lost, SEEDS / 10, SEEDS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_ends_hear_of_an_orderly_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
