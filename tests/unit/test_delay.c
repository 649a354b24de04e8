/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_delay.c - the estimator of a path against a model of the path: a queue that drains at a fixed rate, a
 * fixed delay behind it, and a receiver whose clock has an offset, a skew and steps.
 *
 * Two paths, 1.6 Mbit/s 10 ms and 0.4 Mbit/s 100 ms: a packet of 1064 bytes takes 5320 and 21280 us. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "delay/cmt_clock.h"
#include "delay/cmt_path_est.h"
#include "util/cmt_time.h"

enum { PACKET_BYTES = 1064, RECORDS = 256, SECOND_US = 1000000, FAST = 0, SLOW = 1, PATHS = 2 };

/* A packet under way or its echo. */
struct packet {
	uint32_t number, stamp;
	int64_t arrival_us; /* our clock */
	int64_t heard_us;   /* the same, receiver's clock */
};

struct path {
	uint64_t rate_bps;
	int64_t delay_us;
	int64_t free_us; /* when the queue is empty, our clock */
	struct cmt_path_est est;
	struct cmt_sent_record records[RECORDS];
	struct packet packets[RECORDS];
	unsigned oldest, newest;               /* packets not echoed yet */
	unsigned window_pkts;                  /* kept under way; 0 = the test sends by hand */
	int64_t error_least_us, error_most_us; /* of predictions of packets echoed */
};

struct net {
	int64_t now_us;
	int64_t offset_us, skew_ppm; /* receiver's clock minus ours */
	int64_t step_at_us, step_us; /* its clock is set forward by so much then */
	uint32_t stamp_offset;
	struct cmt_clock clock;
	struct path paths[PATHS];
};

static int64_t receiver_us(const struct net *net, int64_t at_us)
{
	return at_us + net->offset_us + at_us * net->skew_ppm / 1000000 +
	       (at_us >= net->step_at_us ? net->step_us : 0);
}

static struct net *new_net(void)
{
	static struct net net;

	memset(&net, 0, sizeof(net));
	net.now_us = 1000 * (int64_t)SECOND_US;
	net.offset_us = 77 * (int64_t)SECOND_US;
	cmt_clock_init(&net.clock);
	net.paths[FAST].rate_bps = 1600000;
	net.paths[FAST].delay_us = 10000;
	net.paths[SLOW].rate_bps = 400000;
	net.paths[SLOW].delay_us = 100000;
	for (unsigned i = 0; i < PATHS; i++)
		cmt_path_est_init(&net.paths[i].est, net.paths[i].records, RECORDS);
	return &net;
}

static uint32_t send_on(struct cmt_path_est *e, uint64_t now_us, uint32_t stamp)
{
	return cmt_path_est_on_sent(
	    e, &(struct cmt_path_packet){.now_us = now_us, .stamp = stamp, .wire_bytes = PACKET_BYTES});
}

/* Where the next packet would begin to leave the queue, seen from the receiver's clock. */
static int64_t true_start_us(const struct net *net, const struct path *p)
{
	return receiver_us(net, cmt_max_us(net->now_us, p->free_us) + p->delay_us);
}

/* Distance of two receiver times; their origins may be multiples of 2^32 apart. */
static int64_t distance_us(int64_t a, int64_t b)
{
	return (int32_t)((uint32_t)a - (uint32_t)b);
}

static void send_packet(struct net *net, struct path *p)
{
	struct packet *packet = &p->packets[p->newest++ % RECORDS];
	const uint32_t stamp = (uint32_t)net->now_us + net->stamp_offset;

	p->free_us = cmt_max_us(net->now_us, p->free_us) + cmt_transmission_us(PACKET_BYTES, p->rate_bps);
	packet->arrival_us = p->free_us + p->delay_us;
	packet->heard_us = receiver_us(net, packet->arrival_us);
	packet->stamp = stamp;
	packet->number = send_on(&p->est, (uint64_t)net->now_us, stamp);
}

static void forget_errors(struct net *net)
{
	for (unsigned i = 0; i < PATHS; i++) {
		net->paths[i].error_least_us = INT64_MAX;
		net->paths[i].error_most_us = INT64_MIN;
	}
}

