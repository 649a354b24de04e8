/* SPDX-License-Identifier: BSD-3-Clause
 *
 * trace_bins.h - a column of a run's trace (--trace) in intervals of equal length.
 *
 * Touches nothing but the open file, which it reads from its beginning. A row's values hold from its time to
 * the next row's; before the first row they are 0. */
#ifndef LAB_TRACE_BINS_H
#define LAB_TRACE_BINS_H

#include <stddef.h>
#include <stdio.h>

enum lab_trace_value {
	LAB_TRACE_MEAN,  /* of the interval, weighted by time */
	LAB_TRACE_SINCE, /* at the interval's end, less what it was at the first one's start */
	LAB_TRACE_RATE   /* growth in the interval, per second */
};

struct lab_trace_bins {
	const char *column;
	enum lab_trace_value value;
	double from_us, bin_us; /* the i-th interval begins at from_us + i * bin_us */
	size_t n;
};

/* Fills out[0] to out[n - 1]; past the last row its values go on. 0, or -1 when there is no such column. */
int lab_trace_bins_read(FILE *in, const struct lab_trace_bins *bins, double *out);

/* Time of the last row; 0 when there is none. */
double lab_trace_end_us(FILE *in);

#endif
