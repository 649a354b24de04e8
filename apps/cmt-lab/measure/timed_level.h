/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timed_level.h - mean and maximum of a quantity over time.
 *
 * Pure. A level that lasts no time (raised and lowered within one microsecond) counts neither for the mean
 * nor for the maximum. */
#ifndef LAB_TIMED_LEVEL_H
#define LAB_TIMED_LEVEL_H

#include <stdint.h>

struct lab_timed_level {
	uint64_t from_us, at_us; /* start of the measurement; since when `level` holds */
	int64_t level, max;
	double area; /* level times microseconds */
};

void lab_timed_level_start(struct lab_timed_level *t, uint64_t now_us);

/* Adds `change` at `now_us`, not before the last call's. */
void lab_timed_level_add(struct lab_timed_level *t, uint64_t now_us, int64_t change);

/* Accounts for the time up to now. */
void lab_timed_level_settle(struct lab_timed_level *t, uint64_t now_us);

/* From the start to the last settled moment; 0 when no time has passed. */
double lab_timed_level_mean(const struct lab_timed_level *t);

#endif
