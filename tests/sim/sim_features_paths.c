/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Paths: one to eight of them, both directions at once, a source slower than the paths, directed messages, a
 * path that fails, and schedulers changed under way.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "support/transfer.h"

static const char *const schedulers[] = {"rr", "lcm", "arrival"};
enum { N_SCHEDULERS = sizeof(schedulers) / sizeof(schedulers[0]), RR = 0 };

static struct transfer_message kilobyte(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1000};
}

static struct transfer_outcome run(const char *what, struct transfer_job *job)
{
	struct transfer_outcome o = transfer_run(job);

	print_message("%s, %s: %.3f s, gap %.3f s, p95 %.1f ms, ahead %llu\n", job->scheduler, what,
	              (double)(o.last_us - o.up_us) / 1e6, (double)o.longest_gap_us / 1e6,
	              (double)o.latency_p95_us / 1e3, (unsigned long long)o.stats[0].sent_ahead_units);
	transfer_assert_delivered(job, &o);
	return o;
}

static void one_to_eight_unequal_paths(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (int n = 1; n <= 8; n++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], (uint64_t)n);
			struct transfer_outcome o;
			char what[32];

			for (int p = 2; p < n; p++)
				job.links[p] =
				    (struct usrsctp_cmt_sim_link){.rate_bps = 1000000u * (unsigned)p,
				                                  .delay_us = 5000u * (unsigned)p,
				                                  .queue_pkts = 100};
			job.n_paths = n;
			job.message = kilobyte;
			job.n_messages[TRANSFER_CLIENT] = 1500;
			snprintf(what, sizeof(what), "%d paths", n);
			o = run(what, &job);
			assert_int_equal(o.stats[0].paths, n);
			assert_int_equal(o.n_paths, n);
		}
	}
}

static struct transfer_message packetful(int host, uint32_t index)
{
	(void)host;
	(void)index;
	return (struct transfer_message){.bytes = 1400};
}

/* Upstream smoothes round trips in milliseconds. */
static void round_trips_below_a_millisecond_are_known(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = transfer_two_paths(schedulers[s], 1);
		struct transfer_outcome o;

		for (int p = 0; p < 2; p++)
			job.links[p] = (struct usrsctp_cmt_sim_link){
			    .rate_bps = 1000000000u, .delay_us = p == 0 ? 100u : 500u, .queue_pkts = 100};
		job.message = packetful;
		job.n_messages[TRANSFER_CLIENT] = 10000;
		job.sndbuf_bytes = 1000000;
		job.rcvbuf_bytes = 150000;
		o = run("0.1 and 0.5 ms", &job);
		assert_true(o.paths[0].share_ppm > 100000);
		assert_true(o.paths[1].share_ppm > 100000);
	}
}

/* What upstream sends by itself is counted too. */
static void statistics_need_no_scheduler(void **state)
{
	struct transfer_job job = transfer_two_paths("stock", 1);
	struct transfer_outcome o;

	(void)state;
	job.message = kilobyte;
	job.n_messages[TRANSFER_CLIENT] = 1500;
	o = run("without scheduler", &job);
	assert_string_equal(o.stats[0].scheduler, "stock");
	assert_in_range(o.paths[0].sent_pkts, 1500, 1520); /* the other path is backup */
	assert_in_range(o.paths[0].sent_bytes, 1500000, 1600000);
	assert_int_equal(o.paths[0].share_ppm, 1000000);
	assert_int_equal(o.paths[1].sent_pkts, 0);
}

static void both_directions_at_once(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = transfer_two_paths(schedulers[s], 3);
		struct transfer_outcome o;

		job.message = kilobyte;
		job.n_messages[TRANSFER_CLIENT] = job.n_messages[TRANSFER_SERVER] = 1500;
		o = run("both directions", &job);
		/* 1.5 MB at 10 Mbit/s each way; DATA and SACKs share the links. */
		if (s != RR)
			assert_in_range(o.last_us - o.up_us, 1200000, 2500000);
	}
}

/* Marks 0: the most that waited for something before it. */
static void note_held(struct transfer *t, int host, uint32_t index)
{
	const uint64_t held = transfer_stats(t, TRANSFER_CLIENT).held_bytes;

	(void)host;
	(void)index;
	t->outcome->marks[0] = held > t->outcome->marks[0] ? held : t->outcome->marks[0];
}

/* What arrives twice, because it was sent again spuriously, counts once. */
static void a_receiver_knows_what_came_from_which_address_and_what_it_holds_back(void **state)
{
	struct transfer_job job = transfer_two_paths("rr", 5);
	struct transfer_outcome o;

	(void)state;
	job.message = kilobyte;
	job.n_messages[TRANSFER_SERVER] = 1500;
	job.links[0].loss = job.links[1].loss = 0.01;
	job.links[1].duplicate = 0.1;
	job.on_handed = note_held;
	o = run("received", &job);
	/* 1000 bytes and a DATA chunk's header. */
	assert_int_equal(o.paths[0].received_bytes + o.paths[1].received_bytes, 1500 * 1016);
	assert_in_range(o.paths[0].received_bytes, 150 * 1016, 1350 * 1016);
	assert_in_range(o.marks[0], 1000, 1500 * 1000);
	assert_int_equal(o.stats[0].held_bytes, 0);
}

