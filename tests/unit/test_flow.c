/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When the silence of a flow is abrupt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "paths/cmt_flow.h"
#include "util/cmt_time.h"

enum { MS = 1000, S = 1000000 };

/* `n` packets, one each `gap_us`; when the last one came. */
static uint64_t flow(struct cmt_flow *f, uint64_t now_us, unsigned n, uint64_t gap_us)
{
	for (unsigned i = 0; i < n; i++) {
		now_us += gap_us;
		cmt_flow_on_data(f, now_us);
	}
	return now_us;
}

static void single_packets_are_no_flow(void **state)
{
	struct cmt_flow f = {.n = 0};

	(void)state;
	assert_true(cmt_flow_due_us(&f) == CMT_NEVER_US);
	flow(&f, 5 * S, 7, MS);
	assert_true(cmt_flow_due_us(&f) == CMT_NEVER_US);
	flow(&f, 20 * S, 100, 2 * S);
	assert_true(cmt_flow_due_us(&f) == CMT_NEVER_US);
}

static void a_flow_of_one_packet_a_millisecond_is_silent_after_31_ms(void **state)
{
	struct cmt_flow f = {.n = 0};
	const uint64_t last_us = flow(&f, 5 * S, 100, MS);

	(void)state;
	assert_int_equal(cmt_flow_due_us(&f) - last_us, 31250);
}

static void frames_every_40_ms_are_no_silence(void **state)
{
	struct cmt_flow f = {.n = 0};
	uint64_t now_us = 5 * S;

	(void)state;
	for (unsigned frame = 0; frame < 250; frame++) {
		/* The first pause could be anything. */
		assert_true(frame < 2 || cmt_flow_due_us(&f) > now_us + 40 * MS);
		now_us = flow(&f, flow(&f, now_us, 1, 40 * MS), 9, MS);
	}
	assert_in_range(cmt_flow_due_us(&f) - now_us, 60 * MS, 80 * MS);
	/* What is over is forgotten. */
	now_us = flow(&f, now_us, 400, MS);
	assert_in_range(cmt_flow_due_us(&f) - now_us, 31 * MS, 32 * MS);
}

static void a_silence_is_answered_three_times_further_and_further_apart(void **state)
{
	struct cmt_flow f = {.n = 0};
	uint64_t now_us = flow(&f, 5 * S, 100, MS);

	(void)state;
	cmt_flow_on_asked(&f, now_us += 40 * MS);
	assert_int_equal(cmt_flow_due_us(&f) - now_us, 200 * MS);
	cmt_flow_on_asked(&f, now_us += 200 * MS);
	assert_int_equal(cmt_flow_due_us(&f) - now_us, 400 * MS);
	cmt_flow_on_asked(&f, now_us += 400 * MS);
	assert_true(cmt_flow_due_us(&f) == CMT_NEVER_US);
	/* It goes on, and may stop again. */
	now_us = flow(&f, now_us, 100, MS);
	assert_true(cmt_flow_due_us(&f) != CMT_NEVER_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(single_packets_are_no_flow),
	    cmocka_unit_test(a_flow_of_one_packet_a_millisecond_is_silent_after_31_ms),
	    cmocka_unit_test(frames_every_40_ms_are_no_silence),
	    cmocka_unit_test(a_silence_is_answered_three_times_further_and_further_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
