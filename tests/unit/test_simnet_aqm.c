/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Queue disciplines alone, dequeued by the test: CoDel's control law, FQ-CoDel's fairness and isolation, what
 * CAKE's hash is for, and ECN. Under loads that respond they are in test_simnet_server.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "qdisc.h"

enum { MS = 1000, PACKET_BYTES = 1500, BULK = 1, SPARSE = 2 };

#define ROUNDED_MS 0.2 /* hundreds of sums of whole microseconds */

static struct simnet_rng rng;
static struct simnet_qdisc q;

static void start(enum usrsctp_cmt_sim_aqm kind, uint64_t seed)
{
	simnet_rng_seed(&rng, seed, 0);
	q = (struct simnet_qdisc){.rng = &rng};
	assert_int_equal(simnet_qdisc_init(&q, kind), 0);
}

static unsigned free_dropped(void)
{
	struct simnet_queued *packet;
	unsigned n = 0;

	while ((packet = simnet_fifo_pop(&q.dropped)) != NULL) {
		free(packet);
		n++;
	}
	return n;
}

static void stop(void)
{
	simnet_qdisc_free(&q);
	free_dropped();
	assert_int_equal(q.pkts, 0);
	assert_int_equal(q.bytes, 0);
}

static void enqueue(uint32_t flow, uint32_t bytes, bool ect, uint64_t now_us)
{
	struct simnet_queued *packet = calloc(1, sizeof(*packet));

	assert_non_null(packet);
	packet->flow = flow;
	packet->bytes = bytes;
	packet->ect = ect;
	simnet_qdisc_enqueue(&q, packet, now_us);
}

/* What it was; flow 0 when there was nothing. */
static struct simnet_queued dequeue(uint64_t now_us)
{
	struct simnet_queued *packet = simnet_qdisc_dequeue(&q, now_us), copy = {.flow = 0};

	if (packet != NULL) {
		copy = *packet;
		free(packet);
	}
	return copy;
}

/* --- drop tail --- */

static void the_tail_is_dropped_in_packets_and_in_bytes(void **state)
{
	(void)state;
	start(USRSCTP_CMT_SIM_AQM_NONE, 1);
	q.limit_pkts = 3;
	for (unsigned i = 0; i < 5; i++) {
		enqueue(10 + i, 100, false, 0);
	}
	assert_int_equal(free_dropped(), 2);
	q.limit_bytes = 300;
	q.limit_pkts = 0;
	assert_int_equal(dequeue(0).flow, 10);
	enqueue(20, 101, false, 0);
	assert_int_equal(free_dropped(), 1);
	enqueue(21, 100, false, 0);
	assert_int_equal(free_dropped(), 0);
	assert_int_equal(dequeue(0).flow, 11);
	assert_int_equal(dequeue(0).flow, 12);
	assert_int_equal(dequeue(0).flow, 21);
	assert_int_equal(dequeue(0).flow, 0);
	stop();
}

/* --- CoDel --- */

/* A queue that never gets shorter than its target: RFC 8289, section 5.3, to the millisecond in which a
 * packet leaves. */
static void codel_drops_after_an_interval_and_then_as_the_root_of_their_number(void **state)
{
	double due_ms = 105; /* 5 ms are reached at 5 ms, and have stood for 100 ms then */
	unsigned drops = 0;

	(void)state;
	start(USRSCTP_CMT_SIM_AQM_CODEL, 1);
	for (unsigned i = 0; i < 20000; i++) {
		enqueue(BULK, PACKET_BYTES, false, 0);
	}
	for (unsigned ms = 1; drops < 200; ms++) {
		unsigned n;

		dequeue(ms * MS);
		n = free_dropped();
		assert_true(n <= 1);
		assert_true(n == 1 ? ms > due_ms - ROUNDED_MS : ms < due_ms + ROUNDED_MS);
		drops += n;
		due_ms += n > 0 ? 100 / sqrt(drops) : 0;
	}
	stop();
}

