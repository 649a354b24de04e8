/* SPDX-License-Identifier: BSD-3-Clause */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rng.h"

enum { N = 400000 };

static void assert_within(double value, double low, double high)
{
	if (!(value >= low && value <= high)) {
		fail_msg("%g is not within %g .. %g", value, low, high);
	}
}

static void the_first_numbers_of_a_known_state_are_those_of_the_definition(void **state)
{
	struct simnet_rng rng = {.state = {1, 2, 3, 4}};

	(void)state;
	/* By hand: rotl(2 * 5, 7) * 9 = 1280 * 9; then s1 = 2 ^ (3 ^ 1) = 0; then s1 = 0 ^ 262149 ^ 7 ... */
	assert_int_equal(simnet_rng_next(&rng), 11520);
	assert_int_equal(simnet_rng_next(&rng), 0);
	assert_int_equal(simnet_rng_next(&rng), 1509978240);
}

static void a_seed_and_stream_always_give_the_same_numbers(void **state)
{
	struct simnet_rng a, b;

	(void)state;
	simnet_rng_seed(&a, 42, 7);
	simnet_rng_seed(&b, 42, 7);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(simnet_rng_next(&a), simnet_rng_next(&b));
	}
}

static void neighbouring_seeds_and_streams_share_nothing(void **state)
{
	struct simnet_rng rng[9];

	(void)state;
	for (unsigned i = 0; i < 9; i++) {
		simnet_rng_seed(&rng[i], i / 3, i % 3);
	}
	for (unsigned i = 0; i < 9; i++) {
		for (unsigned j = 0; j < i; j++) {
			assert_memory_not_equal(&rng[i], &rng[j], sizeof(rng[i]));
			assert_int_not_equal(rng[i].state[0], rng[j].state[0]);
		}
	}
}

static void uniform_numbers_fill_their_interval_evenly(void **state)
{
	struct simnet_rng rng;
	double sum = 0.0, squares = 0.0;

	(void)state;
	simnet_rng_seed(&rng, 1, 0);
	for (int i = 0; i < N; i++) {
		double u = simnet_rng_uniform(&rng);

		assert_within(u, 0.0, 0x1.fffffffffffffp-1);
		sum += u;
		squares += u * u;
	}
	assert_within(sum / N, 0.498, 0.502);
	assert_within(squares / N, 0.331, 0.336);
}

static void below_is_even_and_keeps_its_bound(void **state)
{
	struct simnet_rng rng;
	unsigned counts[7] = {0};

	(void)state;
	simnet_rng_seed(&rng, 2, 0);
	for (int i = 0; i < 70000; i++) {
		uint64_t x = simnet_rng_below(&rng, 7);

		assert_true(x < 7);
		counts[x]++;
	}
	for (unsigned i = 0; i < 7; i++) {
		assert_in_range(counts[i], 9600, 10400);
	}
	assert_int_equal(simnet_rng_below(&rng, 1), 0);
}

static void normal_numbers_have_their_mean_and_deviation(void **state)
{
	struct simnet_rng rng;
	double sum = 0.0, squares = 0.0;
	unsigned beyond_two = 0;

	(void)state;
	simnet_rng_seed(&rng, 3, 0);
	for (int i = 0; i < N; i++) {
		double x = simnet_rng_normal(&rng, 10.0, 3.0) - 10.0;

		sum += x;
		squares += x * x;
		beyond_two += x > 6.0 || x < -6.0;
	}
	assert_within(sum / N, -0.03, 0.03);
	assert_within(squares / N, 8.9, 9.1);
	assert_within((double)beyond_two / N, 0.0445, 0.0465);
}

static void exponential_numbers_have_their_mean_and_variance(void **state)
{
	struct simnet_rng rng;
	double sum = 0.0, squares = 0.0;

	(void)state;
	simnet_rng_seed(&rng, 4, 0);
	for (int i = 0; i < N; i++) {
		double x = simnet_rng_exponential(&rng, 5.0);

		assert_true(x >= 0.0);
		sum += x;
		squares += x * x;
	}
	assert_within(sum / N, 4.95, 5.05);
	assert_within(squares / N, 48.5, 51.5);
}

static void pareto_numbers_have_their_mean_median_and_floor(void **state)
{
	struct simnet_rng rng;
	double sum = 0.0;
	unsigned below_median = 0;

	(void)state;
	simnet_rng_seed(&rng, 5, 0);
	for (int i = 0; i < N; i++) {
		double x = simnet_rng_pareto(&rng, 10.0, 2.5);

		/* Smallest 10 * 1.5 / 2.5; median smallest * 2^(1/2.5). */
		assert_true(x >= 6.0);
		sum += x;
		below_median += x < 7.9170;
	}
	assert_within(sum / N, 9.8, 10.2);
	assert_within((double)below_median / N, 0.497, 0.503);
}

static void bytes_come_from_the_numbers_low_byte_first(void **state)
{
	struct simnet_rng numbers, bytes;
	uint8_t buf[11] = {0};
	uint64_t first, second;

	(void)state;
	simnet_rng_seed(&numbers, 6, 0);
	simnet_rng_seed(&bytes, 6, 0);
	first = simnet_rng_next(&numbers);
	second = simnet_rng_next(&numbers);
	simnet_rng_bytes(&bytes, buf, 10);
	assert_int_equal(buf[0], first & 0xff);
	assert_int_equal(buf[7], first >> 56);
	assert_int_equal(buf[8], second & 0xff);
	assert_int_equal(buf[9], (second >> 8) & 0xff);
	assert_int_equal(buf[10], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_numbers_of_a_known_state_are_those_of_the_definition),
	    cmocka_unit_test(a_seed_and_stream_always_give_the_same_numbers),
	    cmocka_unit_test(neighbouring_seeds_and_streams_share_nothing),
	    cmocka_unit_test(uniform_numbers_fill_their_interval_evenly),
	    cmocka_unit_test(below_is_even_and_keeps_its_bound),
	    cmocka_unit_test(normal_numbers_have_their_mean_and_deviation),
	    cmocka_unit_test(exponential_numbers_have_their_mean_and_variance),
	    cmocka_unit_test(pareto_numbers_have_their_mean_median_and_floor),
	    cmocka_unit_test(bytes_come_from_the_numbers_low_byte_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
