/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_ocps.c - Algorithm 1 of the OCPS paper, and what SACKs tell it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sched/cmt_ocps.h"

static void an_offset_starts_with_one_doubles_to_its_threshold_and_goes_on_by_one(void **state)
{
	static const int32_t expected[] = {1, 2, 4, 8, 9, 10, 11};
	struct cmt_ocps_offset large = {.a_threshold_pkts = -8, .b_threshold_pkts = 8}, small = large;

	(void)state;
	for (unsigned i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		cmt_ocps_too_large(&large);
		cmt_ocps_too_small(&small);
		assert_int_equal(large.a_pkts, -expected[i]);
		assert_int_equal(large.b_pkts, 0);
		assert_int_equal(small.b_pkts, expected[i]);
		assert_int_equal(small.a_pkts, 0);
	}
}

static void a_change_of_situation_clears_the_offset_and_halves_its_threshold(void **state)
{
	struct cmt_ocps_offset o = {
	    .a_pkts = -11, .a_threshold_pkts = -8, .b_pkts = 0, .b_threshold_pkts = 8};

	(void)state;
	cmt_ocps_too_small(&o);
	assert_int_equal(o.a_pkts, 0);
	assert_int_equal(o.a_threshold_pkts, -5);
	assert_int_equal(o.b_pkts, 0);
	for (int i = 0; i < 3; i++)
		cmt_ocps_too_small(&o);
	assert_int_equal(o.b_pkts, 4);
	cmt_ocps_too_large(&o);
	assert_int_equal(o.b_pkts, 0);
	assert_int_equal(o.b_threshold_pkts, 2);
	for (int i = 0; i < 5; i++)
		cmt_ocps_too_large(&o);
	assert_int_equal(o.a_pkts, -6); /* 1, 2, 4, 5, 6 */
	/* From one packet the threshold becomes none: steps of one from the first. */
	o = (struct cmt_ocps_offset){.a_pkts = -1, .a_threshold_pkts = -8};
	cmt_ocps_too_small(&o);
	assert_int_equal(o.a_threshold_pkts, 0);
	for (int i = 0; i < 3; i++)
		cmt_ocps_too_large(&o);
	assert_int_equal(o.a_pkts, -3);
}

/* Path 0 is the faster one, with the loop of the paper's i; path 1 is j. */
struct bench {
	struct cmt_ocps ocps;
	struct cmt_units units;
	uint32_t memory[64 * 2];
	struct cmt_path_view paths[3];
	struct cmt_view view;
};

static struct bench *new_bench(uint32_t first_unsent_tsn)
{
	static struct bench b;

	memset(&b, 0, sizeof(b));
	cmt_ocps_init(&b.ocps, 8, false);
	cmt_units_init(&b.units, 64, first_unsent_tsn, b.memory);
	assert_int_equal(cmt_units_add(&b.units, first_unsent_tsn, 1000), 0);
	b.paths[0] = (struct cmt_path_view){.id = 0, .usable = true, .min_rtt_us = 100000};
	b.paths[1] = (struct cmt_path_view){.id = 1, .usable = true, .min_rtt_us = 400000};
	b.paths[2] = (struct cmt_path_view){.id = 2, .usable = true, .min_rtt_us = 900000};
	b.view = (struct cmt_view){.units = &b.units, .paths = b.paths, .n_paths = 2, .packet_bytes = 1000};
	return &b;
}

static void sent(struct bench *b, uint8_t path_id, uint32_t from_tsn, uint32_t to_tsn)
{
	for (uint32_t tsn = from_tsn; tsn != to_tsn + 1; tsn++)
		cmt_ocps_on_sent(&b->ocps, &(struct cmt_sent){.now_us = b->view.now_us,
		                                              .path_id = path_id,
		                                              .first_tsn = tsn,
		                                              .chunks = 1,
		                                              .bytes = 1000});
}

