/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_route.c - cmt_route: a path of 1 ms for a packet, 40 ms of round trip, whose delays are given. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_route.h"

enum { TX_US = 1000, RTT_US = 40000, SLACK_US = 500, LATELY_US = 10000000 };

static struct cmt_sent_record sent(struct cmt_route *r, uint64_t now_us, int64_t free_in_us)
{
	struct cmt_sent_record record = {.sent_us = now_us};

	cmt_route_on_sent(r, now_us, TX_US, free_in_us, &record);
	return record;
}

static int64_t echo(struct cmt_route *r, const struct cmt_sent_record *record, int64_t above_us)
{
	return cmt_route_on_echo(r, record->sent_us + RTT_US, record, above_us, SLACK_US, RTT_US);
}

/* A packet that meets nothing, at now_us. */
static int64_t alone(struct cmt_route *r, uint64_t now_us, int64_t above_us)
{
	const struct cmt_sent_record record = sent(r, now_us, 0);

	assert_true(record.alone);
	return echo(r, &record, above_us);
}

static void what_we_sent_before_is_our_own_queue(void **state)
{
	struct cmt_route r = {.refuted = 0};

	(void)state;
	assert_int_equal(sent(&r, 1000, INT64_MAX).own_us, 0);
	assert_int_equal(sent(&r, 1000, INT64_MAX).own_us, 1000);
	assert_int_equal(sent(&r, 1500, INT64_MAX).own_us, 1500);
	/* The newest echo shows that less is there: from then on it is less. */
	assert_int_equal(sent(&r, 1500, 700).own_us, 700);
	assert_int_equal(sent(&r, 1500, INT64_MAX).own_us, 1700);
	/* Drained. */
	assert_int_equal(sent(&r, 9000, INT64_MAX).own_us, 0);
}

static void a_packet_is_alone_when_neither_says_otherwise(void **state)
{
	struct cmt_route r = {.refuted = 0};

	(void)state;
	assert_false(sent(&r, 1000, 1).alone);
	assert_false(sent(&r, 1500, 0).alone);
	assert_true(sent(&r, 9000, 0).alone);
	assert_false(sent(&r, 20000, INT64_MAX).alone);
}

static void a_delay_that_our_queue_explains_confirms_the_base(void **state)
{
	struct cmt_route r = {.refuted = 0};

	(void)state;
	for (uint64_t now_us = 1000; now_us < 1000000; now_us += 500) {
		const struct cmt_sent_record record = sent(&r, now_us, INT64_MAX);

		assert_int_equal(echo(&r, &record, record.own_us + SLACK_US), 0);
	}
	assert_false(cmt_route_is_in_doubt(&r, 1000000, RTT_US));
	assert_int_equal(r.asking_pkts, 0);
}

static void our_queue_is_known_as_well_as_the_rate(void **state)
{
	struct cmt_route r = {.refuted = 0};
	struct cmt_sent_record record = {.own_us = 0};

	(void)state;
	for (unsigned i = 0; i <= 16; i++)
		record = sent(&r, 1000, INT64_MAX);
	assert_int_equal(record.own_us, 16000);
	echo(&r, &record, 18000 + SLACK_US);
	assert_false(cmt_route_is_unconfirmed(&r));
	echo(&r, &record, 18001 + SLACK_US);
	assert_true(cmt_route_is_unconfirmed(&r));
}

static void one_that_nothing_explains_for_a_round_trip_makes_it_ask(void **state)
{
	struct cmt_route r = {.refuted = 0};

	(void)state;
	for (uint64_t now_us = 1000; now_us <= 1000 + RTT_US; now_us += 2000) {
		const struct cmt_sent_record record = sent(&r, now_us, 5000);

		assert_int_equal(echo(&r, &record, 20000), 0);
		assert_int_equal(r.asking_pkts, 0);
	}
	{
		const struct cmt_sent_record record = sent(&r, 1000 + RTT_US + 2000, 5000);

		assert_int_equal(echo(&r, &record, 20000), 0);
	}
	/* Four packets are to answer. */
	for (uint64_t k = 0; k < 4; k++) {
		assert_true(r.asking_pkts > 0);
		assert_false(sent(&r, 200000 + 2000 * k, 1).asked);
		assert_true(sent(&r, 201000 + 2000 * k, 0).asked);
	}
	assert_int_equal(r.asking_pkts, 0);
	assert_false(sent(&r, 209000, 0).asked);
}

