/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_units.c - cmt_units against literal cases and against a sorted array. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sched/cmt_units.h"

static struct cmt_units new_units(uint32_t capacity, uint32_t first_tsn)
{
	struct cmt_units u;
	void *mem = malloc(cmt_units_bytes_needed(capacity));

	assert_non_null(mem);
	memset(mem, 0xa5, cmt_units_bytes_needed(capacity));
	cmt_units_init(&u, capacity, first_tsn, mem);
	return u;
}

static void free_units(struct cmt_units *u)
{
	free(u->sums_bytes);
}

static void assert_at(const struct cmt_units *u, uint64_t offset_bytes, uint32_t tsn, uint64_t before_bytes)
{
	uint32_t found_tsn = ~tsn;
	uint64_t found_before_bytes = ~before_bytes;

	assert_true(cmt_units_at(u, offset_bytes, &found_tsn, &found_before_bytes));
	assert_int_equal(found_tsn, tsn);
	assert_int_equal(found_before_bytes, before_bytes);
}

static void memory_is_six_bytes_a_slot_and_none_for_a_bad_capacity(void **state)
{
	(void)state;
	assert_int_equal(cmt_units_bytes_needed(16), 96);
	assert_int_equal(cmt_units_bytes_needed(8192), 49152);
	assert_int_equal(cmt_units_bytes_needed(0), 0);
	assert_int_equal(cmt_units_bytes_needed(8), 0);
	assert_int_equal(cmt_units_bytes_needed(24), 0);
	assert_int_equal(cmt_units_bytes_needed(16384), 0);
}

static void an_empty_index_finds_nothing_and_names_its_first_tsn(void **state)
{
	struct cmt_units u = new_units(16, 7);
	uint32_t tsn = 1;
	uint64_t before_bytes = 2;

	(void)state;
	assert_int_equal(cmt_units_count(&u), 0);
	assert_int_equal(cmt_units_total_bytes(&u), 0);
	assert_int_equal(cmt_units_first(&u), 7);
	assert_int_equal(cmt_units_last(&u), 7);
	assert_false(cmt_units_has(&u, 7));
	assert_int_equal(cmt_units_remove(&u, 7), -ENOENT);
	assert_false(cmt_units_at(&u, 0, &tsn, &before_bytes));
	assert_int_equal(tsn, 1);
	assert_int_equal(before_bytes, 2);
	free_units(&u);
}

static void a_byte_position_names_the_unit_across_tsn_wrap_and_a_hole(void **state)
{
	struct cmt_units u = new_units(16, 0xfffffffe);
	uint32_t tsn;
	uint64_t before_bytes;

	(void)state;
	assert_int_equal(cmt_units_add(&u, 0xfffffffe, 1000), 0);
	assert_int_equal(cmt_units_add(&u, 0xffffffff, 500), 0);
	assert_int_equal(cmt_units_add(&u, 0, 1), 0);
	assert_int_equal(cmt_units_add(&u, 3, 65535), 0);
	assert_int_equal(cmt_units_total_bytes(&u), 67036);
	assert_at(&u, 0, 0xfffffffe, 0);
	assert_at(&u, 999, 0xfffffffe, 0);
	assert_at(&u, 1000, 0xffffffff, 1000);
	assert_at(&u, 1499, 0xffffffff, 1000);
	assert_at(&u, 1500, 0, 1500);
	assert_at(&u, 1501, 3, 1501);
	assert_at(&u, 67035, 3, 1501);
	assert_false(cmt_units_at(&u, 67036, &tsn, &before_bytes));
	assert_false(cmt_units_at(&u, UINT64_C(0x100000000), &tsn, &before_bytes));
	assert_int_equal(cmt_units_len(&u, 0xffffffff), 500);
	assert_int_equal(cmt_units_len(&u, 1), 0);
	assert_int_equal(cmt_units_first(&u), 0xfffffffe);
	assert_int_equal(cmt_units_last(&u), 3);
	free_units(&u);
}

