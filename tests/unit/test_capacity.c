/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_capacity.c - what a path could carry, from literal arrival times: packets of 1250 bytes take 2500 us
 * at 4 Mbit/s. Frames leave every 33 ms, and every packet is echoed a round trip of 40 ms later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_capacity.h"
#include "delay/cmt_capacity_hint.h"
#include "util/cmt_time.h"

enum { PACKET_BYTES = 1250, BASE_US = 20000, FRAME_US = 33000, RECORDS = 256, LINK_US = 2500 };

struct path {
	struct cmt_capacity capacity;
	struct cmt_sentlog log;
	struct cmt_sent_record records[RECORDS];
	uint64_t now_us;      /* of sending */
	int64_t link_free_us; /* receiver's clock */
	int64_t tx_us;        /* of a packet */
	int64_t slack_us;
	bool clumped;
};

static void begin(struct path *p, int64_t tx_us)
{
	*p = (struct path){.now_us = 1000000, .tx_us = tx_us};
	cmt_sentlog_init(&p->log, p->records, RECORDS);
}

/* Sends a packet through a link that is a queue, and hears of it. */
static void send(struct path *p)
{
	const struct cmt_sent_record record = {.sent_us = p->now_us};
	const uint32_t number = cmt_sentlog_add(&p->log, &record, PACKET_BYTES);

	p->link_free_us = cmt_max_us(p->link_free_us, (int64_t)p->now_us + BASE_US) + p->tx_us;
	cmt_capacity_on_echo(&p->capacity, &p->log,
	                     &(struct cmt_capacity_echo){.now_us = (uint64_t)p->link_free_us + BASE_US,
	                                                 .number = number,
	                                                 .arrival_us = p->link_free_us,
	                                                 .base_us = BASE_US,
	                                                 .slack_us = p->slack_us,
	                                                 .heard = 1,
	                                                 .clumped = p->clumped});
}

static void send_frames(struct path *p, unsigned frames, unsigned pkts)
{
	for (unsigned i = 0; i < frames; i++, p->now_us += FRAME_US) {
		for (unsigned k = 0; k < pkts; k++)
			send(p);
	}
}

static void send_evenly(struct path *p, unsigned pkts, uint64_t every_us)
{
	for (unsigned i = 0; i < pkts; i++, p->now_us += every_us)
		send(p);
}

static uint64_t kbps(const struct path *p)
{
	return (cmt_capacity_bps(&p->capacity, 0) + 500) / 1000;
}

static uint64_t heard_us(const struct path *p)
{
	return p->capacity.heard_us;
}

static void nothing_is_known_before_packets_arrive(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	assert_int_equal(cmt_capacity_bps(&p.capacity, 0), 0);
	assert_int_equal(cmt_capacity_carried_bps(&p.capacity, 5000000), 0);
	send(&p);
	assert_int_equal(cmt_capacity_bps(&p.capacity, 0), 0);
}

/* 8 packets in 33 ms are 2.42 Mbit/s. */
static void frames_show_what_a_link_carries_that_idles_between_them(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	send_frames(&p, 20, 8);
	assert_int_equal(kbps(&p), 4000);
	assert_true(p.capacity.measured_us != 0);
	assert_false(p.capacity.bounded);
	assert_in_range(cmt_capacity_carried_bps(&p.capacity, heard_us(&p)), 2200000, 2600000);
}

static void a_link_that_became_faster_shows_within_half_a_second(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	send_frames(&p, 20, 8);
	p.tx_us = LINK_US * 2 / 3; /* 6 Mbit/s, which is less than twice what is delivered */
	send_frames(&p, 15, 8);
	assert_in_range(kbps(&p), 4650, 5050); /* twice what is delivered */
	assert_true(p.capacity.bounded);
	send_frames(&p, 15, 11);
	assert_in_range(kbps(&p), 5950, 6050);
	assert_false(p.capacity.bounded);
}

/* 12 packets a frame are 3.6 Mbit/s; at 2 Mbit/s a queue grows by 27 ms with each. */
static void a_queue_shows_a_fall_within_five_frames(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	send_frames(&p, 20, 12);
	p.tx_us = 2 * LINK_US;
	send_frames(&p, 5, 12);
	assert_in_range(kbps(&p), 1950, 2100);
	assert_true(p.capacity.queue_us > 100000);
}

/* Packets one by one, 5 ms apart, are 2 Mbit/s, and show no more than that it gets through. */
static void single_packets_bound_from_below_and_the_bound_rises_with_what_is_sent(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	send_evenly(&p, 200, 5000);
	assert_true(heard_us(&p) - p.capacity.measured_us > CMT_CAPACITY_WINDOW_US);
	assert_in_range(kbps(&p), 2000, 2600);
	send_evenly(&p, 200, 4000);
	assert_true(heard_us(&p) - p.capacity.measured_us > CMT_CAPACITY_WINDOW_US);
	assert_in_range(kbps(&p), 2500, 3200);
}

/* Nothing of a train tells where packets arrive together because of jitter. */
static void trains_do_not_count_where_packets_arrive_in_clumps(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	p.clumped = true;
	p.slack_us = 30000;
	send_frames(&p, 20, 8);
	assert_int_equal(p.capacity.measured_us, 0);
	assert_in_range(kbps(&p), 2400, 3100);
}

static void silence_takes_the_belief_away(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	send_frames(&p, 20, 8);
	assert_in_range(cmt_capacity_bps(&p.capacity, 150000), 1990000, 2010000);
	assert_int_equal(cmt_capacity_bps(&p.capacity, 300000), 0);
}

