/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/samples.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void *lab_grow(void *old, size_t n, size_t element_bytes)
{
	void *p = n > SIZE_MAX / element_bytes ? NULL : realloc(old, n * element_bytes);

	if (p == NULL) {
		fprintf(stderr, "cmt-lab: out of memory for %zu elements of %zu bytes\n", n, element_bytes);
		exit(1);
	}
	return p;
}

void lab_samples_add(struct lab_samples *s, uint64_t value)
{
	if (s->n == s->room) {
		s->room = s->room == 0 ? 256 : 2 * s->room;
		s->values = lab_grow(s->values, s->room, sizeof(*s->values));
	}
	s->values[s->n++] = value;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t lab_samples_percentile(struct lab_samples *s, double percent)
{
	double rank;

	if (s->n == 0) {
		return 0;
	}
	qsort(s->values, s->n, sizeof(*s->values), compare);
	rank = ceil(percent / 100.0 * (double)s->n);
	return s->values[rank < 1 ? 0 : rank > (double)s->n ? s->n - 1 : (size_t)rank - 1];
}

double lab_samples_share(const struct lab_samples *s, uint64_t most)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		n += s->values[i] <= most;
	}
	return s->n == 0 ? 0 : (double)n / (double)s->n;
}

double lab_samples_mean(const struct lab_samples *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		sum += (double)s->values[i];
	}
	return s->n == 0 ? 0 : sum / (double)s->n;
}

void lab_samples_free(struct lab_samples *s)
{
	free(s->values);
	s->values = NULL;
	s->n = 0;
	s->room = 0;
}
