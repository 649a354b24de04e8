/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_flap.c - how often failed paths are asked, and how long those that flap are held back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "recovery/cmt_flap.h"

enum { MS = 1000, S = 1000000 };

/* From asking at `gone_us` after the failure to asking again. */
static uint64_t ask_interval_us(uint64_t rto_us, uint64_t gone_us)
{
	struct cmt_flap f = {.failed = false};

	cmt_flap_on_failed(&f, 3 * S);
	return cmt_flap_ask_again_us(&f, rto_us, 3 * S + gone_us) - 3 * S - gone_us;
}

/* How long it is held back after it fails at `failed_us` and is back a tenth of a second later. */
static uint64_t held_us(struct cmt_flap *f, uint64_t failed_us)
{
	cmt_flap_on_failed(f, failed_us);
	assert_true(f->failed);
	cmt_flap_on_back(f, failed_us + 100 * MS);
	assert_false(f->failed);
	return f->hold_until_us - failed_us - 100 * MS;
}

static void a_failed_path_is_asked_after_a_sixteenth_of_the_time_that_it_is_gone(void **state)
{
	(void)state;
	assert_int_equal(ask_interval_us(200 * MS, 16 * S), 1 * S);
	assert_int_equal(ask_interval_us(200 * MS, 16 * S + 16), 1 * S + 1);
	assert_int_equal(ask_interval_us(200 * MS, 40 * S), 2500 * MS);
}

static void it_is_asked_once_an_rto_at_most_and_every_five_seconds_at_least(void **state)
{
	(void)state;
	assert_int_equal(ask_interval_us(200 * MS, 0), 200 * MS);
	assert_int_equal(ask_interval_us(200 * MS, 3200 * MS), 200 * MS);
	assert_int_equal(ask_interval_us(200 * MS, 3200 * MS + 16), 200 * MS + 1);
	assert_int_equal(ask_interval_us(3 * S, 16 * S), 3 * S);
	assert_int_equal(ask_interval_us(60 * S, 0), 5 * S);
	assert_int_equal(ask_interval_us(200 * MS, 80 * S - 16), 5 * S - 1);
	assert_int_equal(ask_interval_us(200 * MS, 80 * S), 5 * S);
	assert_int_equal(ask_interval_us(200 * MS, UINT64_C(86400) * S), 5 * S);
}

static void a_minute_without_a_path_costs_a_few_dozen_questions(void **state)
{
	struct cmt_flap f = {.failed = false};
	uint64_t now_us = 1 * S;
	unsigned asked = 0;

	(void)state;
	cmt_flap_on_failed(&f, now_us);
	while ((now_us = cmt_flap_ask_again_us(&f, 200 * MS, now_us)) <= 61 * S)
		asked++;
	/* 16 until 3.2 s, then 1/16 longer every time. */
	assert_in_range(asked, 60, 68);
}

static void a_path_that_fails_once_carries_data_as_soon_as_it_is_back(void **state)
{
	struct cmt_flap f = {.failed = false};

	(void)state;
	assert_int_equal(held_us(&f, 5 * S), 0);
}

static void a_path_that_fails_again_and_again_is_held_back_twice_as_long_every_time(void **state)
{
	static const uint64_t expected_us[] = {0, 500 * MS, 1 * S, 2 * S, 4 * S, 8 * S, 10 * S, 10 * S};
	struct cmt_flap f = {.failed = false};

	(void)state;
	for (unsigned i = 0; i < sizeof(expected_us) / sizeof(expected_us[0]); i++)
		assert_int_equal(held_us(&f, 1 * S + i * UINT64_C(9000000)), expected_us[i]);
}

static void ten_seconds_without_failure_are_forgiven(void **state)
{
	struct cmt_flap f = {.failed = false};

	(void)state;
	assert_int_equal(held_us(&f, 1 * S), 0);
	assert_int_equal(held_us(&f, 2 * S), 500 * MS);
	/* Carrying data since 2.6 s. */
	assert_int_equal(held_us(&f, 12100 * MS - 1), 1 * S);
	assert_int_equal(held_us(&f, 23200 * MS - 1), 0);
	assert_int_equal(held_us(&f, 30 * S), 500 * MS);
}

static void what_turns_out_to_have_been_no_failure_is_forgiven_at_once(void **state)
{
	struct cmt_flap f = {.failed = false};

	(void)state;
	held_us(&f, 1 * S);
	assert_int_equal(held_us(&f, 2 * S), 500 * MS);
	cmt_flap_on_spurious(&f);
	assert_int_equal(f.hold_until_us, 0);
	assert_int_equal(held_us(&f, 3 * S), 0);
	assert_int_equal(held_us(&f, 4 * S), 500 * MS);
	/* Known while it counts as failed: it comes back as always, and is not held. */
	cmt_flap_on_failed(&f, 5 * S);
	cmt_flap_on_spurious(&f);
	assert_true(f.failed);
	assert_int_equal(cmt_flap_ask_again_us(&f, 200 * MS, 21 * S), 22 * S);
	cmt_flap_on_back(&f, 22 * S);
	assert_true(f.hold_until_us <= 22 * S);
}

static void the_time_that_it_was_gone_is_not_time_being_well(void **state)
{
	struct cmt_flap f = {.failed = false};

	(void)state;
	cmt_flap_on_failed(&f, 1 * S);
	cmt_flap_on_back(&f, 100 * S);
	assert_int_equal(f.hold_until_us, 100 * S);
	assert_int_equal(held_us(&f, 109 * S), 500 * MS);
}

static void news_that_is_none_changes_nothing(void **state)
{
	struct cmt_flap f = {.failed = false};

	(void)state;
	cmt_flap_on_back(&f, 1 * S);
	assert_int_equal(f.since_us, 0);
	assert_int_equal(f.hold_until_us, 0);
	cmt_flap_on_failed(&f, 2 * S);
	cmt_flap_on_failed(&f, 9 * S);
	assert_int_equal(f.hold_us, 0);
	/* Gone since 2 s. */
	assert_int_equal(cmt_flap_ask_again_us(&f, 200 * MS, 18 * S), 19 * S);
	cmt_flap_on_back(&f, 20 * S);
	cmt_flap_on_back(&f, 21 * S);
	assert_int_equal(f.since_us, 20 * S);
	assert_int_equal(f.hold_until_us, 20 * S);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_failed_path_is_asked_after_a_sixteenth_of_the_time_that_it_is_gone),
	    cmocka_unit_test(it_is_asked_once_an_rto_at_most_and_every_five_seconds_at_least),
	    cmocka_unit_test(a_minute_without_a_path_costs_a_few_dozen_questions),
	    cmocka_unit_test(a_path_that_fails_once_carries_data_as_soon_as_it_is_back),
	    cmocka_unit_test(a_path_that_fails_again_and_again_is_held_back_twice_as_long_every_time),
	    cmocka_unit_test(ten_seconds_without_failure_are_forgiven),
	    cmocka_unit_test(what_turns_out_to_have_been_no_failure_is_forgiven_at_once),
	    cmocka_unit_test(the_time_that_it_was_gone_is_not_time_being_well),
	    cmocka_unit_test(news_that_is_none_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
