/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_lcm_plan.c - the plan of Sarwar et al.: Eq. 3 and 4, Algorithms 1 and 2 with the paper's numbers, its
 * bounds for any paths, and whose turn it is. Packets of 1000 bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/cmt_lcm.h"
#include "util/cmt_random.h"

enum { PKT = 1000, PLANS = 2000 };

/* 1.6 Mbit/s and 10 ms, 0.4 Mbit/s and 100 ms. */
static const struct cmt_lcm_path table_2[] = {{.delay_us = 10000, .interval_us = 5000},
                                              {.delay_us = 100000, .interval_us = 20000}};

static struct cmt_lcm_plan plan;

static void make(const struct cmt_lcm_path *paths, unsigned n)
{
	memset(&plan, 0xff, sizeof(plan));
	cmt_lcm_plan(&plan, paths, n, PKT);
}

static void assert_order(const char *expected)
{
	assert_int_equal(plan.n_order, strlen(expected));
	for (unsigned i = 0; i < plan.n_order; i++)
		assert_int_equal(plan.order[i], expected[i] - '1');
}

static void table_2_sends_25_packets_in_100_ms(void **state)
{
	(void)state;
	make(table_2, 2);
	assert_int_equal(plan.cycle_us, 100000);
	assert_int_equal(plan.parts[0].bursts, 10);
	assert_int_equal(plan.parts[1].bursts, 1);
	assert_int_equal(plan.parts[0].pkts, 20);
	assert_int_equal(plan.parts[1].pkts, 5);
	assert_int_equal(plan.pkts, 25);
	assert_order("11111111112");
	/* Packets 1, 3, 5 .. 19 and 21 of the paper. */
	for (uint32_t k = 0; k < 10; k++)
		assert_int_equal(plan.parts[0].seq[k], 2 * k);
	assert_int_equal(plan.parts[1].seq[0], 20);
}

static void paths_may_come_in_any_order(void **state)
{
	const struct cmt_lcm_path turned[] = {table_2[1], table_2[0]};

	(void)state;
	make(turned, 2);
	assert_int_equal(plan.pkts, 25);
	assert_order("22222222221");
	assert_int_equal(plan.parts[0].seq[0], 20);
}

static void a_small_multiple_is_kept(void **state)
{
	const struct cmt_lcm_path paths[] = {{.delay_us = 15000, .interval_us = 5000},
	                                     {.delay_us = 35000, .interval_us = 7000}};

	(void)state;
	make(paths, 2);
	assert_int_equal(plan.cycle_us, 105000);
	assert_int_equal(plan.pkts, 21 + 15);
	/* At 15, 30, 35, 45, 60, 70, 75, 90 and 105 ms. */
	assert_order("1121121112");
	assert_int_equal(plan.parts[1].seq[0], 6);
	assert_int_equal(plan.parts[1].seq[1], 17);
	assert_int_equal(plan.parts[1].seq[2], 31);
}

/* Erratum 7: lcm(13, 97, 211 ms) is 266 s, with 20467 bursts. */
static void a_multiple_that_explodes_is_bounded(void **state)
{
	const struct cmt_lcm_path paths[] = {{.delay_us = 13000, .interval_us = 1000},
	                                     {.delay_us = 97000, .interval_us = 2000},
	                                     {.delay_us = 211000, .interval_us = 3000}};

	(void)state;
	make(paths, 3);
	assert_int_equal(plan.cycle_us, 3 * 211000);
	assert_int_equal(plan.parts[0].bursts, 49);
	assert_int_equal(plan.parts[1].bursts, 7);
	assert_int_equal(plan.parts[2].bursts, 3);
}

static void bursts_differ_by_a_packet_where_c_is_not_whole(void **state)
{
	const struct cmt_lcm_path paths[] = {{.delay_us = 10000, .interval_us = 4000},
	                                     {.delay_us = 20000, .interval_us = 20000}};
	static const uint32_t seq[] = {0, 2};

	(void)state;
	make(paths, 2);
	assert_order("112");
	assert_memory_equal(plan.parts[0].seq, seq, sizeof(seq));
	assert_int_equal(plan.parts[1].seq[0], 5);
	assert_int_equal(plan.pkts, 6);
}

/* Any order of magnitude alike. */
static int64_t any_us(uint64_t *seed)
{
	uint64_t value = cmt_random_take(seed);

	return 1 + (int64_t)(value >> 1 >> cmt_random_take(seed) % 63);
}

static void check_order(unsigned n)
{
	unsigned k[CMT_SCHED_MAX_PATHS] = {0};
	uint64_t seq = 0, K = 0, before_us = 0;

	for (unsigned step = 0; step < plan.n_order; step++) {
		unsigned i = plan.order[step];
		const struct cmt_lcm_part *p = &plan.parts[i];
		uint64_t arrives_us = ((uint64_t)k[i] + 1) * (uint64_t)plan.cycle_us / p->bursts;

		assert_true(i < n && k[i] < p->bursts);
		assert_true(arrives_us >= before_us);
		assert_int_equal(p->seq[k[i]], seq);
		before_us = arrives_us;
		k[i]++;
		seq += (uint64_t)k[i] * p->pkts / p->bursts - (uint64_t)(k[i] - 1) * p->pkts / p->bursts;
	}
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(k[i], plan.parts[i].bursts);
		K += plan.parts[i].pkts;
	}
	assert_int_equal(plan.pkts, K);
	assert_int_equal(plan.pkts, seq);
}

