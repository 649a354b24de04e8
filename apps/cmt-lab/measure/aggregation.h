/* SPDX-License-Identifier: BSD-3-Clause
 *
 * aggregation.h - what several paths bring beside the best of them.
 *
 * Pure. */
#ifndef LAB_AGGREGATION_H
#define LAB_AGGREGATION_H

#include <stddef.h>

/* The aggregation benefit of Paasch, Ferlin, Alay, Bonaventure ("Experimental evaluation of multipath TCP
 * schedulers", 2014), also called EBen: of what the paths bring alone, `alone` of n > 0 paths, 0 is what the
 * best of them brings, 1 their sum, and -1 nothing at all. Where the others bring nothing, no more than the
 * best counts as 0. */
double lab_aggregation_benefit(double together, const double *alone, size_t n);

#endif
