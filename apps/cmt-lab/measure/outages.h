/* SPDX-License-Identifier: BSD-3-Clause
 *
 * outages.h - how long after an outage a path is used again.
 *
 * Pure but for the list of times. Times are the simulation's. */
#ifndef LAB_OUTAGES_H
#define LAB_OUTAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/samples.h"
#include "scenario/scenario.h"

struct lab_outages {
	struct lab_samples ends_us; /* ascending */
	size_t n_answered;
	uint64_t longest_us;
};

/* The ends of the path's outages, of those of the link that it shares, and of absences of its addresses. */
void lab_outages_start(struct lab_outages *o, const struct lab_scenario *s, int path);

/* Data were sent on the path. */
void lab_outages_used(struct lab_outages *o, uint64_t now_us);

/* The longest time from an end to the first use after it; false when there was none, or when nothing was
 * sent after the last end. */
bool lab_outages_reuse_us(const struct lab_outages *o, uint64_t *out_us);
void lab_outages_free(struct lab_outages *o);

#endif
