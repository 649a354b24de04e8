/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_order.c - the order in which lcm and arrival send, against the numbers of the LCM paper, against
 * each other, and as it arrives in a closed loop.
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

/* Rounding to 1 ms and the drift that a plan tolerates move a packet by three quanta at most, and the time
 * that a packet takes on a slow path is not part of its delay in the paper. */
static uint64_t lcm_band_bytes(const struct model_config *c)
{
	uint64_t sum_bps = 0, slowest_tx_time_us = 0, shift_us;

	for (unsigned i = 0; i < c->n_paths; i++) {
		uint64_t tx_time_us = (uint64_t)cmt_transmission_us(MODEL_UNIT_BYTES + MODEL_HEADER_BYTES,
		                                                    c->paths[i].rate_bps);

		sum_bps += c->paths[i].rate_bps;
		slowest_tx_time_us = tx_time_us > slowest_tx_time_us ? tx_time_us : slowest_tx_time_us;
	}
	shift_us = slowest_tx_time_us + UINT64_C(3000);
	return sum_bps * shift_us / 8000000 + (uint64_t)c->n_paths * MODEL_UNIT_BYTES;
}

static void random_paths_stay_within_quantum_and_packet_time_under_lcm(void **state)
{
	uint64_t seed = 3;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int i = 0; i < 40; i++) {
		struct model_config c = random_net("lcm", &seed);
		struct model_result r = model_run(&c);

		assert_string_equal(r.failure != NULL ? r.failure : "", "");
		assert_in_range(r.held_bytes, 0, lcm_band_bytes(&c));
	}
}

