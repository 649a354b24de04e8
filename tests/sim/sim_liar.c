/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receiver that lies breaks nothing, and one that acknowledges what was never sent ends its association.
 * sim_liar_stats.c has what liars gain. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/liar.h"

static void every_lie_is_survived(void **state)
{
	const enum lie lies[] = {LIE_DUPLICATES, LIE_MANY_DUPLICATES, LIE_STALE,
	                         LIE_OLD,        LIE_SILENT,          LIE_BOTH};

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		struct liar_outcome o = liar_run((struct liar_job){.lie = lies[i], .seed = 1, .loss = 0.01});

		assert_true(o.delivered);
		assert_true(o.forged > 100);
	}
}

/* What the path and its queue hold. */
enum { WINDOW_PKTS = 170 };

/* --- what was never sent ----------------------------------------------------------------------------------
 */

/* At so much loss there are more retransmissions to report on than are judged at one time. */
static void long_lists_of_duplicates_of_retransmissions_are_survived(void **state)
{
	struct liar_outcome o =
	    liar_run((struct liar_job){.lie = LIE_MANY_DUPLICATES, .seed = 1, .loss = 0.25});

	(void)state;
	assert_true(o.forged > 100);
	assert_true(o.delivered || o.ended);
}

static void acknowledging_what_was_never_sent_ends_the_association(void **state)
{
	(void)state;
	/* Some TSNs are given to chunks that wait for their turn. */
	for (uint32_t ahead = 1; ahead <= 100000; ahead *= 10) {
		struct liar_outcome o =
		    liar_run((struct liar_job){.lie = LIE_UNSENT, .ahead = ahead, .seed = 1, .loss = 0.01});

		assert_true(o.ended);
		assert_false(o.delivered);
		assert_true(o.aborts > 0);
		assert_in_range(o.forged, 1, WINDOW_PKTS);
	}
}

/* Schedulers send ahead: the newest packet may have a higher TSN than one that is still unsent. */
static void acknowledging_what_was_passed_over_ends_the_association(void **state)
{
	struct liar_outcome o =
	    liar_run((struct liar_job){.lie = LIE_UNSENT, .ahead = 0, .seed = 1, .unequal = true});

	(void)state;
	assert_true(o.ended);
	assert_false(o.delivered);
	assert_true(o.aborts > 0);
	/* At once, not when it becomes impossible later on. */
	assert_in_range(o.forged, 1, 60);
}

static void blocks_of_what_was_never_sent_are_survived(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 2; seed++) {
		struct liar_outcome o =
		    liar_run((struct liar_job){.lie = LIE_UNSENT_BLOCKS, .seed = seed, .loss = 0.01});

		assert_true(o.forged > 0);
		assert_true(o.ended ? o.aborts > 0 : o.delivered);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_lie_is_survived),
	    cmocka_unit_test(long_lists_of_duplicates_of_retransmissions_are_survived),
	    cmocka_unit_test(acknowledging_what_was_never_sent_ends_the_association),
	    cmocka_unit_test(acknowledging_what_was_passed_over_ends_the_association),
	    cmocka_unit_test(blocks_of_what_was_never_sent_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
