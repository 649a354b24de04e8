/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_heard.c - what a receiver remembers of time stamps, and where it sends SACKs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_heard.h"

/* Packet `number` of path `id`, which comes from slot 10 + id; SACKs are wanted on path 1. */
static bool hear(struct cmt_heard *h, uint16_t id, uint32_t number, uint64_t now_us)
{
	const struct cmt_timestamp ts = {
	    .ts_us = 1000 + number, .path_packet_number = number, .path_id = id, .return_path = 1};

	return cmt_heard_on_timestamp(h, &ts, (uint8_t)(10 + id), now_us);
}

static void the_newest_packet_of_each_path_is_echoed_and_all_are_counted(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	assert_true(hear(&h, 3, 7, 50));
	assert_true(hear(&h, 3, 9, 60));
	assert_true(hear(&h, 3, 8, 70));
	assert_true(hear(&h, 4, 1, 80));
	assert_true(h.paths[0].fresh);
	assert_int_equal(h.paths[0].path_id, 3);
	assert_int_equal(h.paths[0].packets, 3);
	assert_int_equal(h.paths[0].path_packet_number, 9);
	assert_int_equal(h.paths[0].ts_us, 1009);
	assert_int_equal(h.paths[0].arrival_us, 60);
	assert_int_equal(h.paths[1].path_id, 4);
	assert_int_equal(h.pkts, 4);
}

static void what_was_echoed_is_not_fresh_until_something_newer_comes(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	hear(&h, 3, 7, 50);
	cmt_heard_on_echoed(&h, 55);
	assert_false(h.paths[0].fresh);
	hear(&h, 3, 6, 60);
	assert_false(h.paths[0].fresh);
	hear(&h, 3, 8, 70);
	assert_true(h.paths[0].fresh);
	assert_int_equal(h.paths[0].packets, 3);
}

static void no_two_echoes_tell_the_same_time(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	for (uint64_t us = 50; us < 53; us++) {
		assert_int_equal(cmt_heard_echo_us(&h, 50), us);
		cmt_heard_on_echoed(&h, us);
	}
	assert_int_equal(cmt_heard_echo_us(&h, 60), 60);
}

static void a_stamp_without_a_path_is_none(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	assert_false(hear(&h, 0, 1, 0));
	assert_int_equal(h.pkts, 0);
}

static void the_path_that_was_heard_longest_ago_makes_room(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	for (uint16_t id = 1; id <= CMT_ECHO_MAX_ENTRIES; id++)
		assert_true(hear(&h, id, 5, id));
	assert_true(hear(&h, 1, 6, 10));
	assert_true(hear(&h, 40, 1, 11));
	assert_null(cmt_heard_find(&h, 2));
	assert_non_null(cmt_heard_find(&h, 1));
	assert_int_equal(cmt_heard_find(&h, 40)->path_packet_number, 1);
	assert_int_equal(cmt_heard_find(&h, 40)->packets, 1);
	assert_int_equal(cmt_heard_find(&h, 40)->gap_us, 0);
	assert_int_equal(cmt_heard_find(&h, 40)->from_slot, 50);
	assert_true(hear(&h, 41, 1, 12));
	assert_null(cmt_heard_find(&h, 3));
	assert_non_null(cmt_heard_find(&h, CMT_ECHO_MAX_ENTRIES));
}

static void packets_are_counted_modulo_the_size_of_the_field(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	for (uint32_t i = 0; i < UINT16_MAX + 10; i++)
		hear(&h, 1, i, i);
	assert_int_equal(h.paths[0].packets, 9);
}

static void sacks_go_where_the_newest_packet_of_the_wanted_path_came_from(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	assert_int_equal(cmt_heard_return_slot(&h, 0), 0);
	hear(&h, 2, 1, 0);
	assert_int_equal(cmt_heard_return_slot(&h, 0), 0);
	hear(&h, 1, 1, 0);
	assert_int_equal(cmt_heard_return_slot(&h, 0), 11);
}

/* Nine packets on the other path, and more than 10 ms. */
static void a_path_falls_silent_when_others_go_on_without_it(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	hear(&h, 1, 1, 0);
	for (uint32_t i = 0; i < 8; i++)
		hear(&h, 2, i, 0);
	assert_int_equal(cmt_heard_return_slot(&h, 20000), 11);
	hear(&h, 2, 8, 0);
	assert_int_equal(cmt_heard_return_slot(&h, 10000), 11);
	assert_int_equal(cmt_heard_return_slot(&h, 10001), 0);
	hear(&h, 1, 2, 10001);
	assert_int_equal(cmt_heard_return_slot(&h, 10001), 11);
}

/* One every 80 ms, of which an eighth counts after the first: four times 10 ms is no silence. */
static void a_thin_path_is_given_time(void **state)
{
	struct cmt_heard h = {.pkts = 0};

	(void)state;
	hear(&h, 1, 1, 0);
	hear(&h, 1, 2, 80000);
	for (uint32_t i = 0; i < 9; i++)
		hear(&h, 2, i, 80000);
	assert_int_equal(cmt_heard_return_slot(&h, 120000), 11);
	assert_int_equal(cmt_heard_return_slot(&h, 120001), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_newest_packet_of_each_path_is_echoed_and_all_are_counted),
	    cmocka_unit_test(what_was_echoed_is_not_fresh_until_something_newer_comes),
	    cmocka_unit_test(no_two_echoes_tell_the_same_time),
	    cmocka_unit_test(a_stamp_without_a_path_is_none),
	    cmocka_unit_test(the_path_that_was_heard_longest_ago_makes_room),
	    cmocka_unit_test(packets_are_counted_modulo_the_size_of_the_field),
	    cmocka_unit_test(sacks_go_where_the_newest_packet_of_the_wanted_path_came_from),
	    cmocka_unit_test(a_path_falls_silent_when_others_go_on_without_it),
	    cmocka_unit_test(a_thin_path_is_given_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
