/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_options.c - option strings: what is accepted, what is refused with -EINVAL, and that a refused string
 * changes nothing in any scheduler. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cc/cmt_cc.h"
#include "cmt_sched.h"
#include "util/cmt_options.h"

struct values {
	uint64_t queue, queue_us, big;
};

static int parse(const char *text, struct values *v)
{
	const struct cmt_option options[] = {{"queue", &v->queue, 1, 10},
	                                     {"queue_us", &v->queue_us, 0, 1000},
	                                     {"big", &v->big, 0, UINT64_MAX}};

	*v = (struct values){5, 6, 7};
	return cmt_options_parse(text, options, 3);
}

static void no_text_sets_nothing(void **state)
{
	struct values v;

	(void)state;
	assert_int_equal(parse(NULL, &v), 0);
	assert_int_equal(parse("", &v), 0);
	assert_int_equal(v.queue, 5);
	assert_int_equal(v.queue_us, 6);
	assert_int_equal(v.big, 7);
}

static void values_are_set_by_their_whole_name(void **state)
{
	struct values v;

	(void)state;
	assert_int_equal(parse("queue_us=1000", &v), 0);
	assert_int_equal(v.queue, 5);
	assert_int_equal(v.queue_us, 1000);
	assert_int_equal(parse("queue=10,queue_us=0,big=100000000000000000", &v), 0);
	assert_int_equal(v.queue, 10);
	assert_int_equal(v.queue_us, 0);
	assert_int_equal(v.big, 100000000000000000);
	assert_int_equal(parse("queue=1,queue=0002", &v), 0);
	assert_int_equal(v.queue, 2);
}

static void anything_else_is_refused(void **state)
{
	static const char *const bad[] = {
	    "queue",
	    "queue=",
	    "=1",
	    "queue=,big=1",
	    "queue=1,",
	    ",queue=1",
	    "queue=1,,big=1",
	    "queue=1 ",
	    " queue=1",
	    "queue=+1",
	    "queue=-1",
	    "queue=0x1",
	    "queue=1.0",
	    "queue=1us",
	    "queue=0",
	    "queue=11",
	    "queue_us=1001",
	    "Queue=1",
	    "que=1",
	    "queues=1",
	    "queue_us",
	    "nothing=1",
	    ",",
	    "=",
	    "big=99999999999999999999999",
	    "queue=18446744073709551617",
	    "queue=1;big=1",
	    "queue==1",
	    "big=1\n",
	};
	struct values v;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (parse(bad[i], &v) != -EINVAL)
			fail_msg("\"%s\" is accepted", bad[i]);
	}
}

static void every_scheduler_refuses_bad_options_and_stays_as_it_is(void **state)
{
	static const char *const bad[] = {"no_such_key=1", "=",          "x",
	                                  "queue_us=",     "queue_us=x", "queue_us=1,no_such_key=1"};
	static unsigned char st[CMT_SCHED_STATE_MAX], before[CMT_SCHED_STATE_MAX];

	(void)state;
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		const struct cmt_sched_ops *ops = cmt_sched_builtin(i);

		if (ops->init == NULL)
			continue;
		memset(st, 0, sizeof(st));
		assert_int_equal(ops->init(st, NULL), 0);
		memcpy(before, st, sizeof(st));
		for (size_t k = 0; k < sizeof(bad) / sizeof(bad[0]); k++) {
			assert_int_equal(ops->init(st, bad[k]), -EINVAL);
			assert_memory_equal(st, before, sizeof(st));
		}
	}
}

/* Of one option, as its help "key=default [min..max]: meaning" tells. */
struct told {
	char key[32];
	unsigned long long value, min, max;
};

/* Returns the help of the next option, NULL behind the last. */
static const char *read_help(const char *help, struct told *told)
{
	int length = 0;

	assert_int_equal(sscanf(help, "%31[a-z_]=%llu [%llu..%llu]:%n", told->key, &told->value, &told->min,
	                        &told->max, &length),
	                 4);
	assert_int_equal(help[length], ' ');
	assert_in_range(told->value, told->min, told->max);
	help = strstr(help, "; ");
	return help == NULL ? NULL : help + 2;
}

static int init_with(const struct cmt_sched_ops *ops, void *st, const char *key, unsigned long long value)
{
	char option[64];

	memset(st, 0, CMT_SCHED_STATE_MAX);
	(void)snprintf(option, sizeof(option), "%s=%llu", key, value);
	return ops->init(st, option);
}

static void the_help_names_defaults_and_bounds_and_other_values_change_the_state(void **state)
{
	static unsigned char defaults[CMT_SCHED_STATE_MAX], named[CMT_SCHED_STATE_MAX];
	unsigned n = 0;

	(void)state;
	for (size_t i = 0; cmt_sched_builtin(i) != NULL; i++) {
		const struct cmt_sched_ops *ops = cmt_sched_builtin(i);
		const char *next = ops->option_help;

		assert_true(next == NULL || ops->init != NULL);
		while (next != NULL) {
			struct told told;

			next = read_help(next, &told);
			memset(defaults, 0, sizeof(defaults));
			assert_int_equal(ops->init(defaults, NULL), 0);
			assert_int_equal(init_with(ops, named, told.key, told.value), 0);
			assert_memory_equal(defaults, named, sizeof(defaults));
			assert_int_equal(init_with(ops, named, told.key, told.min), 0);
			assert_true(told.min == told.value || memcmp(defaults, named, sizeof(defaults)) != 0);
			assert_int_equal(init_with(ops, named, told.key, told.max), 0);
			assert_true(told.max == told.value || memcmp(defaults, named, sizeof(defaults)) != 0);
			assert_int_equal(init_with(ops, named, told.key, told.max + 1), -EINVAL);
			if (told.min > 0)
				assert_int_equal(init_with(ops, named, told.key, told.min - 1), -EINVAL);
			n++;
		}
	}
	assert_true(n > 20);
}

static int set_control(const char *key, unsigned long long value)
{
	struct cmt_cc cc = {.ops = NULL};
	char option[64];

	(void)snprintf(option, sizeof(option), "%s=%llu", key, value);
	return cmt_cc_set(&cc, cmt_cc_builtin(0), option);
}

static void the_help_of_congestion_controls_names_bounds(void **state)
{
	const char *next = cmt_cc_option_help;

	(void)state;
	while (next != NULL) {
		struct told told;

		next = read_help(next, &told);
		assert_int_equal(set_control(told.key, told.min), 0);
		if (told.min > 0)
			assert_int_equal(set_control(told.key, told.min - 1), -EINVAL);
		assert_int_equal(set_control(told.key, told.max), 0);
		assert_int_equal(set_control(told.key, told.max + 1), -EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_text_sets_nothing),
	    cmocka_unit_test(values_are_set_by_their_whole_name),
	    cmocka_unit_test(anything_else_is_refused),
	    cmocka_unit_test(every_scheduler_refuses_bad_options_and_stays_as_it_is),
	    cmocka_unit_test(the_help_names_defaults_and_bounds_and_other_values_change_the_state),
	    cmocka_unit_test(the_help_of_congestion_controls_names_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
