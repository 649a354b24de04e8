/* SPDX-License-Identifier: BSD-3-Clause
 *
 * recorded.h - pairs of links whose rates over time others recorded. */
#ifndef LAB_BENCH_RECORDED_H
#define LAB_BENCH_RECORDED_H

#include "bench/bench.h"

/* What the recordings do not have is chosen. */
struct lab_recorded_link {
	const char *name;
	const char *forward, *back; /* files in the folder of networks; back NULL = as forward */
	unsigned delay_ms;          /* one way */
	unsigned queue_ms;          /* of the mean rate, 20 packets at least */
};

/* A point for both links, of `load` ("rcvbuf=6MB"), for as long as the shorter recording lasts. 0, or -1
 * with the reason. */
int lab_bench_add_recorded(struct lab_bench_points *out, const char *networks, const char *group,
                           const struct lab_recorded_link *const links[2], const char *load,
                           struct lab_error *error);

#endif
