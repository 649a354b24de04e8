/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_order.c - the order in which schedulers send, as it arrives in a closed loop.
 *
 * cost: 3 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"
#include "sched_model.h"

static const struct cmt_sched_ops *builtin(const char *name)
{
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		if (strcmp(cmt_sched_builtin(i)->name, name) == 0)
			return cmt_sched_builtin(i);
	}
	fail_msg("no scheduler named %s", name);
	return NULL;
}

/* sarwar1: 1.6 Mbit/s 10 ms, 0.4 Mbit/s 100 ms; packets of 1064 bytes take 5320 and 21280 us. */
static struct model_config sarwar1(const char *name)
{
	return (struct model_config){
	    .ops = builtin(name),
	    .n_paths = 2,
	    .paths = {{1600000, 10000, 10000, 200}, {400000, 100000, 100000, 200}},
	    .units = 5000,
	    .units_per_packet = 1,
	    .window_bytes = 1000000,
	    .limit_us = 100000000,
	};
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

static void sarwar1_arrives_in_order_under_arrival_at_any_window(void **state)
{
	static const uint32_t window_bytes[] = {2000,  8000,  10000, 14000,  16000,
	                                        21000, 30000, 50000, 275000, 1000000};

	(void)state;
	for (size_t i = 0; i < sizeof(window_bytes) / sizeof(window_bytes[0]); i++) {
		struct model_config c = sarwar1("arrival");
		struct model_result r;

		c.window_bytes = window_bytes[i];
		r = model_run(&c);
		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		assert_int_equal(r.early_pkts, 0);
		assert_int_equal(r.held_bytes, 0);
	}
}

/* 2 to 8 paths of 0.1 to 25 Mbit/s and 1 to 120 ms. */
static struct model_config random_net(const char *name, uint64_t *seed)
{
	struct model_config c = sarwar1(name);

	c.n_paths = 2 + (unsigned)(next_random(seed) % 7);
	for (unsigned i = 0; i < c.n_paths; i++) {
		/* A whole number of microseconds per packet of 1064 bytes. */
		const uint64_t share = 1 + next_random(seed) % 20;
		const uint64_t tx_time_us = 340 + next_random(seed) % 80000 / share;

		c.paths[i].rate_bps = 8512000000 / tx_time_us;
		c.paths[i].delay_us = 1000 + (uint32_t)(next_random(seed) % 120000);
		c.paths[i].return_us = 1000 + (uint32_t)(next_random(seed) % 120000);
		c.paths[i].cwnd_pkts = 900;
	}
	c.window_bytes = 4000000;
	c.offset_us = (int64_t)(next_random(seed) % 2000000000) - 1000000000;
	c.warmup_pkts = 500;
	return c;
}

/* Without loss and with windows that outlast the links fps and f2p predict what arrival does. */
static void random_paths_arrive_in_order_under_arrival_fps_and_f2p_but_for_ties(void **state)
{
	static const char *const names[] = {"arrival", "fps", "f2p"};
	uint64_t seed = 3;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 12; i++) {
		uint64_t net = seed;

		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
			struct model_config c;
			struct model_result r;

			seed = net;
			c = random_net(names[k], &seed);
			r = model_run(&c);
			assert_string_equal(r.failure != NULL ? r.failure : "", "");
			assert_in_range(r.early_pkts, 0, c.units / 100);
			assert_in_range(r.held_bytes, 0, MODEL_UNIT_BYTES);
		}
	}
}

/* Ties move an offset by a packet now and then, and back. */
static void random_paths_stay_within_a_few_packets_under_ocps(void **state)
{
	static const char *const names[] = {"fps+ocps", "f2p+ocps"};
	uint64_t seed = 3;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 12; i++) {
		struct model_config c = random_net(names[i % 2], &seed);
		struct model_result r = model_run(&c);

		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		assert_in_range(r.held_bytes, 0, 40 * MODEL_UNIT_BYTES);
	}
}

/* A bulk at most of every path but the slowest waits for the step before to be complete. Whole packets do not
 * end with the paper's step: there it is up to a quarter more. */
