/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figure.h - where figures are written, and their files. */
#ifndef LAB_FIGURE_H
#define LAB_FIGURE_H

#include <stdio.h>

#include "base/error.h"
#include "setup/options.h"

/* What all figures know about where and how. */
struct lab_figure_order {
	const struct lab_options *options; /* seed, and what to change of the scenarios */
	const char *directory;
	unsigned n_seeds;
};

/* Opens DIR/NAME[SUFFIX] for writing; NULL with the reason. The caller closes it with lab_figure_close(). */
FILE *lab_figure_file(const struct lab_figure_order *order, const char *name, const char *suffix,
                      struct lab_error *error);
int lab_figure_close(FILE *file, const char *name, struct lab_error *error);

#endif
