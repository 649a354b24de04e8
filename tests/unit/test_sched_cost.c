/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_cost.c - a decision looks at a bounded number of units, however many wait: counted, not timed.
 *
 * The index is compiled into this program under other names, with counting functions in front of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"

bool uncounted_at(const struct cmt_units *u, uint64_t offset_bytes, uint32_t *tsn, uint64_t *before_bytes);
uint32_t uncounted_len(const struct cmt_units *u, uint32_t tsn);

/* The names may be macros already: exported symbols carry a prefix. */
#pragma push_macro("cmt_units_at")
#pragma push_macro("cmt_units_len")
#undef cmt_units_at
#undef cmt_units_len
#define cmt_units_at  uncounted_at
#define cmt_units_len uncounted_len
#include "sched/cmt_units.c"
#pragma pop_macro("cmt_units_at")
#pragma pop_macro("cmt_units_len")

static unsigned looked_at;

uint32_t cmt_units_len(const struct cmt_units *u, uint32_t tsn)
{
	looked_at++;
	return uncounted_len(u, tsn);
}

bool cmt_units_at(const struct cmt_units *u, uint64_t offset_bytes, uint32_t *tsn, uint64_t *before_bytes)
{
	looked_at++;
	return uncounted_at(u, offset_bytes, tsn, before_bytes);
}

/* The last path is so slow that its packet is half the queue ahead. */
static unsigned most_looked_at(const struct cmt_sched_ops *ops, uint32_t units, uint8_t n_paths)
{
	static uint64_t st[CMT_SCHED_STATE_MAX / sizeof(uint64_t)];
	static uint32_t memory[4096 * 2];
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_units index;
	struct cmt_view v = {.units = &index,
	                     .n_paths = n_paths,
	                     .paths = paths,
	                     .packet_bytes = 1000,
	                     .wire_bytes = 1000,
	                     .limit_tsn = 10000,
	                     .peer_rwnd_bytes = 1000000000,
	                     .window_packet_bytes = 1000,
	                     .window_unit_bytes = 1000,
	                     .window_reserve_bytes = 1000};
	unsigned most = 0;

	cmt_units_init(&index, 4096, 1, memory);
	for (uint32_t tsn = 1; tsn <= units; tsn++)
		assert_int_equal(cmt_units_add(&index, tsn, 1000), 0);
	for (uint8_t i = 0; i < n_paths; i++)
		paths[i] = (struct cmt_path_view){.id = i,
		                                  .usable = true,
		                                  .cwnd_bytes = 10000000,
		                                  .srtt_us = 10000,
		                                  .min_rtt_us = 10000,
		                                  .rate_bps = 8000000,
		                                  .rate_measured = true,
		                                  .base_us = 10000,
		                                  .start_us = 10000,
		                                  .delay_us = 10000};
	paths[n_paths - 1].base_us += 1000 * (int64_t)(units / 2 / (n_paths - 1u));
	paths[n_paths - 1].start_us = paths[n_paths - 1].delay_us = paths[n_paths - 1].base_us;
	memset(st, 0, sizeof(st));
	if (ops->init != NULL)
		assert_int_equal(ops->init(st, NULL), 0);
	if (ops->plan != NULL)
		ops->plan(st, &v);
	for (unsigned with_room = 0; with_room <= n_paths; with_room++) {
		for (uint8_t i = 0; i < n_paths; i++)
			paths[i].room_bytes = with_room == n_paths || with_room == i ? 1000 : 0;
		looked_at = 0;
		(void)ops->next(st, &v);
		if (ops->look_ahead != NULL)
			(void)ops->look_ahead(st, &v);
		most = looked_at > most ? looked_at : most;
	}
	return most;
}

static void a_decision_looks_at_four_units_per_path_at_most(void **state)
{
	(void)state;
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		for (uint8_t n_paths = 2; n_paths <= CMT_SCHED_MAX_PATHS; n_paths++) {
			unsigned few = most_looked_at(cmt_sched_builtin(i), 16, n_paths);
			unsigned many = most_looked_at(cmt_sched_builtin(i), 4096, n_paths);

			assert_in_range(few, 0, 4u * n_paths);
			assert_in_range(many, 0, 4u * n_paths);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_decision_looks_at_four_units_per_path_at_most),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
