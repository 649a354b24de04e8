/* SPDX-License-Identifier: BSD-3-Clause
 *
 * summary.h - one number of several runs that differ in their seed only. */
#ifndef LAB_SUMMARY_H
#define LAB_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

#include "batch/jobs.h"

struct lab_summary {
	double min, median, max;
	bool known;         /* every run has the number */
	double mean, error; /* the mean is known to +- error with 95 % confidence; 0 for a single run */
};

/* `key` of the results, "path.2.KEY" for one of a path, "KEY[4..6]" for the mean of items of a list, counted
 * from 0, or "intact": 1 when the integrity is ok, else 0. */
struct lab_summary lab_summarise(const struct lab_job *jobs, size_t n, const char *key);

/* The same of what each job has for one of what the job at the same place of `of` has. Unknown also when one
 * of those is not above 0. */
struct lab_summary lab_summarise_ratios(const struct lab_job *jobs, const struct lab_job *of, size_t n,
                                        const char *key);

/* Sorts `values`, n > 0 of them. */
struct lab_summary lab_summarise_values(double *values, size_t n);

/* "MIN..MAX" with this many decimals; "" when both read the same. */
const char *lab_summary_range(const struct lab_summary *s, unsigned digits, char *out, size_t out_bytes);

/* {"min":..,"median":..,"max":..}, or null when unknown. */
json_t *lab_summary_json(const struct lab_summary *s);

/* The whole of it as a list, and back; null stands for unknown, and so does what is no such list. */
json_t *lab_summary_write(const struct lab_summary *s);
void lab_summary_read(const json_t *list, struct lab_summary *out);

#endif
