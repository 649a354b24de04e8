/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_sched_conformance.c - what every scheduler has to keep, checked on random views and in a closed loop.
 * Run on all built-in schedulers and on some written here; those written to break a rule must be caught.
 *
 * A check returns NULL or the rule that was broken.
 *
 * cost: 5 s */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cmt_sched.h"
#include "sched_model.h"
#include "support/sched_rounds.h"
#include "util/cmt_random.h"

enum { RUNS = 5000, ROUNDS_BYTES = 4096, LOOPS = 150 };

static bool chance(uint64_t *seed, unsigned one_in)
{
	return cmt_random_take(seed) % one_in == 0;
}

/* Any order of magnitude up to `max` alike; now and then the ends. */
static uint64_t any_size(uint64_t *seed, uint64_t max)
{
	uint64_t value = cmt_random_take(seed);

	value >>= cmt_random_take(seed) % 64;
	if (chance(seed, 20))
		return chance(seed, 2) ? 0 : max;
	return value <= max ? value : value % (max + 1);
}

static const char *check_rounds(const struct cmt_sched_ops *ops, uint64_t seed)
{
	static uint64_t words[ROUNDS_BYTES / sizeof(uint64_t)];

	for (unsigned i = 0; i < RUNS; i++) {
		const char *broken;

		for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
			words[k] = cmt_random_take(&seed);
		broken = sched_rounds(ops, (struct fuzz_bytes){(const uint8_t *)words, sizeof(words)});
		if (broken != NULL) {
			print_message("%s: run %u: %s\n", ops->name, i, broken);
			return broken;
		}
	}
	return NULL;
}

/* --- closed loop
 * --------------------------------------------------------------------------------------------------- */

/* Time for all units if they went one at a time through the worst queue, and everything else twice. */
static uint64_t patience_us(const struct model_config *c)
{
	uint64_t worst_us = 0;

	for (unsigned i = 0; i < c->n_paths; i++) {
		const struct model_path *p = &c->paths[i];
		uint64_t tx_time_us = (uint64_t)cmt_transmission_us(
		    c->units_per_packet * MODEL_UNIT_BYTES + MODEL_HEADER_BYTES, p->rate_bps);
		uint64_t min_rtt_us = p->delay_us + p->return_us + p->cwnd_pkts * tx_time_us;

		worst_us = min_rtt_us > worst_us ? min_rtt_us : worst_us;
	}
	return 20000000 + 2 * (c->units * worst_us + (uint64_t)c->units * c->source_gap_us);
}

/* Paths go down and come back, all at once too; in the end all are up. */
static void random_changes(struct model_config *c, uint64_t *seed)
{
	bool up[CMT_SCHED_MAX_PATHS];
	uint64_t at_us = 0;

	memset(up, true, sizeof(up));
	while (c->n_changes < MODEL_CHANGES_MAX - c->n_paths) {
		uint8_t path = (uint8_t)(cmt_random_take(seed) % c->n_paths);

		at_us += cmt_random_take(seed) % 400000;
		up[path] = !up[path];
		c->changes[c->n_changes++] = (struct model_change){at_us, path, up[path]};
	}
	for (uint8_t path = 0; path < c->n_paths; path++) {
		if (!up[path])
			c->changes[c->n_changes++] = (struct model_change){at_us + 1000000, path, true};
	}
}

static struct model_config random_loop(const struct cmt_sched_ops *ops, uint64_t *seed)
{
	struct model_config c = {.ops = ops};