static void sack(struct bench *b, uint8_t path_id, uint32_t tsn)
{
	cmt_ocps_on_acked(&b->ocps, &(struct cmt_acked){.path_id = path_id, .tsn = tsn, .bytes = 1000});
	cmt_ocps_plan(&b->ocps, &b->view);
}

static void sent_again(struct bench *b, uint8_t path_id, uint32_t tsn)
{
	cmt_ocps_on_sent(
	    &b->ocps,
	    &(struct cmt_sent){
	        .path_id = path_id, .first_tsn = tsn, .chunks = 1, .bytes = 1000, .retransmission = true});
}

static void lost(struct bench *b, uint8_t path_id, uint32_t tsn)
{
	cmt_ocps_on_lost(&b->ocps, &(struct cmt_lost){.path_id = path_id, .tsn = tsn, .bytes = 1000});
}

static int32_t offset(const struct bench *b, uint8_t path_id)
{
	return b->ocps.paths[path_id].offset.a_pkts + b->ocps.paths[path_id].offset.b_pkts;
}

/* That the round before said so too. */
static void has_said(struct bench *b, uint8_t path_id, enum cmt_ocps_said said)
{
	b->ocps.paths[path_id].said = said;
}

/* Figure 2: N = 7 where 5 is right. Packets 1 to 7 on the fast path, 8 to 10 on the slow one, which arrive
 * after 5. Twice: the first time may be chance. */
static void situation_1_of_the_paper_lowers_n_of_the_slow_path(void **state)
{
	struct bench *b = new_bench(100);

	(void)state;
	for (uint32_t before = 0; before <= 20; before += 20) {
		sent(b, 1, before + 8, before + 10);
		sent(b, 0, before + 1, before + 7);
		for (uint32_t tsn = 1; tsn <= 5; tsn++)
			sack(b, 0, before + tsn);
		sack(b, 1, before + 8);
		sack(b, 1, before + 9);
		assert_int_equal(offset(b, 1), 0);
		sack(b, 1, before + 10); /* the round is over */
		assert_int_equal(offset(b, 1), before == 0 ? 0 : -1);
		sack(b, 0, before + 6);
		sack(b, 0, before + 7);
	}
	assert_int_equal(offset(b, 0), 0);
}

/* Figure 3: N = 3 where 5 is right. */
static void situation_2_of_the_paper_raises_n_of_the_slow_path(void **state)
{
	struct bench *b = new_bench(100);

	(void)state;
	for (uint32_t before = 0; before <= 20; before += 20) {
		sent(b, 1, before + 4, before + 6);
		sent(b, 0, before + 1, before + 3);
		sent(b, 0, before + 7, before + 10);
		for (uint32_t tsn = 1; tsn <= 3; tsn++)
			sack(b, 0, before + tsn);
		sack(b, 0, before + 7);
		sack(b, 0, before + 8);
		for (uint32_t tsn = 4; tsn <= 6; tsn++)
			sack(b, 1, before + tsn);
		assert_int_equal(offset(b, 1), before == 0 ? 0 : 1);
		sack(b, 0, before + 9);
		sack(b, 0, before + 10);
	}
}

static void the_other_situation_clears_the_offset_at_once(void **state)
{
	struct bench *b = new_bench(100);

	(void)state;
	b->ocps.paths[1].offset.b_pkts = 6;
	sent(b, 0, 1, 3);
	sent(b, 1, 8, 8);
	sack(b, 0, 1);
	sack(b, 1, 8);
	assert_int_equal(offset(b, 1), 0);
	sack(b, 0, 3);
	b->ocps.paths[1].offset.a_pkts = -6;
	sent(b, 1, 20, 20);
	sent(b, 0, 21, 21);
	sack(b, 0, 21);
	sack(b, 1, 20);
	assert_int_equal(offset(b, 1), 0);
}

