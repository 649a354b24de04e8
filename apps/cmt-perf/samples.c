/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples.h"

#include <stdlib.h>

static void thin_out(struct samples *s)
{
	for (size_t i = 0; i < SAMPLES_MAX / 2; i++) {
		s->us[i] = s->us[2 * i];
	}
	s->n = SAMPLES_MAX / 2;
	s->stride *= 2;
}

void samples_add(struct samples *s, int64_t us)
{
	if (s->us == NULL) {
		s->us = malloc(SAMPLES_MAX * sizeof(*s->us));
		s->stride = 1;
	}
	if (s->us == NULL) {
		return;
	}
	if (s->seen == 0 || us < s->min_us) {
		s->min_us = us;
	}
	if (s->seen == 0 || us > s->max_us) {
		s->max_us = us;
	}
	if (s->seen % s->stride == 0) {
		if (s->n == SAMPLES_MAX) {
			thin_out(s);
		}
		if (s->seen % s->stride == 0) {
			s->us[s->n++] = us;
		}
	}
	s->seen++;
}

void samples_free(struct samples *s)
{
	free(s->us);
	*s = (struct samples){.us = NULL};
}

static int by_value(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* A peer's time stamps may be anything: differences are taken modulo 2^64. */
static json_t *us_json(const struct samples *s, int64_t us, bool above_min)
{
	return json_integer((json_int_t)((uint64_t)us - (above_min ? (uint64_t)s->min_us : 0)));
}

/* By nearest rank. */
static json_t *percentile_json(const struct samples *s, size_t percent, bool above_min)
{
	return us_json(s, s->us[(s->n * percent + 99) / 100 - 1], above_min);
}

json_t *samples_json(struct samples *s, bool above_min)
{
	if (s->n == 0) {
		return json_pack("{s:i, s:i, s:n, s:n, s:n, s:n, s:n}", "count", 0, "kept", 0, "min_us",
		                 "p50_us", "p95_us", "p99_us", "max_us");
	}
	qsort(s->us, s->n, sizeof(*s->us), by_value);
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "count", (json_int_t)s->seen, "kept",
	                 (json_int_t)s->n, "min_us", us_json(s, s->min_us, above_min), "p50_us",
	                 percentile_json(s, 50, above_min), "p95_us", percentile_json(s, 95, above_min),
	                 "p99_us", percentile_json(s, 99, above_min), "max_us",
	                 us_json(s, s->max_us, above_min));
}
