/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_hystart.c - the end of slow start by literal delays (RFC 9406). Eight samples make a round trip worth
 * judging; without a round trip time the threshold is 4 ms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cc/cmt_hystart.h"
#include "util/cmt_time.h"

enum { ENOUGH = 8, BASE_US = 50000, THRESHOLD_US = 4000, MORE_ROUNDS = 5, ACK_BYTES = 1000 };

/* A sender whose next packet to be acknowledged is `number`. */
struct flow {
	struct cmt_hystart h;
	uint32_t number, srtt_us, cwnd_bytes;
	uint64_t now_us;
};

static struct flow new_flow(uint32_t number, uint32_t srtt_us)
{
	struct flow f = {.number = number, .srtt_us = srtt_us};

	cmt_hystart_init(&f.h);
	return f;
}

static enum cmt_hystart_phase acknowledge(struct flow *f, uint32_t number, uint32_t next_number,
                                          int64_t delay_us)
{
	return cmt_hystart_on_ack(&f->h, &(struct cmt_hystart_ack){.now_us = f->now_us,
	                                                           .bytes = ACK_BYTES,
	                                                           .cwnd_bytes = f->cwnd_bytes,
	                                                           .number = number,
	                                                           .next_number = next_number,
	                                                           .delay_us = delay_us,
	                                                           .srtt_us = f->srtt_us});
}

/* A round trip of `acks` acknowledgements, all with `delay_us`. The phase then. */
static enum cmt_hystart_phase round_trip(struct flow *f, unsigned acks, int64_t delay_us)
{
	const uint32_t next_number = f->number + acks;
	enum cmt_hystart_phase phase = f->h.phase;

	for (unsigned i = 0; i < acks; i++)
		phase = acknowledge(f, f->number++, next_number, delay_us);
	return phase;
}

/* One whose delays have just grown; the round trip goes on. */
static struct flow grown(int64_t delay_us)
{
	struct flow f = new_flow(0, 0);

	(void)round_trip(&f, ENOUGH, delay_us - THRESHOLD_US);
	assert_int_equal(round_trip(&f, ENOUGH, delay_us), CMT_HYSTART_CONSERVATIVE);
	return f;
}

static void the_eighth_sample_above_the_threshold_ends_doubling(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_SLOW_START);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US + THRESHOLD_US), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(f.h.baseline_us, BASE_US + THRESHOLD_US);

	f = new_flow(0, 0);
	(void)round_trip(&f, ENOUGH, BASE_US);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US + THRESHOLD_US - 1), CMT_HYSTART_SLOW_START);
}

static void the_first_round_trip_has_nothing_to_compare_with(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	assert_int_equal(round_trip(&f, 100, BASE_US), CMT_HYSTART_SLOW_START);
}

static void the_threshold_is_an_eighth_of_the_round_trip_within_4_and_16_ms(void **state)
{
	static const struct {
		uint32_t srtt_us;
		int64_t threshold_us;
	} cases[] = {
	    {0, 4000},       {1, 4000},       {39999, 4999},    {40000, 5000},
	    {100000, 12500}, {127999, 15999}, {1000000, 16000}, {UINT32_MAX, 16000},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct flow below = new_flow(0, cases[i].srtt_us), at = new_flow(0, cases[i].srtt_us);

		(void)round_trip(&below, ENOUGH, BASE_US);
		(void)round_trip(&at, ENOUGH, BASE_US);
		assert_int_equal(round_trip(&below, ENOUGH, BASE_US + cases[i].threshold_us - 1),
		                 CMT_HYSTART_SLOW_START);
		assert_int_equal(round_trip(&at, ENOUGH, BASE_US + cases[i].threshold_us),
		                 CMT_HYSTART_CONSERVATIVE);
	}
}

static void jitter_with_fewer_samples_ends_nothing(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	(void)round_trip(&f, ENOUGH, BASE_US);
	assert_int_equal(round_trip(&f, ENOUGH - 1, 2 * BASE_US), CMT_HYSTART_SLOW_START);
	/* The delayed round trip is what the next one is compared with. */
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_SLOW_START);
}

