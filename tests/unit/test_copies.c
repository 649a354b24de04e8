/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_copies.c - the copies under way on a path: in order of their packets, whatever is added and removed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "recovery/cmt_copies.h"

enum { CAPACITY = 8, STEPS = 20000 };

static struct cmt_copy memory[CAPACITY];
static struct cmt_copies c;

static int empty(void **state)
{
	(void)state;
	memset(&c, 0, sizeof(c));
	cmt_copies_move(&c, memory, CAPACITY);
	return 0;
}

/* A chunk of 100 bytes. */
static bool add(uint32_t number, uint32_t tsn)
{
	return cmt_copies_add(&c, &(struct cmt_copy){.number = number, .tsn = tsn, .bytes = 100});
}

/* All TSNs, oldest first. */
static void assert_tsns(const uint32_t *tsns, uint32_t n)
{
	assert_int_equal(c.count, n);
	assert_int_equal(c.bytes, 100 * n);
	for (uint32_t i = 0; i < n; i++)
		assert_int_equal(cmt_copies_at(&c, i)->tsn, tsns[i]);
}

static void without_memory_there_is_room_for_none(void **state)
{
	struct cmt_copies none = {.count = 0};

	(void)state;
	assert_false(cmt_copies_add(&none, &(struct cmt_copy){.number = 1}));
	assert_null(cmt_copies_find(&none, 1));
}

static void copies_are_in_the_order_of_their_packets_over_the_wrap(void **state)
{
	(void)state;
	assert_true(add(UINT32_MAX, 11));
	assert_true(add(1, 13));
	assert_true(add(0, 12));
	assert_true(add(UINT32_MAX - 1, 10));
	assert_true(add(1, 14)); /* of the same packet: behind */
	assert_tsns((const uint32_t[]){10, 11, 12, 13, 14}, 5);
}

static void what_is_removed_is_found_no_more(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 5; i++)
		assert_true(add(i, 10 + i));
	assert_int_equal(cmt_copies_find(&c, 12)->number, 2);
	cmt_copies_remove(&c, 2);
	assert_null(cmt_copies_find(&c, 12));
	assert_tsns((const uint32_t[]){10, 11, 13, 14}, 4);
	cmt_copies_remove(&c, 0);
	cmt_copies_remove(&c, 2);
	assert_tsns((const uint32_t[]){11, 13}, 2);
	cmt_copies_clear(&c);
	assert_tsns(NULL, 0);
	assert_true(add(9, 9));
	assert_tsns((const uint32_t[]){9}, 1);
}

static void memory_is_used_to_the_last_element_and_may_be_changed(void **state)
{
	struct cmt_copy more[CAPACITY + 1];

	(void)state;
	for (uint32_t i = 0; i < CAPACITY; i++)
		assert_true(add(i, i));
	assert_false(add(99, 99));
	cmt_copies_remove(&c, 0);
	assert_true(add(8, 8));
	assert_false(add(99, 99));
	cmt_copies_move(&c, more, CAPACITY + 1);
	assert_true(add(9, 9));
	assert_tsns((const uint32_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9}, CAPACITY + 1);
}

/* Against a plain list. */
static void any_order_of_additions_and_removals_keeps_all_of_them(void **state)
{
	uint32_t model[CAPACITY], n = 0, random = 1;

	(void)state;
	for (uint32_t step = 0; step < STEPS; step++) {
		uint32_t at;

		random = random * 1664525u + 1013904223u;
		if (n < CAPACITY && (random >> 16 & 1) != 0) {
			uint32_t tsn = step * 4 - (random >> 20) % 40;

			assert_true(add(tsn, tsn));
			for (at = n++; at > 0 && (int32_t)(model[at - 1] - tsn) > 0; at--)
				model[at] = model[at - 1];
			model[at] = tsn;
		} else if (n > 0) {
			at = (random >> 20) % n;
			cmt_copies_remove(&c, at);
			memmove(&model[at], &model[at + 1], (--n - at) * sizeof(model[0]));
		}
		assert_tsns(model, n);
	}
}

static void two_packets_in_a_row_that_nothing_is_heard_of_fail_a_path(void **state)
{
	(void)state;
	assert_false(cmt_copies_on_silent(&c, 1));
	cmt_copies_on_heard(&c);
	assert_false(cmt_copies_on_silent(&c, 1));
	cmt_copies_clear(&c);
	assert_true(cmt_copies_on_silent(&c, 1));
	cmt_copies_on_heard(&c);
	assert_true(cmt_copies_on_silent(&c, 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_memory_there_is_room_for_none),
	    cmocka_unit_test_setup(copies_are_in_the_order_of_their_packets_over_the_wrap, empty),
	    cmocka_unit_test_setup(what_is_removed_is_found_no_more, empty),
	    cmocka_unit_test_setup(memory_is_used_to_the_last_element_and_may_be_changed, empty),
	    cmocka_unit_test_setup(two_packets_in_a_row_that_nothing_is_heard_of_fail_a_path, empty),
	    cmocka_unit_test_setup(any_order_of_additions_and_removals_keeps_all_of_them, empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
