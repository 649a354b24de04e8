/* SPDX-License-Identifier: BSD-3-Clause
 *
 * samples.h - a growing list of numbers, its percentiles and its mean.
 *
 * Not thread safe. Memory that cannot be had ends the program: a measurement with holes is worth nothing. */
#ifndef LAB_SAMPLES_H
#define LAB_SAMPLES_H

#include <stddef.h>
#include <stdint.h>

struct lab_samples {
	uint64_t *values;
	size_t n, room;
};

void lab_samples_add(struct lab_samples *s, uint64_t value);

/* Nearest-rank percentile, 0 < percent <= 100; the smallest value at 0. Sorts the list. 0 when it is empty.
 */
uint64_t lab_samples_percentile(struct lab_samples *s, double percent);

/* Of the values, those of at most `most`; 0 when the list is empty. */
double lab_samples_share(const struct lab_samples *s, uint64_t most);

double lab_samples_mean(const struct lab_samples *s);
void lab_samples_free(struct lab_samples *s);

/* realloc() for arrays that ends the program with a message instead of returning NULL. */
void *lab_grow(void *old, size_t n, size_t element_bytes);

#endif
