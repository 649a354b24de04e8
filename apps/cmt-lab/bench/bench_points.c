/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

#define GOLDEN 0.61803398874989485

struct lab_bench_point *lab_bench_add(struct lab_bench_points *all, const char *group, const char *name, ...)
{
	struct lab_bench_point *p;
	va_list arguments;

	all->points = lab_grow(all->points, all->n + 1, sizeof(*all->points));
	p = &all->points[all->n++];
	*p = (struct lab_bench_point){.weight = 1};
	snprintf(p->group, sizeof(p->group), "%s", group);
	va_start(arguments, name);
	vsnprintf(p->name, sizeof(p->name), name, arguments);
	va_end(arguments);
	return p;
}

static void leave_out(struct lab_bench_points *all, const char *without)
{
	size_t kept = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (strstr(all->points[i].name, without) == NULL) {
			all->points[kept++] = all->points[i];
		}
	}
	all->n = kept;
}

void lab_bench_choose(struct lab_bench_points *all, size_t n, const char *without)
{
	bool *taken;
	size_t kept = 0;

	if (without != NULL) {
		leave_out(all, without);
	}
	if (n >= all->n) {
		return;
	}
	taken = lab_grow(NULL, all->n, sizeof(*taken));
	memset(taken, 0, all->n * sizeof(*taken));
	for (size_t i = 0; i < n; i++) {
		double place = 0.5 + (double)i * GOLDEN;
		size_t at = (size_t)((place - floor(place)) * (double)all->n);

		while (taken[at]) {
			at = (at + 1) % all->n;
		}
		taken[at] = true;
	}
	for (size_t i = 0; i < all->n; i++) {
		if (taken[i]) {
			all->points[kept++] = all->points[i];
		}
	}
	all->n = kept;
	free(taken);
}
