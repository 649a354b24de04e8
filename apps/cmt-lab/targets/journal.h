/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal.h - measured points of targets in a file of JSON lines, each written when it is known, so that a
 * measurement of hours continues where it was interrupted. */
#ifndef LAB_JOURNAL_H
#define LAB_JOURNAL_H

#include <stdbool.h>
#include <stdio.h>

#include "targets/target_measure.h"

struct lab_journal {
	FILE *file; /* NULL = none is kept */
	json_t *lines;
};

/* Opens the file, which may not exist, and reads what it has; "" = keep none. -1 with the reason in `error`:
 * it cannot be opened, or is of another build of the program, whose numbers may differ. */
int lab_journal_open(struct lab_journal *j, const char *path, struct lab_error *error);

/* What the journal has of a point measured with `n_seeds`; false = nothing. */
bool lab_journal_find(const struct lab_journal *j, const struct lab_target *t, const struct lab_run *point,
                      unsigned n_seeds, struct lab_target_values *out);

/* Adds it. Does nothing without a file. */
void lab_journal_add(struct lab_journal *j, const struct lab_target *t, const struct lab_run *point,
                     unsigned n_seeds, const struct lab_target_values *values);

void lab_journal_close(struct lab_journal *j);

#endif
