/* SPDX-License-Identifier: BSD-3-Clause
 *
 * results_page.h - DIR/results.md: sections that commands write, in the order advice, targets, sweeps, and
 * whatever people add. What stands before the first section, and sections of other titles, are theirs. */
#ifndef LAB_RESULTS_PAGE_H
#define LAB_RESULTS_PAGE_H

#include "sweep.h"

/* Makes or replaces a section of a command. 0, or -1 with the reason. */
int lab_results_page_put(const char *directory, const char *title, const char *text, struct lab_error *error);

/* The text of a section; NULL when there is none. The caller frees it. */
char *lab_results_page_get(const char *directory, const char *title);

/* The picture and the section of a sweep. 0, or -1 with the reason. */
int lab_results_page_sweep(const char *directory, const struct lab_sweep_values *v, struct lab_error *error);

/* The section of advice, from DIR/sweeps/NAME.csv and DIR/results.json as they are. None without sweeps. 0,
 * or -1 with the reason. */
int lab_results_page_advice(const char *directory, struct lab_error *error);

#endif
