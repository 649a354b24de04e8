/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_in_time.c - auto where it is known by when the peer needs what: when a path that costs more is used.
 * The peer takes 1 Mbit/s, 1000 bytes in 8 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/cmt_in_time.h"
#include "sched_unequal_pair.h"

#define NEEDED_BPS 1000000u

/* The cheap path: round trip 20 ms, T3 after 200, 10 packets under way, which is 80 ms of the stream. The
 * costly one: round trip 100 ms, and a window of 100 ms of the stream. */
static void begin(int64_t needed_in_us)
{
	begin_pair("auto", "", 1);
	fill_pair();
	for (int p = FAST; p <= SLOW; p++)
		paths[p].room_bytes = PKT;
	paths[FAST].cwnd_bytes = 20 * PKT;
	paths[FAST].flight_bytes = 10 * PKT;
	paths[SLOW].cost = 1;
	paths[SLOW].cwnd_bytes = 13 * PKT;
	view.needed_bps = NEEDED_BPS;
	view.needed_us = NOW_US + needed_in_us;
}

static int64_t spare_us(const struct cmt_in_time *t)
{
	return cmt_in_time_spare_us(t, &view, &paths[SLOW]);
}

/* left = 1000 - 80; 400 for four round trips; no ramp. */
static void what_is_spare_is_left_when_the_costly_path_has_taken_over(void **state)
{
	struct cmt_in_time t = {.most_us = 0};

	(void)state;
	begin(1000000);
	assert_int_equal(spare_us(&t), 920000 - 400000);
	/* Two doublings from 4 packets to 12.5. */
	paths[SLOW].cwnd_bytes = 4 * PKT;
	assert_int_equal(spare_us(&t), 920000 - 400000 - 200000);
	/* What waits in the cheap path's queue is in its flight, whatever its round trip. */
	begin(1000000);
	paths[FAST].srtt_us = 520000;
	paths[FAST].flight_bytes = 70 * PKT;
	assert_int_equal(spare_us(&t), 1000000 - 560000 - 400000);
}

static void a_part_of_the_most_is_kept_or_as_much_as_it_went_down(void **state)
{
	struct cmt_in_time t = {.most_us = 0};

	(void)state;
	begin(2080000);
	cmt_in_time_look(&t, &view);
	assert_int_equal(t.most_us, 2000000);
	assert_int_equal(spare_us(&t), 2000000 - 400000 - 600000);
	/* All paths are in use from 740 ms on, and it goes down to 100. */
	view.needed_us = NOW_US + 820000;
	cmt_in_time_look(&t, &view);
	assert_true(t.is_short);
	view.needed_us = NOW_US + 180000;
	cmt_in_time_look(&t, &view);
	assert_int_equal(t.drop_us, 0); /* in no time: it is the application that changed its mind */
	view.now_us += 1000000;
	view.needed_us += 1000000;
	cmt_in_time_look(&t, &view);
	assert_int_equal(t.drop_us, 640000);
	view.needed_us = NOW_US + 3080000;
	cmt_in_time_look(&t, &view);
	assert_false(t.is_short);
	assert_int_equal(spare_us(&t), 2000000 - 400000 - 640000);
}

/* 20 s of the stream went over the costly path: 3 s more are 15 % of it. */
static void what_was_spent_raises_what_is_kept(void **state)
{
	struct cmt_in_time t = {.most_us = 0};

	(void)state;
	begin(1080000);
	cmt_in_time_look(&t, &view);
	assert_int_equal(spare_us(&t), 1000000 - 400000 - 300000);
	for (int i = 0; i < 2500; i++) {
		cmt_in_time_on_sent(&t, &(struct cmt_sent){.path_id = 0, .bytes = 1000});
		cmt_in_time_on_sent(&t, &(struct cmt_sent){.path_id = 1, .bytes = 1000});
	}
	assert_int_equal(spare_us(&t), 1000000 - 400000 - 3000000);
	cmt_in_time_look(&t, &view);
	assert_int_equal(t.spent_bytes, 2500000);
	/* Until there is much more than that. */
	view.needed_us = NOW_US + 7080000;
	cmt_in_time_look(&t, &view);
	assert_int_equal(t.spent_bytes, 0);
}