static void it_does_not_ask_again_before_there_is_an_answer(void **state)
{
	struct cmt_route r = {.refuted = 0};
	struct cmt_sent_record before, after;

	(void)state;
	for (uint64_t now_us = 1000; r.asking_pkts == 0; now_us += 2000) {
		before = sent(&r, now_us, 5000);
		(void)echo(&r, &before, 20000);
	}
	before = sent(&r, 100000, 5000);
	for (uint64_t k = 0; k < 4; k++)
		(void)sent(&r, 102000 + 2000 * k, 0);
	after = sent(&r, 110000, 5000);
	(void)echo(&r, &before, 20000);
	assert_int_equal(r.asking_pkts, 0);
	(void)echo(&r, &after, 20000);
	assert_int_equal(r.asking_pkts, 4);
}

static void four_that_meet_nothing_show_what_it_is_now(void **state)
{
	struct cmt_route r = {.refuted = 0};

	(void)state;
	assert_int_equal(alone(&r, 100000, 21000), 0);
	assert_int_equal(alone(&r, 200000, 20000), 0);
	assert_int_equal(alone(&r, 300000, 25000), 0);
	assert_int_equal(alone(&r, 400000, 22000), 20000);
	assert_false(cmt_route_is_in_doubt(&r, 500000, RTT_US));
	/* From the new base. */
	assert_int_equal(alone(&r, 500000, 0), 0);
	assert_false(cmt_route_is_in_doubt(&r, 600000, RTT_US));
}

static void not_if_one_between_them_was_as_quick_as_ever(void **state)
{
	struct cmt_route r = {.refuted = 0};

	(void)state;
	for (uint64_t k = 1; k < 100; k++)
		assert_int_equal(alone(&r, k * 100000, k % 4 == 0 ? 0 : 20000), 0);
}

/* Echoes that nothing explains from from_us on, until the path rests; then one that meets nothing and is as
 * quick as ever. Returns how long it took. */
static uint64_t refute(struct cmt_route *r, uint64_t from_us)
{
	uint64_t now_us = from_us;

	for (; r->asking_pkts == 0; now_us += 1000) {
		const struct cmt_sent_record record = sent(r, now_us, 5000);

		assert_int_equal(echo(r, &record, 20000), 0);
	}
	(void)alone(r, now_us + 100000, 0);
	return now_us - from_us;
}

static void a_doubt_that_was_wrong_makes_the_next_one_wait_twice_as_long(void **state)
{
	struct cmt_route r = {.refuted = 0};
	uint64_t last_us = refute(&r, 1000000), most_us = last_us;

	(void)state;
	for (uint64_t k = 2; k < 12; k++) {
		uint64_t us = refute(&r, k * 10000000);

		assert_true(us >= last_us);
		assert_in_range(us, 0, 2 * last_us);
		last_us = us;
	}
	/* 32 round trips, not more, until one is right. */
	assert_in_range(last_us, 32 * RTT_US, 32 * RTT_US + 2000);
	for (uint64_t k = 0; k < 4; k++)
		(void)alone(&r, 200000000 + k * 100000, 20000);
	assert_int_equal(refute(&r, 300000000), most_us);
}

static void a_doubt_about_which_nobody_asks_ends(void **state)
{
	struct cmt_route r = {.refuted = 0};
	uint64_t doubted_us = 0;

	(void)state;
	for (uint64_t now_us = 1000; now_us < 10000000; now_us += 1000) {
		const struct cmt_sent_record record = sent(&r, now_us, 5000);

		(void)echo(&r, &record, 20000);
		doubted_us += cmt_route_is_in_doubt(&r, now_us + RTT_US, RTT_US) ? 1000 : 0;
	}
	assert_int_equal(doubted_us, 32 * RTT_US);
}

static void silence_is_no_doubt(void **state)
{
	struct cmt_route r = {.refuted = 0};
	struct cmt_sent_record record = sent(&r, 1000, 5000);

	(void)state;
	(void)echo(&r, &record, 0);
	record = sent(&r, 60000000, 5000);
	(void)echo(&r, &record, 20000);
	assert_false(cmt_route_is_in_doubt(&r, 60000000 + RTT_US, RTT_US));
}

