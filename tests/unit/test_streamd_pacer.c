/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How fast an answer leaves, and how much may be queued for one client. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "budget.h"
#include "pacer.h"

#define MB 1000000u

static void without_a_rate_everything_leaves_at_once(void **state)
{
	struct pacer p;

	(void)state;
	pacer_start(&p, 0, 0, 16384, 7);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(pacer_ready_us(&p, 16384, 7), 7);
		pacer_spend(&p, 16384, 7);
	}
	assert_int_equal(pacer_level_bytes(&p, 7), UINT64_MAX);
}

static void the_burst_leaves_at_once_and_then_the_rate(void **state)
{
	struct pacer p;

	(void)state;
	pacer_start(&p, 8 * MB, 100000, 10000, 1000);
	assert_int_equal(pacer_level_bytes(&p, 1000), 100000);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(pacer_ready_us(&p, 10000, 1000), 1000);
		pacer_spend(&p, 10000, 1000);
	}
	assert_int_equal(pacer_ready_us(&p, 10000, 1000), 11000); /* 1 MB/s */
	assert_int_equal(pacer_ready_us(&p, 10000, 5000), 11000);
	assert_int_equal(pacer_level_bytes(&p, 5000), 4000);
	assert_int_equal(pacer_ready_us(&p, 10000, 12000), 12000);
	pacer_spend(&p, 10000, 12000);
	assert_int_equal(pacer_ready_us(&p, 10000, 12000), 21000); /* what was saved up is not lost */
}

static void a_pause_saves_up_the_burst_and_no_more(void **state)
{
	struct pacer p;

	(void)state;
	pacer_start(&p, 8 * MB, 50000, 10000, 0);
	pacer_spend(&p, 50000, 0);
	assert_int_equal(pacer_level_bytes(&p, 3600 * UINT64_C(1000000)), 50000);
	pacer_spend(&p, 50000, 3600 * UINT64_C(1000000));
	assert_int_equal(pacer_level_bytes(&p, 3600 * UINT64_C(1000000)), 0);
}

static void a_small_burst_still_lets_the_largest_piece_through(void **state)
{
	struct pacer p;

	(void)state;
	pacer_start(&p, 8000, 1, 16384, 0);
	assert_int_equal(pacer_ready_us(&p, 16384, 0), 0);
	pacer_spend(&p, 16384, 0);
	assert_int_equal(pacer_ready_us(&p, 1, 0), 1000);
}

static void no_byte_leaks_in_a_million_odd_intervals(void **state)
{
	const uint64_t rate_bps = 1234567;
	uint64_t now_us = 0, sent_bytes = 0;
	struct pacer p;

	(void)state;
	pacer_start(&p, rate_bps, 0, 1000, 0);
	for (int i = 0; i < 1000000; i++) {
		uint64_t level_bytes;

		now_us += 1 + (unsigned)i % 977;
		level_bytes = pacer_level_bytes(&p, now_us);
		pacer_spend(&p, level_bytes, now_us);
		sent_bytes += level_bytes;
	}
	assert_int_equal(sent_bytes, 1000 + now_us * rate_bps / 8000000);
}

static void the_largest_rate_and_burst_do_not_overflow(void **state)
{
	struct pacer p;

	(void)state;
	pacer_start(&p, UINT64_C(1000000000000), UINT64_MAX, 16384, 0);
	assert_int_equal(p.cap_bytes, PACER_BURST_MAX_BYTES);
	pacer_spend(&p, PACER_BURST_MAX_BYTES, 0);
	assert_int_equal(pacer_level_bytes(&p, 1000000), UINT64_C(125000000000));
	assert_int_equal(pacer_level_bytes(&p, UINT64_MAX / 2), PACER_BURST_MAX_BYTES);
	pacer_start(&p, 1, UINT64_MAX, 16384, 0);
	pacer_spend(&p, PACER_BURST_MAX_BYTES, 0);
	assert_int_equal(pacer_ready_us(&p, 1, 0), 8000000);
	assert_int_equal(pacer_level_bytes(&p, 16000000), 2);
}

