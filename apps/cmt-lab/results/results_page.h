/* SPDX-License-Identifier: BSD-3-Clause
 *
 * results_page.h - the pages of a directory of results: sections that commands write, in the order advice,
 * targets, sweeps, and whatever people add. What stands before the first section, behind a command's text,
 * and in sections of other titles, is theirs.
 *
 * results.md is short enough to be read; what it is drawn from is beside it: every point of the targets in
 * points.md, every sweep in sweeps.md. */
#ifndef LAB_RESULTS_PAGE_H
#define LAB_RESULTS_PAGE_H

#include <stdio.h>

#include "sweeps/sweep.h"

/* Writes the text of a section, made of `from`. 0, or -1 with the reason. */
typedef int (*lab_section_writer)(FILE *out, const void *from, struct lab_error *error);

enum lab_results_page {
	LAB_PAGE_RESULTS, /* advice, and the verdict of each target */
	LAB_PAGE_POINTS,  /* every point of the targets, a section for a group */
	LAB_PAGE_SWEEPS,  /* a section for a sweep */
	LAB_PAGES
};

/* A section, and what writes it from what. */
struct lab_results_section {
	enum lab_results_page page;
	const char *title;
	lab_section_writer write;
	const void *from;
};

/* Makes or replaces a section of a command; not if nothing is written. 0, or -1 with the reason. */
int lab_results_page_put(const char *directory, const struct lab_results_section *section,
                         struct lab_error *error);

/* The text of a section; NULL when there is none. The caller frees it. */
char *lab_results_page_get(const char *directory, enum lab_results_page page, const char *title);

/* The picture and the section of a sweep. 0, or -1 with the reason. */
int lab_results_page_sweep(const char *directory, const struct lab_sweep_values *v, struct lab_error *error);

/* The section of advice, from DIR/sweeps/NAME.csv and DIR/results.json as they are. None without sweeps. 0,
 * or -1 with the reason. */
int lab_results_page_advice(const char *directory, struct lab_error *error);

#endif
