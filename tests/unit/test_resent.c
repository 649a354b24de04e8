/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_resent.c - what reports of duplicate TSNs say about the retransmissions that are remembered. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_resent.h"

static struct cmt_resent r;

static int forget_all(void **state)
{
	(void)state;
	cmt_resent_reset(&r);
	return 0;
}

/* Its transmission as packet `lost_number` was taken for lost. */
static void resent(uint32_t tsn, uint32_t lost_number)
{
	cmt_resent_add(&r, &(struct cmt_resent_chunk){
	                       .tsn = tsn, .lost_number = lost_number, .lost_path = 3, .bytes = 1400});
}

static bool is_spurious(uint32_t tsn)
{
	struct cmt_resent_chunk chunk;

	return cmt_resent_take_duplicate(&r, tsn, &chunk);
}

static void a_duplicate_of_what_was_retransmitted_once_names_the_transmission(void **state)
{
	struct cmt_resent_chunk chunk;

	(void)state;
	resent(1000, 77);
	assert_true(cmt_resent_take_duplicate(&r, 1000, &chunk));
	assert_int_equal(chunk.tsn, 1000);
	assert_int_equal(chunk.lost_number, 77);
	assert_int_equal(chunk.lost_path, 3);
	assert_int_equal(chunk.bytes, 1400);
	assert_false(chunk.probe);
}

static void it_is_judged_once(void **state)
{
	(void)state;
	resent(1000, 77);
	assert_true(cmt_resent_open(&r, 1000));
	assert_true(is_spurious(1000));
	assert_false(cmt_resent_open(&r, 1000));
	assert_false(is_spurious(1000));
}

static void nothing_is_said_of_what_was_not_retransmitted(void **state)
{
	struct cmt_resent_chunk chunk = {.tsn = 42};

	(void)state;
	/* 0 is what an empty ring contains. */
	assert_false(cmt_resent_open(&r, 0));
	assert_false(is_spurious(0));
	resent(1000, 77);
	assert_false(cmt_resent_take_duplicate(&r, 1001, &chunk));
	assert_false(cmt_resent_take_duplicate(&r, 1000 + CMT_RESENT_MAX, &chunk));
	assert_false(cmt_resent_open(&r, 1000 + CMT_RESENT_MAX));
	assert_int_equal(chunk.tsn, 42);
	assert_true(is_spurious(1000));
}

/* Three copies arrived, so the first did, whose loss was the first to be declared. */
static void what_was_retransmitted_twice_takes_two_duplicates(void **state)
{
	struct cmt_resent_chunk chunk;

	(void)state;
	resent(1000, 77);
	resent(1000, 95);
	assert_true(cmt_resent_open(&r, 1000));
	assert_false(is_spurious(1000));
	assert_true(cmt_resent_open(&r, 1000));
	assert_true(cmt_resent_take_duplicate(&r, 1000, &chunk));
	assert_int_equal(chunk.lost_number, 77);
	assert_false(cmt_resent_open(&r, 1000));
}

static void duplicates_count_also_between_retransmissions(void **state)
{
	(void)state;
	resent(1000, 77);
	resent(1000, 95);
	assert_false(is_spurious(1000));
	resent(1000, 99);
	assert_false(is_spurious(1000));
	assert_true(is_spurious(1000));
}

/* What was probed first and then lost is judged by that loss; what was lost first stays so when it is a
 * probe. */
static void a_probe_does_not_hide_a_loss(void **state)
{
	struct cmt_resent_chunk chunk;
	const struct cmt_resent_chunk probe = {.tsn = 1000, .lost_number = 50, .probe = true};

	(void)state;
	cmt_resent_add(&r, &probe);
	resent(1000, 77);
	cmt_resent_add(&r, &probe);
	assert_false(is_spurious(1000));
	assert_false(is_spurious(1000));
	assert_true(cmt_resent_take_duplicate(&r, 1000, &chunk));
	assert_int_equal(chunk.lost_number, 77);
	assert_false(chunk.probe);
}

static void fewer_duplicates_than_retransmissions_say_nothing(void **state)
{
	(void)state;
	resent(1000, 77);
	for (uint32_t times = 2; times <= 1000; times++) {
		resent(1000, 76 + times);
		assert_false(is_spurious(1000));
	}
}

static void the_counters_of_the_caller_are_not_believed(void **state)
{
	(void)state;
	cmt_resent_add(&r, &(struct cmt_resent_chunk){.tsn = 5, .times = 9, .known = false});
	assert_true(cmt_resent_open(&r, 5));
	assert_true(is_spurious(5));
}

static void what_is_settled_is_not_judged(void **state)
{
	(void)state;
	resent(1000, 77);
	cmt_resent_settle(&r, 1000);
	assert_false(cmt_resent_open(&r, 1000));
	assert_false(is_spurious(1000));
}

