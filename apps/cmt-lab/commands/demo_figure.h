/* SPDX-License-Identifier: BSD-3-Clause
 *
 * demo_figure.h - progress in order and receive-buffer occupancy over time, as Figures 5 and 6 of Sarwar et
 * al., drawn by gnuplot as a child process. */
#ifndef LAB_DEMO_FIGURE_H
#define LAB_DEMO_FIGURE_H

#include "scenario/scenario.h"

#define LAB_FIGURE_CURVES 6

/* One network: a column of two panels. */
struct lab_figure_column {
	char title[120];
	unsigned n_curves;
	struct {
		char label[64];
		char trace[300]; /* CSV that a run wrote */
	} curves[LAB_FIGURE_CURVES];
};

/* Writes DIR/demo-COLUMN-CURVE.dat, DIR/demo.gnuplot and DIR/demo.png. 0, or -1 with the reason. */
int lab_figure_draw(const char *directory, const struct lab_figure_column *columns, unsigned n_columns,
                    struct lab_error *error);

#endif
