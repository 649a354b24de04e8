/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run_bins.h - the packets of one run in intervals of equal length: what each path carried beside what it
 * could, delays, queues.
 *
 * Pure but for memory and the open file. */
#ifndef LAB_RUN_BINS_H
#define LAB_RUN_BINS_H

#include <stdio.h>

#include "scenario/ceiling.h"

enum lab_whose { LAB_OURS, LAB_THEIRS, LAB_WHOSE };

/* Of one path in one interval. NAN where nothing arrived that tells. */
struct lab_run_bin {
	double could_bps; /* its links, if nobody else used them; IP headers included */
	double carried_bps[LAB_WHOSE];
	/* Of our packets that arrived in it, the mean: their way, the way without queues, what was predicted. */
	double delay_us, way_us, predicted_us;
	/* The mean of the bytes that have waited so far and do: they are sent, and their way and transmission
	 * have not begun. Those that are lost do not count, nor does cross traffic. Theirs are everybody's on
	 * the same links. */
	double queue_bytes[LAB_WHOSE];
};

struct lab_run_bins {
	int n_paths;
	size_t n;
	double from_us, bin_us; /* interval i begins at from_us + i bin_us of the simulation */
	struct lab_run_bin *bins[USRSCTP_CMT_SIM_MAX_PATHS];
};

/* `packets` is a packet log (measure/packet_log.h), read from its beginning. `n` > 0 intervals, from the first
 * of our packets to the last arrival. 0, or -1 when none arrived. */
int lab_run_bins_read(FILE *packets, const struct lab_scenario *s, size_t n, struct lab_run_bins *out);
void lab_run_bins_free(struct lab_run_bins *b);

#endif
