/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_wide.h - unsigned numbers of 128 bits, for products of windows, round trips and rates, on compilers
 * with and without a type of that width.
 *
 * Pure. Results are exact; quotients are rounded down. */
#ifndef CMT_WIDE_H
#define CMT_WIDE_H

#include <stdbool.h>
#include <stdint.h>

struct cmt_wide {
	uint64_t high, low;
};

static inline struct cmt_wide cmt_wide_of(uint64_t value)
{
	return (struct cmt_wide){0, value};
}

/* a * b. */
struct cmt_wide cmt_wide_product(uint64_t a, uint64_t b);

/* a * b modulo 2^128. */
struct cmt_wide cmt_wide_times(struct cmt_wide a, uint64_t b);

/* a + b modulo 2^128. */
static inline struct cmt_wide cmt_wide_sum(struct cmt_wide a, struct cmt_wide b)
{
	const uint64_t low = a.low + b.low;

	return (struct cmt_wide){a.high + b.high + (low < b.low), low};
}

/* a - b modulo 2^128. */
static inline struct cmt_wide cmt_wide_difference(struct cmt_wide a, struct cmt_wide b)
{
	return (struct cmt_wide){a.high - b.high - (a.low < b.low), a.low - b.low};
}

/* a / b. Requires b > 0. */
struct cmt_wide cmt_wide_quotient(struct cmt_wide a, struct cmt_wide b);

static inline bool cmt_wide_above(struct cmt_wide a, struct cmt_wide b)
{
	return a.high != b.high ? a.high > b.high : a.low > b.low;
}

/* The smaller of `a` and `most`. */
static inline uint64_t cmt_wide_bounded(struct cmt_wide a, uint64_t most)
{
	return a.high == 0 && a.low < most ? a.low : most;
}

/* a * b / c, at most `most`. Requires c > 0. */
static inline uint64_t cmt_wide_mul_div(uint64_t a, uint64_t b, uint64_t c, uint64_t most)
{
	return cmt_wide_bounded(cmt_wide_quotient(cmt_wide_product(a, b), cmt_wide_of(c)), most);
}

#endif
