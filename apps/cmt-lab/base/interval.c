/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/interval.h"

#include <math.h>

#define LEAST_VALUES 3 /* two that happen to agree would decide everything */
#define SLICES       400
#define HALVINGS     60

/* The chance beyond +-t: with x = sqrt(f) tan(a) the density is cos(a)^(f - 1) up to a constant; by Simpson.
 */
static double beyond(double t, double freedom)
{
	double scale = exp(lgamma((freedom + 1) / 2) - lgamma(freedom / 2)) / sqrt(M_PI);
	double end = atan(t / sqrt(freedom)), sum = 0;

	for (int i = 0; i <= SLICES; i++) {
		double weight = i == 0 || i == SLICES ? 1 : i % 2 == 1 ? 4 : 2;

		sum += weight * pow(cos(end * i / SLICES), freedom - 1);
	}
	return 1 - 2 * scale * sum * end / (3 * SLICES);
}

double lab_student_t(size_t freedom, double chance)
{
	double below = 0, above = 1;

	while (beyond(above, (double)freedom) > chance) {
		above *= 2;
	}
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (below + above) / 2;

		if (beyond(middle, (double)freedom) > chance) {
			below = middle;
		} else {
			above = middle;
		}
	}
	return above;
}

struct lab_interval lab_interval(const double *values, size_t n, unsigned comparisons)
{
	struct lab_interval i = {.error = INFINITY};
	double squares = 0;

	for (size_t k = 0; k < n; k++) {
		i.mean += values[k] / (double)n;
	}
	for (size_t k = 0; k < n; k++) {
		squares += (values[k] - i.mean) * (values[k] - i.mean);
	}
	if (n >= LEAST_VALUES) {
		i.error = lab_student_t(n - 1, LAB_INTERVAL_CHANCE / comparisons) *
		          sqrt(squares / (double)(n - 1) / (double)n);
	}
	return i;
}