static void the_majority_of_a_round_decides(void **state)
{
	struct bench *b = new_bench(20);

	(void)state;
	sent(b, 1, 2, 2);
	sent(b, 1, 8, 10);
	sent(b, 0, 1, 1);
	sent(b, 0, 3, 3);
	sent(b, 0, 5, 5);
	sack(b, 0, 1);
	sack(b, 1, 2); /* in time */
	sack(b, 1, 8); /* before 3 and 5 */
	sack(b, 0, 3);
	sack(b, 1, 9); /* before 5 */
	sack(b, 0, 5);
	sack(b, 1, 10); /* in time: two of four are no majority */
	assert_int_equal(offset(b, 1), 0);
}

static void what_is_out_when_the_offset_moves_belongs_to_no_round(void **state)
{
	struct bench *b = new_bench(50);

	(void)state;
	has_said(b, 1, CMT_OCPS_TOO_LARGE);
	sent(b, 0, 1, 3);
	sent(b, 1, 10, 10);
	sack(b, 0, 1);
	sent(b, 1, 14, 16);
	sack(b, 1, 10);
	sack(b, 1, 14);
	sent(b, 1, 18, 19);
	sack(b, 1, 16); /* the round ends: 16 was the newest when it began */
	assert_int_equal(offset(b, 1), -1);
	sack(b, 1, 18);
	sack(b, 1, 19); /* sent under the old offset */
	assert_int_equal(offset(b, 1), -1);
	sent(b, 1, 24, 25);
	sack(b, 1, 24);
	sack(b, 1, 25);
	assert_int_equal(offset(b, 1), -2);
}

static void what_is_not_sent_yet_is_a_hole_of_the_faster_paths(void **state)
{
	struct bench *b = new_bench(5);

	(void)state;
	has_said(b, 1, CMT_OCPS_TOO_LARGE);
	sent(b, 1, 8, 8);
	sent(b, 0, 1, 4);
	sack(b, 0, 4);
	sack(b, 1, 8);
	assert_int_equal(offset(b, 1), -1);
}

static void in_order_nothing_moves(void **state)
{
	struct bench *b = new_bench(11);

	(void)state;
	sent(b, 1, 6, 8);
	sent(b, 0, 1, 5);
	for (uint32_t tsn = 1; tsn <= 5; tsn++)
		sack(b, 0, tsn);
	for (uint32_t tsn = 6; tsn <= 8; tsn++)
		sack(b, 1, tsn);
	assert_int_equal(offset(b, 0), 0);
	assert_int_equal(offset(b, 1), 0);
}

static void a_hole_that_its_path_has_overtaken_is_a_loss(void **state)
{
	struct bench *b = new_bench(11);

	(void)state;
	sent(b, 1, 6, 8);
	sent(b, 0, 1, 5);
	sent(b, 0, 9, 10);
	sack(b, 0, 1);
	sack(b, 0, 3); /* 2 is lost */
	sack(b, 0, 4);
	sack(b, 0, 5);
	sack(b, 1, 6);
	assert_int_equal(offset(b, 1), 0);
	/* Its retransmission on the other path is nothing that was scheduled there. */
	sent_again(b, 1, 2);
	sack(b, 1, 2);
	sack(b, 1, 7);
	sack(b, 1, 8);
	assert_int_equal(offset(b, 1), 0);
	assert_int_equal(offset(b, 0), 0);
}

static void of_three_paths_those_with_holes_move(void **state)
{
	struct bench *b = new_bench(30);

	(void)state;
	b->view.n_paths = 3;
	has_said(b, 1, CMT_OCPS_TOO_LARGE);
	has_said(b, 2, CMT_OCPS_TOO_SMALL);
	sent(b, 2, 20, 21);
	sent(b, 1, 10, 12);
	sent(b, 0, 1, 5);
	/* Path 1's packets before path 0's 4 and 5: too far ahead. Path 2 is not concerned. */
	sack(b, 0, 3);
	sack(b, 1, 12);
	assert_int_equal(offset(b, 1), -1);
	assert_int_equal(offset(b, 2), 0);
	/* Path 0's packet before path 2's: that was not far enough ahead. */
	sent(b, 0, 25, 25);
	sack(b, 0, 25);
	sack(b, 2, 21);
	assert_int_equal(offset(b, 1), -1);
	assert_int_equal(offset(b, 2), 1);
}

