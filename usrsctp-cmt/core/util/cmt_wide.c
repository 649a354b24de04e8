/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_wide.h"

#define LOW_HALF UINT32_MAX

struct cmt_wide cmt_wide_product(uint64_t a, uint64_t b)
{
	const uint64_t low = (a & LOW_HALF) * (b & LOW_HALF);
	const uint64_t cross = (a >> 32) * (b & LOW_HALF) + (low >> 32);
	const uint64_t other = (a & LOW_HALF) * (b >> 32) + (cross & LOW_HALF);

	return (struct cmt_wide){(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32),
	                         other << 32 | (low & LOW_HALF)};
}

struct cmt_wide cmt_wide_times(struct cmt_wide a, uint64_t b)
{
	struct cmt_wide product = cmt_wide_product(a.low, b);

	product.high += a.high * b;
	return product;
}

static struct cmt_wide halved(struct cmt_wide a)
{
	return (struct cmt_wide){a.high >> 1, a.high << 63 | a.low >> 1};
}

/* Long division in binary: as many steps as the quotient has bits. */
struct cmt_wide cmt_wide_quotient(struct cmt_wide a, struct cmt_wide b)
{
	struct cmt_wide quotient = {0, 0};
	unsigned digits = 1;

	if (a.high == 0 && b.high == 0)
		return cmt_wide_of(a.low / b.low);
	for (; b.high >> 63 == 0 && cmt_wide_above(a, b); digits++)
		b = cmt_wide_sum(b, b);
	for (; digits > 0; digits--) {
		quotient = cmt_wide_sum(quotient, quotient);
		if (!cmt_wide_above(b, a)) {
			a = cmt_wide_difference(a, b);
			quotient.low |= 1;
		}
		b = halved(b);
	}
	return quotient;
}