static void follow_clock(struct net *net, const struct cmt_clock_reading *reading)
{
	for (unsigned i = 0; i < PATHS; i++) {
		if (reading->news == CMT_CLOCK_STEPPED)
			cmt_path_est_clock_step(&net->paths[i].est);
		else if (reading->news == CMT_CLOCK_TILTED)
			cmt_path_est_tilt(&net->paths[i].est, (uint64_t)net->now_us, reading->tilt_ppb);
	}
}

static void take_echo(struct net *net, struct path *p, const struct packet *packet)
{
	const struct cmt_sent_record *record;
	struct cmt_clock_reading reading;

	if (!cmt_path_est_accepts(&p->est, packet->number, packet->stamp, 0,
	                          (uint32_t)net->now_us + net->stamp_offset))
		return;
	record = cmt_sentlog_find(&p->est.log, packet->number);
	reading = cmt_clock_on_echo(
	    &net->clock, &(struct cmt_clock_echo){.sent_us = record->sent_us,
	                                          .now_us = (uint64_t)net->now_us,
	                                          .tr_us = (uint32_t)packet->heard_us,
	                                          .return_path_id = (uint16_t)(p - net->paths + 1)});
	follow_clock(net, &reading);
	if (record->predicted_us != CMT_UNKNOWN_US) {
		p->error_least_us = cmt_min_us(p->error_least_us, record->predicted_us - reading.arrival_us);
		p->error_most_us = cmt_max_us(p->error_most_us, record->predicted_us - reading.arrival_us);
	}
	cmt_path_est_on_echo(&p->est, (uint64_t)net->now_us, packet->number, reading.arrival_us,
	                     (uint16_t)packet->number);
}

/* Moves on to `until_us`, echoes taken as they come (the return path is as long as the way there) and windows
 * kept full. */
static void run_until(struct net *net, int64_t until_us)
{
	for (;;) {
		struct path *next = NULL;
		int64_t next_us = until_us;

		for (unsigned i = 0; i < PATHS; i++) {
			struct path *p = &net->paths[i];
			int64_t echo_us;

			while (p->newest - p->oldest < p->window_pkts)
				send_packet(net, p);
			echo_us = p->packets[p->oldest % RECORDS].arrival_us + p->delay_us;
			if (p->oldest != p->newest && echo_us <= next_us) {
				next_us = echo_us;
				next = p;
			}
		}
		net->now_us = next_us;
		if (next == NULL)
			return;
		take_echo(net, next, &next->packets[next->oldest++ % RECORDS]);
	}
}

static void run(struct net *net, int64_t for_us)
{
	run_until(net, net->now_us + for_us);
}

/* Windows of about twice what keeps a path busy, so that queues stand; only the first packet meets none. */
static void keep_both_paths_busy(struct net *net)
{
	net->paths[FAST].window_pkts = 12;
	net->paths[SLOW].window_pkts = 24;
}

static void assert_errors_within(const struct path *p, int64_t least_us, int64_t most_us)
{
	if (p->error_least_us < least_us || p->error_most_us > most_us)
		fail_msg("prediction off by %lld .. %lld us, allowed %lld .. %lld",
		         (long long)p->error_least_us, (long long)p->error_most_us, (long long)least_us,
		         (long long)most_us);
}

static void nothing_is_known_before_an_echo_or_a_hint(void **state)
{
	struct net *net = new_net();
	struct cmt_path_est *e = &net->paths[FAST].est;

	(void)state;
	assert_int_equal(cmt_path_est_rate_bps(e), 0);
	assert_int_equal(cmt_path_est_base_us(e), CMT_UNKNOWN_US);
	assert_int_equal(cmt_path_est_start_us(e, 5), CMT_UNKNOWN_US);
	e->delay_hint_us = 12345;
	assert_int_equal(cmt_path_est_base_us(e), 12345);
	assert_int_equal(cmt_path_est_start_us(e, 5), 12350);
	e->rate_hint_bps = 1000000;
	assert_in_range(cmt_path_est_rate_bps(e), 1000000, 2000000);
}