static void what_comes_and_goes_is_a_queue_of_others(void **state)
{
	struct cmt_route r = {.refuted = 0};
	const uint64_t raised_us = 20000000;

	(void)state;
	assert_int_equal(cmt_route_others_us(&r, 1000), 0);
	for (uint64_t k = 0; k < 4; k++)
		(void)alone(&r, raised_us - 1000000 + k * 100000, 15000);
	/* A longer route. */
	assert_int_equal(cmt_route_others_us(&r, raised_us - 500000), 0);
	for (uint64_t k = 0; k < 4; k++)
		(void)alone(&r, raised_us - (3 - k) * 100000 - RTT_US, 20000);
	assert_int_equal(cmt_route_others_us(&r, raised_us), 35000);
	/* Their queue shrinks. */
	(void)alone(&r, raised_us + 100000, -8000);
	assert_int_equal(cmt_route_others_us(&r, raised_us + 200000), 27000);
	(void)alone(&r, raised_us + 200000, -30000);
	assert_int_equal(cmt_route_others_us(&r, raised_us + 300000), 0);
	for (uint64_t k = 0; k < 4; k++)
		(void)alone(&r, raised_us + 1000000 - (3 - k) * 100000 - RTT_US, 15000);
	assert_int_equal(cmt_route_others_us(&r, raised_us + 1000000 + LATELY_US - 1), 15000);
	/* Gone for good. */
	assert_int_equal(cmt_route_others_us(&r, raised_us + 1000000 + LATELY_US), 0);
}

static void what_is_never_absent_is_no_jitter(void **state)
{
	struct cmt_route r = {.refuted = 0};
	const struct cmt_sent_record own = {.own_us = 8000}, none = {.own_us = 0};

	(void)state;
	assert_int_equal(cmt_route_extra_us(&r), 0);
	/* Of 32 packets nothing is known yet, of the next ones that those were like it. */
	for (unsigned i = 0; i < 32; i++) {
		cmt_route_watch_extra(&r, &none, i % 2 == 0 ? 20000 : 30000);
		assert_int_equal(cmt_route_extra_us(&r), 0);
	}
	for (unsigned i = 0; i < 40; i++)
		cmt_route_watch_extra(&r, &own, 29000);
	assert_int_equal(cmt_route_extra_us(&r), 20000);
	/* Of which our own queue explains nine. */
	for (unsigned i = 0; i < 60; i++)
		cmt_route_watch_extra(&r, &own, 27000);
	assert_int_equal(cmt_route_extra_us(&r), 18000);
	cmt_route_watch_extra(&r, &own, 5000);
	assert_int_equal(cmt_route_extra_us(&r), 0);
	for (unsigned i = 0; i < 64; i++)
		cmt_route_watch_extra(&r, &none, 20000);
	assert_int_equal(cmt_route_extra_us(&r), 20000);
}

static void nor_is_it_known_of_a_new_base(void **state)
{
	struct cmt_route r = {.refuted = 0};
	const struct cmt_sent_record none = {.own_us = 0};

	(void)state;
	for (unsigned i = 0; i < 64; i++)
		cmt_route_watch_extra(&r, &none, 20000);
	for (uint64_t k = 1; k <= 4; k++)
		(void)alone(&r, k * 100000, 20000);
	assert_int_equal(cmt_route_extra_us(&r), 0);
	cmt_route_watch_extra(&r, &none, 20000);
	assert_int_equal(cmt_route_extra_us(&r), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_we_sent_before_is_our_own_queue),
	    cmocka_unit_test(a_packet_is_alone_when_neither_says_otherwise),
	    cmocka_unit_test(a_delay_that_our_queue_explains_confirms_the_base),
	    cmocka_unit_test(our_queue_is_known_as_well_as_the_rate),
	    cmocka_unit_test(one_that_nothing_explains_for_a_round_trip_makes_it_ask),
	    cmocka_unit_test(it_does_not_ask_again_before_there_is_an_answer),
	    cmocka_unit_test(four_that_meet_nothing_show_what_it_is_now),
	    cmocka_unit_test(not_if_one_between_them_was_as_quick_as_ever),
	    cmocka_unit_test(a_doubt_that_was_wrong_makes_the_next_one_wait_twice_as_long),
	    cmocka_unit_test(what_is_never_absent_is_no_jitter),
	    cmocka_unit_test(nor_is_it_known_of_a_new_base),
	    cmocka_unit_test(a_doubt_about_which_nobody_asks_ends),
	    cmocka_unit_test(silence_is_no_doubt),
	    cmocka_unit_test(what_comes_and_goes_is_a_queue_of_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
