/* SPDX-License-Identifier: BSD-3-Clause
 *
 * interval.h - how well a mean is known from few values: Student's confidence interval.
 *
 * Pure. */
#ifndef LAB_INTERVAL_H
#define LAB_INTERVAL_H

#include <stddef.h>

#define LAB_INTERVAL_CHANCE 0.05 /* that the interval does not hold the mean */

/* The two-sided quantile: a t with so many degrees of freedom, at least 1, is beyond +-result with
 * probability `chance`, in (0, 1). To 1e-6. */
double lab_student_t(size_t freedom, double chance);

struct lab_interval {
	double mean, error; /* mean +- error; error is INFINITY for fewer than three values */
};

/* Of n > 0 values. Wide enough that `comparisons`, at least 1, such intervals together miss none of their
 * means with probability 1 - LAB_INTERVAL_CHANCE (Bonferroni). Values that are all the same have no error. */
struct lab_interval lab_interval(const double *values, size_t n, unsigned comparisons);

#endif