static void a_lone_packet_takes_15320_and_121280_us(void **state)
{
	struct net *net = new_net();

	(void)state;
	for (unsigned i = 0; i < PATHS; i++)
		send_packet(net, &net->paths[i]);
	run(net, SECOND_US);
	assert_int_equal(net->paths[FAST].est.newest_sample_us, 77015320);
	assert_int_equal(net->paths[SLOW].est.newest_sample_us, 77121280);
	assert_int_equal(cmt_path_est_base_us(&net->paths[SLOW].est) -
	                     cmt_path_est_base_us(&net->paths[FAST].est),
	                 121280 - 15320);
}

static void busy_paths_show_their_rate_and_the_delay_of_an_empty_packet(void **state)
{
	struct net *net = new_net();

	(void)state;
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[FAST].est), 1600000);
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[SLOW].est), 400000);
	assert_int_equal(cmt_path_est_base_us(&net->paths[FAST].est), 77010000);
	assert_int_equal(cmt_path_est_base_us(&net->paths[SLOW].est), 77100000);
	assert_int_equal(net->paths[FAST].est.rejected + net->paths[SLOW].est.rejected, 0);
}

static void the_arrival_on_a_busy_path_is_predicted_to_the_microsecond(void **state)
{
	struct net *net = new_net();

	(void)state;
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	forget_errors(net);
	run(net, 60 * SECOND_US);
	assert_errors_within(&net->paths[FAST], 0, 0);
	assert_errors_within(&net->paths[SLOW], 0, 0);
}

static void the_queue_is_known_too(void **state)
{
	struct net *net = new_net();

	(void)state;
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	for (int i = 0; i < 1000; i++) {
		run(net, 7777);
		for (unsigned k = 0; k < PATHS; k++) {
			int64_t queue_us, waiting_us = net->paths[k].free_us - net->now_us;

			cmt_path_est_start_us(&net->paths[k].est, (uint64_t)net->now_us);
			queue_us = cmt_path_est_queue_us(&net->paths[k].est, (uint64_t)net->now_us);
			assert_int_equal(queue_us, cmt_max_us(0, waiting_us));
		}
	}
}

/* On the fast path 15320 us there and 10000 back when it is idle. */
static void acknowledgements_are_due_when_they_come(void **state)
{
	const struct packet *newest;
	struct net *net = new_net();
	struct path *p = &net->paths[FAST];
	int64_t rtt_us = 25320;

	(void)state;
	send_packet(net, p);
	assert_int_equal(cmt_path_est_ack_due_us(&p->est, 1, rtt_us), 0);
	assert_int_equal(cmt_path_est_next_ack_us(&p->est, 25320), 0);
	assert_int_equal(cmt_path_est_ack_due_us(&p->est, 7, rtt_us), 0);
	assert_false(cmt_path_est_is_settled(&p->est));
	run(net, SECOND_US);
	assert_int_equal(cmt_path_est_ack_due_us(&p->est, 1, rtt_us), 0);
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	assert_true(cmt_path_est_is_settled(&p->est));
	newest = &p->packets[(p->newest - 1) % RECORDS];
	assert_int_equal(cmt_path_est_ack_due_us(&p->est, newest->number, rtt_us),
	                 newest->arrival_us + 10000);
	assert_int_equal(cmt_path_est_ack_due_us(&p->est, newest->number, CMT_UNKNOWN_US), 0);
	assert_int_equal(cmt_path_est_next_ack_us(&p->est, 25320),
	                 p->packets[p->oldest % RECORDS].stamp + 25320);
	p->est.startup.over = false;
	assert_false(cmt_path_est_is_settled(&p->est));
}

