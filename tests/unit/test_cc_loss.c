/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cc_loss.c - loss events, timeouts and undo, by literal events on one path of 1000-byte packets with
 * the control `uncoupled`, which halves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc_events.h"

static void a_loss_event_halves_the_window_once(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	assert_int_equal(lost(&cc, 10, 50), 20000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 20000);
	assert_int_equal(cc.paths[0].recovery_end, 49);
	assert_int_equal(lost(&cc, 11, 60), 20000);
	assert_int_equal(lost(&cc, 49, 70), 20000);
	assert_int_equal(cc.paths[0].recovery_end, 49);
	assert_int_equal(lost(&cc, 50, 80), 10000);
	assert_int_equal(cc.paths[0].recovery_end, 79);
}

static void a_late_loss_of_an_event_is_part_of_it_after_recovery(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)lost(&cc, 10, 50);
	(void)acked(&cc, MSS, 60);
	assert_false(cc.paths[0].in_recovery);
	cc.paths[0].cwnd_bytes = 20000;
	assert_int_equal(lost(&cc, 45, 90), 20000);
	assert_int_equal(lost(&cc, 50, 90), 10000);
}

static void a_window_does_not_grow_in_recovery(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)lost(&cc, 10, 50);
	assert_int_equal(acked(&cc, MSS, 11), 20000);
	assert_int_equal(acked(&cc, MSS, 48), 20000);
	assert_true(cc.paths[0].in_recovery);
	assert_int_equal(acked(&cc, MSS, 49), 20050);
	assert_false(cc.paths[0].in_recovery);
}

static void numbers_wrap_within_a_loss_event(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	assert_int_equal(lost(&cc, UINT32_MAX - 5, 0), 20000);
	assert_int_equal(cc.paths[0].recovery_end, UINT32_MAX);
	assert_int_equal(lost(&cc, UINT32_MAX, 4), 20000);
	assert_int_equal(acked(&cc, MSS, UINT32_MAX - 1), 20000);
	assert_true(cc.paths[0].in_recovery);
	assert_int_equal(lost(&cc, 0, 8), 10000);
	(void)acked(&cc, MSS, 7);
	assert_false(cc.paths[0].in_recovery);
}

static void a_loss_event_half_the_number_space_ago_is_forgotten(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)lost(&cc, 10, 50);
	for (uint32_t number = 50; number < UINT32_C(0xa0000000); number += UINT32_C(0x10000000))
		(void)acked(&cc, MSS, number);
	cc.paths[0].cwnd_bytes = 40000;
	assert_int_equal(lost(&cc, UINT32_C(0x90000040), UINT32_C(0x90000100)), 20000);
}

static void two_packets_remain_after_losses_and_no_loss_lets_a_window_grow(void **state)
{
	struct cmt_cc cc = avoiding(3000);

	(void)state;
	assert_int_equal(lost(&cc, 10, 50), 2000);
	assert_int_equal(lost(&cc, 50, 60), 2000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 2000);
	(void)timed_out(&cc, 60, 70);
	assert_int_equal(lost(&cc, 70, 80), MSS);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 2000);
}

static void a_timeout_leaves_one_packet(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	assert_int_equal(timed_out(&cc, 10, 50), MSS);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 20000);
	/* What was in flight then is lost with it. */
	assert_int_equal(lost(&cc, 49, 51), MSS);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 20000);
	/* The retransmission is number 50: slow start. */
	assert_int_equal(acked(&cc, MSS, 50), 2000);
	assert_int_equal(acked(&cc, MSS, 52), 3000);

	cc = avoiding(5000);
	(void)timed_out(&cc, 10, 50);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 4000);
}

static void an_undo_gives_back_what_a_loss_took(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	cc.paths[0].ssthresh_bytes = 30000;
	(void)lost(&cc, 10, 50);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].cwnd_bytes, 40000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 30000);
	assert_false(cc.paths[0].in_recovery);
	/* There is nothing left to undo. */
	cc.paths[0].cwnd_bytes = 8000;
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].cwnd_bytes, 8000);
	/* The event was none, so this packet's loss belongs to no event yet. */
	assert_int_equal(lost(&cc, 20, 60), 4000);
}

