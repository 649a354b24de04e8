/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gnuplot.h - gnuplot as a child process. */
#ifndef LAB_GNUPLOT_H
#define LAB_GNUPLOT_H

#include "base/error.h"

/* Runs `script`, a file of `directory`, in that folder, so that it can be run again by hand. 0, or -1 with
 * the reason. */
int lab_gnuplot(const char *directory, const char *script, struct lab_error *error);

#endif