static void after_an_idle_second_a_burst_of_one_microsecond_is_predicted_exactly(void **state)
{
	struct net *net = new_net();

	(void)state;
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	for (unsigned i = 0; i < PATHS; i++)
		net->paths[i].window_pkts = 0;
	run(net, SECOND_US);
	forget_errors(net);
	for (int round = 0; round < 20; round++) {
		for (unsigned i = 0; i < PATHS; i++) {
			uint32_t before = net->paths[i].est.log.next;

			for (uint32_t k = 0; k < 5; k++) {
				send_packet(net, &net->paths[i]);
				assert_int_equal(
				    net->paths[i].packets[(net->paths[i].newest - 1) % RECORDS].number,
				    before + k);
			}
		}
		run(net, (1 + round % 3) * (int64_t)SECOND_US);
	}
	assert_errors_within(&net->paths[FAST], 0, 0);
	assert_errors_within(&net->paths[SLOW], 0, 0);
	assert_int_equal(net->paths[FAST].est.rejected + net->paths[SLOW].est.rejected, 0);
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[FAST].est), 1600000);
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[SLOW].est), 400000);
}

static void a_source_below_the_rate_does_not_lower_it(void **state)
{
	struct net *net = new_net();

	(void)state;
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	for (unsigned i = 0; i < PATHS; i++)
		net->paths[i].window_pkts = 0;
	run(net, SECOND_US);
	forget_errors(net);
	for (int i = 0; i < 600; i++) {
		send_packet(net, &net->paths[FAST]);
		send_packet(net, &net->paths[SLOW]);
		run(net, 50000 + i % 7 * 1000);
	}
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[FAST].est), 1600000);
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[SLOW].est), 400000);
	assert_errors_within(&net->paths[FAST], 0, 0);
	assert_errors_within(&net->paths[SLOW], 0, 0);
}

/* Keep-alives before there is anything to carry. */
static void packets_now_and_then_do_not_make_a_path_slow(void **state)
{
	struct net *net = new_net();

	(void)state;
	for (int i = 0; i < 40; i++) {
		for (unsigned p = 0; p < PATHS; p++) {
			const uint64_t bps = cmt_rate_bps(&net->paths[p].est.rate);

			assert_true(bps == 0 || bps >= net->paths[p].rate_bps / 10 * 9);
			send_packet(net, &net->paths[p]);
		}
		run(net, SECOND_US / 2);
	}
}

static void a_path_that_halves_its_rate_is_followed(void **state)
{
	struct net *net = new_net();

	(void)state;
	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	net->paths[FAST].rate_bps = 800000;
	run(net, 10 * SECOND_US);
	forget_errors(net);
	run(net, 10 * SECOND_US);
	assert_int_equal(cmt_path_est_rate_bps(&net->paths[FAST].est), 800000);
	assert_errors_within(&net->paths[FAST], 0, 0);
}

/* Three packets of one path, numbers 1 to 3, sent at 1000, 2000 and 2000 us with Ts 5 higher. */
static struct cmt_path_est *three_packets(void)
{
	static struct cmt_path_est e;
	static struct cmt_sent_record records[16];

	memset(records, 0, sizeof(records));
	cmt_path_est_init(&e, records, 16);
	assert_int_equal(send_on(&e, 1000, 1005), 1);
	assert_int_equal(send_on(&e, 2000, 2005), 2);
	assert_int_equal(send_on(&e, 2000, 2005), 3);
	return &e;
}

static void an_echo_of_what_was_never_sent_is_refused_and_counted(void **state)
{
	struct cmt_path_est *e = three_packets();

	(void)state;
	assert_false(cmt_path_est_accepts(e, 0, 1005, 0, 9005));
	assert_false(cmt_path_est_accepts(e, 4, 2005, 0, 9005));
	assert_false(cmt_path_est_accepts(e, UINT32_MAX, 1005, 0, 9005));
	assert_false(cmt_path_est_accepts(e, 1, 2005, 0, 9005));
	assert_false(cmt_path_est_accepts(e, 2, 1005, 0, 9005));
	assert_int_equal(e->rejected, 5);
	assert_int_equal(e->samples, 0);
	assert_true(cmt_path_est_accepts(e, 3, 2005, 0, 9005));
	assert_int_equal(e->rejected, 5);
}

