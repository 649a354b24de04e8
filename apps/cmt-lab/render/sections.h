/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sections.h - a Markdown file whose sections ("## TITLE" to the next one) are written by different runs.
 *
 * Touches nothing but the file. */
#ifndef LAB_SECTIONS_H
#define LAB_SECTIONS_H

#include "base/error.h"

struct lab_section {
	const char *head;         /* stands before the first section of a file that has nothing there */
	const char *const *order; /* titles, ended by NULL */
	const char *title, *text; /* what follows the heading */
};

/* Ends what a command wrote of a section; what people add after it is theirs. */
#define LAB_SECTION_END "<!-- cmt-lab writes what is above, to the heading -->"

/* Replaces the section `title` of the file at `path`, or puts it before the first one that follows it in
 * `order`; where there is none, last. Everything else stays, also behind LAB_SECTION_END or, in a section
 * without that, behind its last table. The file need not exist. 0, or -1 with the reason. */
int lab_sections_write(const char *path, const struct lab_section *section, struct lab_error *error);

/* What a command wrote of a section, without the heading; NULL when there is none. The caller frees it. */
char *lab_sections_read(const char *path, const char *title);

#endif
