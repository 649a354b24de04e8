/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_frto.c - F-RTO needs two acknowledgements: of what was sent again, then of an original and of nothing
 * that is newer than the timeout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_frto.h"

enum { AGAIN = 1, ORIGINAL = 2, NEWER = 4 };

static struct cmt_frto timed_out(void)
{
	struct cmt_frto f = {.step = CMT_FRTO_IDLE};

	cmt_frto_on_timeout(&f, false);
	return f;
}

/* A SACK acknowledges these while there are new data to send. */
static bool sack(struct cmt_frto *f, unsigned what)
{
	f->again |= (what & AGAIN) != 0;
	f->original |= (what & ORIGINAL) != 0;
	f->newer |= (what & NEWER) != 0;
	return cmt_frto_on_sack_end(f, true);
}

static void an_original_after_what_was_sent_again_proves_it(void **state)
{
	struct cmt_frto f = timed_out();

	(void)state;
	assert_false(sack(&f, AGAIN));
	assert_int_equal(f.step, CMT_FRTO_NEW);
	assert_true(sack(&f, ORIGINAL));
	assert_int_equal(f.step, CMT_FRTO_IDLE);
	assert_false(sack(&f, ORIGINAL));
}

/* It may have arrived before T3 expired, and the SACK that told of it was lost. */
static void originals_alone_or_with_it_prove_nothing_yet(void **state)
{
	struct cmt_frto f = timed_out();

	(void)state;
	assert_false(sack(&f, ORIGINAL));
	assert_false(sack(&f, ORIGINAL));
	assert_int_equal(f.step, CMT_FRTO_AGAIN);
	assert_false(sack(&f, AGAIN | ORIGINAL));
	assert_int_equal(f.step, CMT_FRTO_NEW);
	assert_true(sack(&f, ORIGINAL));
}

static void something_newer_proves_the_loss(void **state)
{
	const unsigned with[] = {0, ORIGINAL, AGAIN | ORIGINAL};

	(void)state;
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++) {
		struct cmt_frto first = timed_out(), second = timed_out();

		assert_false(sack(&first, NEWER | with[i]));
		assert_int_equal(first.step, CMT_FRTO_IDLE);
		assert_false(sack(&second, AGAIN));
		assert_false(sack(&second, NEWER | with[i]));
		assert_int_equal(second.step, CMT_FRTO_IDLE);
		assert_false(sack(&second, ORIGINAL));
	}
}

/* Two packets were sent again; SACKs of other paths say nothing at all. */
static void what_says_nothing_changes_nothing(void **state)
{
	struct cmt_frto f = timed_out();

	(void)state;
	assert_false(sack(&f, 0));
	assert_int_equal(f.step, CMT_FRTO_AGAIN);
	assert_false(sack(&f, AGAIN));
	assert_false(sack(&f, AGAIN));
	assert_false(sack(&f, 0));
	assert_int_equal(f.step, CMT_FRTO_NEW);
	assert_true(sack(&f, ORIGINAL));
}

static void without_new_data_it_cannot_be_told(void **state)
{
	struct cmt_frto f = timed_out();

	(void)state;
	f.again = true;
	assert_false(cmt_frto_on_sack_end(&f, false));
	assert_int_equal(f.step, CMT_FRTO_IDLE);
	assert_false(sack(&f, ORIGINAL));
}

static void nor_can_a_timeout_in_the_recovery_of_another(void **state)
{
	struct cmt_frto f = timed_out();

	(void)state;
	assert_false(sack(&f, AGAIN));
	cmt_frto_on_timeout(&f, true);
	assert_false(sack(&f, AGAIN));
	assert_false(sack(&f, ORIGINAL));
}

static void what_came_before_the_timeout_does_not_count(void **state)
{
	struct cmt_frto f = {.step = CMT_FRTO_IDLE, .again = true, .original = true, .newer = true};

	(void)state;
	cmt_frto_on_timeout(&f, false);
	assert_false(sack(&f, AGAIN));
	assert_int_equal(f.step, CMT_FRTO_NEW);
	/* The same packets expire again. */
	cmt_frto_on_timeout(&f, false);
	assert_int_equal(f.step, CMT_FRTO_AGAIN);
	assert_false(sack(&f, AGAIN));
	assert_true(sack(&f, ORIGINAL));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_original_after_what_was_sent_again_proves_it),
	    cmocka_unit_test(originals_alone_or_with_it_prove_nothing_yet),
	    cmocka_unit_test(something_newer_proves_the_loss),
	    cmocka_unit_test(what_says_nothing_changes_nothing),
	    cmocka_unit_test(without_new_data_it_cannot_be_told),
	    cmocka_unit_test(nor_can_a_timeout_in_the_recovery_of_another),
	    cmocka_unit_test(what_came_before_the_timeout_does_not_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
