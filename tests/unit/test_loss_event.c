/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_loss_event.c - a reduction is undone when everything that was lost in its event had arrived, and only
 * then. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_loss_event.h"

static struct cmt_loss_event started(uint32_t oldest, uint32_t chunks)
{
	struct cmt_loss_event e;

	cmt_loss_event_start(&e);
	cmt_loss_event_add(&e, oldest, chunks);
	return e;
}

static void the_last_disproved_loss_ends_the_event(void **state)
{
	struct cmt_loss_event e = started(10, 3);

	(void)state;
	assert_false(cmt_loss_event_disprove(&e, 12));
	assert_false(cmt_loss_event_disprove(&e, 10));
	assert_true(e.open);
	assert_true(cmt_loss_event_disprove(&e, 11));
	assert_false(e.open);
}

static void what_is_lost_later_belongs_to_it(void **state)
{
	struct cmt_loss_event e = started(10, 1);

	(void)state;
	cmt_loss_event_add(&e, 20, 2);
	assert_false(cmt_loss_event_disprove(&e, 10));
	assert_false(cmt_loss_event_disprove(&e, 20));
	assert_true(cmt_loss_event_disprove(&e, 21));
}

static void what_was_sent_earlier_may_be_found_lost_later(void **state)
{
	struct cmt_loss_event e = started(10, 1);

	(void)state;
	cmt_loss_event_add(&e, 8, 1);
	cmt_loss_event_add(&e, 15, 1);
	assert_false(cmt_loss_event_disprove(&e, 7));
	assert_false(cmt_loss_event_disprove(&e, 8));
	assert_false(cmt_loss_event_disprove(&e, 10));
	assert_true(cmt_loss_event_disprove(&e, 15));
}

static void losses_of_older_events_do_not_count(void **state)
{
	struct cmt_loss_event e = started(10, 1);

	(void)state;
	cmt_loss_event_start(&e);
	cmt_loss_event_add(&e, 30, 1);
	assert_false(cmt_loss_event_disprove(&e, 10));
	assert_false(cmt_loss_event_disprove(&e, 29));
	assert_true(cmt_loss_event_disprove(&e, 30));
}

static void a_new_event_begins_with_nothing_disproved(void **state)
{
	struct cmt_loss_event e = started(10, 2);

	(void)state;
	assert_false(cmt_loss_event_disprove(&e, 10));
	cmt_loss_event_start(&e);
	cmt_loss_event_add(&e, 30, 2);
	assert_false(cmt_loss_event_disprove(&e, 30));
	assert_true(cmt_loss_event_disprove(&e, 31));
}

static void one_loss_that_was_real_keeps_the_event_open(void **state)
{
	struct cmt_loss_event e = started(10, 100);

	(void)state;
	for (uint32_t number = 10; number < 109; number++)
		assert_false(cmt_loss_event_disprove(&e, number));
	assert_true(e.open);
}

/* A timeout with nothing out, or a probe, whose chunk is not counted as lost. */
static void without_a_loss_there_is_nothing_to_disprove(void **state)
{
	struct cmt_loss_event e = started(0, 0);

	(void)state;
	assert_false(cmt_loss_event_disprove(&e, 0));
	assert_false(cmt_loss_event_disprove(&e, 50));
	assert_true(e.open);
	/* Nor does the number that came with none count. */
	cmt_loss_event_add(&e, 40, 1);
	assert_false(cmt_loss_event_disprove(&e, 39));
	assert_true(cmt_loss_event_disprove(&e, 40));
}

static void before_the_first_event_and_after_its_end_nothing_counts(void **state)
{
	struct cmt_loss_event none = {.open = false}, e = started(10, 1);

	(void)state;
	cmt_loss_event_add(&none, 10, 1);
	assert_false(cmt_loss_event_disprove(&none, 10));
	assert_true(cmt_loss_event_disprove(&e, 10));
	cmt_loss_event_add(&e, 11, 1);
	assert_false(cmt_loss_event_disprove(&e, 11));
	assert_int_equal(e.lost, 1);
}

/* Duplicates tell of retransmissions; what arrived before it was retransmitted will not be among them. */
static void what_is_withdrawn_need_not_be_disproved(void **state)
{
	struct cmt_loss_event e = started(10, 3);

	(void)state;
	assert_false(cmt_loss_event_withdraw(&e, 9));
	assert_false(cmt_loss_event_withdraw(&e, 10));
	assert_false(cmt_loss_event_disprove(&e, 11));
	assert_true(cmt_loss_event_disprove(&e, 12));
	e = started(10, 2);
	assert_false(cmt_loss_event_disprove(&e, 10));
	assert_true(cmt_loss_event_withdraw(&e, 11));
	assert_false(e.open);
}

static void withdrawing_alone_disproves_nothing(void **state)
{
	struct cmt_loss_event e = started(10, 2);

	(void)state;
	for (int i = 0; i < 3; i++)
		assert_false(cmt_loss_event_withdraw(&e, 10));
	assert_true(e.open);
	assert_false(cmt_loss_event_disprove(&e, 10));
	cmt_loss_event_add(&e, 20, 1);
	assert_true(cmt_loss_event_disprove(&e, 20));
}

static void numbers_wrap(void **state)
{
	struct cmt_loss_event e = started(3, 1);

	(void)state;
	cmt_loss_event_add(&e, 0xfffffff0, 1);
	cmt_loss_event_add(&e, 1, 1);
	assert_false(cmt_loss_event_disprove(&e, 0xffffffef));
	assert_false(cmt_loss_event_disprove(&e, 0xfffffff0));
	assert_false(cmt_loss_event_disprove(&e, 3));
	assert_true(cmt_loss_event_disprove(&e, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_last_disproved_loss_ends_the_event),
	    cmocka_unit_test(what_is_lost_later_belongs_to_it),
	    cmocka_unit_test(what_was_sent_earlier_may_be_found_lost_later),
	    cmocka_unit_test(losses_of_older_events_do_not_count),
	    cmocka_unit_test(a_new_event_begins_with_nothing_disproved),
	    cmocka_unit_test(one_loss_that_was_real_keeps_the_event_open),
	    cmocka_unit_test(without_a_loss_there_is_nothing_to_disprove),
	    cmocka_unit_test(before_the_first_event_and_after_its_end_nothing_counts),
	    cmocka_unit_test(what_is_withdrawn_need_not_be_disproved),
	    cmocka_unit_test(withdrawing_alone_disproves_nothing),
	    cmocka_unit_test(numbers_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
