/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_jitter.c - cmt_jitter: a packet every millisecond, whose lateness is given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_jitter.h"
#include "util/cmt_tuned.h"

enum { MS = 1000, BPS = 8000000 };

/* `n` packets from `from_ms` on, late by 0 and by late_us in turn. */
static void arrive(struct cmt_jitter *j, int64_t from_ms, unsigned n, int64_t late_us, int64_t least_group_us)
{
	for (unsigned i = 0; i < n; i++)
		cmt_jitter_on_arrival(j, (from_ms + i) * MS, i % 2 == 0 ? 0 : late_us, BPS, least_group_us);
}

static void half_the_range_of_a_group_is_smoothed(void **state)
{
	struct cmt_jitter j = {.n = 0};

	(void)state;
	arrive(&j, 0, CMT_GROUP_PKTS - 1, 16 * MS, INT64_MIN);
	assert_int_equal(j.smoothed_us, 0);
	arrive(&j, CMT_GROUP_PKTS, 1, 0, INT64_MIN);
	assert_int_equal(j.smoothed_us, 8 * MS / CMT_SMOOTHING);
}

static void a_group_lasts_as_long_as_it_has_to(void **state)
{
	struct cmt_jitter j = {.n = 0};

	(void)state;
	arrive(&j, 0, 20, 16 * MS, 20 * MS);
	assert_int_equal(j.smoothed_us, 0);
	arrive(&j, 20, 1, 0, 20 * MS);
	assert_int_equal(j.smoothed_us, 8 * MS / CMT_SMOOTHING);
}

static void another_rate_begins_another_group(void **state)
{
	struct cmt_jitter j = {.n = 0};

	(void)state;
	arrive(&j, 0, CMT_GROUP_PKTS - 1, 16 * MS, INT64_MIN);
	for (unsigned i = 0; i < CMT_GROUP_PKTS; i++)
		cmt_jitter_on_arrival(&j, (10 + i) * MS, 50 * MS, 2 * BPS, INT64_MIN);
	assert_int_equal(j.smoothed_us, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(half_the_range_of_a_group_is_smoothed),
	    cmocka_unit_test(a_group_lasts_as_long_as_it_has_to),
	    cmocka_unit_test(another_rate_begins_another_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