static void another_clock_of_the_peer_is_no_queue(void **state)
{
	struct path p;

	(void)state;
	begin(&p, LINK_US);
	send_frames(&p, 20, 8);
	p.link_free_us += 3600000000;
	cmt_capacity_clock_step(&p.capacity);
	assert_int_equal(kbps(&p), 4000);
}

/* --- all paths --- */

static struct cmt_capacity_input two_paths(void)
{
	return (struct cmt_capacity_input){
	    .budget_us = 300000,
	    .user_ppm = 1000000,
	    .n_paths = 2,
	    .paths = {{.bps = 4000000, .carried_bps = 3000000, .base_us = 20000},
	              {.bps = 2000000, .carried_bps = 1000000, .base_us = 60000}}};
}

static struct cmt_capacity_hint hint_of(const struct cmt_capacity_input *in)
{
	struct cmt_capacity_hint out;

	cmt_capacity_hint(in, &out);
	return out;
}

static void paths_add_up_less_four_percent(void **state)
{
	struct cmt_capacity_input in = two_paths();
	struct cmt_capacity_hint out = hint_of(&in);

	(void)state;
	assert_int_equal(out.limit_bps, 6000000);
	assert_int_equal(out.bps, 5760000);
	assert_int_equal(out.carried_bps, 4000000);
	assert_int_equal(out.certainty, CMT_CAPACITY_MEASURED);
	in.user_ppm = 900000;
	assert_int_equal(hint_of(&in).bps, 5184000);
}

static void a_path_that_is_longer_by_the_budget_does_not_count(void **state)
{
	struct cmt_capacity_input in = two_paths();

	(void)state;
	in.paths[1].base_us = 320000;
	assert_int_equal(hint_of(&in).limit_bps, 4000000);
	in.budget_us = 301000;
	assert_int_equal(hint_of(&in).limit_bps, 6000000);
}

/* An eighth of the budget may wait: 37.5 ms of 5.76 Mbit/s are 27000 bytes. What is more drains in 150 ms. */
static void what_waits_drains_in_half_the_budget(void **state)
{
	struct cmt_capacity_input in = two_paths();

	(void)state;
	in.backlog_bytes = 27000;
	assert_int_equal(hint_of(&in).bps, 5760000);
	in.backlog_bytes = 27000 + 37500;
	assert_in_range(hint_of(&in).bps, 3750000, 3770000);
	in.backlog_bytes = 10000000;
	assert_int_equal(hint_of(&in).bps, 720000);
	in.backlog_bytes = 0;
	in.paths[0].queue_us = 100000; /* 50000 bytes */
	assert_in_range(hint_of(&in).bps, 4520000, 4540000);
}

static void certainty_is_that_of_the_paths_that_matter(void **state)
{
	struct cmt_capacity_input in = two_paths();

	(void)state;
	in.paths[1].measured_ago_us = CMT_NEVER_US;
	assert_int_equal(hint_of(&in).certainty, CMT_CAPACITY_PROBING);
	in.paths[1].bps = 400000;
	in.backlog_bytes = 30000; /* nothing is tried while data wait */
	assert_int_equal(hint_of(&in).certainty, CMT_CAPACITY_MEASURED);
	in.paths[0].bounded = true;
	assert_int_equal(hint_of(&in).certainty, CMT_CAPACITY_PROBING);
	in.n_paths = 0;
	assert_int_equal(hint_of(&in).certainty, CMT_CAPACITY_UNKNOWN);
	assert_int_equal(hint_of(&in).bps, 0);
}

static void a_path_that_little_is_known_of_is_tried_with_a_quarter_of_the_largest(void **state)
{
	struct cmt_capacity_input in = two_paths();

	(void)state;
	in.paths[1].bps = 100000;
	assert_int_equal(hint_of(&in).limit_bps, 4100000);
	in.paths[1].measured_ago_us = 1100000;
	assert_int_equal(hint_of(&in).limit_bps, 5000000);
	in.paths[1].measured_ago_us = 0;
	in.paths[1].bounded = true;
	assert_int_equal(hint_of(&in).limit_bps, 5000000);
	assert_int_equal(hint_of(&in).certainty, CMT_CAPACITY_PROBING);
}

static void an_old_measurement_is_not_believed_while_data_wait(void **state)
{
	struct cmt_capacity_input in = two_paths();

	(void)state;
	in.paths[1].measured_ago_us = 500000;
	assert_int_equal(hint_of(&in).limit_bps, 6000000);
	in.backlog_bytes = 30000;
	assert_int_equal(hint_of(&in).limit_bps, 5250000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_known_before_packets_arrive),
	    cmocka_unit_test(frames_show_what_a_link_carries_that_idles_between_them),
	    cmocka_unit_test(a_link_that_became_faster_shows_within_half_a_second),
	    cmocka_unit_test(a_queue_shows_a_fall_within_five_frames),
	    cmocka_unit_test(single_packets_bound_from_below_and_the_bound_rises_with_what_is_sent),
	    cmocka_unit_test(trains_do_not_count_where_packets_arrive_in_clumps),
	    cmocka_unit_test(silence_takes_the_belief_away),
	    cmocka_unit_test(another_clock_of_the_peer_is_no_queue),
	    cmocka_unit_test(paths_add_up_less_four_percent),
	    cmocka_unit_test(a_path_that_is_longer_by_the_budget_does_not_count),
	    cmocka_unit_test(what_waits_drains_in_half_the_budget),
	    cmocka_unit_test(certainty_is_that_of_the_paths_that_matter),
	    cmocka_unit_test(a_path_that_little_is_known_of_is_tried_with_a_quarter_of_the_largest),
	    cmocka_unit_test(an_old_measurement_is_not_believed_while_data_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