static void a_source_slower_than_the_fast_path_sees_its_latency(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = transfer_two_paths(schedulers[s], 4);
		struct transfer_outcome o;

		job.message = kilobyte;
		job.n_messages[TRANSFER_CLIENT] = 1000;
		job.interval_us = 2000; /* 4 Mbit/s on a path of 8 */
		o = run("4 Mbit/s source", &job);
		if (s != RR)
			assert_in_range(o.latency_p95_us, 11000, 16000);
	}
}

/* Every fifth message is directed to the slow path. */
static struct transfer_message some_directed(int host, uint32_t index)
{
	struct transfer_message m = kilobyte(host, index);

	m.stream = (uint16_t)(index % 5);
	m.to_path = index % 5 == 0 ? 2 : 0;
	return m;
}

static struct transfer_message all_directed(int host, uint32_t index)
{
	struct transfer_message m = kilobyte(host, index);

	m.to_path = 2;
	return m;
}

/* Bytes that the client sent to its second path. */
static uint64_t second_path_bytes(const struct transfer_outcome *o)
{
	uint64_t bytes = 0;

	for (int i = 0; i < o->n_paths; i++) {
		const struct sockaddr_in *to = (const struct sockaddr_in *)&o->paths[i].remote;

		if ((ntohl(to->sin_addr.s_addr) >> 16 & 0xff) == 2)
			bytes += o->paths[i].sent_bytes;
	}
	return bytes;
}

static void directed_messages_take_the_address_asked_for(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		struct transfer_job job = transfer_two_paths(schedulers[s], 5);
		struct transfer_outcome o;

		job.n_messages[TRANSFER_CLIENT] = 600;
		job.message = some_directed;
		o = run("some directed", &job);
		assert_true(second_path_bytes(&o) >= 120 * 1016);
		job.message = all_directed;
		o = run("all directed", &job);
		assert_true(second_path_bytes(&o) >= 600 * 1016);
	}
}

static int failing_path;

static void path_fails(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, failing_path, true);
}

static void path_returns(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	transfer_set_down(arg, failing_path, false);
}

static void fail_from_3_to_8_s(struct transfer *t)
{
	transfer_after(t, 3000000, path_fails);
	transfer_after(t, 8000000, path_returns);
}

static void a_path_that_is_down_from_3_to_8_s_costs_one_timeout(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (failing_path = 0; failing_path < 2; failing_path++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], 6);
			struct transfer_outcome o;

			job.message = kilobyte;
			job.n_messages[TRANSFER_CLIENT] = 10000;
			job.on_up = fail_from_3_to_8_s;
			o = run(failing_path == 0 ? "fast path down" : "slow path down", &job);
			/* RTO.min is 1 s. */
			assert_in_range(o.longest_gap_us, 20000, 1500000);
			if (s != RR)
				assert_in_range(o.last_us - o.up_us, 8000000, 20000000);
		}
	}
}

/* One step every 100 ms, the last one kept. */
static const char *const steps[] = {"rr",      "arrival", "stock", "lcm",   "stock",
                                    "arrival", "lcm",     "rr",    "stock", "arrival"};
enum { N_STEPS = sizeof(steps) / sizeof(steps[0]) };
static unsigned step;

static void next_scheduler(struct usrsctp_cmt_sim *sim, void *arg)
{
	(void)sim;
	if (step >= N_STEPS)
		return;
	transfer_set_scheduler(arg, TRANSFER_CLIENT, steps[step]);
	transfer_set_scheduler(arg, TRANSFER_SERVER, steps[(step + 3) % N_STEPS]);
	step++;
	((struct transfer *)arg)->outcome->marks[0] = step;
	transfer_after(arg, 100000, next_scheduler);
}

static void start_changing(struct transfer *t)
{
	step = 0;
	transfer_after(t, 100000, next_scheduler);
}

static struct transfer_message of_three_sizes(int host, uint32_t index)
{
	const uint32_t sizes[3] = {1000, 3000, 1452};

	(void)host;
	return (struct transfer_message){.bytes = sizes[index % 3], .stream = (uint16_t)(index % 4)};
}

static void schedulers_changed_under_way(void **state)
{
	(void)state;
	for (unsigned s = 0; s < N_SCHEDULERS; s++) {
		for (uint64_t seed = 1; seed <= 4; seed++) {
			struct transfer_job job = transfer_two_paths(schedulers[s], seed);
			struct transfer_outcome o;

			job.message = of_three_sizes;
			job.n_messages[TRANSFER_CLIENT] = job.n_messages[TRANSFER_SERVER] = 900;
			job.links[0].loss = job.links[1].loss = seed > 2 ? 0.01 : 0;
			job.on_up = start_changing;
			o = run("changed every 100 ms", &job);
			assert_int_equal(o.marks[0], N_STEPS);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_to_eight_unequal_paths),
	    cmocka_unit_test(round_trips_below_a_millisecond_are_known),
	    cmocka_unit_test(statistics_need_no_scheduler),
	    cmocka_unit_test(both_directions_at_once),
	    cmocka_unit_test(a_receiver_knows_what_came_from_which_address_and_what_it_holds_back),
	    cmocka_unit_test(a_source_slower_than_the_fast_path_sees_its_latency),
	    cmocka_unit_test(directed_messages_take_the_address_asked_for),
	    cmocka_unit_test(a_path_that_is_down_from_3_to_8_s_costs_one_timeout),
	    cmocka_unit_test(schedulers_changed_under_way),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
