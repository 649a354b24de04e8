/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_sack_order.h"

enum { ACKED = 1000 };

static bool outdated(struct cmt_sack_order *o, uint32_t cum_ack, uint32_t tr_us)
{
	return cmt_sack_is_outdated(o, ACKED, cum_ack, &tr_us);
}

static void below_the_cumulative_ack_point_it_is_outdated(void **state)
{
	struct cmt_sack_order o = {.known = false};

	(void)state;
	assert_true(cmt_sack_is_outdated(&o, ACKED, ACKED - 1, NULL));
	assert_true(outdated(&o, ACKED - 1, 5000));
	assert_false(outdated(&o, ACKED, 4000));
}

static void with_the_same_cumulative_ack_the_one_built_earlier_is(void **state)
{
	struct cmt_sack_order o = {.known = false};

	(void)state;
	assert_false(outdated(&o, ACKED, 5000));
	assert_true(outdated(&o, ACKED, 4999));
	assert_false(outdated(&o, ACKED, 5000));
	assert_false(outdated(&o, ACKED, 5001));
	assert_true(outdated(&o, ACKED, 5000));
}

static void time_stamps_wrap(void **state)
{
	struct cmt_sack_order o = {.known = false};

	(void)state;
	assert_false(outdated(&o, ACKED, UINT32_MAX));
	assert_false(outdated(&o, ACKED, 10));
	assert_true(outdated(&o, ACKED, UINT32_MAX));
}

static void one_that_acknowledges_more_is_not_whatever_its_time(void **state)
{
	struct cmt_sack_order o = {.known = false};

	(void)state;
	assert_false(outdated(&o, ACKED, 5000));
	assert_false(outdated(&o, ACKED + 1, 4000));
	assert_false(outdated(&o, ACKED, 4000));
}

static void a_clock_that_was_set_back_is_followed(void **state)
{
	const uint32_t later_us = 1000 + CMT_SACK_OVERTAKEN_MAX_US;
	struct cmt_sack_order o = {.known = false};

	(void)state;
	assert_false(outdated(&o, ACKED, later_us));
	assert_true(outdated(&o, ACKED, 1001));
	assert_false(outdated(&o, ACKED, 1000));
	assert_false(outdated(&o, ACKED, 1001));
}

static void without_an_echo_nothing_is_known(void **state)
{
	struct cmt_sack_order o = {.known = false};

	(void)state;
	assert_false(outdated(&o, ACKED, 5000));
	assert_false(cmt_sack_is_outdated(&o, ACKED, ACKED, NULL));
	assert_false(outdated(&o, ACKED, 4000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(below_the_cumulative_ack_point_it_is_outdated),
	    cmocka_unit_test(with_the_same_cumulative_ack_the_one_built_earlier_is),
	    cmocka_unit_test(time_stamps_wrap),
	    cmocka_unit_test(one_that_acknowledges_more_is_not_whatever_its_time),
	    cmocka_unit_test(a_clock_that_was_set_back_is_followed),
	    cmocka_unit_test(without_an_echo_nothing_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
