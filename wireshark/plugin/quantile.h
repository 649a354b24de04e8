/* SPDX-License-Identifier: BSD-3-Clause
 *
 * quantile.h - the exact 95th percentile (nearest rank) of a growing set of numbers, at any time.
 *
 * Two heaps: the lower 95 % with its largest on top, the rest with its smallest. Not thread safe. */
#ifndef CMT_WS_QUANTILE_H
#define CMT_WS_QUANTILE_H

#include <glib.h>
#include <stdint.h>

struct cmt_quantile {
	GArray *lower, *upper; /* of int64_t; NULL while empty */
};

void cmt_quantile_add(struct cmt_quantile *q, int64_t value);

/* Requires at least one value. */
int64_t cmt_quantile_p95(const struct cmt_quantile *q);

void cmt_quantile_free(struct cmt_quantile *q);

#endif
