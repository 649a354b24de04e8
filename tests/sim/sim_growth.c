/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What several paths do to acknowledgements holds no window back. Something is always missing, so that SACKs
 * are few and tell of many packets (stretch ACKs), and they overtake each other and their echoes. Slow start
 * doubles all the same, and random losses are known as such: they neither end it nor cost a window for long.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/isolate.h"
#include "support/transfer.h"

enum { SEEDS = 5 };

static struct transfer_message message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

/* Until all is read, on average over the seeds. Jitter keeps the order. */
static uint64_t taken_us(struct transfer_job job)
{
	uint64_t sum_us = 0;

	job.scheduler = "auto";
	job.message = message;
	for (int p = 0; p < job.n_paths; p++)
		job.links[p].jitter = USRSCTP_CMT_SIM_JITTER_NORMAL;
	for (job.seed = 1; job.seed <= SEEDS; job.seed++) {
		struct transfer_outcome o = transfer_run(&job);

		transfer_assert_arrived(&job, &o);
		sum_us += o.last_us - o.up_us;
	}
	print_message("%u messages in %llu ms\n", job.n_messages[TRANSFER_CLIENT],
	              (unsigned long long)sum_us / SEEDS / 1000);
	return sum_us / SEEDS;
}

/* Most SACKs come back over the thin path, and wait for enough bytes. 4.3 s with two packets a SACK. */
static void stretch_acks_do_not_hold_back_slow_start(void **state)
{
	const struct transfer_job job = {
	    .n_paths = 3,
	    .n_messages = {6000},
	    .rcvbuf_bytes = 8000000,
	    .sndbuf_bytes = 8000000,
	    .links = {{.rate_bps = 32000000, .delay_us = 190000, .jitter_us = 2000, .queue_pkts = 500},
	              {.rate_bps = 5000000, .delay_us = 100000, .jitter_us = 13000, .queue_pkts = 100},
	              {.rate_bps = 1600000, .delay_us = 50000, .jitter_us = 1000, .queue_pkts = 100}}};

	(void)state;
	assert_in_range(taken_us(job), 0, 3999999);
}

static struct usrsctp_cmt_sim_link lossy(uint64_t rate_bps, uint64_t delay_us, uint64_t jitter_us,
                                         double loss)
{
	return (struct usrsctp_cmt_sim_link){.rate_bps = rate_bps,
	                                     .delay_us = delay_us,
	                                     .jitter_us = jitter_us,
	                                     .queue_pkts = 2000,
	                                     .loss = loss};
}

/* 13 s where the first loss ends it. */
static void slow_start_goes_on_behind_random_losses(void **state)
{
	const struct transfer_job job = {
	    .n_paths = 2,
	    .n_messages = {14000},
	    .rcvbuf_bytes = 6000000,
	    .sndbuf_bytes = 6000000,
	    .links = {lossy(50000000, 150000, 1000, 0.01), lossy(50000000, 100000, 1000, 0.01)}};

	(void)state;
	assert_in_range(taken_us(job), 0, 10000000);
}

/* 18 s where only what a SACK acknowledges with its echo is judged. */
static void random_losses_are_known_where_sacks_overtake_echoes(void **state)
{
	const struct transfer_job job = {
	    .n_paths = 5,
	    .n_messages = {40000},
	    .rcvbuf_bytes = 6000000,
	    .sndbuf_bytes = 6000000,
	    .links = {lossy(620000, 222000, 22200, 0.0098), lossy(40000000, 41000, 4100, 0.0024),
	              lossy(3600000, 33000, 3300, 0.0055), lossy(550000, 15000, 1500, 0.0054),
	              lossy(1150000, 14500, 1450, 0.0008)}};

	(void)state;
	assert_in_range(taken_us(job), 0, 14000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(stretch_acks_do_not_hold_back_slow_start),
	    cmocka_unit_test(slow_start_goes_on_behind_random_losses),
	    cmocka_unit_test(random_losses_are_known_where_sacks_overtake_echoes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