	c.n_paths = 1 + (unsigned)(cmt_random_take(seed) % CMT_SCHED_MAX_PATHS);
	c.units = 200 + (uint32_t)(cmt_random_take(seed) % 400);
	c.units_per_packet = 1 + (uint32_t)(cmt_random_take(seed) % 3);
	c.window_bytes = MODEL_UNIT_BYTES * (1 + (uint32_t)any_size(seed, 5000));
	c.source_gap_us = chance(seed, 3) ? (uint32_t)(cmt_random_take(seed) % 20000) : 0;
	c.offset_us = (int64_t)(cmt_random_take(seed) % 2000000000) - 1000000000;
	for (unsigned i = 0; i < c.n_paths; i++) {
		c.paths[i].rate_bps = 50000 + any_size(seed, 1000000000);
		c.paths[i].delay_us = (uint32_t)any_size(seed, 500000);
		c.paths[i].return_us = (uint32_t)any_size(seed, 500000);
		c.paths[i].cwnd_pkts = 1 + (uint32_t)any_size(seed, 499);
	}
	if (chance(seed, 2))
		random_changes(&c, seed);
	c.limit_us = patience_us(&c);
	return c;
}

static const char *check_closed_loops(const struct cmt_sched_ops *ops, uint64_t seed, unsigned loops)
{
	for (unsigned i = 0; i < loops; i++) {
		struct model_config c = random_loop(ops, &seed);
		struct model_result r = model_run(&c);

		if (r.failure != NULL) {
			print_message("%s: loop %u: %s at %llu us\n", ops->name, i, r.failure,
			              (unsigned long long)r.end_us);
			return r.failure;
		}
	}
	return NULL;
}

/* --- schedulers written for this test
 * ------------------------------------------------------------------------------ */

static struct cmt_decision wait_until(uint64_t wake_us)
{
	return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = wake_us};
}

/* The lowest unit on the first path with room. */
static struct cmt_decision head(const void *st, const struct cmt_view *v)
{
	(void)st;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (v->paths[i].usable && v->paths[i].room_bytes > 0)
			return (struct cmt_decision){.verdict = CMT_SEND,
			                             .path_id = v->paths[i].id,
			                             .tsn = cmt_units_first(v->units),
			                             .wake_us = CMT_NEVER_US};
	}
	return wait_until(CMT_NEVER_US);
}

struct patient {
	uint64_t ready_us;
};

static struct cmt_decision patient_next(const void *st, const struct cmt_view *v)
{
	const struct patient *p = st;

	return v->now_us < p->ready_us ? wait_until(p->ready_us) : head(st, v);
}

static void patient_on_sent(void *st, const struct cmt_sent *e)
{
	((struct patient *)st)->ready_us = e->now_us + 1000;
}

static struct cmt_decision takes_any_path(const void *st, const struct cmt_view *v)
{
	struct cmt_decision d = head(st, v);

	d.verdict = CMT_SEND;
	d.path_id = v->paths[0].id;
	return d;
}

static struct cmt_decision takes_units_that_are_gone(const void *st, const struct cmt_view *v)
{
	struct cmt_decision d = head(st, v);

	d.tsn--;
	return d;
}

static struct cmt_decision waits_for_ever(const void *st, const struct cmt_view *v)
{
	return v->n_paths > 1 ? wait_until(CMT_NEVER_US) : head(st, v);
}

static struct cmt_decision wakes_in_the_past(const void *st, const struct cmt_view *v)
{
	return v->n_paths > 1 ? wait_until(v->now_us) : head(st, v);
}

static struct cmt_decision counts_questions(const void *st, const struct cmt_view *v)
{
	uint64_t *count;

	memcpy(&count, &(const void *){st}, sizeof(count));
	++*count;
	return head(st, v);
}

static struct cmt_decision is_fickle(const void *st, const struct cmt_view *v)
{
	static unsigned asked;

	return ++asked % 2 == 0 ? head(st, v) : wait_until(v->now_us + 1000);
}

/* The highest unit whenever that is legal. */
static struct cmt_decision starves_the_head(const void *st, const struct cmt_view *v)
{
	struct cmt_decision d = head(st, v);

	d.tsn = cmt_units_last(v->units);
	return cmt_sched_legal(v, &d) ? d : wait_until(v->now_us + 60000000);
}

/* Whatever the first path's copy is, whether there is one or not. */
static struct cmt_decision copies_anything(const void *st, const struct cmt_view *v)
{
	struct cmt_decision d = head(st, v);

	d.tsn = v->paths[0].copy_tsn;
	return d;
}

