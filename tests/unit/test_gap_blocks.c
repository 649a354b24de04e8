/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_gap_blocks.c - what a SACK's gap blocks say anew, by literal blocks and against sets of TSNs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "recovery/cmt_gap_blocks.h"
#include "util/cmt_random.h"

static struct cmt_gap_blocks of(const uint32_t *ends, unsigned n)
{
	struct cmt_gap_blocks blocks = {.n = 0};

	for (unsigned i = 0; i < n; i += 2)
		assert_true(cmt_gap_blocks_add(
		    &blocks, (struct cmt_gap_block){.first_tsn = ends[i], .last_tsn = ends[i + 1]}));
	return blocks;
}

#define BLOCKS(...)                                                                                          \
	of((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void blocks_ascend_and_are_bounded(void **state)
{
	struct cmt_gap_blocks blocks = BLOCKS(UINT32_MAX - 3, UINT32_MAX, 2, 2);

	(void)state;
	assert_false(cmt_gap_blocks_add(&blocks, (struct cmt_gap_block){.first_tsn = 2, .last_tsn = 5}));
	assert_false(cmt_gap_blocks_add(&blocks, (struct cmt_gap_block){.first_tsn = 6, .last_tsn = 5}));
	for (uint32_t tsn = 4; blocks.n < CMT_GAP_BLOCKS_MAX; tsn += 2)
		assert_true(
		    cmt_gap_blocks_add(&blocks, (struct cmt_gap_block){.first_tsn = tsn, .last_tsn = tsn}));
	assert_false(
	    cmt_gap_blocks_add(&blocks, (struct cmt_gap_block){.first_tsn = 9000, .last_tsn = 9000}));
}

static bool compare(const struct cmt_gap_blocks *now, const struct cmt_gap_blocks *before, uint32_t cum_ack)
{
	struct cmt_gap_news news[CMT_GAP_BLOCKS_MAX];
	uint32_t n;

	return cmt_gap_blocks_compare(now, before, cum_ack, news, &n);
}

static void what_the_cumulative_ack_has_passed_is_not_taken_back(void **state)
{
	const struct cmt_gap_blocks before = BLOCKS(5, 9, 20, 21), none = {.n = 0}, longer = BLOCKS(20, 25),
	                            rest = BLOCKS(21, 25), all = BLOCKS(5, 30);

	(void)state;
	assert_true(compare(&none, &none, 3));
	assert_false(compare(&none, &before, 3));
	assert_false(compare(&none, &before, 20));
	assert_true(compare(&none, &before, 21));
	assert_true(compare(&longer, &before, 9));
	assert_false(compare(&longer, &before, 7));
	assert_false(compare(&rest, &before, 9));
	assert_true(compare(&all, &before, 3));
}

/* 64 TSNs, of which the numbers wrap. */
enum { TSNS = 64 };
#define FIRST_TSN (UINT32_MAX - TSNS / 2)

static struct cmt_gap_blocks of_set(const bool *has)
{
	struct cmt_gap_blocks blocks = {.n = 0};

	for (uint32_t i = 0; i < TSNS; i++) {
		uint32_t end = i;

		while (has[i] && end + 1 < TSNS && has[end + 1])
			end++;
		if (has[i])
			assert_true(
			    cmt_gap_blocks_add(&blocks, (struct cmt_gap_block){.first_tsn = FIRST_TSN + i,
			                                                       .last_tsn = FIRST_TSN + end}));
		i = end;
	}
	return blocks;
}

static void assert_of_sets(const bool *before, const bool *now, uint32_t n_acked)
{
	const struct cmt_gap_blocks b = of_set(before), n = of_set(now);
	struct cmt_gap_news news[CMT_GAP_BLOCKS_MAX];
	bool covered = true, left[TSNS] = {false};
	uint32_t n_news;

	for (uint32_t i = n_acked; i < TSNS; i++)
		covered = covered && (now[i] || !before[i]);
	assert_int_equal(cmt_gap_blocks_compare(&n, &b, FIRST_TSN + n_acked - 1, news, &n_news), covered);
	for (uint32_t i = 0; i < n_news && covered; i++) {
		const struct cmt_gap_block part = news[i].part;

		assert_true(i == 0 || news[i].place > news[i - 1].place);
		assert_true(part.first_tsn - n.at[news[i].place].first_tsn < TSNS &&
		            n.at[news[i].place].last_tsn - part.last_tsn < TSNS);
		for (uint32_t tsn = part.first_tsn; tsn != part.last_tsn + 1; tsn++)
			left[tsn - FIRST_TSN] = true;
		assert_false(before[part.first_tsn - FIRST_TSN]);
		assert_false(before[part.last_tsn - FIRST_TSN]);
	}
	for (uint32_t i = n_acked; i < TSNS && covered; i++)
		assert_true(left[i] || !now[i] || before[i]);
}

static void what_is_new_is_left_and_ends_are(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		const uint32_t n_acked = (uint32_t)(cmt_random_take(&seed) % TSNS);
		const uint32_t few = 1 + (uint32_t)(cmt_random_take(&seed) % 8);
		bool before[TSNS], now[TSNS];

		for (uint32_t i = 0; i < TSNS; i++) {
			before[i] = cmt_random_take(&seed) % few == 0;
			now[i] = i > n_acked && (before[i] || cmt_random_take(&seed) % few == 0);
		}
		if (cmt_random_take(&seed) % 4 == 0)
			now[cmt_random_take(&seed) % TSNS] = false;
		assert_of_sets(before, now, n_acked);
	}
}

/* The blocks of the newest SACK, read as the stack does: those that say something anew. */
static void read_news(struct cmt_gap_history *h, bool *heard)
{
	uint32_t place = 0;

	while (place < h->now.n) {
		struct cmt_gap_block part;
		const uint32_t skipped = cmt_gap_history_skip(h, place, &part);

		assert_true(skipped <= h->now.n - place);
		for (uint32_t tsn = part.first_tsn; skipped == 0 && tsn != part.last_tsn + 1; tsn++) {
			assert_in_range(tsn - h->now.at[place].first_tsn, 0, TSNS);
			heard[tsn - FIRST_TSN] = true;
		}
		place += skipped > 0 ? skipped : 1;
	}
}

/* What was heard of SACK after SACK is what they say, as long as none takes something back. */
static void sacks_that_add_only_are_read_where_they_add(void **state)
{
	uint64_t seed = 2;
	unsigned added = 0, took_back = 0;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct cmt_gap_history h = {.complete = false};
		bool says[TSNS] = {false}, heard[TSNS] = {false};

		for (int n = 0; n < 40; n++) {
			const bool takes_back = cmt_random_take(&seed) % 16 == 0,
			           readable = cmt_random_take(&seed) % 16 != 0;
			const uint32_t taken = (uint32_t)(cmt_random_take(&seed) % TSNS);
			const bool was_complete = h.complete, loses = takes_back && says[taken];

			for (unsigned more = 0; more < 3; more++)
				says[1 + cmt_random_take(&seed) % (TSNS - 1)] = true;
			if (takes_back)
				says[taken] = false;
			h.now = of_set(says);
			assert_int_equal(cmt_gap_history_begin(&h, readable, FIRST_TSN - 1),
			                 was_complete && (loses || !readable));
			assert_int_equal(h.adds_only, was_complete && readable && !loses);
			if (h.adds_only)
				read_news(&h, heard);
			else
				memcpy(heard, says, sizeof(heard));
			for (uint32_t i = 0; i < TSNS; i++)
				assert_int_equal(heard[i], says[i]);
			added += h.adds_only;
			took_back += loses;
			cmt_gap_history_end(&h);
			assert_int_equal(h.complete, readable);
		}
	}
	print_message("%u SACKs added only, %u took back\n", added, took_back);
	assert_true(added > 1000 && took_back > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(blocks_ascend_and_are_bounded),
	    cmocka_unit_test(what_the_cumulative_ack_has_passed_is_not_taken_back),
	    cmocka_unit_test(what_is_new_is_left_and_ends_are),
	    cmocka_unit_test(sacks_that_add_only_are_read_where_they_add),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
