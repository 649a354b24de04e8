/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_truncated_sack.c - which SACKs had no room for more, and what they may have left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_truncated_sack.h"

/* 72 bytes of headers and 48 blocks to spare leave room for 309 of 357 in 1500 bytes. */
static void a_sack_that_fills_its_packet_is_full(void **state)
{
	(void)state;
	assert_false(cmt_sack_is_truncated(0, 1500, true));
	assert_false(cmt_sack_is_truncated(309, 1500, true));
	assert_true(cmt_sack_is_truncated(310, 1500, true));
	assert_true(cmt_sack_is_truncated(0, 263, true));
}

static void a_foreign_receiver_may_report_sixteen_blocks_only(void **state)
{
	(void)state;
	assert_false(cmt_sack_is_truncated(15, 1500, false));
	assert_true(cmt_sack_is_truncated(16, 1500, false));
	assert_false(cmt_sack_is_truncated(16, 1500, true));
}

static void what_is_above_the_top_of_a_full_sack_may_have_arrived(void **state)
{
	struct cmt_truncated_sack u = {.full = true, .top = UINT32_MAX};

	(void)state;
	assert_true(cmt_truncated_sack_hides(&u, 0));
	assert_false(cmt_truncated_sack_hides(&u, UINT32_MAX));
	assert_false(cmt_truncated_sack_hides(&u, UINT32_MAX - 1));
	u.full = false;
	assert_false(cmt_truncated_sack_hides(&u, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_sack_that_fills_its_packet_is_full),
	    cmocka_unit_test(a_foreign_receiver_may_report_sixteen_blocks_only),
	    cmocka_unit_test(what_is_above_the_top_of_a_full_sack_may_have_arrived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
