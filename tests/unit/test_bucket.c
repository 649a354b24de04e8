/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_bucket.c - cascaded leaky buckets with faucets: Table 1 of the OSIA paper as packets of its paths, and
 * what must hold for any paths. Packets of two bytes show the water of cmt_pwf.h itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fill/cmt_bucket.h"
#include "util/cmt_random.h"

enum { MERGE_US = 10000 };

static struct cmt_buckets filled(const struct cmt_pwf_path *paths, uint8_t n, uint32_t packet_bytes)
{
	struct cmt_buckets b;

	cmt_buckets_open(&b, &(struct cmt_buckets_open){
	                         .merge_us = MERGE_US, .packet_bytes = packet_bytes, .n = n, .paths = paths});
	return b;
}

/* The path that the flow's next packet belongs to, which it takes. */
static uint8_t deal(struct cmt_buckets *b)
{
	uint8_t owner = UINT8_MAX;

	for (uint8_t i = 0; i < b->n; i++) {
		if (cmt_buckets_ahead(b, i) > 0)
			continue;
		assert_int_equal(owner, UINT8_MAX);
		owner = i;
	}
	assert_true(owner < b->n);
	cmt_buckets_take(b, owner, b->packet_bytes);
	return owner;
}

/* Pre-chunk 15 000 bytes; of the last chunk, path 1 has three packets in four, the first of them until the
 * slow path has dripped one and a half. */
static void two_paths_of_table_1_get_15000_bytes_then_three_to_one(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 3000000}, {80000, 1000000}};
	struct cmt_buckets b = filled(paths, 2, 2);

	(void)state;
	assert_int_equal(cmt_buckets_chunk(&b, 0), 0);
	assert_int_equal(cmt_buckets_chunk(&b, 1), 1);
	assert_int_equal(cmt_buckets_ahead(&b, 0), 0);
	assert_int_equal(cmt_buckets_ahead(&b, 1), 15000 + 4 * 2);
	for (unsigned k = 0; k < 7500 + 4; k++)
		assert_int_equal(deal(&b), 0);
	for (unsigned k = 0; k < 1000; k++) {
		assert_int_equal(deal(&b), 1);
		for (unsigned i = 0; i < 3; i++)
			assert_int_equal(deal(&b), 0);
	}
}

/* 5 000 bytes on one path, 6 875 on two; then of 16 packets 8, 3 and 5 are those of the paths with 0.5,
 * 0.1875 and 0.3125 of the last chunk. */
static void three_paths_of_table_1_carry_the_chunks_by_their_shares(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 2000000}, {80000, 1250000}, {60000, 750000}};
	struct cmt_buckets water = filled(paths, 3, 2), b = filled(paths, 3, 1000);
	unsigned count[3] = {0, 0, 0}, of_chunk[3] = {0, 0, 0};

	(void)state;
	assert_int_equal(cmt_buckets_ahead(&water, 2), 5000 + 3 * 2);
	assert_int_equal(cmt_buckets_ahead(&water, 1), 5000 + 6875 + 1);
	/* Levels are one and a half packets late: 60 000 us + 16 ms, and a packet of path 1 takes 4 ms. */
	for (unsigned k = 0; k < 8; k++)
		assert_int_equal(deal(&b), 0);
	assert_int_equal(deal(&b), 2);
	b = filled(paths, 3, 100);
	while (cmt_buckets_chunk(&b, 1) == 2 && cmt_buckets_ahead(&b, 1) > 0)
		of_chunk[deal(&b)]++;
	/* Of the pre-chunks 50 and 50 packets are of path 1, 18.75 of path 3. */
	assert_int_equal(of_chunk[0], 101);
	assert_int_equal(of_chunk[1], 0);
	assert_int_equal(of_chunk[2], 19);
	for (unsigned k = 0; k < 1600; k++)
		count[deal(&b)]++;
	assert_int_equal(count[0], 800);
	assert_int_equal(count[1], 500);
	assert_int_equal(count[2], 300);
}

static void four_paths_of_table_1_begin_behind_the_pre_chunks_before_theirs(void **state)
{
	const struct cmt_pwf_path paths[] = {
	    {40000, 1250000}, {20000, 1000000}, {100000, 1000000}, {80000, 750000}};
	struct cmt_buckets b = filled(paths, 4, 2);

	(void)state;
	assert_int_equal(cmt_buckets_ahead(&b, 1), 0);
	assert_int_equal(cmt_buckets_ahead(&b, 0), 2500);
	assert_int_equal(cmt_buckets_ahead(&b, 3), 2500 + 11250 + 6);
	assert_int_equal(cmt_buckets_ahead(&b, 2), 2500 + 11250 + 7500 + 4);
}

/* Eq. 1 to 3 and 10: path i draws from bucket h from ST_ih on, b_i (d_{h+1} - d_h) bytes. Half of a byte is
 * no margin. */
static void a_path_draws_from_a_bucket_in_its_window(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 2000000}, {60000, 750000}, {80000, 1250000}};

	(void)state;
	for (uint8_t i = 0; i < 3; i++) {
		struct cmt_buckets b = filled(paths, 3, 1);

		for (uint8_t h = i; h < 2; h++) {
			const uint64_t bytes = paths[i].rate_bps * 20000 / 8000000;

			assert_in_range(cmt_buckets_taken_us(&b, i) + 22, cmt_pwf_start_us(&b.pwf, i, h),
			                cmt_pwf_start_us(&b.pwf, i, h) + 22);
			for (uint64_t k = 0; k + 1 < bytes; k++) {
				assert_int_equal(cmt_buckets_chunk(&b, i), h);
				cmt_buckets_take(&b, i, 1);
			}
			while (cmt_buckets_chunk(&b, i) == h)
				cmt_buckets_take(&b, i, 1);
			assert_in_range(b.paths[i].taken_bytes, (h - i + 1) * bytes - 2, (h - i + 1) * bytes);
		}
	}
}

