/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_random.h - random numbers from a seed, the same on every machine (SplitMix64: Steele, Lea, Flood 2014).
 * Pure; not for secrets. */
#ifndef CMT_RANDOM_H
#define CMT_RANDOM_H

#include <stdint.h>

/* The number that a generator in state `seed` gives next. */
static inline uint64_t cmt_random_peek(uint64_t seed)
{
	uint64_t z = seed + UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Takes it. */
static inline uint64_t cmt_random_take(uint64_t *seed)
{
	uint64_t number = cmt_random_peek(*seed);

	*seed += UINT64_C(0x9e3779b97f4a7c15);
	return number;
}

#endif