static void a_replayed_or_overtaken_echo_is_refused(void **state)
{
	struct cmt_path_est *e = three_packets();

	(void)state;
	assert_true(cmt_path_est_accepts(e, 2, 2005, 0, 9005));
	cmt_path_est_on_echo(e, 9000, 2, 5000, 2);
	assert_false(cmt_path_est_accepts(e, 2, 2005, 0, 9005));
	assert_int_equal(e->rejected, 1);
	/* True, but of no more use: not counted, unless its stamp is false. */
	assert_false(cmt_path_est_accepts(e, 1, 1005, 0, 9005));
	assert_int_equal(e->rejected, 1);
	assert_false(cmt_path_est_accepts(e, 1, 1006, 0, 9005));
	assert_int_equal(e->rejected, 2);
	assert_true(cmt_path_est_accepts(e, 3, 2005, 0, 9005));
	assert_int_equal(e->samples, 1);
}

static void a_receiver_that_held_the_packet_longer_than_it_is_out_is_refused(void **state)
{
	struct cmt_path_est *e = three_packets();

	(void)state;
	/* Out for 1024000 us: 1000 us more are put down to skew. */
	assert_true(cmt_path_est_accepts(e, 1, 1005, 1024000, 1025005));
	assert_true(cmt_path_est_accepts(e, 1, 1005, 1025000, 1025005));
	assert_false(cmt_path_est_accepts(e, 1, 1005, 1025001, 1025005));
	assert_false(cmt_path_est_accepts(e, 1, 1005, UINT32_MAX, 1025005));
	assert_int_equal(e->rejected, 2);
}

static void time_stamps_wrap_at_2_to_the_32(void **state)
{
	struct net *net = new_net();

	(void)state;
	/* Ours wraps after 5 s, the receiver's after 7 s. */
	net->stamp_offset = 0u - (uint32_t)(net->now_us + 5 * SECOND_US);
	net->offset_us = INT64_C(0x100000000) - (net->now_us + 7 * SECOND_US);
	keep_both_paths_busy(net);
	run(net, 4 * SECOND_US);
	forget_errors(net);
	run(net, 10 * SECOND_US);
	assert_errors_within(&net->paths[FAST], 0, 0);
	assert_errors_within(&net->paths[SLOW], 0, 0);
	assert_int_equal(net->clock.steps, 0);
	assert_int_equal(net->paths[FAST].est.rejected + net->paths[SLOW].est.rejected, 0);
}

static void path_packet_numbers_wrap_at_2_to_the_32(void **state)
{
	struct net *net = new_net();
	struct path *p = &net->paths[FAST];

	(void)state;
	p->est.log.next = 0u - 1000u;
	p->window_pkts = 12;
	run(net, 4 * SECOND_US);
	forget_errors(net);
	run(net, 10 * SECOND_US);
	assert_in_range(p->est.log.next, 1000, 3000);
	assert_errors_within(p, -5320, 5320);
	forget_errors(net);
	run(net, 10 * SECOND_US);
	assert_errors_within(p, 0, 0);
	assert_in_range(p->est.rejected, 0, 1);
}

static void a_step_voids_what_is_in_receiver_time_and_a_tilt_corrects_it(void **state)
{
	struct cmt_path_est *e = three_packets();

	(void)state;
	cmt_path_est_on_echo(e, 9000, 2, 5000, 2);
	assert_int_equal(cmt_path_est_base_us(e), 3000);
	/* 500 ppm of 100 s are 50 ms. */
	cmt_path_est_tilt(e, 100009000, 500000);
	assert_int_equal(cmt_path_est_base_us(e), 53000);
	cmt_path_est_clock_step(e);
	assert_int_equal(cmt_path_est_base_us(e), CMT_UNKNOWN_US);
	assert_int_equal(cmt_path_est_start_us(e, 100009000), CMT_UNKNOWN_US);
	assert_int_equal(cmt_path_est_rate_bps(e), 0);
}

static void survive_a_step(int64_t step_us)
{
	struct net *net = new_net();
	int64_t uncertainty_us, offset_us;

	keep_both_paths_busy(net);
	run(net, 10 * SECOND_US);
	net->step_at_us = net->now_us + SECOND_US;
	net->step_us = step_us;
	run(net, 5 * SECOND_US);
	forget_errors(net);
	run(net, 30 * SECOND_US);
	/* SACKs of the slow path built before the step come in after those of the fast path built behind it.
	 */
	assert_in_range(net->clock.steps, 1, 20);
	assert_errors_within(&net->paths[FAST], 0, 0);
	assert_errors_within(&net->paths[SLOW], 0, 0);
	offset_us = cmt_clock_offset_us(&net->clock, &uncertainty_us);
	assert_in_range(uncertainty_us, 1, 200000);
	assert_true(llabs(distance_us(offset_us, net->offset_us + step_us)) <= uncertainty_us);
}

