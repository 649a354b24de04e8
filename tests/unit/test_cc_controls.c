/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_cc_controls.c - the formulas of the congestion controls by numbers worked out by hand, for 1000 bytes
 * acknowledged in 1000-byte packets: 1/w is 1000000 / w bytes then. Growth is compared in 65536ths of a byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cc/cmt_cc.h"

enum { MSS = 1000, MS = 1000 };

struct shape {
	uint32_t cwnd_bytes, srtt_us;
};

/* Paths in congestion avoidance. */
static struct cmt_cc new_cc(const char *name, const struct shape *shapes, unsigned n)
{
	struct cmt_cc cc = {.ops = NULL};

	assert_int_equal(cmt_cc_set(&cc, cmt_cc_find(name), ""), 0);
	for (unsigned i = 0; i < n; i++) {
		cmt_cc_open(&cc, i, shapes[i].cwnd_bytes, MSS);
		cc.paths[i].ssthresh_bytes = shapes[i].cwnd_bytes;
		cc.paths[i].srtt_us = shapes[i].srtt_us;
	}
	return cc;
}

static int64_t growth(const struct cmt_cc *cc, unsigned i)
{
	return cc->ops->increase(cc, i, 1000);
}

static uint32_t after_loss(const struct cmt_cc *cc, unsigned i)
{
	return cc->ops->decrease(cc, i);
}

static const char *const coupling[] = {"coupled", "linked", "rttcomp", "olia", "balia"};
enum { N_COUPLING = sizeof(coupling) / sizeof(coupling[0]) };

static void a_path_alone_is_uncoupled_under_every_control(void **state)
{
	static const struct shape alone[] = {{20000, 100 * MS}};

	(void)state;
	for (size_t k = 0; cmt_cc_builtin(k) != NULL; k++) {
		struct cmt_cc cc = new_cc(cmt_cc_builtin(k)->name, alone, 1);

		if (cc.ops->on_ack != NULL)
			continue;
		assert_int_equal(growth(&cc, 0), 50 * 65536);
		assert_int_equal(after_loss(&cc, 0), 10000);
		cc.paths[0].cwnd_bytes = 20001;
		assert_int_equal(after_loss(&cc, 0), 10000);
	}
}

static void a_path_without_a_round_trip_is_uncoupled_and_counts_in_no_rate(void **state)
{
	static const struct shape shapes[] = {{20000, 100 * MS}, {40000, 0}};

	(void)state;
	for (unsigned k = 1; k < N_COUPLING; k++) {
		struct cmt_cc cc = new_cc(coupling[k], shapes, 2);

		assert_int_equal(growth(&cc, 1), 25 * 65536);
		assert_int_equal(after_loss(&cc, 1), 20000);
		assert_int_equal(growth(&cc, 0), 50 * 65536);
		assert_int_equal(after_loss(&cc, 0), 10000);
	}
}

static void a_closed_path_counts_nowhere(void **state)
{
	static const struct shape shapes[] = {{20000, 100 * MS}, {40000, 10 * MS}};

	(void)state;
	for (unsigned k = 0; k < N_COUPLING; k++) {
		struct cmt_cc cc = new_cc(coupling[k], shapes, 2);

		cc.paths[1].in_use = false;
		assert_int_equal(growth(&cc, 0), 50 * 65536);
		assert_int_equal(after_loss(&cc, 0), 10000);
	}
}

static void two_equal_paths_grow_a_quarter_as_fast_each(void **state)
{
	static const struct shape equal[] = {{20000, 100 * MS}, {20000, 100 * MS}};

	(void)state;
	/* (w/rtt^2) / (2 w/rtt)^2 = 1/(4 w); fully coupled 1/(2 w). */
	for (unsigned k = 0; k < N_COUPLING; k++) {
		const struct cmt_cc cc = new_cc(coupling[k], equal, 2);
		const int64_t expected = (strcmp(coupling[k], "coupled") == 0 ? 50 : 25) * 65536 / 2;

		assert_int_equal(growth(&cc, 0), expected);
		assert_int_equal(growth(&cc, 1), expected);
	}
}