static void the_smallest_delay_counts(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	(void)round_trip(&f, ENOUGH, BASE_US);
	(void)acknowledge(&f, f.number, f.number + 20, BASE_US);
	for (unsigned i = 1; i < 20; i++)
		assert_int_equal(acknowledge(&f, f.number + i, f.number + 20, 2 * BASE_US),
		                 CMT_HYSTART_SLOW_START);
}

static void acknowledgements_without_a_delay_are_no_samples(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	(void)round_trip(&f, ENOUGH, BASE_US);
	assert_int_equal(acknowledge(&f, f.number, f.number + 100, CMT_UNKNOWN_US), CMT_HYSTART_SLOW_START);
	for (unsigned i = 1; i < ENOUGH; i++)
		assert_int_equal(acknowledge(&f, f.number + i, f.number + 100, 2 * BASE_US),
		                 CMT_HYSTART_SLOW_START);
	assert_int_equal(acknowledge(&f, f.number + ENOUGH, f.number + 100, 2 * BASE_US),
	                 CMT_HYSTART_CONSERVATIVE);
}

static void after_a_round_trip_without_samples_there_is_nothing_to_compare_with(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	(void)round_trip(&f, ENOUGH, BASE_US);
	(void)round_trip(&f, ENOUGH, CMT_UNKNOWN_US);
	assert_int_equal(round_trip(&f, ENOUGH, 2 * BASE_US), CMT_HYSTART_SLOW_START);
}

/* A hundred milliseconds each; what grew the delays first does not pass. */
static enum cmt_hystart_phase rounds(struct flow *f, const unsigned *acks, unsigned n)
{
	enum cmt_hystart_phase phase = f->h.phase;

	for (unsigned i = 0; i < n; i++) {
		f->now_us += 100000;
		phase = round_trip(f, acks[i], BASE_US);
	}
	return phase;
}

static void slow_start_goes_on_while_round_trips_deliver_more(void **state)
{
	/* After a round trip that delivered eight: as the window grows; by less than a quarter in two; full.
	 */
	static const unsigned grows[] = {10, 12, 15}, little[] = {8, 9, 10, 11}, full[] = {8, 8, 8, 8};
	struct flow f = grown(BASE_US);

	(void)state;
	assert_int_equal(rounds(&f, grows, 2), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(rounds(&f, &grows[2], 1), CMT_HYSTART_SLOW_START);
	/* Delays have to grow again. */
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US + THRESHOLD_US - 1), CMT_HYSTART_SLOW_START);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US + 2 * THRESHOLD_US - 1), CMT_HYSTART_CONSERVATIVE);
	f = grown(BASE_US);
	assert_int_equal(rounds(&f, little, 4), CMT_HYSTART_CONSERVATIVE);
	f = grown(BASE_US);
	assert_int_equal(rounds(&f, full, 4), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(rounds(&f, full, 1), CMT_HYSTART_DONE);
}

static void slow_start_returns_when_delays_fall_below_what_ended_it(void **state)
{
	struct flow f = grown(BASE_US);

	(void)state;
	assert_int_equal(round_trip(&f, ENOUGH - 1, BASE_US - 1), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US - 1), CMT_HYSTART_SLOW_START);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US - 1 + THRESHOLD_US), CMT_HYSTART_CONSERVATIVE);
}

static void the_fifth_end_of_a_round_trip_is_final(void **state)
{
	struct flow f = grown(BASE_US);

	(void)state;
	/* The round trip in which delays grew counts as the first of five. */
	for (unsigned i = 1; i < MORE_ROUNDS; i++)
		assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, 1, BASE_US), CMT_HYSTART_DONE);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US / 2), CMT_HYSTART_DONE);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US / 2), CMT_HYSTART_DONE);
}

