/* SPDX-License-Identifier: BSD-3-Clause
 *
 * results_page.h - DIR/results.md: sections that commands write, in the order advice, targets, sweeps, and
 * whatever people add. What stands before the first section, behind a command's
 * text, and in sections of other titles, is theirs. */
#ifndef LAB_RESULTS_PAGE_H
#define LAB_RESULTS_PAGE_H

#include <stdio.h>

#include "sweeps/sweep.h"

/* Writes the text of a section, made of `from`. 0, or -1 with the reason. */
typedef int (*lab_section_writer)(FILE *out, const void *from, struct lab_error *error);

/* Makes or replaces a section of a command; not if nothing is written. 0, or -1 with the reason. */
int lab_results_page_put(const char *directory, const char *title, lab_section_writer write, const void *from,
                         struct lab_error *error);

/* The text of a section; NULL when there is none. The caller frees it. */
char *lab_results_page_get(const char *directory, const char *title);

/* The picture and the section of a sweep. 0, or -1 with the reason. */
int lab_results_page_sweep(const char *directory, const struct lab_sweep_values *v, struct lab_error *error);

/* The section of advice, from DIR/sweeps/NAME.csv and DIR/results.json as they are. None without sweeps. 0,
 * or -1 with the reason. */
int lab_results_page_advice(const char *directory, struct lab_error *error);

#endif