static uint64_t looks_far_ahead(const void *st, const struct cmt_view *v)
{
	(void)st;
	return UINT64_C(100) * v->packet_bytes;
}

#define OPS(ops_name, ...)                                                                                   \
	{                                                                                                    \
		.size = CMT_SCHED_CONTRACT_BYTES, .name = ops_name, .state_bytes = sizeof(struct patient),   \
		__VA_ARGS__                                                                                  \
	}

static const struct cmt_sched_ops good[] = {
    OPS("head", .next = head),
    OPS("patient", .next = patient_next, .on_sent = patient_on_sent),
};

/* --- the tests
 * ----------------------------------------------------------------------------------------------------- */

/* Every scheduler that must conform; NULL behind the last. */
static const struct cmt_sched_ops *subject_number(size_t i)
{
	const size_t n_good = sizeof(good) / sizeof(good[0]);

	return i < n_good ? &good[i] : cmt_sched_builtin(i - n_good);
}

static void every_scheduler_decides_legally_on_random_views(void **state)
{
	(void)state;
	for (size_t i = 0; subject_number(i) != NULL; i++) {
		const uint64_t seed = 1000 + i;

		print_message("%s: seed %llu\n", subject_number(i)->name, (unsigned long long)seed);
		assert_null(check_rounds(subject_number(i), seed));
	}
}

static void every_scheduler_delivers_everything_in_a_closed_loop(void **state)
{
	(void)state;
	for (size_t i = 0; subject_number(i) != NULL; i++) {
		print_message("%s: seed 7\n", subject_number(i)->name);
		assert_null(check_closed_loops(subject_number(i), 7, LOOPS));
	}
}

/* A builtin scheduler with options. */
static const struct form {
	const char *name, *options;
} forms[] = {
    {"bulk", "bulk_pkts=0"},
    {"fps", "rtt=1"},
    {"f2p", "rtt=1"},
    {"fps+ocps", "rtt=1,every_sack=1"},
    {"f2p+ocps", "every_sack=1"},
};
static const struct form *form;

static const struct cmt_sched_ops *builtin(const char *name)
{
	size_t i = 0;

	while (strcmp(cmt_sched_builtin(i)->name, name) != 0)
		i++;
	return cmt_sched_builtin(i);
}

static int form_init(void *st, const char *options)
{
	(void)options;
	return builtin(form->name)->init(st, form->options);
}

static void the_forms_of_the_papers_conform_too(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		struct cmt_sched_ops ops = *builtin(forms[i].name);

		form = &forms[i];
		ops.init = form_init;
		print_message("%s %s: seed 7\n", form->name, form->options);
		assert_null(check_rounds(&ops, 7));
		assert_null(check_closed_loops(&ops, 7, LOOPS));
	}
}

static void every_builtin_scheduler_has_valid_ops_and_a_name_of_its_own(void **state)
{
	(void)state;
	assert_non_null(cmt_sched_builtin(0));
	assert_null(cmt_sched_builtin(SIZE_MAX));
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		assert_int_equal(cmt_sched_check_ops(cmt_sched_builtin(i)), 0);
		assert_non_null(cmt_sched_builtin(i)->summary);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(cmt_sched_builtin(i)->name, cmt_sched_builtin(k)->name);
	}
}

static void the_suite_catches_schedulers_that_break_a_rule(void **state)
{
	static const struct {
		struct cmt_sched_ops ops;
		const char *rule;
	} bad[] = {
	    {OPS("any-path", .next = takes_any_path), "illegal decision"},
	    {OPS("gone", .next = takes_units_that_are_gone), "illegal decision"},
	    {OPS("for-ever", .next = waits_for_ever), "waits for ever"},
	    {OPS("past", .next = wakes_in_the_past), "wakes in the past"},
	    {OPS("counts", .next = counts_questions), "a question changed the state"},
	    {OPS("fickle", .next = is_fickle), "asked twice, answered differently"},
	    {OPS("any-copy", .next = head, .copy = copies_anything), "illegal copy"},
	};
	static const struct cmt_sched_ops starving =
	    OPS("starving", .next = starves_the_head, .look_ahead = looks_far_ahead);
	static const struct cmt_sched_ops stalling = OPS("stalling", .next = waits_for_ever);

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *broken = check_rounds(&bad[i].ops, 5);

		assert_non_null(broken);
		assert_string_equal(broken, bad[i].rule);
	}
	assert_non_null(check_closed_loops(&stalling, 7, LOOPS));
	assert_non_null(check_closed_loops(&starving, 7, LOOPS));
}