static void the_lowest_unit_bounds_the_window_until_it_is_gone(void **state)
{
	struct cmt_units u = new_units(16, 100);

	(void)state;
	assert_int_equal(cmt_units_add(&u, 100, 10), 0);
	assert_int_equal(cmt_units_add(&u, 115, 10), 0);
	assert_int_equal(cmt_units_add(&u, 116, 10), -ERANGE);
	assert_int_equal(cmt_units_add(&u, 100 + 0x80000000u, 10), -ERANGE);
	assert_int_equal(cmt_units_add(&u, 115 + 0x80000000u, 10), -ERANGE);
	assert_int_equal(cmt_units_count(&u), 2);
	assert_int_equal(cmt_units_remove(&u, 100), 0);
	assert_int_equal(cmt_units_first(&u), 115);
	assert_int_equal(cmt_units_add(&u, 116, 10), 0);
	assert_int_equal(cmt_units_add(&u, 130, 10), 0);
	assert_int_equal(cmt_units_add(&u, 131, 10), -ERANGE);
	free_units(&u);
}

static void a_lower_tsn_may_come_back_while_the_span_fits(void **state)
{
	struct cmt_units u = new_units(16, 100);

	(void)state;
	assert_int_equal(cmt_units_add(&u, 110, 10), 0);
	assert_int_equal(cmt_units_add(&u, 94, 10), -ERANGE);
	assert_int_equal(cmt_units_add(&u, 95, 20), 0);
	assert_int_equal(cmt_units_first(&u), 95);
	assert_at(&u, 0, 95, 0);
	assert_at(&u, 20, 110, 20);
	assert_int_equal(cmt_units_remove(&u, 110), 0);
	assert_int_equal(cmt_units_last(&u), 95);
	free_units(&u);
}

static void bad_lengths_and_duplicates_change_nothing(void **state)
{
	struct cmt_units u = new_units(16, 5);

	(void)state;
	assert_int_equal(cmt_units_add(&u, 5, 0), -EINVAL);
	assert_int_equal(cmt_units_add(&u, 5, 65536), -EINVAL);
	assert_int_equal(cmt_units_add(&u, 5, 65535), 0);
	assert_int_equal(cmt_units_add(&u, 5, 1), -EEXIST);
	assert_int_equal(cmt_units_len(&u, 5), 65535);
	assert_int_equal(cmt_units_len(&u, 5 + 16), 0);
	assert_int_equal(cmt_units_remove(&u, 5 + 16), -ENOENT);
	assert_int_equal(cmt_units_count(&u), 1);
	free_units(&u);
}

static void a_full_index_of_the_largest_units_counts_every_byte(void **state)
{
	struct cmt_units u = new_units(8192, 0);

	(void)state;
	for (uint32_t i = 0; i < 8192; i++)
		assert_int_equal(cmt_units_add(&u, 0xfffff000u + i, 65535), 0);
	assert_int_equal(cmt_units_total_bytes(&u), 536862720);
	assert_at(&u, 536862719, 0xfffff000u + 8191, 536862720 - 65535);
	for (uint32_t i = 0; i < 8192; i++)
		assert_int_equal(cmt_units_remove(&u, 0xfffff000u + i), 0);
	assert_int_equal(cmt_units_total_bytes(&u), 0);
	free_units(&u);
}

/* The model: units sorted by their distance from a TSN that no unit is below. */
struct model {
	uint32_t n;
	uint32_t tsn[8192];
	uint32_t len_bytes[8192];
};

static uint32_t model_place(const struct model *m, uint32_t tsn)
{
	uint32_t i = 0;

	while (i < m->n && (int32_t)(m->tsn[i] - tsn) < 0)
		i++;
	return i;
}

static int model_add(struct model *m, uint32_t capacity, uint32_t tsn, uint32_t len_bytes)
{
	const uint32_t i = model_place(m, tsn);

	if (i < m->n && m->tsn[i] == tsn)
		return -EEXIST;
	if (m->n > 0 && ((int32_t)(tsn - m->tsn[0]) >= (int32_t)capacity ||
	                 (int32_t)(m->tsn[m->n - 1] - tsn) >= (int32_t)capacity))
		return -ERANGE;
	memmove(&m->tsn[i + 1], &m->tsn[i], (m->n - i) * sizeof(m->tsn[0]));
	memmove(&m->len_bytes[i + 1], &m->len_bytes[i], (m->n - i) * sizeof(m->len_bytes[0]));
	m->tsn[i] = tsn;
	m->len_bytes[i] = len_bytes;
	m->n++;
	return 0;
}