static void coupled_grows_by_the_sum_and_loses_half_of_it(void **state)
{
	static const struct shape shapes[] = {{60000, 10 * MS}, {40000, 200 * MS}};
	struct cmt_cc cc = new_cc("coupled", shapes, 2);

	(void)state;
	assert_int_equal(growth(&cc, 0), 10 * 65536);
	assert_int_equal(growth(&cc, 1), 10 * 65536);
	assert_int_equal(after_loss(&cc, 0), 10000);
	assert_int_equal(after_loss(&cc, 1), MSS);
	/* The framework leaves two packets. */
	cmt_cc_on_loss(&cc, 1, &(struct cmt_cc_loss){.bytes = MSS, .number = 1, .next_number = 9});
	assert_int_equal(cc.paths[1].cwnd_bytes, 2 * MSS);
}

static void linked_takes_alpha_from_the_path_that_grows_fastest(void **state)
{
	/* 60000/10^2 > 120000/40^2; at 10 ms all paths carry 60000 + 120000 / 4 = 90000:
	 * 10^6 * 60000 / 90000^2 = 7.4074 on both. */
	static const struct shape shapes[] = {{60000, 10 * MS}, {120000, 40 * MS}};
	const struct cmt_cc cc = new_cc("linked", shapes, 2);

	(void)state;
	assert_int_equal(growth(&cc, 0), 485451);
	assert_int_equal(growth(&cc, 1), 485451);
	assert_int_equal(after_loss(&cc, 0), 30000);
	assert_int_equal(after_loss(&cc, 1), 60000);
}

static void rttcomp_is_linked_but_never_faster_than_alone(void **state)
{
	/* At 10 ms 10000 + 100000 / 20 = 15000: 10^6 * 10000 / 15000^2 = 44.444. Alone: 100 and 10. */
	static const struct shape shapes[] = {{10000, 10 * MS}, {100000, 200 * MS}};
	const struct cmt_cc linked = new_cc("linked", shapes, 2), rttcomp = new_cc("rttcomp", shapes, 2);

	(void)state;
	assert_int_equal(growth(&linked, 0), 2912711);
	assert_int_equal(growth(&linked, 1), 2912711);
	assert_int_equal(growth(&rttcomp, 0), 2912711);
	assert_int_equal(growth(&rttcomp, 1), 10 * 65536);
}

static void olia_moves_windows_from_the_largest_to_the_best(void **state)
{
	static const struct shape shapes[] = {{40000, 100 * MS}, {20000, 100 * MS}};
	struct cmt_cc cc = new_cc("olia", shapes, 2);

	(void)state;
	cc.paths[0].acked_since_loss_bytes = 100000;
	cc.paths[1].acked_between_losses_bytes = 400000;
	/* 10^6 * 40000 / 60000^2 - 10^6 / (2 * 40000) = 11.111 - 12.5 */
	assert_int_equal(growth(&cc, 0), 728177 - 819200);
	/* 10^6 * 20000 / 60000^2 + 10^6 / (2 * 20000) = 5.5556 + 25 */
	assert_int_equal(growth(&cc, 1), 364088 + 1638400);
	assert_int_equal(after_loss(&cc, 0), 20000);

	/* The largest is the best: nothing to move. */
	cc.paths[0].acked_between_losses_bytes = 400001;
	assert_int_equal(growth(&cc, 0), 728177);
	assert_int_equal(growth(&cc, 1), 364088);
}

static void olia_takes_the_longer_interval_over_the_squared_round_trip_for_best(void **state)
{
	static const struct shape shapes[] = {{40000, 100 * MS}, {20000, 200 * MS}};
	struct cmt_cc cc = new_cc("olia", shapes, 2);

	(void)state;
	cc.paths[0].acked_since_loss_bytes = 100000;
	cc.paths[0].acked_between_losses_bytes = 50000;
	cc.paths[1].acked_since_loss_bytes = 399999;
	cc.paths[1].acked_between_losses_bytes = 300000;
	/* At 100 ms 50000, at 200 ms 100000: 10^6 * 40000 / 50000^2 = 16, 10^6 * 20000 / 100000^2 = 2. */
	assert_int_equal(growth(&cc, 0), 16 * 65536);
	assert_int_equal(growth(&cc, 1), 2 * 65536);
	/* As good as the largest: best too. -12.5 and +25. */
	cc.paths[1].acked_since_loss_bytes = 400000;
	assert_int_equal(growth(&cc, 0), 16 * 65536 - 25 * 65536 / 2);
	assert_int_equal(growth(&cc, 1), 27 * 65536);
}