static void bad_ops_are_refused(void **state)
{
	struct cmt_sched_ops ops = good[0];

	(void)state;
	assert_int_equal(cmt_sched_check_ops(&ops), 0);
	assert_int_equal(cmt_sched_check_ops(NULL), -EINVAL);
	ops.size--;
	assert_int_equal(cmt_sched_check_ops(&ops), -EINVAL);
	ops = good[0];
	ops.next = NULL;
	assert_int_equal(cmt_sched_check_ops(&ops), -EINVAL);
	ops = good[0];
	ops.state_bytes = CMT_SCHED_STATE_MAX;
	assert_int_equal(cmt_sched_check_ops(&ops), 0);
	ops.state_bytes++;
	assert_int_equal(cmt_sched_check_ops(&ops), -EINVAL);
	ops = good[0];
	ops.window_tsns = CMT_SCHED_WINDOW_MIN_TSNS;
	assert_int_equal(cmt_sched_check_ops(&ops), 0);
	ops.window_tsns--;
	assert_int_equal(cmt_sched_check_ops(&ops), -EINVAL);
}

static void names_are_1_to_31_characters_of_a_small_alphabet(void **state)
{
	static const struct {
		const char *name;
		int result;
	} cases[] = {{"a", 0},
	             {"f2p+ocps-1_x", 0},
	             {"abcdefghijklmnopqrstuvwxyz01234", 0},
	             {"abcdefghijklmnopqrstuvwxyz012345", -EINVAL},
	             {"", -EINVAL},
	             {NULL, -EINVAL},
	             {"Arrival", -EINVAL},
	             {"a b", -EINVAL},
	             {"a=b", -EINVAL},
	             {"a\xc3\xa4", -EINVAL}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cmt_sched_ops ops = good[0];

		ops.name = cases[i].name;
		assert_int_equal(cmt_sched_check_ops(&ops), cases[i].result);
	}
}

static void a_wait_stalls_with_nothing_in_flight_and_no_time_to_wake(void **state)
{
	struct cmt_view v = {.total_flight_bytes = 0};
	struct cmt_decision d = {.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};

	(void)state;
	assert_true(cmt_sched_stalls(&v, &d));
	v.total_flight_bytes = 1;
	assert_false(cmt_sched_stalls(&v, &d));
	v.total_flight_bytes = 0;
	d.wake_us = 1000;
	assert_false(cmt_sched_stalls(&v, &d));
	d = (struct cmt_decision){.verdict = CMT_SEND, .wake_us = CMT_NEVER_US};
	assert_false(cmt_sched_stalls(&v, &d));
}

static void the_first_to_arrive_counts_with_the_time_its_packet_takes(void **state)
{
	const struct cmt_path_view paths[] = {
	    {.id = 0, .usable = true, .rate_bps = 100000, .start_us = 9999},
	    {.id = 1, .usable = true, .rate_bps = 1600000, .start_us = 10000},
	};
	const struct cmt_view v = {.n_paths = 2, .paths = paths, .wire_bytes = 1064};

	(void)state;
	/* 95119 us and 15320 us. */
	assert_int_equal(cmt_sched_first_arrival(&v, false), 1);
}

/* At 1 s: its window opens 4 ms later. */
static const struct cmt_path_view full_short_path = {.id = 0,
                                                     .usable = true,
                                                     .rate_bps = 1000000,
                                                     .min_rtt_us = 12000,
                                                     .base_us = 5000,
                                                     .start_us = 1005000,
                                                     .ready_at_us = 1004000};

