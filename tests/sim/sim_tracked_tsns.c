/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How many TSNs are under way: as many as fit into the receiver's buffer, not the 4096 that it keeps apart
 * without being able to say more.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/transfer.h"

enum { MESSAGES = 200000, MESSAGE_BYTES = 100 };

static struct transfer_message short_message(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = MESSAGE_BYTES};
}

/* 100 Mbit/s and a round trip of 100 ms hold 10000 chunks; 4096 are 33 Mbit/s. */
static uint64_t goodput_bps(const char *scheduler, uint32_t rcvbuf_bytes)
{
	const struct transfer_job job = {
	    .scheduler = scheduler,
	    .seed = 1,
	    .n_paths = 1,
	    .links = {{.rate_bps = 100000000, .delay_us = 50000, .queue_pkts = 1000}},
	    .n_messages = {MESSAGES},
	    .message = short_message,
	    .sndbuf_bytes = 16 << 20,
	    .rcvbuf_bytes = rcvbuf_bytes,
	};
	const struct transfer_outcome o = transfer_run(&job);
	const uint64_t bps = UINT64_C(8000000) * MESSAGES * MESSAGE_BYTES / (o.last_us - o.up_us);

	transfer_assert_delivered(&job, &o);
	printf("%s, buffer of %u bytes: %llu bit/s\n", scheduler, rcvbuf_bytes, (unsigned long long)bps);
	return bps;
}

static void a_large_buffer_takes_more_than_4096_tsns(void **state)
{
	(void)state;
	assert_in_range(goodput_bps("auto", 16 << 20), 40000000, 100000000);
}

static void a_small_one_takes_what_fits(void **state)
{
	(void)state;
	assert_in_range(goodput_bps("auto", 1 << 20), 10000000, 33000000);
}

static void schedulers_send_no_more_than_they_keep_apart(void **state)
{
	(void)state;
	assert_in_range(goodput_bps("fps", 16 << 20), 40000000, 100000000);
	assert_in_range(goodput_bps("fps+ocps", 16 << 20), 10000000, 33000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_large_buffer_takes_more_than_4096_tsns),
	    cmocka_unit_test(a_small_one_takes_what_fits),
	    cmocka_unit_test(schedulers_send_no_more_than_they_keep_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