static void olia_shares_what_it_moves_between_equals(void **state)
{
	static const struct shape shapes[] = {
	    {40000, 100 * MS}, {40000, 100 * MS}, {20000, 100 * MS}, {20000, 100 * MS}, {20000, 100 * MS}};
	struct cmt_cc cc = new_cc("olia", shapes, 5);

	(void)state;
	cc.paths[2].acked_since_loss_bytes = 1000;
	cc.paths[3].acked_since_loss_bytes = 1000;
	/* n = 5; two largest: -10^6 / (5 * 2 * 40000) = -2.5; two best: +10^6 / (5 * 2 * 20000) = 5.
	 * Without: 10^6 * 40000 / 140000^2 = 2.0408, 10^6 * 20000 / 140000^2 = 1.0204. */
	assert_int_equal(growth(&cc, 0), 133746 - 5 * 65536 / 2);
	assert_int_equal(growth(&cc, 1), 133746 - 5 * 65536 / 2);
	assert_int_equal(growth(&cc, 2), 66873 + 5 * 65536);
	assert_int_equal(growth(&cc, 3), 66873 + 5 * 65536);
	assert_int_equal(growth(&cc, 4), 66873);
}

static void a_window_that_olia_shrinks_keeps_its_fractions_and_a_packet(void **state)
{
	static const struct shape shapes[] = {{40000, 100 * MS}, {20000, 100 * MS}};
	const struct cmt_cc_ack ack = {
	    .bytes = 1000, .number = 1, .next_number = 50, .delay_us = CMT_UNKNOWN_US, .cwnd_limited = true};
	struct cmt_cc cc = new_cc("olia", shapes, 2);

	(void)state;
	cc.paths[1].acked_since_loss_bytes = 400000;
	/* -91023 = -2 * 65536 + 40049 */
	cmt_cc_on_ack(&cc, 0, &ack);
	assert_int_equal(cc.paths[0].cwnd_bytes, 39998);
	assert_int_equal(cc.paths[0].growth, 40049);

	cc.paths[0] = (struct cmt_cc_path){
	    .in_use = true, .mss_bytes = MSS, .cwnd_bytes = MSS, .ssthresh_bytes = MSS, .srtt_us = 100 * MS};
	cc.paths[1].cwnd_bytes = MSS - 1;
	for (unsigned i = 0; i < 100; i++)
		cmt_cc_on_ack(&cc, 0, &ack);
	assert_int_equal(cc.paths[0].cwnd_bytes, MSS);
}

static void balia_helps_the_slower_path(void **state)
{
	static const struct shape shapes[] = {{40000, 100 * MS}, {20000, 100 * MS}};
	const struct cmt_cc cc = new_cc("balia", shapes, 2);

	(void)state;
	/* a = 2: 10^6 * 20000 / 60000^2 * 3/2 * 6/5 = 10 */
	assert_int_equal(growth(&cc, 1), 10 * 65536);
	/* a = 1: 10^6 * 40000 / 60000^2 = 11.111, less what fractions of 20 bits lose. */
	assert_in_range(growth(&cc, 0), 728176, 728177);
}

static void balia_takes_up_to_three_quarters_of_the_slower_path(void **state)
{
	static const struct shape twice[] = {{40000, 100 * MS}, {20000, 100 * MS}},
	                          fifth[] = {{24000, 100 * MS}, {20000, 100 * MS}},
	                          by_rate[] = {{20000, 100 * MS}, {40000, 240 * MS}};
	struct cmt_cc cc = new_cc("balia", twice, 2);

	(void)state;
	assert_int_equal(after_loss(&cc, 0), 20000);
	assert_int_equal(after_loss(&cc, 1), 5000);
	cc = new_cc("balia", fifth, 2);
	assert_int_equal(after_loss(&cc, 0), 12000);
	assert_int_equal(after_loss(&cc, 1), 8000);
	/* a = (20000/100) / (40000/240) = 1.2 */
	cc = new_cc("balia", by_rate, 2);
	assert_int_equal(after_loss(&cc, 0), 10000);
	assert_int_equal(after_loss(&cc, 1), 16000);
}

/* --- where windows end up --------------------------------------------------------------------------------
 */

struct packets {
	uint32_t number[2], window[2];
};

/* The next packet of path i arrives, or is lost, as one in `every` is. */
static void arrive(struct cmt_cc *cc, unsigned i, struct packets *p, unsigned every)
{
	const uint32_t number = p->number[i]++, next = number + p->window[i];

	if (number % every == every - 1)
		cmt_cc_on_loss(cc, i,
		               &(struct cmt_cc_loss){.bytes = MSS, .number = number, .next_number = next});
	else
		cmt_cc_on_ack(cc, i,
		              &(struct cmt_cc_ack){.bytes = MSS,
		                                   .number = number,
		                                   .next_number = next,
		                                   .delay_us = CMT_UNKNOWN_US,
		                                   .cwnd_limited = true});
}

