/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal.h - measured points in a file of JSON lines, each written when it is known, so that a measurement
 * of hours continues where it was interrupted. What a point and its values are is the caller's. */
#ifndef LAB_JOURNAL_H
#define LAB_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "setup/lab_run.h"

struct lab_journal {
	FILE *file; /* NULL = none is kept */
	json_t *lines;
};

/* Opens the file, which may not exist, and reads what it has; "" = keep none. -1 with the reason in `error`:
 * it cannot be opened, or is of another build of the program, whose numbers may differ. */
int lab_journal_open(struct lab_journal *j, const char *path, struct lab_error *error);

/* What makes the results of `run`, measured with `n_seeds` for `what`. The caller owns it. */
json_t *lab_journal_point(const char *what, const struct lab_run *run, unsigned n_seeds);

/* The values of a point, which it takes over; NULL = none. Valid until the journal is closed. */
const json_t *lab_journal_find(const struct lab_journal *j, json_t *point);

/* Adds it; takes both over. Does nothing else without a file. */
void lab_journal_add(struct lab_journal *j, json_t *point, json_t *values);

void lab_journal_close(struct lab_journal *j);

#endif
