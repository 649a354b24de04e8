/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first windows of paths that nothing is known of are copies. Whether those arrived only an echo of their
 * path tells; SACKs that come before it tell of later packets. Copies are not lost for that, and the path's
 * slow start does not end.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { SEEDS = 12, N_MESSAGES = 1500 };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

static struct usrsctp_cmt_sim_link link(uint64_t rate_bps, uint64_t delay_us, uint64_t jitter_us)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps,
	                                     .delay_us = delay_us,
	                                     .jitter_us = jitter_us,
	                                     .jitter = USRSCTP_CMT_SIM_JITTER_NORMAL,
	                                     .queue_pkts = 2000};
}

static void no_copy_is_lost_where_no_packet_is(void **state)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .n_paths = 4,
	                           .message = message,
	                           .n_messages = {N_MESSAGES},
	                           .rcvbuf_bytes = 4000000,
	                           .sndbuf_bytes = 4000000,
	                           .links = {link(33000000, 35000, 3000), link(9700000, 22000, 6000),
	                                     link(43000000, 166000, 47000), link(610000, 125000, 30000)}};
	uint64_t lost = 0;

	(void)state;
	for (job.seed = 1; job.seed <= SEEDS; job.seed++) {
		const struct transfer_outcome o = transfer_run(&job);

		transfer_assert_arrived(&job, &o);
		for (int p = 0; p < o.n_paths; p++) {
			print_message("%u:%u ", (unsigned)p + 1, (unsigned)o.paths[p].lost_chunks);
			lost += o.paths[p].lost_chunks;
		}
		print_message("\n");
	}
	assert_int_equal(lost, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_copy_is_lost_where_no_packet_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