static void what_is_out_when_another_path_loses_belongs_to_no_round(void **state)
{
	struct bench *b = new_bench(100);

	(void)state;
	has_said(b, 1, CMT_OCPS_TOO_LARGE);
	sent(b, 0, 1, 9);
	sent(b, 1, 10, 12);
	sack(b, 0, 1);
	sack(b, 1, 10);
	lost(b, 0, 2);
	sack(b, 1, 11);
	sack(b, 1, 12);
	assert_int_equal(offset(b, 1), 0);
	lost(b, 1, 12); /* its own says nothing about the others */
	sent(b, 1, 20, 20);
	sack(b, 1, 20);
	assert_int_equal(offset(b, 1), -1);
}

static bool may_send(const struct bench *b, uint8_t path_id)
{
	return cmt_ocps_correct(&b->ocps, &b->view, path_id, 5000) != UINT64_MAX;
}

/* The slow path's 4 to 6 stay out while 7 to 10 arrive, and are sent again on the fast one. */
static struct bench *bench_of_a_miss(void)
{
	struct bench *b = new_bench(100);

	sent(b, 1, 4, 6);
	sent(b, 0, 1, 3);
	sent(b, 0, 7, 10);
	sack(b, 0, 3);
	sack(b, 0, 10);
	for (uint32_t tsn = 4; tsn <= 6; tsn++) {
		sent_again(b, 0, tsn);
		cmt_ocps_plan(&b->ocps, &b->view);
	}
	return b;
}

static void what_is_sent_again_while_it_is_late_was_too_few_ahead(void **state)
{
	struct bench *b = bench_of_a_miss();

	(void)state;
	assert_int_equal(offset(b, 1), 4); /* 1, 2, 4 */
	sack(b, 0, 4);
	assert_int_equal(offset(b, 1), 4);
	assert_int_equal(offset(b, 0), 0);
	/* It was lost: its path is not to blame. */
	b = new_bench(100);
	sent(b, 1, 4, 4);
	sent(b, 0, 5, 5);
	sack(b, 0, 5);
	lost(b, 1, 4);
	sent_again(b, 0, 4);
	cmt_ocps_plan(&b->ocps, &b->view);
	assert_int_equal(offset(b, 1), 0);
	/* Before anything above it arrived there is nothing to be learnt. */
	b = new_bench(100);
	sent(b, 1, 8, 8);
	sent(b, 0, 1, 3);
	sack(b, 0, 3);
	sent_again(b, 0, 8);
	cmt_ocps_plan(&b->ocps, &b->view);
	assert_int_equal(offset(b, 1), 0);
	assert_true(may_send(b, 1));
}

static void after_a_miss_the_path_is_tried_with_one_packet(void **state)
{
	struct bench *b = bench_of_a_miss();

	(void)state;
	assert_false(may_send(b, 1));
	b->view.now_us = 6400000; /* 16 loops */
	cmt_ocps_plan(&b->ocps, &b->view);
	assert_false(may_send(b, 1));
	b->view.now_us++;
	cmt_ocps_plan(&b->ocps, &b->view);
	assert_int_equal(offset(b, 1), 2);
	assert_true(may_send(b, 1));
	sent(b, 0, 11, 12);
	sent(b, 1, 13, 13);
	assert_false(may_send(b, 1));
	/* It was early: the old prediction holds again. */
	sack(b, 1, 13);
	assert_true(may_send(b, 1));
	assert_int_equal(offset(b, 1), 0);
}

