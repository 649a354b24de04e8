/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_picture.h - one run over time as data and picture. */
#ifndef LAB_RUN_PICTURE_H
#define LAB_RUN_PICTURE_H

#include "base/error.h"
#include "picture/run_bins.h"

struct lab_run_picture {
	const struct lab_run_bins *bins;
	const char *title, *claim;
	const char *directory, *name; /* DIRECTORY/NAME.csv, .gnuplot, .png */
};

/* 0, or -1 with the reason. */
int lab_run_picture_write(const struct lab_run_picture *picture, struct lab_error *error);

#endif