static void a_full_window_that_opens_soon_is_waited_for(void **state)
{
	struct cmt_path_view paths[] = {
	    full_short_path,
	    {.id = 1,
	     .usable = true,
	     .min_rtt_us = 600000,
	     .base_us = 300000,
	     .start_us = 1300000,
	     .room_bytes = 1},
	};
	const struct cmt_view v = {.now_us = 1000000, .n_paths = 2, .paths = paths, .wire_bytes = 1064};

	(void)state;
	assert_int_equal(cmt_sched_first_arrival(&v, true), 1);
	assert_int_equal(cmt_sched_first_when_ready(&v), 0);
	/* That would be later. */
	paths[0].ready_at_us = 1300000;
	assert_int_equal(cmt_sched_first_when_ready(&v), 1);
	paths[0].room_bytes = 1;
	assert_int_equal(cmt_sched_first_when_ready(&v), 0);
}

/* Jitter delays the SACK that opens it; on a path that died none comes. */
static void a_full_window_is_expected_to_take_as_long_again_as_it_is_overdue(void **state)
{
	struct cmt_path_view paths[] = {
	    full_short_path,
	    {.id = 1, .usable = true, .start_us = 1300000, .room_bytes = 1},
	};
	const struct cmt_view v = {.now_us = 1000000, .n_paths = 2, .paths = paths, .wire_bytes = 1064};

	(void)state;
	paths[0].ready_at_us = 720000;
	assert_int_equal(cmt_sched_first_when_ready(&v), 0);
	paths[0].ready_at_us = 700000;
	assert_int_equal(cmt_sched_first_when_ready(&v), 1);
	/* It is the peer's window that is full, and nothing is due. */
	paths[0].cwnd_bytes = 1;
	assert_int_equal(cmt_sched_first_when_ready(&v), 0);
}

static void what_waits_for_a_window_already_goes_before(void **state)
{
	struct cmt_path_view paths[] = {
	    full_short_path,
	    {.id = 1, .usable = true, .rate_bps = 1000000, .start_us = 1300000, .room_bytes = 1},
	};
	const struct cmt_view v = {.now_us = 1000000, .n_paths = 2, .paths = paths, .wire_bytes = 1064};

	(void)state;
	/* 291 ms behind the first one: 36 kB. */
	cmt_sched_go_behind(&paths[0], 36000);
	assert_int_equal(paths[0].ready_at_us, 1292000);
	assert_int_equal(paths[0].start_us, 1293000);
	assert_int_equal(cmt_sched_first_when_ready(&v), 0);
	cmt_sched_go_behind(&paths[0], 1000);
	assert_int_equal(cmt_sched_first_when_ready(&v), 1);
	/* Nothing is known of it. */
	paths[0] = (struct cmt_path_view){.start_us = CMT_UNKNOWN_US};
	cmt_sched_go_behind(&paths[0], 1000);
	assert_true(paths[0].start_us == CMT_UNKNOWN_US);
	assert_int_equal(paths[0].ready_at_us, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_full_window_that_opens_soon_is_waited_for),
	    cmocka_unit_test(a_full_window_is_expected_to_take_as_long_again_as_it_is_overdue),
	    cmocka_unit_test(what_waits_for_a_window_already_goes_before),
	    cmocka_unit_test(the_first_to_arrive_counts_with_the_time_its_packet_takes),
	    cmocka_unit_test(a_wait_stalls_with_nothing_in_flight_and_no_time_to_wake),
	    cmocka_unit_test(bad_ops_are_refused),
	    cmocka_unit_test(names_are_1_to_31_characters_of_a_small_alphabet),
	    cmocka_unit_test(the_forms_of_the_papers_conform_too),
	    cmocka_unit_test(every_builtin_scheduler_has_valid_ops_and_a_name_of_its_own),
	    cmocka_unit_test(every_scheduler_decides_legally_on_random_views),
	    cmocka_unit_test(every_scheduler_delivers_everything_in_a_closed_loop),
	    cmocka_unit_test(the_suite_catches_schedulers_that_break_a_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