static void random_paths_stay_within_a_step_under_bulk(void **state)
{
	uint64_t seed = 3;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 24; i++) {
		struct model_config c = random_net("bulk", &seed);
		struct model_result r;
		uint64_t sum_bps = 0, least_us = UINT64_MAX, most_us = 0;

		c.options = i < 12 ? NULL : "bulk_pkts=0";
		r = model_run(&c);
		for (unsigned k = 0; k < c.n_paths; k++) {
			uint64_t delay_us = c.paths[k].delay_us +
			                    (uint64_t)cmt_transmission_us(
			                        MODEL_UNIT_BYTES + MODEL_HEADER_BYTES, c.paths[k].rate_bps);

			sum_bps += c.paths[k].rate_bps;
			least_us = delay_us < least_us ? delay_us : least_us;
			most_us = delay_us > most_us ? delay_us : most_us;
		}
		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		assert_in_range(r.held_bytes, 0,
		                sum_bps * (most_us - least_us) / 8000000 * (i < 12 ? 4 : 5) / 4 +
		                    2 * (uint64_t)c.n_paths * MODEL_UNIT_BYTES);
	}
}

/* Of lcm: while the slow path's burst of 5 packets arrives, the fast path delivers 20. */
static void round_robin_fills_the_buffer_where_lcm_needs_a_burst_and_arrival_nothing(void **state)
{
	static const struct {
		const char *name;
		uint32_t least_bytes, most_bytes;
	} expected[] = {{"rr", 100000, 275000}, {"lcm", 5000, 25000}, {"arrival", 0, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		struct model_config c = sarwar1(expected[i].name);
		struct model_result r;

		c.window_bytes = 275000;
		r = model_run(&c);
		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		assert_in_range(r.held_bytes, expected[i].least_bytes, expected[i].most_bytes);
	}
}

/* A queue of 1000-byte units, TSN 1 onwards, and one instance of each of two schedulers at most. */
struct bench {
	struct cmt_units units;
	uint32_t memory[4096 * 2];
	uint64_t state[2][CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
	const struct cmt_sched_ops *ops[2];
	struct cmt_view view;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
};

static struct bench *new_bench(const char *first, const char *second, uint32_t units)
{
	static struct bench b;
	const char *names[2] = {first, second};

	memset(&b, 0, sizeof(b));
	cmt_units_init(&b.units, 4096, 1, b.memory);
	for (uint32_t tsn = 1; tsn <= units; tsn++)
		assert_int_equal(cmt_units_add(&b.units, tsn, 1000), 0);
	for (int i = 0; i < 2 && names[i] != NULL; i++) {
		b.ops[i] = builtin(names[i]);
		assert_int_equal(b.ops[i]->init != NULL ? b.ops[i]->init(b.state[i], NULL) : 0, 0);
	}
	b.view = (struct cmt_view){.units = &b.units,
	                           .paths = b.paths,
	                           .limit_tsn = 100000,
	                           .peer_rwnd_bytes = 2000000000,
	                           .packet_bytes = 1000,
	                           .wire_bytes = 1000,
	                           .window_packet_bytes = 1000,
	                           .window_unit_bytes = 1000,
	                           .window_reserve_bytes = 1000};
	return &b;
}

static void plan(struct bench *b)
{
	for (int i = 0; i < 2 && b->ops[i] != NULL; i++) {
		if (b->ops[i]->plan != NULL)
			b->ops[i]->plan(b->state[i], &b->view);
	}
}

/* What scheduler number `i` would send if only the path `path` had room. */
static uint32_t tsn_for(struct bench *b, int i, unsigned path)
{
	struct cmt_decision d;

	for (unsigned k = 0; k < b->view.n_paths; k++)
		b->paths[k].room_bytes = k == path ? b->view.packet_bytes : 0;
	d = b->ops[i]->next(b->state[i], &b->view);
	assert_int_equal(d.verdict, CMT_SEND);
	assert_int_equal(d.path_id, path);
	return d.tsn;
}

static void send_units(struct bench *b, unsigned path, uint32_t tsn, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		assert_int_equal(cmt_units_remove(&b->units, tsn + i), 0);
	for (int i = 0; i < 2 && b->ops[i] != NULL; i++) {
		if (b->ops[i]->on_sent != NULL)
			b->ops[i]->on_sent(b->state[i], &(struct cmt_sent){.now_us = b->view.now_us,
			                                                   .path_id = (uint8_t)path,
			                                                   .first_tsn = tsn,
			                                                   .chunks = count,
			                                                   .bytes = count * 1000});
	}
}

/* sarwar1 with packets of 1000 bytes on the wire: 5 ms and 20 ms, which arrive from 15 and 120 ms on. In
 * order of arrival path 2's k-th packet is behind 22 + 4 (k - 1) of path 1. The paper's step takes 105 ms,
 * path 1's bulk in it 21 packets; the step that begins to arrive at 100 ms, 18 packets of path 1 in, has path
 * 2's bulk of 5 1/4 packets behind all of path 1's. */
static void of_the_papers_step_path_2_carries_the_end_in_one_piece(void **state)
{
	struct bench *b = new_bench("bulk", "arrival", 200);

	(void)state;
	memset(b->state[0], 0, sizeof(b->state[0]));
	assert_int_equal(b->ops[0]->init(b->state[0], "bulk_pkts=0"), 0);
	b->view.n_paths = 2;
	for (unsigned i = 0; i < 2; i++) {
		const int64_t delay_us = i == 0 ? 10000 : 100000;

		b->paths[i] = (struct cmt_path_view){.id = (uint8_t)i,
		                                     .usable = true,
		                                     .cwnd_bytes = 1000000,
		                                     .min_rtt_us = (uint32_t)(2 * delay_us),
		                                     .srtt_us = (uint32_t)(2 * delay_us),
		                                     .rate_bps = i == 0 ? 1600000 : 400000,
		                                     .rate_measured = true,
		                                     .delay_us = delay_us,
		                                     .base_us = delay_us,
		                                     .start_us = delay_us};
	}
	plan(b);
	assert_int_equal(tsn_for(b, 0, 0), 1);
	assert_int_equal(tsn_for(b, 1, 0), 1);
	for (uint32_t k = 0; k < 5; k++) {
		b->paths[1].start_us = 100000 + 20000 * (int64_t)k;
		assert_int_equal(tsn_for(b, 0, 1), 40 + k);
		assert_int_equal(tsn_for(b, 1, 1), 23 + 4 * k);
		send_units(b, 1, 40 + k, 1);
	}
}

static void a_constant_clock_offset_changes_nothing(void **state)
{
	static const char *names[] = {"arrival", "lcm", "rr", "bulk", "f2p+ocps"};
	uint64_t seed = 77;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 60; i++) {
		struct model_config c = random_net(names[i % 5], &seed);
		struct model_result here, there;

		c.units = 2000;
		here = model_run(&c);
		c.offset_us += (int64_t)(next_random(&seed) % UINT64_C(10000000000000)) - 5000000000000;
		there = model_run(&c);
		assert_string_equal(here.failure != NULL ? here.failure : "", "");
		assert_int_equal(here.end_us, there.end_us);
		assert_int_equal(here.longest_wait_us, there.longest_wait_us);
		assert_int_equal(here.early_pkts, there.early_pkts);
		assert_memory_equal(here.sent_on, there.sent_on, sizeof(here.sent_on));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sarwar1_arrives_in_order_under_arrival_at_any_window),
	    cmocka_unit_test(random_paths_arrive_in_order_under_arrival_fps_and_f2p_but_for_ties),
	    cmocka_unit_test(random_paths_stay_within_a_few_packets_under_ocps),
	    cmocka_unit_test(random_paths_stay_within_a_step_under_bulk),
	    cmocka_unit_test(of_the_papers_step_path_2_carries_the_end_in_one_piece),
	    cmocka_unit_test(round_robin_fills_the_buffer_where_lcm_needs_a_burst_and_arrival_nothing),
	    cmocka_unit_test(a_constant_clock_offset_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