static void codel_leaves_a_short_queue_alone(void **state)
{
	(void)state;
	start(USRSCTP_CMT_SIM_AQM_CODEL, 1);
	/* Bursts of 5 ms of work each 6 ms, for ever. */
	for (uint64_t ms = 0; ms < 60000; ms++) {
		for (unsigned i = 0; ms % 6 == 0 && i < 5; i++) {
			enqueue(BULK, PACKET_BYTES, false, ms * MS);
		}
		dequeue(ms * MS);
		assert_int_equal(free_dropped(), 0);
	}
	stop();
}

/* Drops stop when the sojourn time is below the target, and begin at nearly the rate that was right. */
static void codel_goes_on_where_it_was_when_the_queue_is_back_soon(void **state)
{
	unsigned first = 0, again = 0;
	uint64_t ms = 0;

	(void)state;
	start(USRSCTP_CMT_SIM_AQM_CODEL, 1);
	for (unsigned i = 0; i < 3000; i++) {
		enqueue(BULK, PACKET_BYTES, false, 0);
	}
	for (; ms < 2000; ms++) {
		dequeue(ms * MS);
		first += free_dropped();
	}
	while (dequeue(ms * MS).flow != 0) {
	}
	free_dropped();
	for (unsigned i = 0; i < 3000; i++) {
		enqueue(BULK, PACKET_BYTES, false, ms * MS);
	}
	for (uint64_t end = ms + 2000; ms < end; ms++) {
		dequeue(ms * MS);
		again += free_dropped();
	}
	/* 1.9 s hold 95^2 of 100 ms / sqrt(n) / 2 at first: about 95. */
	assert_in_range(first, 85, 105);
	assert_true(again > first + 60);
	stop();
}

static void what_is_ecn_capable_is_marked_at_the_same_times_and_never_dropped(void **state)
{
	double due_ms = 105;
	unsigned marks = 0;

	(void)state;
	start(USRSCTP_CMT_SIM_AQM_CODEL, 1);
	q.ecn = true;
	for (unsigned i = 0; i < 20000; i++) {
		enqueue(BULK, PACKET_BYTES, true, 0);
	}
	for (unsigned ms = 1; marks < 200; ms++) {
		bool marked = dequeue(ms * MS).marked;

		assert_int_equal(free_dropped(), 0);
		assert_true(marked ? ms > due_ms - ROUNDED_MS : ms < due_ms + ROUNDED_MS);
		marks += marked;
		due_ms += marked ? 100 / sqrt(marks) : 0;
	}
	stop();
}

/* --- FQ-CoDel --- */

static void two_flows_have_the_same_bytes_whatever_their_packets(void **state)
{
	double bytes[3] = {0};

	(void)state;
	start(USRSCTP_CMT_SIM_AQM_FQ_CODEL, 1);
	for (unsigned i = 0; i < 1000; i++) {
		enqueue(BULK, 1500, false, 0);
		for (unsigned n = 0; n < 5; n++) {
			enqueue(SPARSE, 300, false, 0);
		}
	}
	for (unsigned i = 0; i < 3000; i++) {
		struct simnet_queued packet = dequeue(0);

		bytes[packet.flow] += packet.bytes;
	}
	assert_true(fabs(bytes[BULK] / bytes[SPARSE] - 1) < 0.01);
	stop();
}

static void a_sparse_flow_sees_no_queue_of_a_bulk_flow(void **state)
{
	(void)state;
	start(USRSCTP_CMT_SIM_AQM_FQ_CODEL, 1);
	for (unsigned i = 0; i < 5000; i++) {
		enqueue(BULK, 1500, false, 0);
	}
	for (uint64_t ms = 1; ms < 2000; ms++) {
		if (ms % 20 == 0) {
			enqueue(SPARSE, 200, false, ms * MS);
			assert_int_equal(dequeue(ms * MS).flow, SPARSE);
		} else {
			assert_int_equal(dequeue(ms * MS).flow, BULK);
		}
	}
	stop();
}

