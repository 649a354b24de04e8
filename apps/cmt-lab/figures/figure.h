/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figure.h - what makes a figure, and the files that it writes. */
#ifndef LAB_FIGURE_H
#define LAB_FIGURE_H

#include <stdio.h>

#include "base/error.h"
#include "figures/plan.h"
#include "setup/options.h"

/* What all figures know about where and how. */
struct lab_figure_order {
	const struct lab_options *options; /* seed, and what to change of the scenarios */
	const char *directory;
	unsigned n_seeds;
};

struct lab_figure {
	const char *name, *what;
	/* Writes DIR/NAME.csv, DIR/NAME.png and DIR/NAME.md, and the claims to stdout. 0, or -1 with the
	 * reason. */
	int (*make)(const struct lab_figure *f, const struct lab_figure_order *order,
	            struct lab_error *error);
	const struct lab_plan *plan; /* of lab_figure_plan() */
};

#define LAB_N_RECOVERIES 5
extern const char *const lab_figure_recoveries[LAB_N_RECOVERIES]; /* none first */
extern const char *const lab_figure_schedulers[2];

/* Opens DIR/NAME[SUFFIX] for writing; NULL with the reason. */
FILE *lab_figure_file(const struct lab_figure_order *order, const char *name, const char *suffix,
                      struct lab_error *error);
int lab_figure_close(FILE *file, const char *name, struct lab_error *error);

/* DIR/NAME.md with heading and picture; what was found follows. */
FILE *lab_figure_page(const struct lab_figure_order *order, const char *name, const char *what,
                      struct lab_error *error);

/* The first lines of every script: terminal, output, colours of the recoveries as line types 1 to 5. */
void lab_figure_script_head(FILE *out, const char *name, unsigned width, unsigned height);

#endif
