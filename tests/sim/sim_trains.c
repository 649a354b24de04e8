/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Links that deliver trains: radio and jitter that keep the order let many packets arrive together. With two
 * paths something is always missing, so that one SACK tells of all of them. Slow start doubles all the same.
 *
 * cost: 1 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { N_SEEDS = 5 };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

/* Until 8 MB are read: at 38 Mbit/s 1.7 s and the start. */
static uint64_t taken_us(uint64_t seed)
{
	struct transfer_job job = {.scheduler = "auto",
	                           .seed = seed,
	                           .n_paths = 3,
	                           .message = message,
	                           .n_messages = {6000},
	                           .rcvbuf_bytes = 8000000,
	                           .sndbuf_bytes = 8000000};
	const struct usrsctp_cmt_sim_link links[] = {
	    {.rate_bps = 32000000, .delay_us = 190000, .jitter_us = 2000, .queue_pkts = 500},
	    {.rate_bps = 5000000, .delay_us = 100000, .jitter_us = 13000, .queue_pkts = 100},
	    {.rate_bps = 1600000, .delay_us = 50000, .jitter_us = 1000, .queue_pkts = 100},
	};
	struct transfer_outcome o;

	for (int p = 0; p < job.n_paths; p++) {
		job.links[p] = links[p];
		job.links[p].jitter = USRSCTP_CMT_SIM_JITTER_NORMAL;
	}
	o = transfer_run(&job);
	transfer_assert_arrived(&job, &o);
	print_message("seed %llu: %llu ms\n", (unsigned long long)seed,
	              (unsigned long long)(o.last_us - o.up_us) / 1000);
	return o.last_us - o.up_us;
}

static void trains_do_not_hold_back_slow_start(void **state)
{
	uint64_t sum_us = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= N_SEEDS; seed++)
		sum_us += taken_us(seed);
	assert_true(sum_us / N_SEEDS < 4000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(trains_do_not_hold_back_slow_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
