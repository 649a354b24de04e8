/* SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <string.h>

#include "figures/plan_draw.h"

#define EYE 0.005 /* of the panel's height: less cannot be seen */

static double height(const double *values, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++) {
		most = isnan(values[i]) ? most : fmax(most, fabs(values[i]));
	}
	return most;
}

static bool alike(const double *a, const double *b, size_t n, double least_seen)
{
	for (size_t i = 0; i < n; i++) {
		if (isnan(a[i]) != isnan(b[i]) || fabs(a[i] - b[i]) > least_seen) {
			return false;
		}
	}
	return true;
}

const char *lab_plan_draw_alike(const struct lab_plan *p, const double *values, size_t n_points, char *out,
                                size_t out_bytes)
{
	unsigned n = lab_plan_n_series(p);
	double least_seen = EYE * height(values, n * n_points);
	bool named[LAB_PLAN_SERIES] = {false};
	size_t at = 0;

	out[0] = '\0';
	for (unsigned s = 0; s < n; s++) {
		bool first = true;

		for (unsigned other = s + 1; other < n && !named[s]; other++) {
			if (named[other] ||
			    !alike(&values[s * n_points], &values[other * n_points], n_points, least_seen)) {
				continue;
			}
			if (first) {
				at += (size_t)snprintf(out + at, out_bytes - at, "%s%s",
				                       at == 0 ? "the same: " : "; ",
				                       lab_plan_label(&p->series[s]));
			}
			first = false;
			named[other] = true;
			at += (size_t)snprintf(out + at, out_bytes - at, " = %s",
			                       lab_plan_label(&p->series[other]));
			at = at < out_bytes ? at : out_bytes - 1;
		}
	}
	return out;
}
