/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_queue.h"
#include "rng.h"

static void an_empty_queue_has_nothing(void **state)
{
	struct simnet_event_queue queue;
	struct simnet_event event;

	(void)state;
	simnet_event_queue_init(&queue);
	assert_null(simnet_event_queue_peek(&queue));
	assert_false(simnet_event_queue_pop(&queue, &event));
	simnet_event_queue_free(&queue);
}

static void events_come_by_time_then_by_registration(void **state)
{
	struct simnet_event_queue queue;
	struct simnet_event event;
	int payloads[5];
	const uint64_t at_us[5] = {30, 10, 30, 20, 10};
	const int expected[5] = {1, 4, 3, 0, 2};

	(void)state;
	simnet_event_queue_init(&queue);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(simnet_event_queue_push(&queue, at_us[i], i, &payloads[i]), 0);
	}
	assert_int_equal(simnet_event_queue_peek(&queue)->at_us, 10);
	for (int i = 0; i < 5; i++) {
		assert_true(simnet_event_queue_pop(&queue, &event));
		assert_int_equal(event.kind, expected[i]);
		assert_ptr_equal(event.payload, &payloads[expected[i]]);
		assert_int_equal(event.at_us, at_us[expected[i]]);
	}
	assert_null(simnet_event_queue_peek(&queue));
	simnet_event_queue_free(&queue);
}

static void assert_sorted(struct simnet_event_queue *queue, unsigned n)
{
	struct simnet_event event, before = {.at_us = 0};

	for (unsigned i = 0; i < n; i++) {
		assert_true(simnet_event_queue_pop(queue, &event));
		assert_true(event.at_us > before.at_us ||
		            (event.at_us == before.at_us && (i == 0 || event.order > before.order)));
		before = event;
	}
	assert_false(simnet_event_queue_pop(queue, &event));
}

static void a_hundred_thousand_random_events_come_out_sorted(void **state)
{
	struct simnet_event_queue queue;
	struct simnet_rng rng;
	struct simnet_event event;
	unsigned n = 0;

	(void)state;
	simnet_rng_seed(&rng, 1, 0);
	simnet_event_queue_init(&queue);
	for (unsigned i = 0; i < 100000; i++) {
		assert_int_equal(simnet_event_queue_push(&queue, simnet_rng_below(&rng, 5000), 0, NULL), 0);
		n++;
		if (simnet_rng_below(&rng, 3) == 0) {
			assert_true(simnet_event_queue_pop(&queue, &event));
			n--;
		}
	}
	assert_sorted(&queue, n);
	simnet_event_queue_free(&queue);
}

static unsigned dropped;

static void count_drop(void *payload)
{
	(void)payload;
	dropped++;
}

static void removing_a_kind_keeps_the_others_in_order(void **state)
{
	struct simnet_event_queue queue;
	struct simnet_rng rng;

	(void)state;
	dropped = 0;
	simnet_rng_seed(&rng, 2, 0);
	simnet_event_queue_init(&queue);
	for (int i = 0; i < 3000; i++) {
		assert_int_equal(simnet_event_queue_push(&queue, simnet_rng_below(&rng, 100), i % 3, NULL),
		                 0);
	}
	simnet_event_queue_remove_kind(&queue, 1, count_drop);
	assert_int_equal(dropped, 1000);
	assert_sorted(&queue, 2000);
	simnet_event_queue_free(&queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_empty_queue_has_nothing),
	    cmocka_unit_test(events_come_by_time_then_by_registration),
	    cmocka_unit_test(a_hundred_thousand_random_events_come_out_sorted),
	    cmocka_unit_test(removing_a_kind_keeps_the_others_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
