/* SPDX-License-Identifier: BSD-3-Clause
 *
 * figures.h - figures and tables of papers, measured again: data, picture, and what the paper says beside
 * what was measured. */
#ifndef LAB_FIGURES_H
#define LAB_FIGURES_H

#include "cases.h"
#include "plan.h"

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

/* The i-th figure; false behind the last. */
bool lab_figure(unsigned i, struct lab_figure *out);

/* Writes DIR/figures.md: what every figure's page says, those that are there. 0, or -1 with the reason. */
int lab_figure_index(const struct lab_figure_order *order, struct lab_error *error);

/* For the figures: */

#define LAB_N_RECOVERIES 5
extern const char *const lab_figure_recoveries[LAB_N_RECOVERIES]; /* none first */
extern const char *const lab_figure_schedulers[2];

int lab_figure_over_time(const struct lab_figure *f, const struct lab_figure_order *order,
                         struct lab_error *error);
int lab_figure_matrix(const struct lab_figure *f, const struct lab_figure_order *order,
                      struct lab_error *error);
int lab_figure_plan(const struct lab_figure *f, const struct lab_figure_order *order,
                    struct lab_error *error);

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
