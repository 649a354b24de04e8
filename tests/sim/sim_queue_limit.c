/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many chunks the queues of an association may hold: with a scheduler as many as a long path needs, and
 * no more than a bound; without one, or where the application says so, what upstream's sysctl says.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/transfer.h"

enum { MESSAGES = 60000, MESSAGE_BYTES = 400, BUFFER_BYTES = 8 << 20 };

static struct transfer_message short_message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

static void choose_600(struct socket *so)
{
	(void)so;
	usrsctp_sysctl_set_sctp_max_chunks_on_queue(600);
}

/* 20 Mbit/s and 250 ms beside 4 Mbit/s and 10 ms: 1.25 MB are under way there and back, 3000 chunks. */
static uint64_t goodput_bps(const char *scheduler, void (*configure)(struct socket *so))
{
	const struct transfer_job job = {
	    .scheduler = scheduler,
	    .seed = 1,
	    .n_paths = 2,
	    .links = {{.rate_bps = 20000000, .delay_us = 250000, .queue_pkts = 1000},
	              {.rate_bps = 4000000, .delay_us = 10000, .queue_pkts = 100}},
	    .n_messages = {MESSAGES},
	    .message = short_message,
	    .sndbuf_bytes = BUFFER_BYTES,
	    .rcvbuf_bytes = BUFFER_BYTES,
	    .configure = configure,
	};
	const struct transfer_outcome o = transfer_run(&job);
	const uint64_t bps = UINT64_C(8000000) * MESSAGES * MESSAGE_BYTES / (o.last_us - o.up_us);

	transfer_assert_delivered(&job, &o);
	printf("%s: %llu bit/s\n", scheduler, (unsigned long long)bps);
	return bps;
}

static void a_scheduler_fills_a_long_path_without_being_told_more(void **state)
{
	(void)state;
	assert_in_range(goodput_bps("arrival", NULL), 14000000, 24000000);
	assert_in_range(goodput_bps("auto", NULL), 14000000, 24000000);
}

static void what_the_application_chooses_holds(void **state)
{
	(void)state;
	assert_in_range(goodput_bps("arrival", choose_600), 4000000, 10000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_scheduler_fills_a_long_path_without_being_told_more),
	    cmocka_unit_test(what_the_application_chooses_holds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
