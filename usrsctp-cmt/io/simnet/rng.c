/* SPDX-License-Identifier: BSD-3-Clause */
#include "rng.h"

#include <math.h>

#include "util/cmt_random.h"

#define TWO_PI 6.283185307179586476925286766559

static uint64_t rotate_left(uint64_t x, unsigned bits)
{
	return (x << bits) | (x >> (64 - bits));
}

void simnet_rng_seed(struct simnet_rng *rng, uint64_t seed, uint64_t stream)
{
	uint64_t from_seed = seed;
	uint64_t from_stream = ~stream;
	/* Both are scrambled before they meet, so that seed + 1, stream - 1 is not the same generator. */
	uint64_t mix = cmt_random_take(&from_seed) ^ rotate_left(cmt_random_take(&from_stream), 32);

	for (size_t i = 0; i < 4; i++) {
		rng->state[i] = cmt_random_take(&mix);
	}
}

uint64_t simnet_rng_next(struct simnet_rng *rng)
{
	uint64_t *s = rng->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t simnet_rng_below(struct simnet_rng *rng, uint64_t bound)
{
	/* 2^64 mod bound: numbers below it would make the small results more likely. */
	uint64_t reject_below = (0 - bound) % bound;
	uint64_t x;

	do {
		x = simnet_rng_next(rng);
	} while (x < reject_below);
	return x % bound;
}

void simnet_rng_bytes(struct simnet_rng *rng, void *buf, size_t len)
{
	uint8_t *out = buf;
	uint64_t word = 0;

	for (size_t i = 0; i < len; i++) {
		if (i % 8 == 0) {
			word = simnet_rng_next(rng);
		}
		out[i] = (uint8_t)(word >> (8 * (i % 8)));
	}
}

double simnet_rng_uniform(struct simnet_rng *rng)
{
	return (double)(simnet_rng_next(rng) >> 11) * 0x1p-53;
}

/* Uniform over (0, 1]: safe for log and for negative powers. */
static double uniform_above_zero(struct simnet_rng *rng)
{
	return 1.0 - simnet_rng_uniform(rng);
}

double simnet_rng_normal(struct simnet_rng *rng, double mean, double deviation)
{
	/* Box-Muller. The second value of the pair is not kept: one call always takes two numbers. */
	double radius = sqrt(-2.0 * log(uniform_above_zero(rng)));

	return mean + deviation * radius * cos(TWO_PI * simnet_rng_uniform(rng));
}

double simnet_rng_exponential(struct simnet_rng *rng, double mean)
{
	return -mean * log(uniform_above_zero(rng));
}

double simnet_rng_pareto(struct simnet_rng *rng, double mean, double shape)
{
	double smallest = mean * (shape - 1.0) / shape;

	return smallest * pow(uniform_above_zero(rng), -1.0 / shape);
}