static void round_robin_fills_the_buffer_where_lcm_and_arrival_do_not(void **state)
{
	static const struct {
		const char *name;
		uint32_t least_bytes, most_bytes;
	} expected[] = {{"rr", 100000, 275000}, {"lcm", 0, 5000}, {"arrival", 0, 0}};

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

/* Path 1 emits 2 packets every 10 ms and path 2 emits 5 every 100 ms, in bursts that arrive at once. The
 * closed form spreads a path's packets evenly; a burst is therefore one packet of two units here, C_1 = 1 per
 * D_1 = 10 ms, and the links are so fast (1 Gbit/s) that only the windows bound the rates. Path 2's burst of
 * 5 units is three packets, 2 + 2 + 1. */
static void table_2_of_lcm_gives_path_1_units_1_to_20_and_path_2_units_21_to_25(void **state)
{
	struct bench *b = new_bench("lcm", NULL, 60);
	const struct cmt_path_view p = {.usable = true, .rate_bps = 1000000000, .rate_measured = true};

	(void)state;
	b->view.n_paths = 2;
	b->view.packet_bytes = b->view.wire_bytes = b->view.window_packet_bytes = b->view.window_unit_bytes =
	    2000;
	b->paths[0] = b->paths[1] = p;
	b->paths[1].id = 1;
	b->paths[0].cwnd_bytes = 2000;
	b->paths[1].cwnd_bytes = 5000;
	for (int i = 0; i < 2; i++) {
		int64_t delay_us = i == 0 ? 10000 : 100000;

		b->paths[i].min_rtt_us = b->paths[i].srtt_us = (uint32_t)delay_us;
		b->paths[i].delay_us = b->paths[i].base_us = b->paths[i].start_us = delay_us;
	}
	plan(b);
	assert_int_equal(tsn_for(b, 0, 1), 21);
	send_units(b, 1, 21, 2);
	assert_int_equal(tsn_for(b, 0, 1), 23);
	send_units(b, 1, 23, 2);
	assert_int_equal(tsn_for(b, 0, 1), 25);
	send_units(b, 1, 25, 1);
	for (uint32_t burst = 0; burst < 10; burst++) {
		b->view.now_us = b->view.head_since_us = burst * UINT64_C(10000);
		b->paths[0].start_us = (int64_t)b->view.now_us + 10000;
		b->paths[1].start_us = (int64_t)b->view.now_us + 100000;
		assert_int_equal(tsn_for(b, 0, 0), 1 + 2 * burst);
		send_units(b, 0, 1 + 2 * burst, 2);
	}
	assert_int_equal(cmt_units_first(&b->units), 26);
}

struct integer_path {
	int64_t tx_time_us, delay_us; /* delay: of a whole packet, as a time stamp measures it */
	int64_t free_us;
};

/* Complete delays that are multiples of lcm's quantum, packets that take a whole number of microseconds, at
 * most half a quantum, and no queue. */
static unsigned integer_instance(struct bench *b, struct integer_path *ip, uint64_t *seed)
{
	static const int64_t tx_time_us[] = {250, 500, 625, 1000, 1250, 2000};

	b->view.n_paths = (uint8_t)(2 + next_random(seed) % 7);
	for (unsigned i = 0; i < b->view.n_paths; i++) {
		ip[i] = (struct integer_path){.tx_time_us = tx_time_us[next_random(seed) % 6]};
		ip[i].delay_us = 5000 * (1 + (int64_t)(next_random(seed) % 20));
		b->paths[i] = (struct cmt_path_view){.id = (uint8_t)i,
		                                     .usable = true,
		                                     .cwnd_bytes = 100000000,
		                                     .min_rtt_us = (uint32_t)ip[i].delay_us * 2,
		                                     .srtt_us = (uint32_t)ip[i].delay_us * 2,
		                                     .rate_bps = (uint64_t)(8000000000 / ip[i].tx_time_us),
		                                     .rate_measured = true,
		                                     .delay_us = ip[i].delay_us - ip[i].tx_time_us,
		                                     .base_us = ip[i].delay_us - ip[i].tx_time_us};
	}
	return b->view.n_paths;
}

/* The path that may send first: each sends a packet whenever its link is free. */
static unsigned next_sender(struct bench *b, const struct integer_path *ip)
{
	unsigned sender = 0;

	for (unsigned i = 1; i < b->view.n_paths; i++) {
		if (ip[i].free_us < ip[sender].free_us)
			sender = i;
	}
	b->view.now_us = b->view.head_since_us = (uint64_t)ip[sender].free_us;
	for (unsigned i = 0; i < b->view.n_paths; i++) {
		b->paths[i].start_us = ip[i].free_us + b->paths[i].base_us;
		b->paths[i].queue_us = ip[i].free_us - ip[sender].free_us;
	}
	return sender;
}

static void lcm_and_arrival_send_the_same_on_integer_instances(void **state)
{
	enum { INSTANCES = 300, PACKETS = 400, UNITS = 4000 };
	struct integer_path ip[CMT_SCHED_MAX_PATHS];
	uint64_t seed = 41;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int instance = 0; instance < INSTANCES; instance++) {
		static int64_t arrival_us[UNITS + 1];
		struct bench *b = new_bench("lcm", "arrival", UNITS);
		int64_t previous_us = 0;

		integer_instance(b, ip, &seed);
		next_sender(b, ip);
		plan(b);
		memset(arrival_us, 0, sizeof(arrival_us));
		for (int k = 0; k < PACKETS; k++) {
			unsigned sender = next_sender(b, ip);
			uint32_t tsn = tsn_for(b, 0, sender);

			for (unsigned i = 0; i < b->view.n_paths; i++)
				assert_int_equal(tsn_for(b, 1, i), tsn_for(b, 0, i));
			send_units(b, sender, tsn, 1);
			arrival_us[tsn] = ip[sender].free_us + ip[sender].delay_us;
			ip[sender].free_us += ip[sender].tx_time_us;
		}
		for (uint32_t tsn = 1; tsn < cmt_units_first(&b->units); tsn++) {
			assert_true(arrival_us[tsn] >= previous_us);
			previous_us = arrival_us[tsn];
		}
		assert_true(cmt_units_first(&b->units) > 1);
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
	    cmocka_unit_test(random_paths_stay_within_quantum_and_packet_time_under_lcm),
	    cmocka_unit_test(round_robin_fills_the_buffer_where_lcm_and_arrival_do_not),
	    cmocka_unit_test(table_2_of_lcm_gives_path_1_units_1_to_20_and_path_2_units_21_to_25),
	    cmocka_unit_test(lcm_and_arrival_send_the_same_on_integer_instances),
	    cmocka_unit_test(of_the_papers_step_path_2_carries_the_end_in_one_piece),
	    cmocka_unit_test(a_constant_clock_offset_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
