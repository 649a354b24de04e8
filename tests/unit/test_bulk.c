/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bulk.c - the plan of Yabandeh et al.: its numbers for two paths, arrival in order in the paper's model
 * for any number, and which data a path carries next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sched/cmt_bulk.h"

static const struct cmt_bulk_step paper_step = {.most_us = INT64_MAX};

/* B_1 = 128 kbit/s, d_1 = 50 ms, B_2 / B_1 = 0.86, d_2 / d_1 = 2. */
static void two_paths_of_the_paper_get_its_times_and_pause(void **state)
{
	const struct cmt_bulk_path paths[] = {{128000, 50000}, {110080, 100000}};
	struct cmt_bulk_plan plan;

	(void)state;
	cmt_bulk_plan(&plan, paths, 2, paper_step);
	assert_int_equal(plan.step_us, 50000);
	assert_int_equal(plan.parts[0].share_ppm, 537634); /* 0.5376 */
	assert_int_equal(plan.parts[1].share_ppm, 462366); /* 0.4624 */
	assert_int_equal(plan.parts[0].send_us, 26882);    /* 26.88 ms */
	assert_int_equal(plan.parts[1].send_us, 23118);    /* 23.12 ms */
	assert_int_equal(plan.pause_us, 73118);            /* 73.12 ms = sum f_i d_i */
	assert_int_equal(plan.parts[1].hold_us, 0);
	assert_int_equal(plan.parts[0].hold_us, 23118);
	/* 238.08 kbit/s for 50 ms are 1488 bytes. */
	assert_int_equal(plan.parts[0].bytes, 800);
	assert_int_equal(plan.parts[1].bytes, 688);
}

static void the_order_of_the_paths_given_does_not_matter(void **state)
{
	const struct cmt_bulk_path there[] = {{1000000, 40000}, {2000000, 10000}, {500000, 90000}};
	const struct cmt_bulk_path back[] = {{500000, 90000}, {2000000, 10000}, {1000000, 40000}};
	struct cmt_bulk_plan a, b;

	(void)state;
	cmt_bulk_plan(&a, there, 3, paper_step);
	cmt_bulk_plan(&b, back, 3, paper_step);
	assert_int_equal(a.pause_us, b.pause_us);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(a.parts[i].rank, b.parts[2 - i].rank);
		assert_int_equal(a.parts[i].hold_us, b.parts[2 - i].hold_us);
		assert_int_equal(a.parts[i].bytes, b.parts[2 - i].bytes);
	}
	assert_int_equal(a.parts[1].rank, 0);
	assert_int_equal(a.parts[2].rank, 2);
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* In the paper's model a path takes a bulk at the common rate and delays it: bulk i of step s arrives during
 * s T + h_i + d_i to that + t_i. In order when each begins as the one before ends; times are rounded to a
 * microsecond, so they add up to within one per path. */
static void any_paths_arrive_in_order_without_a_gap(void **state)
{
	uint64_t seed = 5;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int instance = 0; instance < 20000; instance++) {
		struct cmt_bulk_path paths[CMT_SCHED_MAX_PATHS];
		unsigned n = 1 + (unsigned)(next_random(&seed) % CMT_SCHED_MAX_PATHS);
		unsigned by_rank[CMT_SCHED_MAX_PATHS];
		struct cmt_bulk_plan plan;
		int64_t last_us = 0, least_hold_us = INT64_MAX;

		for (unsigned i = 0; i < n; i++)
			paths[i] = (struct cmt_bulk_path){1000 + next_random(&seed) % 100000000,
			                                  (int64_t)(next_random(&seed) % 500000)};
		cmt_bulk_plan(&plan, paths, n, paper_step);
		for (unsigned i = 0; i < n; i++)
			by_rank[plan.parts[i].rank] = i;
		for (unsigned k = 0; k < 3 * n; k++) {
			unsigned i = by_rank[k % n];
			int64_t begin_us =
			    (int64_t)(k / n) * plan.step_us + plan.parts[i].hold_us + paths[i].delay_us;

			if (k > 0)
				assert_in_range(begin_us - last_us + n, 0, 2 * n);
			else
				assert_int_equal(begin_us, plan.pause_us);
			last_us = begin_us + plan.parts[i].send_us;
			assert_true(plan.parts[i].hold_us >= 0);
			least_hold_us = cmt_min_us(least_hold_us, plan.parts[i].hold_us);
		}
		assert_in_range(least_hold_us, 0, n);
	}
}

/* Links take their bulks at their own rates, side by side. What path i carries next lies behind what the
 * others have not sent of the steps before, and of its own step's bulks of higher rates. */
static void a_path_carries_what_lies_behind_the_bulks_of_the_others(void **state)
{
	const struct cmt_bulk_path paths[] = {{1600000, 10000}, {400000, 110000}};
	struct cmt_bulk_plan plan;
	int64_t sent_bytes[2] = {-4000, 0};

	(void)state;
	cmt_bulk_plan(&plan, paths, 2, paper_step);
	/* T = 100 ms: 20000 and 5000 bytes. */
	assert_int_equal(plan.bulk_us, 100000);
	assert_int_equal(plan.parts[0].bytes, 20000);
	assert_int_equal(plan.parts[1].bytes, 5000);
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 0, 1000), 0);
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 1, 1000), 24000);
	sent_bytes[1] = 4500; /* half of the last packet is in the next bulk */
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 1, 1000), 24000);
	sent_bytes[1] = 4501; /* more than half, behind path 1's next bulk */
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 1, 1000), 44000);
	sent_bytes[0] = 19000;
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 0, 1000), 0);
	sent_bytes[0] = 19001; /* ends in the next step; 499 bytes of path 2's bulk of this one are not out */
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 0, 1000), 499);
	sent_bytes[1] = 5000;
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 0, 1000), 0);
}

