/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_return_path.c - on which path SACKs are asked for, from literal delays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_return_path.h"
#include "util/cmt_time.h"
#include "util/cmt_tuned.h"

enum { N = 2, MIN_RTT_US = 80000 };

/* Two paths, ids 1 and 2, whose return paths take 30 and 10 ms. */
struct pair {
	struct cmt_return_delay delays[N];
	struct cmt_return_bar bars[N];
	struct cmt_return_path paths[N];
};

static void set_up(struct pair *p)
{
	static const int64_t back_us[N] = {30000, 10000};

	*p = (struct pair){.bars = {{.until_us = 0}}};
	for (unsigned i = 0; i < N; i++) {
		cmt_return_delay_init(&p->delays[i]);
		cmt_return_delay_add(&p->delays[i], 0, back_us[i]);
		p->paths[i] = (struct cmt_return_path){.id = (uint16_t)(i + 1),
		                                       .usable = true,
		                                       .rate_bps = 1000000,
		                                       .min_rtt_us = MIN_RTT_US,
		                                       .delay = &p->delays[i],
		                                       .bar = &p->bars[i]};
	}
}

static uint16_t choose(const struct pair *p, uint16_t asked, uint64_t now_us)
{
	return cmt_return_path_choose(p->paths, N, asked, now_us);
}

/* SACKs came over the second path, through a queue: its smoothed delay is 10 + `queue_us`. */
static void fill_second(struct pair *p, int64_t queue_us, uint64_t now_us)
{
	cmt_return_delay_init(&p->delays[1]);
	cmt_return_delay_add(&p->delays[1], now_us, 10000);
	cmt_return_delay_add(&p->delays[1], now_us, 10000 + 8 * queue_us);
}

static void the_shortest_return_path_is_taken(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	assert_int_equal(choose(&p, 0, 0), 2);
	p.paths[1].usable = false;
	assert_int_equal(choose(&p, 0, 0), 1);
}

static void without_a_delay_or_a_usable_path_there_is_no_wish(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	cmt_return_delay_init(&p.delays[0]);
	assert_int_equal(choose(&p, 0, 0), 2);
	cmt_return_delay_init(&p.delays[1]);
	assert_int_equal(choose(&p, 0, 0), 0);
	set_up(&p);
	p.paths[0].usable = p.paths[1].usable = false;
	assert_int_equal(choose(&p, 1, 0), 0);
	assert_int_equal(cmt_return_path_choose(NULL, 0, 1, 0), 0);
}

/* A quarter of 80 ms, and that is what is saved; of 76 ms, and more is. */
static void what_saves_less_than_a_quarter_of_the_loop_is_not_worth_moving(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	assert_int_equal(choose(&p, 1, 0), 1);
	p.paths[0].min_rtt_us = MIN_RTT_US - 4000;
	assert_int_equal(choose(&p, 1, 0), 2);
	p.paths[0].min_rtt_us = CMT_UNKNOWN_US;
	assert_int_equal(choose(&p, 1, 0), 2);
}

/* An eighth of all rates is the least, once they are known. */
static void a_narrow_path_is_not_asked_when_its_rate_is_known(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	p.paths[0].rate_bps = 7000000;
	assert_int_equal(choose(&p, 0, 0), 2);
	p.paths[0].rate_bps = 7000016;
	assert_int_equal(choose(&p, 0, 0), 1);
	p.paths[1].starting = true;
	assert_int_equal(choose(&p, 0, 0), 2);
	/* What cannot be used does not carry data either. */
	p.paths[1].starting = false;
	p.paths[0].usable = false;
	assert_int_equal(choose(&p, 0, 0), 2);
}

/* 50 ms through the queue, 30 ms past it, and 20 ms are worth moving for. */
static void sacks_leave_a_path_that_they_fill_and_it_is_barred(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	fill_second(&p, 39000, 0);
	assert_int_equal(choose(&p, 2, 0), 2);
	assert_int_equal(p.bars[1].until_us, 0);
	fill_second(&p, 40000, 0);
	assert_int_equal(choose(&p, 2, 0), 1);
	/* The queue has long drained. */
	assert_int_equal(choose(&p, 1, CMT_PENALTY_US - 1), 1);
	p.paths[0].min_rtt_us = 0;
	assert_int_equal(choose(&p, 1, CMT_PENALTY_US - 1), 1);
	assert_int_equal(choose(&p, 1, CMT_PENALTY_US), 2);
	assert_int_equal(p.bars[0].until_us, 0);
}

static void a_path_that_sacks_left_for_another_reason_is_not_barred(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	p.paths[1].usable = false;
	assert_int_equal(choose(&p, 2, 0), 1);
	assert_int_equal(p.bars[1].until_us, 0);
}

static void a_bar_lasts_half_a_second_and_twice_as_long_each_time_up_to_ten(void **state)
{
	static const uint64_t lengths_us[] = {500000,  1000000,  2000000,  4000000,
	                                      8000000, 10000000, 10000000, 10000000};
	uint64_t now_us = 5000;
	struct pair p;

	(void)state;
	set_up(&p);
	p.paths[0].min_rtt_us = 0;
	for (size_t i = 0; i < sizeof(lengths_us) / sizeof(lengths_us[0]); i++) {
		fill_second(&p, 100000, now_us);
		assert_int_equal(choose(&p, 2, now_us), 1);
		now_us += lengths_us[i];
		assert_int_equal(choose(&p, 1, now_us - 1), 1);
		assert_int_equal(choose(&p, 1, now_us), 2);
	}
}

