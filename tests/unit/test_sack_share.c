/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_sack_share.h"

enum { START_US = 1000000000, SECOND_US = 1000000 };

/* For a second: `burst` packets at once, after so long. Whether they ever counted as fast. */
static bool ever_fast(struct cmt_sack_pace *a, uint64_t from_us, unsigned burst, uint64_t every_us)
{
	bool fast = false;

	for (uint64_t us = from_us; us < from_us + SECOND_US; us += every_us) {
		for (unsigned i = 0; i < burst; i++)
			cmt_sack_pace_add(a, us);
		fast = fast || a->fast;
	}
	return fast;
}

static void sixteen_packets_in_a_tick_are_fast(void **state)
{
	struct cmt_sack_pace a = {.fast = false};

	(void)state;
	assert_true(ever_fast(&a, START_US, 1, 1000 / 16));
	a = (struct cmt_sack_pace){.fast = false};
	assert_false(ever_fast(&a, START_US, 1, 1000 / 15));
}

static void bursts_of_a_slow_link_are_not(void **state)
{
	struct cmt_sack_pace a = {.fast = false};

	(void)state;
	assert_false(ever_fast(&a, START_US, 64, 5000));
	assert_true(ever_fast(&a, START_US + SECOND_US, 64, 4000));
}

static void who_stops_is_not_fast_any_more(void **state)
{
	struct cmt_sack_pace a = {.fast = false};

	(void)state;
	assert_true(ever_fast(&a, START_US, 1, 10));
	assert_true(a.fast);
	cmt_sack_pace_add(&a, START_US + 2 * SECOND_US);
	assert_false(a.fast);
}

static void fast_ones_share_a_sack_by_four_those_that_came_together_by_sixteen(void **state)
{
	const struct cmt_sack_pace slow = {.fast = false}, fast = {.fast = true};

	(void)state;
	assert_false(cmt_sack_waits_for_more(&slow, false, 1));
	assert_true(cmt_sack_waits_for_more(&fast, false, 3));
	assert_false(cmt_sack_waits_for_more(&fast, false, 4));
	assert_true(cmt_sack_waits_for_more(&slow, true, 15));
	assert_false(cmt_sack_waits_for_more(&fast, true, 16));
}

static void the_sender_knows_by_the_rate(void **state)
{
	(void)state;
	assert_true(cmt_sack_rate_is_fast(UINT64_C(192000000), 1500));
	assert_false(cmt_sack_rate_is_fast(UINT64_C(191000000), 1500));
	assert_true(cmt_sack_rate_is_fast(UINT64_C(1600000000000), 9000));
	assert_false(cmt_sack_rate_is_fast(0, 1500));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sixteen_packets_in_a_tick_are_fast),
	    cmocka_unit_test(bursts_of_a_slow_link_are_not),
	    cmocka_unit_test(who_stops_is_not_fast_any_more),
	    cmocka_unit_test(fast_ones_share_a_sack_by_four_those_that_came_together_by_sixteen),
	    cmocka_unit_test(the_sender_knows_by_the_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
