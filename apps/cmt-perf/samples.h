/* SPDX-License-Identifier: BSD-3-Clause
 *
 * samples.h - percentiles of many durations in bounded memory.
 *
 * Keeps every sample until there are SAMPLES_MAX, then every second one, every fourth and so on; smallest,
 * largest and number are always exact. Percentiles are those of the samples that were kept. */
#ifndef PERF_SAMPLES_H
#define PERF_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#define SAMPLES_MAX 262144u

struct samples {
	int64_t *us; /* SAMPLES_MAX; NULL = none came yet */
	size_t n;
	uint64_t seen, stride; /* every stride-th is kept */
	int64_t min_us, max_us;
};

/* Without memory the sample is dropped. */
void samples_add(struct samples *s, int64_t us);
void samples_free(struct samples *s);

/* {"count", "kept", "min_us", "p50_us", "p95_us", "p99_us", "max_us"}, null where there is no sample. With
 * `above_min` the smallest is subtracted from all of them. Sorts the samples. */
json_t *samples_json(struct samples *s, bool above_min);

#endif