static void an_offset_without_use_is_halved_until_it_is_gone(void **state)
{
	struct bench *b = new_bench(100);

	(void)state;
	b->ocps.paths[1].offset.a_pkts = -3;
	for (int32_t pkts = -1; pkts <= 0; pkts++) {
		b->view.now_us += 6400001;
		cmt_ocps_plan(&b->ocps, &b->view);
		assert_int_equal(offset(b, 1), pkts);
	}
	sent(b, 1, 20, 20);
	assert_true(may_send(b, 1));
}

/* What comes back may be as bad as it went. */
static void an_offset_outlives_a_failure_of_its_path(void **state)
{
	struct bench *b = bench_of_a_miss();

	(void)state;
	cmt_ocps_on_path(&b->ocps, 1, false);
	cmt_ocps_on_path(&b->ocps, 1, true);
	assert_int_equal(offset(b, 1), 4);
	assert_true(may_send(b, 1));
	sent(b, 1, 20, 20);
	assert_false(may_send(b, 1));
}

static void the_fastest_path_has_no_offset(void **state)
{
	struct bench *b = bench_of_a_miss();

	(void)state;
	b->paths[0].min_rtt_us = 500000;
	cmt_ocps_on_path(&b->ocps, 1, true);
	sent(b, 1, 20, 20);
	assert_false(may_send(b, 1));
	sack(b, 1, 20);
	assert_true(may_send(b, 1));
	assert_int_equal(offset(b, 1), 0);
}

static void the_correction_never_goes_below_the_head(void **state)
{
	struct bench *b = new_bench(5);

	(void)state;
	b->ocps.paths[1].offset.a_pkts = -3;
	assert_int_equal(cmt_ocps_correct(&b->ocps, &b->view, 1, 5000), 2000);
	assert_int_equal(cmt_ocps_correct(&b->ocps, &b->view, 1, 3000), 0);
	assert_int_equal(cmt_ocps_correct(&b->ocps, &b->view, 1, 2999), 0);
	b->ocps.paths[1].offset = (struct cmt_ocps_offset){.b_pkts = 2};
	assert_int_equal(cmt_ocps_correct(&b->ocps, &b->view, 1, 5000), 7000);
	assert_true(cmt_ocps_correct(&b->ocps, &b->view, 1, UINT64_MAX) == UINT64_MAX);
}

static struct bench *new_bench_of_the_paper(uint32_t first_unsent_tsn)
{
	struct bench *b = new_bench(first_unsent_tsn);

	cmt_ocps_init(&b->ocps, 8, true);
	return b;
}

/* Figure 2: N = 7 where 5 is right: each of the three packets of the slow path finds 6 and 7 missing. */
static void to_the_letter_every_sack_of_situation_1_lowers_n(void **state)
{
	static const int32_t a_pkts[] = {-1, -2, -4, -8, -9, -10};
	struct bench *b = new_bench_of_the_paper(100);

	(void)state;
	for (uint32_t k = 0; k < 2; k++) {
		const uint32_t before = 20 * k;

		sent(b, 1, before + 8, before + 10);
		sent(b, 0, before + 1, before + 7);
		for (uint32_t tsn = 1; tsn <= 5; tsn++)
			sack(b, 0, before + tsn);
		for (uint32_t i = 0; i < 3; i++) {
			sack(b, 1, before + 8 + i);
			assert_int_equal(b->ocps.paths[1].offset.a_pkts, a_pkts[3 * k + i]);
		}
		sack(b, 0, before + 6); /* its only hole is its own path's */
		sack(b, 0, before + 7);
		assert_int_equal(b->ocps.paths[1].offset.a_pkts, a_pkts[3 * k + 2]);
	}
	assert_int_equal(b->ocps.paths[1].offset.b_pkts, 0);
	assert_int_equal(offset(b, 0), 0);
}

/* Figure 3: N = 3 where 5 is right. Packets 7 and 8 find 4 to 6 of the slow path missing; then one comes
 * between each two of the fast path's. */
