/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/bench_stats.h"

#include <math.h>
#include <stdlib.h>

#include "base/samples.h"

static int by_value(const void *a, const void *b)
{
	const struct lab_bench_value *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

/* Of values from the worst to the best: the first one up to which that share of the weight lies. */
static double at_share(const struct lab_bench_value *sorted, size_t n, bool less, double share)
{
	double total = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		total += sorted[i].weight;
	}
	for (size_t i = 0; i < n; i++) {
		const struct lab_bench_value *v = &sorted[less ? n - 1 - i : i];

		sum += v->weight;
		if (sum >= share * total * (1 - 1e-12)) {
			return v->value;
		}
	}
	return sorted[less ? 0 : n - 1].value;
}

struct lab_bench_stats lab_bench_stats(const struct lab_bench_value *values, size_t n, bool less)
{
	struct lab_bench_value *sorted = lab_grow(NULL, n == 0 ? 1 : n, sizeof(*sorted));
	struct lab_bench_stats s = {.n = 0};
	double weight = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isnan(values[i].value)) {
			sorted[s.n++] = values[i];
			weight += values[i].weight;
			s.mean += values[i].value * values[i].weight;
		}
	}
	if (s.n > 0) {
		qsort(sorted, s.n, sizeof(*sorted), by_value);
		s.mean /= weight;
		s.median = at_share(sorted, s.n, less, 0.5);
		s.tenth = at_share(sorted, s.n, less, 0.1);
		s.worst = at_share(sorted, s.n, less, 0);
	}
	free(sorted);
	return s;
}
