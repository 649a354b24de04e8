/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_echo_counts.c - how many packets echoes tell of (docs/adr/0023-echoes-count-from-the-beginning.md). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "delay/cmt_path_est.h"

enum { PACKET_BYTES = 1064, RECORDS = 1024 };

static struct cmt_path_est *new_path(void)
{
	static struct cmt_path_est e;
	static struct cmt_sent_record records[RECORDS];

	memset(records, 0, sizeof(records));
	cmt_path_est_init(&e, records, RECORDS);
	return &e;
}

static uint32_t send_on(struct cmt_path_est *e, uint64_t now_us)
{
	return cmt_path_est_on_sent(e,
	                            &(struct cmt_path_packet){.now_us = now_us, .wire_bytes = PACKET_BYTES});
}

/* A path at 1 Mbit/s, every other of whose packets is lost, or the echo of it only. */
static uint64_t rate_of_every_other_echo(bool lost)
{
	struct cmt_path_est *e = new_path();
	uint64_t now_us = 1000000;

	for (unsigned i = 1; i <= 600; i++) {
		uint32_t number = send_on(e, now_us);

		now_us += PACKET_BYTES * 8;
		if (i % 2 == 0)
			cmt_path_est_on_echo(e, now_us, number, (int64_t)now_us,
			                     (uint16_t)(lost ? number / 2 : number));
	}
	return cmt_path_est_rate_bps(e);
}

static void packets_of_lost_echoes_count_as_delivered(void **state)
{
	(void)state;
	assert_in_range(rate_of_every_other_echo(false), 990000, 1010000);
	assert_in_range(rate_of_every_other_echo(true), 490000, 600000);
}

static void counts_of_packets_wrap_at_2_to_the_16(void **state)
{
	struct cmt_path_est *e = new_path();

	(void)state;
	assert_int_equal(send_on(e, 1000), 1);
	cmt_path_est_on_echo(e, 9000, 1, 5000, UINT16_MAX - 1);
	assert_int_equal(cmt_path_est_newly_heard(e, UINT16_MAX - 1), 0);
	assert_int_equal(cmt_path_est_newly_heard(e, UINT16_MAX), 1);
	assert_int_equal(cmt_path_est_newly_heard(e, 3), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(packets_of_lost_echoes_count_as_delivered),
	    cmocka_unit_test(counts_of_packets_wrap_at_2_to_the_16),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