/* A scheduler that holds packets back keeps the rate where it is. */
static void round_trips_that_do_not_use_the_window_are_not_counted(void **state)
{
	struct flow f = grown(BASE_US);

	(void)state;
	f.cwnd_bytes = 2 * ENOUGH * ACK_BYTES;
	for (unsigned i = 0; i < 2 * MORE_ROUNDS; i++)
		assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_CONSERVATIVE);
	f.cwnd_bytes = ENOUGH * ACK_BYTES;
	for (unsigned i = 1; i < MORE_ROUNDS; i++)
		assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, 1, BASE_US), CMT_HYSTART_DONE);
}

static void rounds_are_counted_anew_after_a_return_to_slow_start(void **state)
{
	struct flow f = grown(BASE_US);

	(void)state;
	(void)round_trip(&f, ENOUGH, BASE_US);
	(void)round_trip(&f, ENOUGH, BASE_US);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US / 2), CMT_HYSTART_SLOW_START);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_CONSERVATIVE);
	for (unsigned i = 1; i < MORE_ROUNDS; i++)
		assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US), CMT_HYSTART_DONE);
}

static void an_offset_of_the_clocks_changes_nothing(void **state)
{
	static const int64_t first_us[] = {-BASE_US, -THRESHOLD_US, -1, INT64_MIN + 1,
	                                   INT64_MAX - THRESHOLD_US};

	(void)state;
	for (size_t i = 0; i < sizeof(first_us) / sizeof(first_us[0]); i++) {
		struct flow f = new_flow(0, 0);

		(void)round_trip(&f, ENOUGH, first_us[i]);
		assert_int_equal(round_trip(&f, ENOUGH, first_us[i] + THRESHOLD_US - 1),
		                 CMT_HYSTART_SLOW_START);
		f = new_flow(0, 0);
		(void)round_trip(&f, ENOUGH, first_us[i]);
		assert_int_equal(round_trip(&f, ENOUGH, first_us[i] + THRESHOLD_US),
		                 CMT_HYSTART_CONSERVATIVE);
	}
}

static void delays_at_both_ends_of_their_type_are_compared(void **state)
{
	struct flow f = new_flow(0, 0);

	(void)state;
	(void)round_trip(&f, ENOUGH, INT64_MIN + 1);
	assert_int_equal(round_trip(&f, ENOUGH, INT64_MAX), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, ENOUGH, INT64_MIN + 1), CMT_HYSTART_SLOW_START);
}

static void numbers_wrap(void **state)
{
	struct flow f = new_flow(UINT32_MAX - 11, 0);

	(void)state;
	(void)round_trip(&f, ENOUGH, BASE_US);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US + THRESHOLD_US), CMT_HYSTART_CONSERVATIVE);
	for (unsigned i = 1; i < MORE_ROUNDS; i++)
		assert_int_equal(round_trip(&f, ENOUGH, BASE_US + THRESHOLD_US), CMT_HYSTART_CONSERVATIVE);
	assert_int_equal(round_trip(&f, ENOUGH, BASE_US + THRESHOLD_US), CMT_HYSTART_DONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_eighth_sample_above_the_threshold_ends_doubling),
	    cmocka_unit_test(the_first_round_trip_has_nothing_to_compare_with),
	    cmocka_unit_test(the_threshold_is_an_eighth_of_the_round_trip_within_4_and_16_ms),
	    cmocka_unit_test(jitter_with_fewer_samples_ends_nothing),
	    cmocka_unit_test(the_smallest_delay_counts),
	    cmocka_unit_test(acknowledgements_without_a_delay_are_no_samples),
	    cmocka_unit_test(after_a_round_trip_without_samples_there_is_nothing_to_compare_with),
	    cmocka_unit_test(slow_start_goes_on_while_round_trips_deliver_more),
	    cmocka_unit_test(slow_start_returns_when_delays_fall_below_what_ended_it),
	    cmocka_unit_test(the_fifth_end_of_a_round_trip_is_final),
	    cmocka_unit_test(round_trips_that_do_not_use_the_window_are_not_counted),
	    cmocka_unit_test(rounds_are_counted_anew_after_a_return_to_slow_start),
	    cmocka_unit_test(an_offset_of_the_clocks_changes_nothing),
	    cmocka_unit_test(delays_at_both_ends_of_their_type_are_compared),
	    cmocka_unit_test(numbers_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
