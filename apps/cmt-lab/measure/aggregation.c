/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/aggregation.h"

double lab_aggregation_benefit(double together, const double *alone, size_t n)
{
	double most = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		most = alone[i] > most ? alone[i] : most;
		sum += alone[i];
	}
	if (together >= most) {
		return sum > most ? (together - most) / (sum - most) : 0;
	}
	return (together - most) / most;
}