static void an_undo_in_the_first_slow_start_goes_on_with_it(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	cc.paths[0].ssthresh_bytes = CMT_CC_NO_SSTHRESH;
	cc.paths[0].hystart.phase = CMT_HYSTART_CONSERVATIVE;
	(void)lost(&cc, 10, 50);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 20000);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, CMT_CC_NO_SSTHRESH);
	assert_int_equal(acked(&cc, MSS, 11), 41000);
}

static void an_undo_takes_nothing_from_a_window_that_has_grown(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)lost(&cc, 10, 50);
	cc.paths[0].cwnd_bytes = 50000;
	cc.paths[0].ssthresh_bytes = 45000;
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].cwnd_bytes, 50000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 45000);
}

static void timeouts_in_a_row_are_undone_together(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)timed_out(&cc, 10, 50);
	assert_int_equal(timed_out(&cc, 50, 51), MSS);
	assert_int_equal(timed_out(&cc, 51, 52), MSS);
	assert_int_equal(cc.paths[0].recovery_end, 51);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].cwnd_bytes, 40000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 40000);
}

static void after_a_spurious_timeout_no_burst_leaves(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	/* RFC 4015, section 3.2, step 5: flight and an initial window; slow start up to where it was. */
	(void)timed_out(&cc, 10, 50);
	cmt_cc_undo(&cc, 0, 2 * MSS);
	assert_int_equal(cc.paths[0].cwnd_bytes, 12 * MSS);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 40000);
	assert_int_equal(acked(&cc, MSS, 51), 13 * MSS);
}

/* The threshold of before lay below the window, which had grown since: pipe_prev of RFC 4015. */
static void slow_start_leads_back_to_the_window_before_a_spurious_timeout(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	cc.paths[0].ssthresh_bytes = 15000;
	(void)timed_out(&cc, 10, 50);
	cmt_cc_undo(&cc, 0, 10 * MSS);
	assert_int_equal(cc.paths[0].cwnd_bytes, 20 * MSS);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 40000);
	assert_int_equal(acked(&cc, MSS, 51), 21 * MSS);
}

/* 16 packets a round trip of 100 ms. */
static void what_was_late_does_not_pace_after_a_spurious_timeout(void **state)
{
	const uint64_t before_bps = 1280000;
	struct cmt_cc cc = avoiding(16000);

	(void)state;
	cc.paths[0].ssthresh_bytes = 10000;
	(void)timed_out(&cc, 10, 50);
	cmt_cc_undo(&cc, 0, 16000);
	assert_int_equal(cc.paths[0].pacing_bps, before_bps * 5 / 4);
	cc.paths[0].srtt_us = 5 * SRTT_US;
	(void)acked(&cc, 0, 51);
	assert_int_equal(cc.paths[0].pacing_bps, before_bps);
	/* Something was lost: that round trip is what there is. */
	(void)lost(&cc, 60, 70);
	assert_int_equal(cc.paths[0].pacing_bps, before_bps / 2 * 5 / 4 / 5);
}

static void an_undo_gives_back_as_much_as_it_is_told_to(void **state)
{
	const struct {
		const char *options;
		uint32_t cwnd_bytes, ssthresh_bytes;
	} cases[] = {{"undo=0", 20000, 20000}, {"undo=1", 20000, 40000}, {"undo=2", 40000, 30000}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cmt_cc cc = new_cc(cases[i].options, 40000);

		cc.paths[0].srtt_us = SRTT_US;
		cc.paths[0].ssthresh_bytes = 30000;
		(void)lost(&cc, 10, 50);
		cmt_cc_undo(&cc, 0, 40000);
		assert_int_equal(cc.paths[0].cwnd_bytes, cases[i].cwnd_bytes);
		assert_int_equal(cc.paths[0].ssthresh_bytes, cases[i].ssthresh_bytes);
	}
}

