/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "live_seq.h"
#include "release.h"

static struct release r;

/* The n-th number's datagram is an address that tells n, and is read at 1000 n us. */
static void *datagram(uint32_t n)
{
	return (void *)(uintptr_t)(n + 1);
}

static void put(uint32_t first, uint32_t n)
{
	assert_int_equal(release_put(&r, first + n, 1000u * n, datagram(n)), RELEASE_HELD);
}

/* Expects n to leave when `due_us` is due. */
static void leaves(uint64_t due_us, uint32_t n)
{
	struct release_item item;

	assert_true(release_take(&r, due_us, &item));
	assert_ptr_equal(item.data, datagram(n));
}

static void nothing_leaves(uint64_t due_us)
{
	struct release_item item;

	assert_false(release_take(&r, due_us, &item));
}

static void numbers_count_across_their_end(void **state)
{
	(void)state;
	assert_true(live_seq_before(UINT32_MAX, 0));
	assert_false(live_seq_before(0, UINT32_MAX));
	assert_false(live_seq_before(5, 5));
	assert_int_equal(live_seq_distance(2, UINT32_MAX), 3);
}

static void at_its_deadline_each_leaves_in_order(void **state)
{
	(void)state;
	release_init(&r, 100, false);
	put(100, 1);
	put(100, 0);
	put(100, 2);
	leaves(0, 0);
	nothing_leaves(999);
	assert_int_equal(release_wake_us(&r), 1000);
	leaves(1000, 1);
	leaves(5000, 2);
	assert_int_equal(release_wake_us(&r), RELEASE_NEVER_US);
	assert_int_equal(r.counts.released, 3);
}

static void early_means_as_soon_as_nothing_is_missing(void **state)
{
	(void)state;
	release_init(&r, 0, true);
	put(0, 1);
	nothing_leaves(0);
	assert_int_equal(release_wake_us(&r), 1000);
	put(0, 0);
	assert_int_equal(release_wake_us(&r), 0);
	leaves(0, 0);
	leaves(0, 1);
	nothing_leaves(0);
}

static void a_gap_is_given_up_when_the_first_behind_it_is_due(void **state)
{
	(void)state;
	release_init(&r, 0, true);
	put(0, 0);
	put(0, 3);
	put(0, 4);
	leaves(0, 0);
	nothing_leaves(2999);
	assert_int_equal(r.counts.lost, 0);
	leaves(3000, 3);
	leaves(3000, 4);
	assert_int_equal(r.counts.lost, 2);
}

static void what_comes_after_that_is_late_and_once_more_is_twice(void **state)
{
	(void)state;
	release_init(&r, 0, false);
	put(0, 1);
	leaves(1000, 1);
	assert_int_equal(release_put(&r, 0, 0, datagram(0)), RELEASE_LATE);
	assert_int_equal(release_put(&r, 0, 0, datagram(0)), RELEASE_TWICE);
	assert_int_equal(release_put(&r, 1, 1000, datagram(1)), RELEASE_TWICE);
	put(0, 5);
	assert_int_equal(release_put(&r, 5, 5000, datagram(5)), RELEASE_TWICE);
	assert_int_equal(r.counts.late, 1);
	assert_int_equal(r.counts.twice, 3);
	assert_int_equal(r.counts.lost, 1);
}

static void the_end_gives_up_what_is_missing_before_it(void **state)
{
	(void)state;
	release_init(&r, 0, false);
	put(0, 0);
	release_end(&r, 3, 7000);
	leaves(0, 0);
	assert_false(release_is_over(&r));
	assert_int_equal(release_wake_us(&r), 7000);
	nothing_leaves(6999);
	assert_false(release_is_over(&r));
	nothing_leaves(7000);
	assert_true(release_is_over(&r));
	assert_int_equal(r.counts.lost, 2);
}

static void numbers_far_ahead_push_the_others_out_in_order(void **state)
{
	struct release_item item;

	(void)state;
	release_init(&r, UINT32_MAX - 1, false);
	assert_int_equal(release_put(&r, UINT32_MAX, 10, datagram(1)), RELEASE_HELD);
	assert_int_equal(release_put(&r, 7, 20, datagram(9)), RELEASE_HELD);
	assert_int_equal(release_put(&r, 5 + RELEASE_CAPACITY, 30, datagram(8)), RELEASE_BEYOND);
	assert_true(release_make_room(&r, 5 + RELEASE_CAPACITY, &item));
	assert_ptr_equal(item.data, datagram(1));
	assert_false(release_make_room(&r, 5 + RELEASE_CAPACITY, &item));
	assert_int_equal(release_put(&r, 5 + RELEASE_CAPACITY, 30, datagram(8)), RELEASE_HELD);
	assert_int_equal(r.next, 6);
	assert_int_equal(r.counts.lost, 1 + 6);
	/* A jump over more than can be held ends at once. */
	while (release_make_room(&r, UINT32_C(1) << 30, &item)) {
	}
	assert_int_equal(release_put(&r, UINT32_C(1) << 30, 40, datagram(2)), RELEASE_HELD);
	assert_int_equal(r.n_held, 1);
	leaves(40, 2);
}

/* Against what a list would do: each leaves once or is lost, in order, none before its time but by `early`.
 */
static void any_order_keeps_the_books(void **state)
{
	const unsigned seed = 12345;
	uint32_t last = 0;
	uint64_t given = 0;

	(void)state;
	print_message("seed %u\n", seed);
	srand(seed);
	for (int early = 0; early < 2; early++) {
		release_init(&r, 0, early != 0);
		last = 0;
		given = 0;
		for (uint32_t step = 0; step < 20000; step++) {
			const uint32_t n = step + (uint32_t)rand() % 50;
			const uint64_t due_us = step > 30 ? 1000u * (step - 30) : 0;
			struct release_item item;

			if (rand() % 10 != 0) {
				(void)release_put(&r, n, 1000u * n, datagram(n));
			}
			while (release_take(&r, due_us, &item)) {
				const uint32_t out = (uint32_t)(uintptr_t)item.data;

				assert_true(out > last);
				assert_true(early != 0 || item.time_us <= due_us);
				last = out;
				given++;
			}
			assert_true(release_wake_us(&r) > due_us);
		}
		assert_int_equal(r.counts.released, given);
		assert_int_equal(r.counts.released + r.counts.lost, r.next);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_count_across_their_end),
	    cmocka_unit_test(at_its_deadline_each_leaves_in_order),
	    cmocka_unit_test(early_means_as_soon_as_nothing_is_missing),
	    cmocka_unit_test(a_gap_is_given_up_when_the_first_behind_it_is_due),
	    cmocka_unit_test(what_comes_after_that_is_late_and_once_more_is_twice),
	    cmocka_unit_test(the_end_gives_up_what_is_missing_before_it),
	    cmocka_unit_test(numbers_far_ahead_push_the_others_out_in_order),
	    cmocka_unit_test(any_order_keeps_the_books),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