/* Mean window of each of two paths (of the first alone) over many round trips, acknowledgements in turns. */
static void run(const char *name, unsigned n, const unsigned *every, double *mean_bytes)
{
	static const struct shape start[] = {{20000, 100 * MS}, {20000, 100 * MS}};
	enum { ROUNDS = 20000, WARM_UP = 2000 };
	struct cmt_cc cc = new_cc(name, start, n);
	struct packets p = {.number = {0, 150}};

	memset(mean_bytes, 0, n * sizeof(*mean_bytes));
	for (unsigned round = 0; round < ROUNDS; round++) {
		bool busy = true;

		for (unsigned i = 0; i < n; i++)
			p.window[i] = cc.paths[i].cwnd_bytes / MSS;
		for (uint32_t k = 0; busy; k++) {
			busy = false;
			for (unsigned i = 0; i < n; i++) {
				if (k < p.window[i]) {
					arrive(&cc, i, &p, every[i]);
					busy = true;
				}
			}
		}
		for (unsigned i = 0; round >= WARM_UP && i < n; i++)
			mean_bytes[i] += (double)cc.paths[i].cwnd_bytes / (ROUNDS - WARM_UP);
	}
}

static void two_equal_linked_paths_carry_as_much_as_one_flow(void **state)
{
	static const char *const names[] = {"linked", "rttcomp", "olia", "balia"};
	static const unsigned every[] = {400, 400};
	double alone[1], two[2];

	(void)state;
	run("uncoupled", 1, every, alone);
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		run(names[k], 2, every, two);
		if (two[0] + two[1] < 0.85 * alone[0] || two[0] + two[1] > 1.15 * alone[0])
			fail_msg("%s: %.0f + %.0f bytes, alone %.0f", names[k], two[0], two[1], alone[0]);
	}
	run("uncoupled", 2, every, two);
	assert_true(two[0] + two[1] > 1.9 * alone[0]);
}

static void coupling_moves_away_from_the_congested_path(void **state)
{
	/* Share of the path with four times the losses: uncoupled 1 / (1 + sqrt(4)), linked 1 / (1 + 4).
	 * Fully coupled it would be none, but for the two packets that losses leave and what grows between
	 * two. */
	static const struct {
		const char *name;
		double least, most;
	} bands[] = {
	    {"uncoupled", 0.31, 0.35}, {"linked", 0.17, 0.23}, {"rttcomp", 0.17, 0.23},
	    {"balia", 0.10, 0.17},     {"olia", 0.02, 0.08},   {"coupled", 0.06, 0.13},
	};
	static const unsigned every[] = {1600, 400};

	(void)state;
	for (size_t k = 0; k < sizeof(bands) / sizeof(bands[0]); k++) {
		double mean[2], share;

		run(bands[k].name, 2, every, mean);
		share = mean[1] / (mean[0] + mean[1]);
		if (share < bands[k].least || share > bands[k].most)
			fail_msg("%s: the congested path has %.3f of %.0f bytes", bands[k].name, share,
			         mean[0] + mean[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_path_alone_is_uncoupled_under_every_control),
	    cmocka_unit_test(a_path_without_a_round_trip_is_uncoupled_and_counts_in_no_rate),
	    cmocka_unit_test(a_closed_path_counts_nowhere),
	    cmocka_unit_test(two_equal_paths_grow_a_quarter_as_fast_each),
	    cmocka_unit_test(coupled_grows_by_the_sum_and_loses_half_of_it),
	    cmocka_unit_test(linked_takes_alpha_from_the_path_that_grows_fastest),
	    cmocka_unit_test(rttcomp_is_linked_but_never_faster_than_alone),
	    cmocka_unit_test(olia_moves_windows_from_the_largest_to_the_best),
	    cmocka_unit_test(olia_takes_the_longer_interval_over_the_squared_round_trip_for_best),
	    cmocka_unit_test(olia_shares_what_it_moves_between_equals),
	    cmocka_unit_test(a_window_that_olia_shrinks_keeps_its_fractions_and_a_packet),
	    cmocka_unit_test(balia_helps_the_slower_path),
	    cmocka_unit_test(balia_takes_up_to_three_quarters_of_the_slower_path),
	    cmocka_unit_test(two_equal_linked_paths_carry_as_much_as_one_flow),
	    cmocka_unit_test(coupling_moves_away_from_the_congested_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