static void a_timeout_after_something_new_arrived_is_undone_alone(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)timed_out(&cc, 10, 50);
	assert_int_equal(acked(&cc, MSS, 50), 2000);
	(void)timed_out(&cc, 51, 52);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].cwnd_bytes, 2000);
	assert_int_equal(cc.paths[0].ssthresh_bytes, 20000);
}

static void a_timeout_in_recovery_is_undone_alone(void **state)
{
	struct cmt_cc cc = avoiding(40000);

	(void)state;
	(void)lost(&cc, 10, 50);
	(void)timed_out(&cc, 12, 60);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(cc.paths[0].cwnd_bytes, 20000);
}

static void bytes_between_losses_are_counted_and_given_back_by_undo(void **state)
{
	struct cmt_cc cc = avoiding(40000);
	const struct cmt_cc_path *p = &cc.paths[0];

	(void)state;
	(void)acked(&cc, MSS, 1);
	(void)acked(&cc, MSS, 2);
	(void)lost(&cc, 3, 50);
	assert_int_equal(p->acked_since_loss_bytes, 0);
	assert_int_equal(p->acked_between_losses_bytes, 2000);
	(void)lost(&cc, 4, 50);
	assert_int_equal(p->acked_between_losses_bytes, 2000);
	(void)acked(&cc, MSS, 50);
	(void)timed_out(&cc, 51, 60);
	(void)timed_out(&cc, 60, 61);
	assert_int_equal(p->acked_since_loss_bytes, 0);
	assert_int_equal(p->acked_between_losses_bytes, 1000);
	(void)acked(&cc, MSS, 61);
	cmt_cc_undo(&cc, 0, 40000);
	assert_int_equal(p->acked_since_loss_bytes, 2000);
	assert_int_equal(p->acked_between_losses_bytes, 2000);
}

static void a_closed_path_ignores_everything(void **state)
{
	struct cmt_cc cc = avoiding(10000);
	struct cmt_cc_path closed = {.in_use = false};

	(void)state;
	cmt_cc_close(&cc, 0);
	(void)acked(&cc, MSS, 1);
	(void)lost(&cc, 2, 10);
	(void)timed_out(&cc, 3, 10);
	cmt_cc_undo(&cc, 0, 40000);
	assert_memory_equal(&cc.paths[0], &closed, sizeof(closed));
	cmt_cc_open(&cc, 0, 500, MSS);
	assert_int_equal(cc.paths[0].cwnd_bytes, MSS);
	assert_int_equal(cc.paths[0].ssthresh_bytes, CMT_CC_NO_SSTHRESH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_loss_event_halves_the_window_once),
	    cmocka_unit_test(a_late_loss_of_an_event_is_part_of_it_after_recovery),
	    cmocka_unit_test(a_window_does_not_grow_in_recovery),
	    cmocka_unit_test(numbers_wrap_within_a_loss_event),
	    cmocka_unit_test(a_loss_event_half_the_number_space_ago_is_forgotten),
	    cmocka_unit_test(two_packets_remain_after_losses_and_no_loss_lets_a_window_grow),
	    cmocka_unit_test(a_timeout_leaves_one_packet),
	    cmocka_unit_test(an_undo_gives_back_what_a_loss_took),
	    cmocka_unit_test(an_undo_in_the_first_slow_start_goes_on_with_it),
	    cmocka_unit_test(an_undo_takes_nothing_from_a_window_that_has_grown),
	    cmocka_unit_test(timeouts_in_a_row_are_undone_together),
	    cmocka_unit_test(after_a_spurious_timeout_no_burst_leaves),
	    cmocka_unit_test(slow_start_leads_back_to_the_window_before_a_spurious_timeout),
	    cmocka_unit_test(what_was_late_does_not_pace_after_a_spurious_timeout),
	    cmocka_unit_test(an_undo_gives_back_as_much_as_it_is_told_to),
	    cmocka_unit_test(a_timeout_after_something_new_arrived_is_undone_alone),
	    cmocka_unit_test(a_timeout_in_recovery_is_undone_alone),
	    cmocka_unit_test(a_closed_path_ignores_everything),
	    cmocka_unit_test(bytes_between_losses_are_counted_and_given_back_by_undo),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
