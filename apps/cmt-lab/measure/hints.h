/* SPDX-License-Identifier: BSD-3-Clause
 *
 * hints.h - the bit rates that a sender was told (SCTP_CMT_CAPACITY), and how they compare with what the
 * links could carry.
 *
 * Pure but for memory (samples.h). */
#ifndef LAB_HINTS_H
#define LAB_HINTS_H

#include <stddef.h>
#include <stdint.h>

#include "scenario/ceiling.h"

/* What links carry is the mean of so long, before and after: recorded ones let single packets leave. */
#define LAB_HINTS_MEAN_US 500000u
/* A hint has settled when it is so close, for so long. */
#define LAB_HINTS_CLOSE     0.1
#define LAB_HINTS_SETTLE_US 1000000u

struct lab_hints {
	struct lab_hint {
		uint64_t at_us, bps;
	} * list;
	size_t n, room;
};

struct lab_hints_verdict {
	double of_ceiling;         /* mean of the hints, of the ceiling */
	uint64_t above_longest_us; /* without a break */
	unsigned changes; /* of the links in the span; the longest time after one until they had settled: */
	uint64_t settled_us; /* until the next change at the latest */
	unsigned not_settled;
};

void lab_hints_add(struct lab_hints *h, uint64_t at_us, uint64_t bps);
struct lab_hints_verdict lab_hints_judge(const struct lab_hints *h, const struct lab_scenario *s,
                                         bool extension, struct lab_span span);
void lab_hints_free(struct lab_hints *h);

#endif