/* 36 and 44 ms round to 40: one bucket, and the two take turns from the first packet on. */
static void merged_paths_have_faucets_on_the_same_bucket(void **state)
{
	const struct cmt_pwf_path paths[] = {{44000, 1000000}, {36000, 1000000}, {136000, 2000000}};
	struct cmt_buckets b = filled(paths, 3, 1000);

	(void)state;
	assert_int_equal(b.pwf.n, 2);
	for (unsigned k = 0; k < 10; k++) {
		assert_int_equal(deal(&b), 0);
		assert_int_equal(deal(&b), 1);
	}
	/* Not merged, the second path is 8 ms, one packet, in front. */
	cmt_buckets_open(
	    &b, &(struct cmt_buckets_open){.merge_us = 1, .packet_bytes = 1000, .n = 3, .paths = paths});
	assert_int_equal(b.pwf.n, 3);
	assert_int_equal(deal(&b), 1);
	assert_int_equal(deal(&b), 0);
	assert_int_equal(deal(&b), 1);
}

/* A packet not taken is left to its path. */
static void the_others_leave_a_path_its_packets(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 3000000}, {40000, 1000000}};
	struct cmt_buckets b = filled(paths, 2, 1000);

	(void)state;
	for (unsigned k = 0; k < 9; k++)
		cmt_buckets_take(&b, 0, 1000);
	/* Levels: 40 + 4 + 24 ms of path 1; 40 + 12, 40 + 20 and, behind path 1's, 40 + 28 of path 2. */
	assert_int_equal(cmt_buckets_ahead(&b, 0), 2000);
	assert_int_equal(cmt_buckets_ahead(&b, 1), 0);
	cmt_buckets_take(&b, 1, 1000);
	assert_int_equal(cmt_buckets_ahead(&b, 0), 1000);
}

static uint64_t any_size(uint64_t *seed, uint64_t max)
{
	return 1 + (cmt_random_take(seed) >> (cmt_random_take(seed) % 64)) % max;
}

/* Every packet of the flow has one owner, and owners keep to their rates. */
static void any_paths_share_the_flow_without_gap_or_overlap(void **state)
{
	uint64_t seed = 3;

	(void)state;
	print_message("seed %llu\n", (unsigned long long)seed);
	for (unsigned net = 0; net < 300; net++) {
		struct cmt_pwf_path paths[CMT_MAX_PATHS];
		uint8_t n = (uint8_t)(1 + cmt_random_take(&seed) % CMT_MAX_PATHS);
		int64_t least_us = INT64_MAX, most_us = 0;
		struct cmt_buckets b;

		for (uint8_t i = 0; i < n; i++)
			paths[i] = (struct cmt_pwf_path){.delay_us = (int64_t)any_size(&seed, 100000),
			                                 .rate_bps = 100000 + any_size(&seed, 20000000)};
		b = filled(paths, n, 1400);
		for (unsigned k = 0; k < 2000; k++)
			(void)deal(&b);
		for (uint8_t i = 0; i < n; i++) {
			int64_t level_us =
			    b.pwf.paths[b.pwf.merged[i]].delay_us + cmt_buckets_taken_us(&b, i);

			if (b.paths[i].taken_bytes == 0)
				continue;
			least_us = level_us < least_us ? level_us : least_us;
			most_us = level_us > most_us ? level_us : most_us;
		}
		/* All have dripped to the same level, but for two packets of the thinnest: Eq. 7. */
		assert_true(most_us - least_us <= 2 * 1400 * 8 * 10);
	}
}

/* p = 1/4 of the chunk: geometric draws of mean 4, variance 12; 4000 of them sum to 16000 with a standard
 * deviation of 219. */
static void draws_spread_what_the_shares_say_on_average(void **state)
{
	const struct cmt_pwf_path paths[] = {{40000, 3000000}, {40000, 1000000}};
	struct cmt_buckets b = filled(paths, 2, 1000);
	uint64_t seed = 1, same = 1;
	unsigned early = 0;

	(void)state;
	for (unsigned k = 0; k < 4000; k++) {
		int64_t before_us = b.paths[1].drawn_us;

		cmt_buckets_draw(&b, 1, &seed);
		early += b.paths[1].drawn_us < before_us;
	}
	/* A packet takes 8 ms; less than four draws: 1 - (3/4)^3 = 0.578. */
	assert_in_range((b.paths[1].drawn_us + 4000 * 8000) / 2000, 16000 - 660, 16000 + 660);
	assert_in_range(early, 2312 - 100, 2312 + 100);
	b = filled(paths, 2, 1000);
	cmt_buckets_draw(&b, 0, &same);
	assert_int_equal(b.paths[1].drawn_us, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_paths_of_table_1_get_15000_bytes_then_three_to_one),
	    cmocka_unit_test(three_paths_of_table_1_carry_the_chunks_by_their_shares),
	    cmocka_unit_test(four_paths_of_table_1_begin_behind_the_pre_chunks_before_theirs),
	    cmocka_unit_test(a_path_draws_from_a_bucket_in_its_window),
	    cmocka_unit_test(merged_paths_have_faucets_on_the_same_bucket),
	    cmocka_unit_test(the_others_leave_a_path_its_packets),
	    cmocka_unit_test(any_paths_share_the_flow_without_gap_or_overlap),
	    cmocka_unit_test(draws_spread_what_the_shares_say_on_average),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