static void settling_another_in_the_same_place_changes_nothing(void **state)
{
	(void)state;
	resent(1000, 77);
	cmt_resent_settle(&r, 1000 + CMT_RESENT_MAX);
	cmt_resent_settle(&r, 1001);
	assert_true(is_spurious(1000));
}

static void the_newer_of_two_in_the_same_place_is_kept(void **state)
{
	struct cmt_resent_chunk chunk;

	(void)state;
	resent(1000, 77);
	resent(1000 + CMT_RESENT_MAX, 400);
	assert_false(cmt_resent_open(&r, 1000));
	assert_false(is_spurious(1000));
	assert_true(cmt_resent_take_duplicate(&r, 1000 + CMT_RESENT_MAX, &chunk));
	assert_int_equal(chunk.lost_number, 400);
}

static void the_newest_256_are_kept_across_the_wrap_of_tsns(void **state)
{
	const uint32_t first = UINT32_MAX - 99;

	(void)state;
	for (uint32_t i = 0; i <= CMT_RESENT_MAX; i++)
		resent(first + i, i);
	assert_false(is_spurious(first));
	for (uint32_t i = 1; i <= CMT_RESENT_MAX; i++) {
		struct cmt_resent_chunk chunk;

		assert_true(cmt_resent_take_duplicate(&r, first + i, &chunk));
		assert_int_equal(chunk.lost_number, i);
	}
}

static void a_duplicate_of_a_probe_says_that_it_was_one(void **state)
{
	struct cmt_resent_chunk chunk;

	(void)state;
	cmt_resent_add(&r, &(struct cmt_resent_chunk){.tsn = 8, .lost_number = 5, .probe = true});
	assert_true(cmt_resent_open(&r, 8));
	assert_true(cmt_resent_take_duplicate(&r, 8, &chunk));
	assert_true(chunk.probe);
	assert_false(cmt_resent_open(&r, 8));
}

static void a_probe_that_is_lost_too_is_retransmitted_twice(void **state)
{
	(void)state;
	cmt_resent_add(&r, &(struct cmt_resent_chunk){.tsn = 8, .lost_number = 5, .probe = true});
	resent(8, 6);
	assert_false(is_spurious(8));
}

static void the_duplicate_of_a_copy_says_nothing(void **state)
{
	struct cmt_resent_chunk chunk;

	(void)state;
	cmt_resent_expect_report(&r, 1000);
	resent(1000, 7);
	cmt_resent_expect_report(&r, 1000);
	assert_false(cmt_resent_take_duplicate(&r, 1000, &chunk));
	assert_true(cmt_resent_take_duplicate(&r, 1000, &chunk));
	assert_int_equal(chunk.lost_number, 7);
	cmt_resent_expect_report(NULL, 1000);
}

static void a_reset_forgets_everything(void **state)
{
	(void)state;
	for (uint32_t tsn = 0; tsn < CMT_RESENT_MAX; tsn++)
		resent(tsn, 1);
	cmt_resent_reset(&r);
	for (uint32_t tsn = 0; tsn < CMT_RESENT_MAX; tsn++)
		assert_false(cmt_resent_open(&r, tsn));
	resent(4, 9);
	assert_true(is_spurious(4));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_duplicate_of_what_was_retransmitted_once_names_the_transmission,
	                           forget_all),
	    cmocka_unit_test_setup(it_is_judged_once, forget_all),
	    cmocka_unit_test_setup(nothing_is_said_of_what_was_not_retransmitted, forget_all),
	    cmocka_unit_test_setup(what_was_retransmitted_twice_takes_two_duplicates, forget_all),
	    cmocka_unit_test_setup(duplicates_count_also_between_retransmissions, forget_all),
	    cmocka_unit_test_setup(a_probe_does_not_hide_a_loss, forget_all),
	    cmocka_unit_test_setup(fewer_duplicates_than_retransmissions_say_nothing, forget_all),
	    cmocka_unit_test_setup(the_counters_of_the_caller_are_not_believed, forget_all),
	    cmocka_unit_test_setup(what_is_settled_is_not_judged, forget_all),
	    cmocka_unit_test_setup(settling_another_in_the_same_place_changes_nothing, forget_all),
	    cmocka_unit_test_setup(the_newer_of_two_in_the_same_place_is_kept, forget_all),
	    cmocka_unit_test_setup(the_newest_256_are_kept_across_the_wrap_of_tsns, forget_all),
	    cmocka_unit_test_setup(a_duplicate_of_a_probe_says_that_it_was_one, forget_all),
	    cmocka_unit_test_setup(a_probe_that_is_lost_too_is_retransmitted_twice, forget_all),
	    cmocka_unit_test_setup(the_duplicate_of_a_copy_says_nothing, forget_all),
	    cmocka_unit_test_setup(a_reset_forgets_everything, forget_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