static int model_remove(struct model *m, uint32_t tsn)
{
	const uint32_t i = model_place(m, tsn);

	if (i == m->n || m->tsn[i] != tsn)
		return -ENOENT;
	m->n--;
	memmove(&m->tsn[i], &m->tsn[i + 1], (m->n - i) * sizeof(m->tsn[0]));
	memmove(&m->len_bytes[i], &m->len_bytes[i + 1], (m->n - i) * sizeof(m->len_bytes[0]));
	return 0;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

static void compare_position(const struct cmt_units *u, const struct model *m, uint64_t *seed)
{
	uint64_t total_bytes = 0, before_bytes = 0, offset_bytes;
	uint32_t i = 0, tsn;

	for (uint32_t k = 0; k < m->n; k++)
		total_bytes += m->len_bytes[k];
	assert_int_equal(cmt_units_total_bytes(u), total_bytes);
	assert_int_equal(cmt_units_count(u), m->n);
	assert_false(cmt_units_at(u, total_bytes, &tsn, &before_bytes));
	if (m->n == 0)
		return;
	assert_int_equal(cmt_units_first(u), m->tsn[0]);
	assert_int_equal(cmt_units_last(u), m->tsn[m->n - 1]);
	offset_bytes = next_random(seed) % total_bytes;
	for (before_bytes = 0; before_bytes + m->len_bytes[i] <= offset_bytes; i++)
		before_bytes += m->len_bytes[i];
	assert_at(u, offset_bytes, m->tsn[i], before_bytes);
	assert_int_equal(cmt_units_len(u, m->tsn[i]), m->len_bytes[i]);
}

/* Works like a sender: a window that moves on, units taken out anywhere, now and then one put back. */
static void agree_with_model(uint32_t capacity, uint32_t fill_of_16, uint32_t operations, uint64_t seed)
{
	static struct model m;
	struct cmt_units u = new_units(capacity, 0);
	uint32_t next_tsn = 0u - operations / 8;

	print_message("capacity %u, fill %u/16, seed %llu\n", (unsigned)capacity, (unsigned)fill_of_16,
	              (unsigned long long)seed);
	m.n = 0;
	for (uint32_t op = 0; op < operations; op++) {
		const uint64_t what = next_random(&seed) % 16;
		uint32_t tsn = next_tsn;

		if (what < fill_of_16) {
			const uint32_t len_bytes = 1 + (uint32_t)(next_random(&seed) % 65535);
			const int expected = model_add(&m, capacity, tsn, len_bytes);

			assert_int_equal(cmt_units_add(&u, tsn, len_bytes), expected);
			next_tsn += expected == 0 ? 1 : 0;
		} else if (what == fill_of_16) {
			tsn = next_tsn - (uint32_t)(next_random(&seed) % (2 * (uint64_t)capacity));
			assert_int_equal(cmt_units_add(&u, tsn, 77), model_add(&m, capacity, tsn, 77));
			next_tsn = (int32_t)(tsn + 1 - next_tsn) > 0 ? tsn + 1 : next_tsn;
		} else {
			if (m.n > 0 && next_random(&seed) % 3 > 0)
				tsn = m.tsn[next_random(&seed) % (next_random(&seed) % m.n + 1)];
			assert_int_equal(cmt_units_remove(&u, tsn), model_remove(&m, tsn));
			assert_false(cmt_units_has(&u, tsn));
		}
		compare_position(&u, &m, &seed);
	}
	free_units(&u);
}

static void a_million_random_operations_agree_with_a_sorted_array(void **state)
{
	(void)state;
	agree_with_model(16, 8, 300000, 1);
	agree_with_model(64, 9, 300000, 2);
	agree_with_model(64, 7, 200000, 3);
	agree_with_model(256, 10, 195000, 4);
	agree_with_model(8192, 12, 5000, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(memory_is_six_bytes_a_slot_and_none_for_a_bad_capacity),
	    cmocka_unit_test(an_empty_index_finds_nothing_and_names_its_first_tsn),
	    cmocka_unit_test(a_byte_position_names_the_unit_across_tsn_wrap_and_a_hole),
	    cmocka_unit_test(the_lowest_unit_bounds_the_window_until_it_is_gone),
	    cmocka_unit_test(a_lower_tsn_may_come_back_while_the_span_fits),
	    cmocka_unit_test(bad_lengths_and_duplicates_change_nothing),
	    cmocka_unit_test(a_full_index_of_the_largest_units_counts_every_byte),
	    cmocka_unit_test(a_million_random_operations_agree_with_a_sorted_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
