/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_loss_cause.c - whether losses are those of a queue, on delays that rise and fall as a queue of 20 ms
 * does, one loss in a few round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cc/cmt_loss_cause.h"

enum { RTT_US = 40000, QUEUE_US = 20000, BASE_US = 123456, PACKETS = 40, RISE_RTTS = 16 };

struct path {
	struct cmt_loss_cause cause;
	uint64_t now_us;
	unsigned packets;
	uint32_t noise;
};

static struct path new_path(uint32_t seed)
{
	struct path p = {.now_us = 1, .noise = seed};

	cmt_loss_cause_init(&p.cause);
	return p;
}

static uint32_t draw(struct path *p)
{
	p->noise = p->noise * 1664525u + 1013904223u;
	return p->noise >> 8;
}

/* Height of a sawtooth, 0 to QUEUE_US. */
static int64_t queue_us(const struct path *p)
{
	return p->packets % (RISE_RTTS * PACKETS) * QUEUE_US / (RISE_RTTS * PACKETS);
}

static void see(struct path *p, int64_t delay_us, bool behind_loss)
{
	p->now_us += RTT_US / PACKETS;
	p->packets++;
	cmt_loss_cause_on_delay(&p->cause, p->now_us, BASE_US + delay_us, RTT_US, behind_loss);
}

/* Packets of a path that loses one in `one_in` of them at random, and with `overflows` one at each tip of the
 * sawtooth. */
static void run(struct path *p, unsigned packets, unsigned one_in, bool overflows)
{
	for (unsigned i = 0; i < packets; i++) {
		bool at_tip = queue_us(p) > QUEUE_US - QUEUE_US / RISE_RTTS;

		see(p, queue_us(p), (one_in > 0 && draw(p) % one_in == 0) || (overflows && at_tip));
	}
}

static void is(const struct path *p, enum cmt_loss_cause_verdict verdict)
{
	assert_int_equal(cmt_loss_cause_verdict(&p->cause), verdict);
}

static void a_path_without_losses_is_unknown(void **state)
{
	struct path p = new_path(1);

	(void)state;
	run(&p, 100 * PACKETS, 0, false);
	is(&p, CMT_LOSS_CAUSE_UNKNOWN);
}

static void losses_with_the_longest_delays_are_of_a_queue_from_the_first(void **state)
{
	struct path p = new_path(1);

	(void)state;
	run(&p, RISE_RTTS * PACKETS, 0, true);
	is(&p, CMT_LOSS_CAUSE_QUEUE);
	for (unsigned i = 0; i < 100; i++) {
		run(&p, RISE_RTTS * PACKETS, 0, true);
		is(&p, CMT_LOSS_CAUSE_QUEUE);
	}
}

/* The queue of a short buffer: its delays differ by less than a millisecond. */
static void however_short_the_queue_is(void **state)
{
	struct path p = new_path(1);

	(void)state;
	for (unsigned i = 0; i < 20 * RISE_RTTS * PACKETS; i++) {
		int64_t delay_us = queue_us(&p) / 100;

		see(&p, delay_us, delay_us > 190);
	}
	is(&p, CMT_LOSS_CAUSE_QUEUE);
}

/* A clock that was set, or one short queue: after that every packet is as long as the others, if not as the
 * first ones. */
static void a_few_microseconds_for_ever_are_no_long_delay(void **state)
{
	struct path p = new_path(1);

	(void)state;
	for (unsigned i = 0; i < 100 * PACKETS; i++)
		see(&p, i < 10 ? 0 : 20, i > 50 * PACKETS && i % 50 == 0);
	is(&p, CMT_LOSS_CAUSE_RANDOM);
}

static void losses_at_any_delay_are_random(void **state)
{
	unsigned right = 0, seen = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= 50; seed++) {
		struct path p = new_path(seed);

		run(&p, 2000, 50, false);
		for (unsigned i = 0; i < 100; i++) {
			run(&p, 50, 50, false);
			seen++;
			right += cmt_loss_cause_verdict(&p.cause) == CMT_LOSS_CAUSE_RANDOM;
		}
	}
	assert_true(right > seen / 10 * 9);
}

static void delays_that_are_all_the_same_say_that_losses_are_random(void **state)
{
	struct path p = new_path(1);

	(void)state;
	for (unsigned i = 0; i < 10 * PACKETS; i++)
		see(&p, 0, i % 100 == 99);
	is(&p, CMT_LOSS_CAUSE_RANDOM);
}

/* Jitter of 10 ms and ten delays known: 2 ms above their mean are not long. */
static void jitter_is_known_from_the_first_delays_on(void **state)
{
	struct path p = new_path(1);

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		p.now_us += RTT_US;
		see(&p, i % 2 == 0 ? -10000 : 10000, false);
	}
	for (unsigned i = 0; i < 2; i++) {
		p.now_us += RTT_US;
		see(&p, 2000, true);
	}
	is(&p, CMT_LOSS_CAUSE_RANDOM);
}

static void losses_of_one_round_trip_count_once(void **state)
{
	struct path p = new_path(1);

	(void)state;
	run(&p, RISE_RTTS * PACKETS, 0, false);
	for (unsigned i = 0; i < PACKETS; i++)
		see(&p, 0, true);
	is(&p, CMT_LOSS_CAUSE_UNKNOWN);
}

static void a_queue_that_comes_later_is_found(void **state)
{
	struct path p = new_path(1);
	unsigned tips = 0;

	(void)state;
	run(&p, 10000, 50, false);
	is(&p, CMT_LOSS_CAUSE_RANDOM);
	for (; cmt_loss_cause_verdict(&p.cause) != CMT_LOSS_CAUSE_QUEUE; tips++) {
		assert_true(tips < 12);
		run(&p, RISE_RTTS * PACKETS, 0, true);
	}
}

static void what_load_causes_is_of_a_queue_for_long(void **state)
{
	struct path p = new_path(1);

	(void)state;
	run(&p, 10000, 50, false);
	cmt_loss_cause_is_load(&p.cause);
	is(&p, CMT_LOSS_CAUSE_QUEUE);
	for (unsigned i = 0; i < 7; i++) {
		p.now_us += RTT_US;
		see(&p, 0, true);
		is(&p, CMT_LOSS_CAUSE_QUEUE);
	}
}

static void of_unknown_losses_load_says_nothing(void **state)
{
	struct path p = new_path(1);

	(void)state;
	cmt_loss_cause_is_load(&p.cause);
	is(&p, CMT_LOSS_CAUSE_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_without_losses_is_unknown),
	    cmocka_unit_test(losses_with_the_longest_delays_are_of_a_queue_from_the_first),
	    cmocka_unit_test(however_short_the_queue_is),
	    cmocka_unit_test(a_few_microseconds_for_ever_are_no_long_delay),
	    cmocka_unit_test(losses_at_any_delay_are_random),
	    cmocka_unit_test(delays_that_are_all_the_same_say_that_losses_are_random),
	    cmocka_unit_test(jitter_is_known_from_the_first_delays_on),
	    cmocka_unit_test(losses_of_one_round_trip_count_once),
	    cmocka_unit_test(a_queue_that_comes_later_is_found),
	    cmocka_unit_test(what_load_causes_is_of_a_queue_for_long),
	    cmocka_unit_test(of_unknown_losses_load_says_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