static void to_the_letter_every_sack_of_situation_2_raises_n(void **state)
{
	struct bench *b = new_bench_of_the_paper(100);

	(void)state;
	sent(b, 1, 4, 6);
	sent(b, 0, 1, 3);
	sent(b, 0, 7, 10);
	for (uint32_t tsn = 1; tsn <= 3; tsn++)
		sack(b, 0, tsn);
	assert_int_equal(offset(b, 1), 0);
	for (uint32_t i = 0; i < 3; i++) {
		static const int32_t b_pkts[] = {1, 2, 4};

		sack(b, 0, 7 + i);
		assert_int_equal(b->ocps.paths[1].offset.b_pkts, b_pkts[i]);
		sack(b, 1, 4 + i);
		assert_int_equal(b->ocps.paths[1].offset.b_pkts, b_pkts[i]);
	}
	sack(b, 0, 10); /* no hole */
	assert_int_equal(b->ocps.paths[1].offset.b_pkts, 4);
	/* The other situation clears it: its threshold is half of it. */
	sent(b, 0, 11, 12);
	sent(b, 1, 13, 14);
	sack(b, 1, 13);
	assert_int_equal(b->ocps.paths[1].offset.b_pkts, 0);
	assert_int_equal(b->ocps.paths[1].offset.b_threshold_pkts, 2);
	assert_int_equal(b->ocps.paths[1].offset.a_pkts, 0);
	sack(b, 1, 14);
	assert_int_equal(b->ocps.paths[1].offset.a_pkts, -1);
}

/* Algorithm 1: "for each subflow_l in subflow_k's master-subflows". */
static void to_the_letter_all_slower_paths_move_when_one_has_a_hole(void **state)
{
	struct bench *b = new_bench_of_the_paper(100);

	(void)state;
	b->view.n_paths = 3;
	sent(b, 1, 2, 2);
	sent(b, 0, 1, 1);
	sent(b, 0, 3, 3);
	sack(b, 0, 1);
	sack(b, 0, 3);
	assert_int_equal(offset(b, 0), 0);
	assert_int_equal(offset(b, 1), 1);
	assert_int_equal(offset(b, 2), 1);
}

/* A SACK that shows a loss on its own path says nothing; one of another path finds a hole, until what was
 * lost is sent again. */
static void to_the_letter_a_loss_on_another_path_is_a_hole(void **state)
{
	struct bench *b = new_bench_of_the_paper(100);

	(void)state;
	sent(b, 1, 5, 8);
	sent(b, 0, 1, 4);
	sack(b, 0, 1);
	sack(b, 0, 3); /* 2 is lost, 4 follows; path 1 is not ahead */
	sack(b, 0, 4);
	assert_int_equal(offset(b, 1), 0);
	sack(b, 1, 5);
	assert_int_equal(offset(b, 1), -1);
	sack(b, 1, 7); /* 6 is lost on its own path */
	assert_int_equal(offset(b, 1), -1);
	sack(b, 1, 6);
	lost(b, 0, 2);
	sent_again(b, 1, 2);
	sack(b, 1, 8);
	assert_int_equal(offset(b, 1), -2); /* 6 came late, and found 2 missing */
}

/* As a chunk that expires: nobody tells. */
static void to_the_letter_what_was_given_up_is_no_hole_for_ever(void **state)
{
	struct bench *b = new_bench_of_the_paper(100);

	(void)state;
	sent(b, 0, 1, 1);
	for (uint32_t tsn = 2; tsn <= 10; tsn += 2) { /* rounds of one packet */
		sent(b, 0, tsn, tsn);
		sack(b, 0, tsn);
		sent(b, 1, tsn + 1, tsn + 1);
		sack(b, 1, tsn + 1);
	}
	assert_int_equal(offset(b, 1), -2);
}

