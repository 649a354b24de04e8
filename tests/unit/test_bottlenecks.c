/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bottlenecks.c - paths through one queue and paths through queues of their own, as sawtooths and random
 * walks of delay; seeds are fixed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_bottlenecks.h"

enum { MS = 1000, PATHS = 3, STEP_US = 10 * MS };

/* 0 .. n - 1 */
static uint32_t drawn(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

/* A queue that others fill and empty. */
struct queue {
	int64_t us;
};

static void step(struct queue *q, uint32_t *seed)
{
	q->us += (int64_t)drawn(seed, 8 * MS) - 4 * MS;
	q->us = q->us < 0 ? -q->us : q->us > 80 * MS ? 160 * MS - q->us : q->us;
}

struct network {
	struct cmt_bottlenecks b;
	struct queue queues[PATHS];
	unsigned queue_of[PATHS];
	int64_t base_us[PATHS];
	uint32_t jitter_us, seed;
	uint64_t now_us;
};

static struct network new_network(uint32_t seed, unsigned second, unsigned third)
{
	return (struct network){.queue_of = {0, second, third},
	                        .base_us = {-4990 * MS, -4980 * MS, -4970 * MS}, /* another clock */
	                        .jitter_us = 1,
	                        .seed = seed,
	                        .now_us = 77777777};
}

static void run(struct network *n, unsigned ms, unsigned silent_from)
{
	for (uint64_t end_us = n->now_us + ms * MS; n->now_us < end_us; n->now_us += STEP_US) {
		for (unsigned q = 0; q < PATHS; q++)
			step(&n->queues[q], &n->seed);
		for (unsigned i = 0; i < silent_from; i++)
			cmt_bottlenecks_on_echo(&n->b, i, n->now_us,
			                        n->base_us[i] + n->queues[n->queue_of[i]].us +
			                            (int64_t)drawn(&n->seed, n->jitter_us));
	}
}

static void paths_through_one_queue_are_found(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct network n = new_network(seed, 0, 2);

		run(&n, 2000, PATHS);
		assert_int_equal(n.b.paths[0].shared_with, 1 << 1);
		assert_int_equal(n.b.paths[1].shared_with, 1 << 0);
		assert_int_equal(n.b.paths[2].shared_with, 0);
		n = new_network(seed, 0, 0);
		run(&n, 2000, PATHS);
		assert_int_equal(n.b.paths[2].shared_with, 3);
	}
}

/* In no second of a minute. */
static void those_with_queues_of_their_own_are_not(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct network n = new_network(seed, 1, 2);

		for (unsigned s = 0; s < 60; s++) {
			run(&n, 1000, PATHS);
			for (unsigned i = 0; i < PATHS; i++)
				assert_int_equal(n.b.paths[i].shared_with, 0);
		}
	}
}

/* A second and a half is remembered. */
static void nothing_is_said_before_enough_is_known(void **state)
{
	struct network n = new_network(1, 0, 0);

	(void)state;
	run(&n, 1500, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 0);
	run(&n, 500, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 6);
}

static void jitter_hides_a_queue_that_varies_by_less(void **state)
{
	struct network n = new_network(1, 0, 0);

	(void)state;
	n.jitter_us = 10 * MS;
	run(&n, 5000, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 6);
	n = new_network(1, 0, 0);
	n.jitter_us = 400 * MS;
	run(&n, 5000, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 0);
}

static void paths_that_move_to_queues_of_their_own_part(void **state)
{
	struct network n = new_network(1, 0, 0);

	(void)state;
	run(&n, 5000, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 6);
	n.queue_of[1] = 1;
	run(&n, 5000, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 1 << 2);
	assert_int_equal(n.b.paths[1].shared_with, 0);
}

static void one_that_falls_silent_shares_nothing(void **state)
{
	struct network n = new_network(1, 0, 0);

	(void)state;
	run(&n, 3000, PATHS);
	run(&n, 3000, 2);
	assert_int_equal(n.b.paths[0].shared_with, 1 << 1);
}

static void one_that_is_another_is_to_be_found_anew(void **state)
{
	struct network n = new_network(1, 0, 0);

	(void)state;
	run(&n, 3000, PATHS);
	cmt_bottlenecks_forget(&n.b, 1);
	run(&n, 1000, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 1 << 2);
	assert_int_equal(n.b.paths[1].shared_with, 0);
	run(&n, 1000, PATHS);
	assert_int_equal(n.b.paths[1].shared_with, 5);
}

/* As by a SACK that took a longer way back. */
static void echoes_of_one_may_come_later(void **state)
{
	struct network n = new_network(1, 0, 2);
	int64_t delays_us[400];

	(void)state;
	for (unsigned i = 0; i < 400; i++) {
		const uint64_t at_us = n.now_us + i * (uint64_t)STEP_US;

		step(&n.queues[0], &n.seed);
		delays_us[i] = n.queues[0].us;
		cmt_bottlenecks_on_echo(&n.b, 0, at_us, delays_us[i]);
		if (i >= 60)
			cmt_bottlenecks_on_echo(&n.b, 1, at_us - 60 * (uint64_t)STEP_US,
			                        delays_us[i - 60] + 20 * MS);
	}
	assert_int_equal(n.b.paths[1].shared_with, 1);
}

/* Where the middle of the way is before and behind 0 of the clocks, which are of any offset. */
static void no_offset_of_clocks_matters(void **state)
{
	struct network n = new_network(1, 0, 2);

	(void)state;
	for (unsigned i = 0; i < PATHS; i++)
		n.base_us[i] -= 2 * (int64_t)n.now_us + 2 * (int64_t)MS * MS;
	run(&n, 10000, PATHS);
	assert_int_equal(n.b.paths[0].shared_with, 1 << 1);
	assert_int_equal(n.b.paths[2].shared_with, 0);
}

/* UBSan looks. */
static void no_delay_overflows(void **state)
{
	struct cmt_bottlenecks b = {.pairs[0][1].n = 0};
	uint32_t seed = 1;

	(void)state;
	for (uint64_t i = 1; i < 2000; i++) {
		const int64_t far_us = (int64_t)1 << drawn(&seed, 55);

		cmt_bottlenecks_on_echo(&b, i % CMT_MAX_PATHS, i * STEP_US,
		                        drawn(&seed, 2) == 0 ? far_us : -far_us);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(paths_through_one_queue_are_found),
	    cmocka_unit_test(those_with_queues_of_their_own_are_not),
	    cmocka_unit_test(nothing_is_said_before_enough_is_known),
	    cmocka_unit_test(jitter_hides_a_queue_that_varies_by_less),
	    cmocka_unit_test(paths_that_move_to_queues_of_their_own_part),
	    cmocka_unit_test(one_that_falls_silent_shares_nothing),
	    cmocka_unit_test(one_that_is_another_is_to_be_found_anew),
	    cmocka_unit_test(echoes_of_one_may_come_later),
	    cmocka_unit_test(no_offset_of_clocks_matters),
	    cmocka_unit_test(no_delay_overflows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
