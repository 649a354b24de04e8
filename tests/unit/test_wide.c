/* SPDX-License-Identifier: BSD-3-Clause
 *
 * test_wide.c - numbers of 128 bits: by identities everywhere, and against the compiler's own type where it
 * has one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/cmt_random.h"
#include "util/cmt_wide.h"

enum { DRAWS = 200000 };

/* Of any length, and with long runs of ones and zeros, where carries go far. */
static uint64_t any(uint64_t *seed)
{
	const uint64_t number = cmt_random_take(seed), how = cmt_random_take(seed);
	const uint64_t cut = number >> (how % 64);

	return (how >> 8) % 4 == 0 ? ~cut : (how >> 8) % 4 == 1 ? UINT64_MAX >> (how % 64) : cut;
}

static struct cmt_wide any_wide(uint64_t *seed)
{
	const uint64_t high = any(seed), low = any(seed);

	return (struct cmt_wide){cmt_random_take(seed) % 3 == 0 ? 0 : high, low};
}

static void assert_wide(struct cmt_wide number, uint64_t high, uint64_t low)
{
	assert_int_equal(number.high, high);
	assert_int_equal(number.low, low);
}

static void the_largest_product_and_its_quotients_are_exact(void **state)
{
	const struct cmt_wide largest = cmt_wide_product(UINT64_MAX, UINT64_MAX);

	(void)state;
	assert_wide(largest, UINT64_MAX - 1, 1);
	assert_wide(cmt_wide_quotient(largest, cmt_wide_of(UINT64_MAX)), 0, UINT64_MAX);
	assert_wide(cmt_wide_quotient(largest, cmt_wide_of(1)), UINT64_MAX - 1, 1);
	assert_wide(cmt_wide_quotient(largest, largest), 0, 1);
	assert_wide(cmt_wide_quotient((struct cmt_wide){UINT64_MAX, UINT64_MAX}, largest), 0, 1);
	assert_wide(cmt_wide_quotient(cmt_wide_of(0), largest), 0, 0);
	assert_wide(cmt_wide_quotient(cmt_wide_of(7), cmt_wide_of(2)), 0, 3);
}

static void a_quotient_above_the_bound_is_the_bound(void **state)
{
	(void)state;
	assert_int_equal(cmt_wide_mul_div(UINT64_MAX, UINT64_MAX, 1, 1000), 1000);
	assert_int_equal(cmt_wide_mul_div(UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX), UINT64_MAX);
	assert_int_equal(cmt_wide_mul_div(1000, 1000, 999, 1001), 1001);
	assert_int_equal(cmt_wide_mul_div(1000, 1000, 1001, 1001), 999);
}

static void quotient_times_divisor_and_remainder_make_the_number(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		const struct cmt_wide a = any_wide(&seed);
		const uint64_t b = any(&seed) | 1;
		const struct cmt_wide below = cmt_wide_times(cmt_wide_quotient(a, cmt_wide_of(b)), b);

		assert_false(cmt_wide_above(below, a));
		assert_true(cmt_wide_above(cmt_wide_of(b), cmt_wide_difference(a, below)));
		assert_wide(cmt_wide_sum(below, cmt_wide_difference(a, below)), a.high, a.low);
	}
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 wide;

static void assert_same(struct cmt_wide ours, wide theirs)
{
	assert_wide(ours, (uint64_t)(theirs >> 64), (uint64_t)theirs);
}

static wide to_wide(struct cmt_wide number)
{
	return (wide)number.high << 64 | number.low;
}

static void every_operation_agrees_with_the_compilers_own_type(void **state)
{
	uint64_t seed = 2;

	(void)state;
	for (int i = 0; i < DRAWS; i++) {
		const struct cmt_wide a = any_wide(&seed), b = any_wide(&seed);
		const uint64_t c = any(&seed);

		assert_same(cmt_wide_product(a.low, c), (wide)a.low * c);
		assert_same(cmt_wide_times(a, c), to_wide(a) * c);
		assert_same(cmt_wide_sum(a, b), to_wide(a) + to_wide(b));
		assert_same(cmt_wide_difference(a, b), to_wide(a) - to_wide(b));
		assert_int_equal(cmt_wide_above(a, b), to_wide(a) > to_wide(b));
		if (to_wide(b) > 0)
			assert_same(cmt_wide_quotient(a, b), to_wide(a) / to_wide(b));
		if (c > 0)
			assert_same(cmt_wide_quotient(a, cmt_wide_of(c)), to_wide(a) / c);
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_largest_product_and_its_quotients_are_exact),
	    cmocka_unit_test(a_quotient_above_the_bound_is_the_bound),
	    cmocka_unit_test(quotient_times_divisor_and_remainder_make_the_number),
#ifdef __SIZEOF_INT128__
	    cmocka_unit_test(every_operation_agrees_with_the_compilers_own_type),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