static void any_paths_make_a_cycle_of_at_most_64_bursts_each(void **state)
{
	uint64_t seed = 9;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (unsigned run = 0; run < PLANS; run++) {
		struct cmt_lcm_path paths[CMT_SCHED_MAX_PATHS];
		unsigned n = 1 + (unsigned)(cmt_random_take(&seed) % CMT_SCHED_MAX_PATHS);

		for (unsigned i = 0; i < n; i++)
			paths[i] =
			    (struct cmt_lcm_path){.delay_us = any_us(&seed), .interval_us = any_us(&seed)};
		make(paths, n);
		for (unsigned i = 0; i < n; i++) {
			assert_in_range(plan.parts[i].bursts, 1, CMT_LCM_BURSTS_MAX);
			assert_in_range(plan.parts[i].pkts, 1, CMT_LCM_PKTS_MAX);
		}
		check_order(n);
	}
}

/* --- turns --- */

static const struct cmt_lcm_turn beginning = {.burst = 0};

static void a_burst_begins_every_delay(void **state)
{
	struct cmt_lcm_turn turn = {.burst = 0, .sent_bytes = PKT};

	(void)state;
	make(table_2, 2);
	turn = cmt_lcm_turn_at(&plan, 0, turn, 9999);
	assert_int_equal(turn.burst, 0);
	assert_int_equal(turn.sent_bytes, PKT);
	turn = cmt_lcm_turn_at(&plan, 0, turn, 10000);
	assert_int_equal(turn.burst, 1);
	assert_int_equal(turn.sent_bytes, 0);
	assert_int_equal(cmt_lcm_turn_at(&plan, 0, turn, 1234567).burst, 123);
	assert_int_equal(cmt_lcm_turn_at(&plan, 1, turn, 1234567).burst, 12);
	/* What was sent early is not sent again. */
	turn.burst = 125;
	assert_int_equal(cmt_lcm_turn_at(&plan, 0, turn, 1234567).burst, 125);
}

static void a_burst_ends_after_c_packets_to_half_a_packet(void **state)
{
	struct cmt_lcm_turn turn;

	(void)state;
	make(table_2, 2);
	turn = cmt_lcm_after(&plan, 0, beginning, PKT);
	assert_int_equal(turn.burst, 0);
	turn = cmt_lcm_after(&plan, 0, turn, PKT / 2 - 1);
	assert_int_equal(turn.burst, 0);
	turn = cmt_lcm_after(&plan, 0, turn, 1);
	assert_int_equal(turn.burst, 1);
	assert_int_equal(turn.sent_bytes, 0);
}

/* A packet every 25 ms in bursts every 10 ms: nothing, nothing, one, nothing, one. */
static void bursts_of_no_packet_are_passed(void **state)
{
	const struct cmt_lcm_path paths[] = {{.delay_us = 10000, .interval_us = 25000}};
	struct cmt_lcm_turn turn;

	(void)state;
	make(paths, 1);
	assert_int_equal(plan.cycle_us, 50000);
	turn = cmt_lcm_turn_at(&plan, 0, beginning, 0);
	assert_int_equal(turn.burst, 2);
	turn = cmt_lcm_after(&plan, 0, turn, PKT);
	assert_int_equal(turn.burst, 4);
	assert_int_equal(cmt_lcm_turn_at(&plan, 0, turn, 50000).burst, 7);
}

static void what_others_have_sent_or_let_pass_is_not_ahead(void **state)
{
	struct cmt_lcm_turn turns[2] = {{.burst = 0}};

	(void)state;
	make(table_2, 2);
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 0), 0);
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 1), 20 * PKT);
	turns[0] = (struct cmt_lcm_turn){.burst = 3, .sent_bytes = PKT};
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 1), 13 * PKT);
	/* In the next cycle, what path 2 has not sent of this one is ahead of path 1. */
	turns[0] = (struct cmt_lcm_turn){.burst = 10};
	turns[1].sent_bytes = 2 * PKT;
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 0), 3 * PKT);
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 1), 0);
	turns[1] = (struct cmt_lcm_turn){.burst = 1};
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 0), 0);
	assert_int_equal(cmt_lcm_ahead_bytes(&plan, turns, 1), 20 * PKT);
}

static void a_path_outruns_the_plan_by_more_than_a_burst(void **state)
{
	(void)state;
	make(table_2, 2);
	assert_false(cmt_lcm_is_outrun(&plan, 0, (struct cmt_lcm_turn){.burst = 6}, 50000));
	assert_true(cmt_lcm_is_outrun(&plan, 0, (struct cmt_lcm_turn){.burst = 7}, 50000));
	assert_false(cmt_lcm_is_outrun(&plan, 0, (struct cmt_lcm_turn){.burst = 2}, 50000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(table_2_sends_25_packets_in_100_ms),
	    cmocka_unit_test(paths_may_come_in_any_order),
	    cmocka_unit_test(a_small_multiple_is_kept),
	    cmocka_unit_test(a_multiple_that_explodes_is_bounded),
	    cmocka_unit_test(bursts_differ_by_a_packet_where_c_is_not_whole),
	    cmocka_unit_test(any_paths_make_a_cycle_of_at_most_64_bursts_each),
	    cmocka_unit_test(a_burst_begins_every_delay),
	    cmocka_unit_test(a_burst_ends_after_c_packets_to_half_a_packet),
	    cmocka_unit_test(bursts_of_no_packet_are_passed),
	    cmocka_unit_test(what_others_have_sent_or_let_pass_is_not_ahead),
	    cmocka_unit_test(a_path_outruns_the_plan_by_more_than_a_burst),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