static void memory_is_shared_by_those_who_are_served(void **state)
{
	struct budget b = {.memory_bytes = 32 << 20, .sndbuf_bytes = 1 << 20};

	(void)state;
	assert_int_equal(budget_share_bytes(&b, 0), 1 << 20);
	b.busy = 1;
	assert_int_equal(budget_share_bytes(&b, 0), 1 << 20);
	b.busy = 32;
	assert_int_equal(budget_share_bytes(&b, 0), 512 << 10);
	b.busy = 1000;
	assert_int_equal(budget_share_bytes(&b, 0), BUDGET_LEAST_BYTES);
}

static void what_others_have_queued_already_is_not_there(void **state)
{
	struct budget b = {.memory_bytes = 32 << 20, .sndbuf_bytes = 1 << 20, .busy = 20};

	(void)state;
	b.queued_bytes = (16 << 20) - (100 << 10);
	assert_int_equal(budget_share_bytes(&b, 0), 100 << 10);
	assert_int_equal(budget_share_bytes(&b, 50 << 10), 150 << 10); /* its own */
	b.queued_bytes = 64 << 20;
	assert_int_equal(budget_share_bytes(&b, 1000), BUDGET_LEAST_BYTES);
}

static void the_queue_is_as_long_as_the_paths_need(void **state)
{
	struct sctp_cmt_path_stats paths[2] = {{.cwnd_bytes = 6000}, {.cwnd_bytes = 4000}};

	(void)state;
	assert_int_equal(budget_need_bytes(paths, 0), BUDGET_LEAST_BYTES);
	assert_int_equal(budget_need_bytes(paths, 2), BUDGET_LEAST_BYTES + 20000);
	paths[0].rate_bps = 8 * MB;
	paths[1].rate_bps = 4 * MB;
	paths[0].srtt_us = 20000;
	paths[1].srtt_us = 100000;
	assert_int_equal(budget_need_bytes(paths, 2), BUDGET_LEAST_BYTES + 300000);
}

static void who_takes_it_at_the_rate_has_enough_of_what_left_before(void **state)
{
	struct pacer p;

	(void)state;
	/* 100 ms of it at once, 1 MB/s. */
	pacer_start(&p, 8 * MB, 100000, 10000, 1000);
	assert_int_equal(pacer_lead_us(&p, 1000), 0);
	pacer_spend(&p, 10000, 1000);
	assert_int_equal(pacer_lead_us(&p, 1000), 10000);
	for (int i = 0; i < 9; i++)
		pacer_spend(&p, 10000, 1000);
	assert_int_equal(pacer_lead_us(&p, 1000), 100000);
	assert_int_equal(pacer_lead_us(&p, 61000), 40000);
	/* It has run dry, or plays what came before. */
	assert_int_equal(pacer_lead_us(&p, 201000), 0);
	pacer_start(&p, 0, 0, 10000, 1000);
	pacer_spend(&p, 10000, 1000);
	assert_int_equal(pacer_lead_us(&p, 1000), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_rate_everything_leaves_at_once),
	    cmocka_unit_test(the_burst_leaves_at_once_and_then_the_rate),
	    cmocka_unit_test(a_pause_saves_up_the_burst_and_no_more),
	    cmocka_unit_test(a_small_burst_still_lets_the_largest_piece_through),
	    cmocka_unit_test(no_byte_leaks_in_a_million_odd_intervals),
	    cmocka_unit_test(the_largest_rate_and_burst_do_not_overflow),
	    cmocka_unit_test(memory_is_shared_by_those_who_are_served),
	    cmocka_unit_test(the_queue_is_as_long_as_the_paths_need),
	    cmocka_unit_test(what_others_have_queued_already_is_not_there),
	    cmocka_unit_test(who_takes_it_at_the_rate_has_enough_of_what_left_before),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
