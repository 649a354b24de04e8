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

/* A bulk at most of every path but the slowest waits for the step before to be complete. */
static void random_paths_stay_within_a_step_under_bulk(void **state)
{
	uint64_t seed = 3;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 12; i++) {
		struct model_config c = random_net("bulk", &seed);
		struct model_result r = model_run(&c);
		uint64_t sum_bps = 0, least_us = UINT64_MAX, most_us = 0;

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
		                sum_bps * (most_us - least_us) / 8000000 +
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
	    cmocka_unit_test(round_robin_fills_the_buffer_where_lcm_needs_a_burst_and_arrival_nothing),
	    cmocka_unit_test(a_constant_clock_offset_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