static void a_cheap_path_that_failed_may_come_back(void **state)
{
	struct cmt_in_time t = {.most_us = 0};

	(void)state;
	begin(1000000);
	paths[FAST].usable = false;
	assert_int_equal(spare_us(&t), 520000);
	/* But there has to be one. */
	assert_int_equal(cmt_in_time_spare_us(&t, &view, &paths[FAST]), 0);
	paths[FAST].cost = 1;
	assert_int_equal(spare_us(&t), 0);
}

/* The cheap path's window is full, so that only the costly one could send. */
static struct cmt_decision decide(void)
{
	paths[FAST].room_bytes = 0;
	paths[FAST].cwnd_bytes = paths[FAST].flight_bytes;
	ops->plan(state_bytes, &view);
	return ops->next(state_bytes, &view);
}

static void auto_leaves_the_costly_path_out_until_it_is_needed(void **state)
{
	struct cmt_decision d;

	(void)state;
	begin(10000000);
	d = decide();
	assert_int_equal(d.verdict, CMT_WAIT);
	/* Nobody else might come to ask again in time. */
	assert_true(d.wake_us > NOW_US && d.wake_us < NOW_US + 5000000);
	/* Not even where nothing else could be used: it may come back. */
	paths[FAST].usable = false;
	view.total_flight_bytes = 0;
	d = decide();
	assert_int_equal(d.verdict, CMT_WAIT);
	assert_true(d.wake_us > NOW_US && d.wake_us < NOW_US + 5000000);
	begin(400000);
	for (uint32_t tsn = 2; tsn <= 60; tsn++)
		assert_int_equal(cmt_units_add(&units, tsn, PKT), 0);
	d = decide();
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, SLOW);
	/* It does not matter how much waits. */
	begin(10000000);
	for (uint32_t tsn = 2; tsn <= 900; tsn++)
		assert_int_equal(cmt_units_add(&units, tsn, PKT), 0);
	assert_int_equal(decide().verdict, CMT_WAIT);
	view.needed_bps = 0;
	assert_int_equal(decide().verdict, CMT_SEND);
}

/* Over the costly path it would be there sooner. */
static void a_slow_cheap_path_comes_first_where_it_is_in_time(void **state)
{
	struct cmt_decision d;

	(void)state;
	begin(4000000);
	for (uint32_t tsn = 2; tsn <= 900; tsn++)
		assert_int_equal(cmt_units_add(&units, tsn, PKT), 0);
	ops->plan(state_bytes, &view);
	paths[FAST].start_us += 500000;
	paths[FAST].base_us += 500000;
	paths[FAST].delay_us += 500000;
	/* Of 4 s there are 1.5 left: both may be used. */
	view.needed_us = NOW_US + 1500000;
	ops->plan(state_bytes, &view);
	d = ops->next(state_bytes, &view);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, FAST);
	assert_int_equal(d.tsn, 1);
	/* In 800 ms it would be too late for the costly path to take over when that shows. */
	view.needed_us = NOW_US + 800000;
	ops->plan(state_bytes, &view);
	d = ops->next(state_bytes, &view);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, SLOW);
	assert_int_equal(d.tsn, 1);
}

/* 100 ms, where nothing is spare: the cheap path has to deliver in a quarter of it. */
static void with_little_time_the_costly_path_is_left_out_while_little_waits(void **state)
{
	(void)state;
	begin(180000);
	/* Nearly as soon as the cheap one, so that in order of arrival it would have its turn. */
	paths[SLOW].start_us = paths[FAST].start_us + 5000;
	paths[SLOW].base_us = paths[FAST].base_us + 5000;
	paths[SLOW].delay_us = paths[FAST].delay_us + 5000;
	for (uint32_t tsn = 2; tsn <= 60; tsn++) {
		bool suffices = cmt_units_total_bytes(&units) <= 12500; /* 25 ms at 4 Mbit/s */

		assert_int_equal(decide().verdict, suffices ? CMT_WAIT : CMT_SEND);
		assert_int_equal(cmt_units_add(&units, tsn, PKT), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_is_spare_is_left_when_the_costly_path_has_taken_over),
	    cmocka_unit_test(a_part_of_the_most_is_kept_or_as_much_as_it_went_down),
	    cmocka_unit_test(what_was_spent_raises_what_is_kept),
	    cmocka_unit_test(a_cheap_path_that_failed_may_come_back),
	    cmocka_unit_test(auto_leaves_the_costly_path_out_until_it_is_needed),
	    cmocka_unit_test(a_slow_cheap_path_comes_first_where_it_is_in_time),
	    cmocka_unit_test(with_little_time_the_costly_path_is_left_out_while_little_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