static void clock_steps_of_a_second_and_an_hour_are_survived(void **state)
{
	(void)state;
	survive_a_step(SECOND_US);
	survive_a_step(-SECOND_US);
	survive_a_step(3600 * (int64_t)SECOND_US);
	survive_a_step(-3600 * (int64_t)SECOND_US);
}

/* The largest error of the difference between the paths' predictions over ten minutes. A slow path that is
 * not kept busy gets a packet every second. */
static int64_t worst_difference_us(struct net *net, bool slow_path_busy)
{
	int64_t worst_us = 0;

	run(net, 10 * SECOND_US);
	if (!slow_path_busy)
		net->paths[SLOW].window_pkts = 0;
	for (int tenth = 0; tenth < 6000; tenth++) {
		int64_t predicted_us, true_us;

		if (!slow_path_busy && tenth % 10 == 0)
			send_packet(net, &net->paths[SLOW]);
		run(net, SECOND_US / 10);
		predicted_us = cmt_path_est_start_us(&net->paths[SLOW].est, (uint64_t)net->now_us) -
		               cmt_path_est_start_us(&net->paths[FAST].est, (uint64_t)net->now_us);
		true_us = true_start_us(net, &net->paths[SLOW]) - true_start_us(net, &net->paths[FAST]);
		worst_us = cmt_max_us(worst_us, llabs(predicted_us - true_us));
	}
	return worst_us;
}

static void skew_of_500_ppm_moves_differences_by_less_than_a_packet_of_the_slow_path(void **state)
{
	static const int64_t skew_ppm[] = {-500, -250, -20, 0, 20, 250, 500};

	(void)state;
	for (size_t i = 0; i < sizeof(skew_ppm) / sizeof(skew_ppm[0]); i++) {
		for (int slow_path_busy = 0; slow_path_busy < 2; slow_path_busy++) {
			struct net *net = new_net();

			net->skew_ppm = skew_ppm[i];
			keep_both_paths_busy(net);
			assert_in_range(worst_difference_us(net, slow_path_busy), 0, 21280);
			assert_int_equal(net->clock.steps, 0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_is_known_before_an_echo_or_a_hint),
	    cmocka_unit_test(a_lone_packet_takes_15320_and_121280_us),
	    cmocka_unit_test(busy_paths_show_their_rate_and_the_delay_of_an_empty_packet),
	    cmocka_unit_test(the_arrival_on_a_busy_path_is_predicted_to_the_microsecond),
	    cmocka_unit_test(the_queue_is_known_too),
	    cmocka_unit_test(acknowledgements_are_due_when_they_come),
	    cmocka_unit_test(after_an_idle_second_a_burst_of_one_microsecond_is_predicted_exactly),
	    cmocka_unit_test(a_source_below_the_rate_does_not_lower_it),
	    cmocka_unit_test(packets_now_and_then_do_not_make_a_path_slow),
	    cmocka_unit_test(a_path_that_halves_its_rate_is_followed),
	    cmocka_unit_test(an_echo_of_what_was_never_sent_is_refused_and_counted),
	    cmocka_unit_test(a_replayed_or_overtaken_echo_is_refused),
	    cmocka_unit_test(a_receiver_that_held_the_packet_longer_than_it_is_out_is_refused),
	    cmocka_unit_test(time_stamps_wrap_at_2_to_the_32),
	    cmocka_unit_test(path_packet_numbers_wrap_at_2_to_the_32),
	    cmocka_unit_test(a_step_voids_what_is_in_receiver_time_and_a_tilt_corrects_it),
	    cmocka_unit_test(clock_steps_of_a_second_and_an_hour_are_survived),
	    cmocka_unit_test(skew_of_500_ppm_moves_differences_by_less_than_a_packet_of_the_slow_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
