/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The rate of a live stream. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stream_rate.h"

/* 1000 bytes every 10 ms are 800 kbit/s. */
static uint64_t go_on(struct stream_rate *r, uint64_t bytes, uint64_t now_us, uint64_t us)
{
	const uint64_t until_us = now_us + us;

	for (; now_us < until_us; now_us += 10000) {
		stream_rate_add(r, bytes, now_us);
	}
	return now_us;
}

static void it_is_that_of_the_last_whole_second(void **state)
{
	struct stream_rate r = {.rate_bps = 0};
	uint64_t now_us;

	(void)state;
	now_us = go_on(&r, 1000, 5000, 1000000);
	assert_int_equal(r.rate_bps, 0);
	now_us = go_on(&r, 1000, now_us, 10000);
	assert_int_equal(r.rate_bps, 800000);
	now_us = go_on(&r, 500, now_us, 2000000);
	assert_int_equal(r.rate_bps, 400000);
	/* A pause says nothing of it. */
	now_us = go_on(&r, 500, now_us + 3000000, 500000);
	assert_int_equal(r.rate_bps, 400000);
	(void)go_on(&r, 1000, now_us, 2000000);
	assert_int_equal(r.rate_bps, 800000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(it_is_that_of_the_last_whole_second)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
