/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When delays show a queue, and not only jitter that keeps the order (cmt_path_est.h): when the start-up of a
 * path is over, when it is expected to deliver no more than it does, and what queue stands later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "delay/cmt_path_est.h"
#include "util/cmt_time.h"

enum {
	RECORDS = 512,
	PACKET_BYTES = 1500,
	SPACE_US = 1000,
	DELAY_US = 150000,
	LATE_US = 20000,
	QUEUE_US = 60000,
	BURST_PKTS = 100
};

struct path {
	struct cmt_path_est est;
	struct cmt_sent_record records[RECORDS];
	uint64_t now_us;
	int64_t arrival_us; /* of the newest packet */
	uint16_t heard_pkts;
	int64_t most_queue_us; /* that stood, in the window sent last */
};

static struct path *new_path(void)
{
	static struct path path;

	path = (struct path){.now_us = 1000000};
	cmt_path_est_init(&path.est, path.records, RECORDS);
	return &path;
}

/* Sends a window, a millisecond between packets, and takes their echoes when all have come back. `late_us`:
 * by how much packet i is late; those behind it are not earlier. */
static void send_window(struct path *p, unsigned pkts, int64_t (*late_us)(unsigned i))
{
	const uint32_t first = p->est.log.next;
	int64_t arrivals_us[RECORDS];

	for (unsigned i = 0; i < pkts; i++, p->now_us += SPACE_US) {
		p->arrival_us = cmt_max_us(p->arrival_us, (int64_t)p->now_us + DELAY_US + late_us(i));
		arrivals_us[i] = p->arrival_us;
		cmt_path_est_on_sent(&p->est, &(struct cmt_path_packet){.now_us = p->now_us,
		                                                        .wire_bytes = PACKET_BYTES,
		                                                        .limited = true});
	}
	for (unsigned i = 0; i < pkts; i++) {
		int64_t queue_us;

		p->now_us = (uint64_t)(arrivals_us[i] + DELAY_US);
		cmt_path_est_on_echo(&p->est, p->now_us, first + i, arrivals_us[i], ++p->heard_pkts);
		queue_us = cmt_path_est_standing_queue_us(&p->est);
		p->most_queue_us = i == 0 ? queue_us : cmt_max_us(p->most_queue_us, queue_us);
	}
}

static int64_t on_time(unsigned i)
{
	(void)i;
	return 0;
}

/* Eight arrive together, eight on time. */
static int64_t in_clumps(unsigned i)
{
	return i % 16 == 0 ? LATE_US : 0;
}

static int64_t behind_a_queue(unsigned i)
{
	(void)i;
	return QUEUE_US;
}

static void grow(struct path *p, int64_t (*late_us)(unsigned i))
{
	for (unsigned pkts = 4; pkts <= 128; pkts *= 2)
		send_window(p, pkts, late_us);
}

static void a_queue_ends_it(void **state)
{
	struct path *p = new_path();

	(void)state;
	grow(p, on_time);
	assert_false(p->est.startup.over);
	send_window(p, CMT_SURE_SAMPLES - 1, behind_a_queue);
	assert_false(p->est.startup.over);
	send_window(p, 1, behind_a_queue);
	assert_true(p->est.startup.over);
}

static void clumps_of_late_packets_do_not(void **state)
{
	struct path *p = new_path();

	(void)state;
	grow(p, in_clumps);
	assert_true(cmt_rate_is_clumped(&p->est.rate));
	assert_false(p->est.startup.over);
	/* A queue that lasts does there, too. */
	send_window(p, 256, behind_a_queue);
	assert_true(p->est.startup.over);
}

static int64_t behind_less_than_a_loop(unsigned i)
{
	(void)i;
	return 2 * DELAY_US - 1000;
}

static int64_t behind_more_than_a_loop(unsigned i)
{
	(void)i;
	return 2 * DELAY_US + 1000;
}

/* By how much packets sent at once make the predicted queue longer. */
static int64_t burst_us(struct path *p)
{
	int64_t queue_us = 0;

	for (unsigned half = 0; half < 2; half++) {
		queue_us = cmt_path_est_queue_us(&p->est, p->now_us) - queue_us;
		for (unsigned i = 0; i < BURST_PKTS; i++)
			cmt_path_est_on_sent(&p->est, &(struct cmt_path_packet){.now_us = p->now_us,
			                                                        .wire_bytes = PACKET_BYTES});
	}
	return cmt_path_est_queue_us(&p->est, p->now_us) - queue_us;
}

static void a_queue_longer_than_a_loop_means_that_the_path_delivers_no_more(void **state)
{
	struct path *p = new_path();
	int64_t hopeful_us;

	(void)state;
	grow(p, on_time);
	send_window(p, 16, behind_less_than_a_loop);
	hopeful_us = burst_us(p);
	p = new_path();
	grow(p, on_time);
	send_window(p, 16, behind_more_than_a_loop);
	assert_int_equal(burst_us(p) / 3, hopeful_us);
}

/* Every hundredth packet is late, and those behind it with it. */
static int64_t in_long_clumps(unsigned i)
{
	return i % 100 == 0 ? 4 * LATE_US : 0;
}

static int64_t in_long_clumps_behind_a_queue(unsigned i)
{
	return 4 * QUEUE_US + in_long_clumps(i);
}

/* A group of packets is later by more than jitter is in the mean; nothing stands for that. */
static void what_jitter_held_up_is_no_queue_that_stands(void **state)
{
	struct path *p = new_path();

	(void)state;
	send_window(p, 200, on_time);
	p->est.startup.over = true;
	p->est.jitter.smoothed_us = LATE_US / 2;
	send_window(p, 300, in_long_clumps);
	assert_false(cmt_path_est_is_settled(&p->est));
	print_message("jitter %lld us, slack %lld us, queue %lld us\n",
	              (long long)cmt_path_est_jitter_us(&p->est), (long long)cmt_path_est_slack_us(&p->est),
	              (long long)p->most_queue_us);
	assert_int_equal(p->most_queue_us, 0);
	send_window(p, 500, in_long_clumps_behind_a_queue);
	assert_in_range(p->most_queue_us, QUEUE_US, 4 * QUEUE_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_queue_ends_it),
	    cmocka_unit_test(clumps_of_late_packets_do_not),
	    cmocka_unit_test(a_queue_longer_than_a_loop_means_that_the_path_delivers_no_more),
	    cmocka_unit_test(what_jitter_held_up_is_no_queue_that_stands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