/* RFC 8290, section 4.1.3: half of the longest queue, at most 64, from its head. */
static void lack_of_room_is_at_the_cost_of_the_longest_queue(void **state)
{
	(void)state;
	start(USRSCTP_CMT_SIM_AQM_FQ_CODEL, 1);
	q.limit_pkts = 100;
	enqueue(SPARSE, 200, false, 0);
	for (unsigned i = 0; i < 99; i++) {
		enqueue(BULK, 1500, false, i);
	}
	assert_int_equal(free_dropped(), 0);
	enqueue(SPARSE, 200, false, 99);
	assert_int_equal(free_dropped(), 49);
	assert_int_equal(q.pkts, 52);
	assert_int_equal(dequeue(100).flow, SPARSE);
	assert_int_equal(dequeue(100).flow, SPARSE);
	assert_int_equal(dequeue(100).since_us, 49);
	q.limit_pkts = 0;
	q.limit_bytes = 200000;
	for (unsigned i = 0; i < 200; i++) {
		enqueue(BULK, 1500, false, 200);
	}
	assert_true(q.bytes <= 200000 && q.bytes > 100000);
	stop();
}

/* How many of the first packets to leave are each of another flow, when each of `flows` has two of a quantum:
 * those whose flow has a queue of its own. */
static unsigned served_in_the_first_round(enum usrsctp_cmt_sim_aqm kind, uint64_t seed, unsigned flows)
{
	static bool seen[1000];
	unsigned n = 0;

	start(kind, seed);
	for (unsigned i = 0; i < 2 * flows; i++) {
		enqueue(1 + i % flows, 1514, false, 0);
		seen[i % flows] = false;
	}
	for (unsigned i = 0; i < flows; i++) {
		bool *was = &seen[dequeue(0).flow - 1];

		n += !*was;
		*was = true;
	}
	stop();
	return n;
}

static void flows_meet_in_queues_chosen_by_hash_alone_and_not_in_sets_of_eight(void **state)
{
	enum { FLOWS = 200 };
	double alone = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		alone += served_in_the_first_round(USRSCTP_CMT_SIM_AQM_FQ_CODEL, seed, FLOWS) / 40.0;
		assert_int_equal(served_in_the_first_round(USRSCTP_CMT_SIM_AQM_CAKE, seed, FLOWS), FLOWS);
	}
	/* 1024 (1 - (1 - 1/1024)^200) = 181.7 queues are used, and a first round gives each of them a turn.
	 */
	assert_in_range(alone, 178, 188);
}

static void cake_spares_a_slow_link_where_a_packet_takes_long(void **state)
{
	(void)state;
	/* 12 ms each: with a target of 5 ms every second packet waits too long. */
	for (unsigned cake = 0; cake < 2; cake++) {
		unsigned drops = 0;

		start(cake != 0 ? USRSCTP_CMT_SIM_AQM_CAKE : USRSCTP_CMT_SIM_AQM_FQ_CODEL, 1);
		q.rate_bps = 1000000;
		enqueue(BULK, 1500, false, 0);
		enqueue(BULK, 1500, false, 0);
		for (uint64_t ms = 12; ms < 12000; ms += 12) {
			enqueue(BULK, 1500, false, ms * MS - 1);
			enqueue(BULK, 1500, false, ms * MS - 1);
			dequeue(ms * MS);
			dequeue(ms * MS);
			drops += free_dropped();
		}
		assert_int_equal(drops > 0, cake == 0);
		stop();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_tail_is_dropped_in_packets_and_in_bytes),
	    cmocka_unit_test(codel_drops_after_an_interval_and_then_as_the_root_of_their_number),
	    cmocka_unit_test(codel_leaves_a_short_queue_alone),
	    cmocka_unit_test(codel_goes_on_where_it_was_when_the_queue_is_back_soon),
	    cmocka_unit_test(what_is_ecn_capable_is_marked_at_the_same_times_and_never_dropped),
	    cmocka_unit_test(two_flows_have_the_same_bytes_whatever_their_packets),
	    cmocka_unit_test(a_sparse_flow_sees_no_queue_of_a_bulk_flow),
	    cmocka_unit_test(lack_of_room_is_at_the_cost_of_the_longest_queue),
	    cmocka_unit_test(flows_meet_in_queues_chosen_by_hash_alone_and_not_in_sets_of_eight),
	    cmocka_unit_test(cake_spares_a_slow_link_where_a_packet_takes_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
