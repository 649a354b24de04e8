/* SPDX-License-Identifier: BSD-3-Clause
 *
 * rng.h - seeded random numbers: xoshiro256** (Blackman, Vigna 2018), its state filled by splitmix64.
 *
 * Pure, no allocation, not thread safe. Streams of one seed are independent of each other, so that what one
 * link draws never changes what another one gets. The distributions use libm: the numbers are the same
 * wherever libm rounds alike. */
#ifndef SIMNET_RNG_H
#define SIMNET_RNG_H

#include <stddef.h>
#include <stdint.h>

struct simnet_rng {
	uint64_t state[4];
};

void simnet_rng_seed(struct simnet_rng *rng, uint64_t seed, uint64_t stream);

uint64_t simnet_rng_next(struct simnet_rng *rng);

/* Uniform over 0 .. bound - 1 without bias; bound > 0. */
uint64_t simnet_rng_below(struct simnet_rng *rng, uint64_t bound);

/* Fills `len` bytes; the same bytes on every byte order. */
void simnet_rng_bytes(struct simnet_rng *rng, void *buf, size_t len);

/* Uniform over [0, 1). */
double simnet_rng_uniform(struct simnet_rng *rng);

double simnet_rng_normal(struct simnet_rng *rng, double mean, double deviation);
double simnet_rng_exponential(struct simnet_rng *rng, double mean);

/* Pareto distribution with that mean; shape > 1. The smallest value is mean * (shape - 1) / shape. */
double simnet_rng_pareto(struct simnet_rng *rng, double mean, double shape);

#endif