/* Both links begin at 0. A step is the slow link's packet: in front of its k-th belong the whole packets of
 * the fast link that are there before it, however the delays differ, and without a whole number of them in a
 * step. */
static void steps_of_a_packet_keep_the_order_of_arrival_on_links(void **state)
{
	enum { PACKET_BYTES = 1000, PKTS = 20, ROUNDING_BYTES = 30 };
	uint64_t seed = 7;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (int instance = 0; instance < 1000; instance++) {
		const uint64_t slow_bps = 50000 + next_random(&seed) % 100000;
		const struct cmt_bulk_path fast = {slow_bps + next_random(&seed) % 1000000,
		                                   (int64_t)(next_random(&seed) % 300000)};
		const struct cmt_bulk_path slow = {slow_bps, (int64_t)(next_random(&seed) % 300000)};
		const struct cmt_bulk_path paths[] = {fast, slow};
		const int64_t fast_us = cmt_transmission_us(PACKET_BYTES, fast.rate_bps);
		const int64_t slow_us = cmt_transmission_us(PACKET_BYTES, slow_bps);
		struct cmt_bulk_plan plan;
		int64_t sent_bytes[2] = {0, 0};
		int64_t lead_us = fast.delay_us + fast_us - slow.delay_us - slow_us +
		                  cmt_bulk_lead_us(slow_bps, 0, PACKET_BYTES);

		cmt_bulk_plan(&plan, paths, 2,
		              (struct cmt_bulk_step){slow_us, slow_us, .by_rate = true});
		sent_bytes[0] = cmt_bulk_sent_bytes(fast.rate_bps, lead_us, PACKET_BYTES);
		for (int k = 1; k <= PKTS; k++, sent_bytes[1] += PACKET_BYTES) {
			int64_t there_us = slow.delay_us + k * slow_us - fast.delay_us;
			int64_t there_bytes = there_us < 0 ? 0 : (int64_t)fast.rate_bps * there_us / 8000000;
			int64_t inside_bytes = there_bytes % PACKET_BYTES;

			if (inside_bytes > ROUNDING_BYTES && inside_bytes < PACKET_BYTES - ROUNDING_BYTES)
				assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 1, PACKET_BYTES) /
				                     PACKET_BYTES,
				                 there_bytes / PACKET_BYTES);
		}
	}
}

/* Of a step the paper's receiver plays the bulk of the shortest delay first, whatever its rate; a step of
 * whole packets has the bulk of the highest rate there. */
static void the_bulk_of_the_shortest_delay_comes_first_in_the_papers_step(void **state)
{
	const struct cmt_bulk_path paths[] = {{400000, 10000}, {1600000, 110000}};
	const int64_t sent_bytes[2] = {0, 0};
	struct cmt_bulk_plan plan;

	(void)state;
	cmt_bulk_plan(&plan, paths, 2, paper_step);
	assert_int_equal(plan.parts[0].place, 0);
	assert_int_equal(plan.parts[1].place, 1);
	/* 100 ms: 5000 and 20000 bytes. */
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 0, 1000), 0);
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 1, 1000), 5000);
	cmt_bulk_plan(&plan, paths, 2, (struct cmt_bulk_step){100000, 100000, .by_rate = true});
	assert_int_equal(plan.parts[0].place, 1);
	assert_int_equal(plan.parts[1].place, 0);
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 0, 1000), 20000);
	assert_int_equal(cmt_bulk_ahead(&plan, sent_bytes, 1, 1000), 0);
}

static void equal_delays_share_a_step_of_the_least_size(void **state)
{
	const struct cmt_bulk_path paths[] = {{3000000, 20000}, {1000000, 20000}};
	struct cmt_bulk_plan plan;

	(void)state;
	cmt_bulk_plan(&plan, paths, 2, (struct cmt_bulk_step){5600, INT64_MAX, .by_rate = true});
	assert_int_equal(plan.step_us, 0);
	assert_int_equal(plan.pause_us, 20000);
	assert_int_equal(plan.bulk_us, 5600);
	assert_int_equal(plan.parts[0].bytes, 2100);
	assert_int_equal(plan.parts[1].bytes, 700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_paths_of_the_paper_get_its_times_and_pause),
	    cmocka_unit_test(the_order_of_the_paths_given_does_not_matter),
	    cmocka_unit_test(any_paths_arrive_in_order_without_a_gap),
	    cmocka_unit_test(a_path_carries_what_lies_behind_the_bulks_of_the_others),
	    cmocka_unit_test(steps_of_a_packet_keep_the_order_of_arrival_on_links),
	    cmocka_unit_test(the_bulk_of_the_shortest_delay_comes_first_in_the_papers_step),
	    cmocka_unit_test(equal_delays_share_a_step_of_the_least_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
