/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sections.h - a Markdown file whose sections ("## TITLE" to the next one) are written by different runs.
 *
 * Touches nothing but the file. */
#ifndef LAB_SECTIONS_H
#define LAB_SECTIONS_H

#include "scenario.h"

/* Replaces what stands before the first section of the file at `path`, and the section `title`, whose text is
 * what follows its heading; adds it behind the others if there is none. Sections in between stay. The file
 * need not exist. 0, or -1 with the reason. */
int lab_sections_write(const char *path, const char *head, const char *title, const char *text,
                       struct lab_error *error);

#endif