/* 10 ms and what is overdue against 30 ms, and a quarter of 80 ms. */
static void sacks_leave_a_silent_path_for_half_a_second(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	p.paths[0].min_rtt_us = 0;
	cmt_return_delay_be_silent(&p.delays[1], 100000);
	assert_int_equal(choose(&p, 2, 139999), 2);
	assert_int_equal(choose(&p, 2, 140000), 1);
	assert_int_equal(choose(&p, 1, 639999), 1);
	assert_int_equal(choose(&p, 1, 640000), 2);
	/* No longer each time: that is for those that SACKs filled. */
	cmt_return_delay_be_silent(&p.delays[1], 1200000);
	assert_int_equal(choose(&p, 2, 1300000), 1);
	assert_int_equal(choose(&p, 1, 1800000), 2);
}

/* The first path asks for SACKs in general; `min_rtt_us` is its. */
static uint16_t for_packet_of_second(struct pair *p, int64_t min_rtt_us, uint64_t now_us)
{
	p->paths[0].min_rtt_us = min_rtt_us;
	return cmt_return_path_for_packet(&p->paths[1], &p->paths[0], now_us);
}

/* It saves 20 ms. */
static void a_packet_asks_for_its_own_return_path_when_that_is_worth_it(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	p.paths[0].rate_bps = 1000000000;
	assert_int_equal(for_packet_of_second(&p, MIN_RTT_US - 4, 0), 2);
	assert_int_equal(for_packet_of_second(&p, MIN_RTT_US, 0), 1);
	assert_int_equal(cmt_return_path_for_packet(&p.paths[0], &p.paths[1], 0), 2);
	assert_int_equal(cmt_return_path_for_packet(&p.paths[0], &p.paths[0], 0), 1);
}

static void a_packet_asks_for_its_own_return_path_until_that_is_known(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	cmt_return_delay_init(&p.delays[1]);
	assert_int_equal(for_packet_of_second(&p, MIN_RTT_US, 0), 2);
	p.bars[1].until_us = 1000;
	assert_int_equal(for_packet_of_second(&p, MIN_RTT_US, 999), 1);
	p.paths[1].usable = false;
	assert_int_equal(for_packet_of_second(&p, MIN_RTT_US, 1000), 1);
	set_up(&p);
	cmt_return_delay_init(&p.delays[0]);
	assert_int_equal(for_packet_of_second(&p, 0, 0), 1);
}

static uint16_t soonest(const struct pair *p, uint16_t asked)
{
	return cmt_return_path_soonest(p->paths, N, asked);
}

static void without_a_wish_the_shortest_round_trip_answers_soonest(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	assert_int_equal(soonest(&p, 0), 0);
	p.paths[0].srtt_us = 60000;
	assert_int_equal(soonest(&p, 0), 1);
	p.paths[1].srtt_us = 59000;
	assert_int_equal(soonest(&p, 0), 2);
	assert_int_equal(soonest(&p, 1), 1);
	p.paths[1].usable = false;
	assert_int_equal(soonest(&p, 0), 1);
}

static void a_return_path_that_is_barred_filled_or_unusable_is_not_asked_for(void **state)
{
	struct pair p;

	(void)state;
	set_up(&p);
	p.bars[1].until_us = 1000;
	assert_int_equal(for_packet_of_second(&p, 0, 999), 1);
	assert_int_equal(for_packet_of_second(&p, 0, 1000), 2);
	p.paths[1].usable = false;
	assert_int_equal(for_packet_of_second(&p, 0, 1000), 1);
	p.paths[1].usable = true;
	fill_second(&p, 20000, 1000);
	assert_int_equal(for_packet_of_second(&p, 0, 1000), 1);
	assert_int_equal(p.bars[1].until_us, 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_shortest_return_path_is_taken),
	    cmocka_unit_test(without_a_delay_or_a_usable_path_there_is_no_wish),
	    cmocka_unit_test(what_saves_less_than_a_quarter_of_the_loop_is_not_worth_moving),
	    cmocka_unit_test(a_narrow_path_is_not_asked_when_its_rate_is_known),
	    cmocka_unit_test(sacks_leave_a_path_that_they_fill_and_it_is_barred),
	    cmocka_unit_test(a_path_that_sacks_left_for_another_reason_is_not_barred),
	    cmocka_unit_test(a_packet_asks_for_its_own_return_path_when_that_is_worth_it),
	    cmocka_unit_test(a_packet_asks_for_its_own_return_path_until_that_is_known),
	    cmocka_unit_test(without_a_wish_the_shortest_round_trip_answers_soonest),
	    cmocka_unit_test(a_return_path_that_is_barred_filled_or_unusable_is_not_asked_for),
	    cmocka_unit_test(sacks_leave_a_silent_path_for_half_a_second),
	    cmocka_unit_test(a_bar_lasts_half_a_second_and_twice_as_long_each_time_up_to_ten),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
