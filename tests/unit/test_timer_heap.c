/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_timer_heap.c - cmt_timer_heap against literal cases and against a sorted list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/cmt_timer_heap.h"

static struct cmt_timer_node *take_first(struct cmt_timer_heap *heap)
{
	struct cmt_timer_node *const node = cmt_timer_heap_first(heap);

	if (node != NULL)
		cmt_timer_heap_remove(heap, node);
	return node;
}

static void an_empty_heap_has_no_first(void **state)
{
	const struct cmt_timer_heap heap = {0};
	const struct cmt_timer_node node = {0};

	(void)state;
	assert_null(cmt_timer_heap_first(&heap));
	assert_false(cmt_timer_heap_holds(&node));
}

static void timers_come_out_by_expiry_then_by_insertion(void **state)
{
	static const uint64_t expiry[6] = {50, 20, 20, UINT64_MAX, 0, 20};
	static const size_t expected[6] = {4, 1, 2, 5, 0, 3};
	struct cmt_timer_heap heap = {0};
	struct cmt_timer_node node[6] = {0};

	(void)state;
	for (size_t i = 0; i < 6; i++) {
		cmt_timer_heap_insert(&heap, &node[i], expiry[i]);
		assert_true(cmt_timer_heap_holds(&node[i]));
		assert_int_equal(cmt_timer_heap_expiry(&node[i]), expiry[i]);
	}
	for (size_t i = 0; i < 6; i++) {
		struct cmt_timer_node *const first = take_first(&heap);

		assert_ptr_equal(first, &node[expected[i]]);
		assert_false(cmt_timer_heap_holds(first));
	}
	assert_null(cmt_timer_heap_first(&heap));
}

static void a_timer_started_again_queues_behind_its_equals(void **state)
{
	struct cmt_timer_heap heap = {0};
	struct cmt_timer_node a = {0}, b = {0};

	(void)state;
	cmt_timer_heap_insert(&heap, &a, 5);
	cmt_timer_heap_insert(&heap, &b, 5);
	cmt_timer_heap_remove(&heap, &a);
	cmt_timer_heap_insert(&heap, &a, 5);
	assert_ptr_equal(take_first(&heap), &b);
	assert_ptr_equal(take_first(&heap), &a);
}

static void a_hundred_thousand_timers_in_falling_order_need_no_recursion(void **state)
{
	enum { N = 100000 };
	struct cmt_timer_heap heap = {0};
	struct cmt_timer_node *const node = calloc(N, sizeof(*node));

	(void)state;
	assert_non_null(node);
	for (uint64_t i = 0; i < N; i++)
		cmt_timer_heap_insert(&heap, &node[i], N - i);
	for (uint64_t i = 0; i < N; i++)
		assert_ptr_equal(take_first(&heap), &node[N - 1 - i]);
	free(node);
}

/* The model: nodes sorted by expiry; a new one goes behind its equals. */
enum { MODEL_MAX = 300 };
struct model {
	size_t n;
	struct cmt_timer_node *node[MODEL_MAX];
	uint64_t expiry[MODEL_MAX];
};

static void model_insert(struct model *m, struct cmt_timer_node *node, uint64_t expiry)
{
	size_t i = m->n;

	for (; i > 0 && m->expiry[i - 1] > expiry; i--) {
		m->node[i] = m->node[i - 1];
		m->expiry[i] = m->expiry[i - 1];
	}
	m->node[i] = node;
	m->expiry[i] = expiry;
	m->n++;
}

static void model_remove(struct model *m, const struct cmt_timer_node *node)
{
	size_t i = 0;

	while (m->node[i] != node)
		i++;
	m->n--;
	for (; i < m->n; i++) {
		m->node[i] = m->node[i + 1];
		m->expiry[i] = m->expiry[i + 1];
	}
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

/* Like the stack's use: most timers are stopped or started anew before they expire; many are equal. */
static void agree_with_model(unsigned operations, uint64_t seed)
{
	static struct model m;
	static struct cmt_timer_node node[MODEL_MAX];
	struct cmt_timer_heap heap = {0};
	uint64_t now = 0;
	size_t largest = 0;

	print_message("seed %llu\n", (unsigned long long)seed);
	m.n = 0;
	memset(node, 0, sizeof(node));
	for (unsigned op = 0; op < operations; op++) {
		struct cmt_timer_node *const chosen = &node[next_random(&seed) % MODEL_MAX];
		const uint64_t what = next_random(&seed) % 8;

		if (what == 0) {
			now = m.n > 0 ? m.expiry[0] : now + 1;
			while (m.n > 0 && m.expiry[0] <= now) {
				struct cmt_timer_node *const expected = m.node[0];

				assert_ptr_equal(take_first(&heap), expected);
				model_remove(&m, expected);
			}
		} else {
			if (cmt_timer_heap_holds(chosen)) {
				model_remove(&m, chosen);
				cmt_timer_heap_remove(&heap, chosen);
				assert_false(cmt_timer_heap_holds(chosen));
			}
			if (what > 2) {
				const uint64_t expiry = now + 1 + next_random(&seed) % 64;

				model_insert(&m, chosen, expiry);
				cmt_timer_heap_insert(&heap, chosen, expiry);
			}
		}
		largest = m.n > largest ? m.n : largest;
		assert_ptr_equal(cmt_timer_heap_first(&heap), m.n > 0 ? m.node[0] : NULL);
	}
	assert_true(largest > 50);
	while (m.n > 0) {
		struct cmt_timer_node *const expected = m.node[0];

		assert_ptr_equal(take_first(&heap), expected);
		model_remove(&m, expected);
	}
	assert_null(cmt_timer_heap_first(&heap));
}

static void random_operations_agree_with_a_sorted_list(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++)
		agree_with_model(100000, seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_empty_heap_has_no_first),
	    cmocka_unit_test(timers_come_out_by_expiry_then_by_insertion),
	    cmocka_unit_test(a_timer_started_again_queues_behind_its_equals),
	    cmocka_unit_test(a_hundred_thousand_timers_in_falling_order_need_no_recursion),
	    cmocka_unit_test(random_operations_agree_with_a_sorted_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