static void to_the_letter_nothing_is_tried_and_nothing_forgotten(void **state)
{
	struct bench *b = new_bench_of_the_paper(100);

	(void)state;
	sent(b, 1, 4, 4);
	sent(b, 0, 1, 3);
	sack(b, 1, 4);
	assert_int_equal(offset(b, 1), -1);
	b->view.now_us = 100000000;
	cmt_ocps_plan(&b->ocps, &b->view);
	cmt_ocps_on_path(&b->ocps, 1, false);
	cmt_ocps_on_path(&b->ocps, 1, true);
	sent(b, 1, 10, 11);
	assert_int_equal(offset(b, 1), -1);
	assert_int_equal(cmt_ocps_correct(&b->ocps, &b->view, 1, 5000), 4000);
}

/* TSNs of a ring that is reused many times over, packets lost and overtaken, around the wrap. */
static void million_packets(struct bench *b)
{
	uint32_t tsn = 0u - 500000u;

	cmt_units_init(&b->units, 64, 600000, b->memory);
	assert_int_equal(cmt_units_add(&b->units, 600000, 1000), 0);
	for (; tsn != 500000; tsn++) {
		uint8_t path_id = tsn % 3 == 0;

		sent(b, path_id, tsn, tsn);
		if (tsn % 7 != 0)
			sack(b, path_id, tsn);
		else if (b->ocps.every_sack)
			lost(b, path_id, tsn);
	}
	sent(b, 0, tsn, tsn);
	sent(b, 1, tsn + 1, tsn + 1);
	sack(b, 0, tsn);
	sack(b, 1, tsn + 1);
	assert_false(b->ocps.paths[0].out);
	assert_false(b->ocps.paths[1].out);
	for (unsigned i = 0; i < CMT_OCPS_TSNS; i++)
		assert_int_equal(b->ocps.carrier[i], 0);
}

static void a_million_packets_leave_no_trace(void **state)
{
	(void)state;
	million_packets(new_bench(5));
	million_packets(new_bench_of_the_paper(5));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_offset_starts_with_one_doubles_to_its_threshold_and_goes_on_by_one),
	    cmocka_unit_test(a_change_of_situation_clears_the_offset_and_halves_its_threshold),
	    cmocka_unit_test(situation_1_of_the_paper_lowers_n_of_the_slow_path),
	    cmocka_unit_test(situation_2_of_the_paper_raises_n_of_the_slow_path),
	    cmocka_unit_test(the_other_situation_clears_the_offset_at_once),
	    cmocka_unit_test(the_majority_of_a_round_decides),
	    cmocka_unit_test(what_is_out_when_the_offset_moves_belongs_to_no_round),
	    cmocka_unit_test(what_is_not_sent_yet_is_a_hole_of_the_faster_paths),
	    cmocka_unit_test(in_order_nothing_moves),
	    cmocka_unit_test(a_hole_that_its_path_has_overtaken_is_a_loss),
	    cmocka_unit_test(of_three_paths_those_with_holes_move),
	    cmocka_unit_test(what_is_out_when_another_path_loses_belongs_to_no_round),
	    cmocka_unit_test(what_is_sent_again_while_it_is_late_was_too_few_ahead),
	    cmocka_unit_test(after_a_miss_the_path_is_tried_with_one_packet),
	    cmocka_unit_test(an_offset_without_use_is_halved_until_it_is_gone),
	    cmocka_unit_test(an_offset_outlives_a_failure_of_its_path),
	    cmocka_unit_test(the_fastest_path_has_no_offset),
	    cmocka_unit_test(the_correction_never_goes_below_the_head),
	    cmocka_unit_test(to_the_letter_every_sack_of_situation_1_lowers_n),
	    cmocka_unit_test(to_the_letter_every_sack_of_situation_2_raises_n),
	    cmocka_unit_test(to_the_letter_all_slower_paths_move_when_one_has_a_hole),
	    cmocka_unit_test(to_the_letter_a_loss_on_another_path_is_a_hole),
	    cmocka_unit_test(to_the_letter_what_was_given_up_is_no_hole_for_ever),
	    cmocka_unit_test(to_the_letter_nothing_is_tried_and_nothing_forgotten),
	    cmocka_unit_test(a_million_packets_leave_no_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
