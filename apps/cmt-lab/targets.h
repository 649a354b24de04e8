/* SPDX-License-Identifier: BSD-3-Clause
 *
 * targets.h - what the project promises, as data. */
#ifndef LAB_TARGETS_H
#define LAB_TARGETS_H

#include <stdbool.h>
#include <stddef.h>

#define LAB_NO_TARGET (-1.0)

/* Sets of scenarios. */
#define LAB_ALL_LOSSLESS "*lossless"
#define LAB_ALL_LOSSY    "*lossy"

/* The best single path is measured with the same buffers. */
enum lab_baseline {
	LAB_OF_NOTHING = 0,
	LAB_OF_PLAIN_PATH, /* plain SCTP on it: no scheduler, no chunks of ours */
	LAB_OF_SAME_STACK  /* the same scheduler on it */
};

/* One promise at one or more points: every scenario x receive buffer x delay error. */
struct lab_target {
	const char *what;
	const char *scenarios;    /* names or inline texts, separated by blanks, or a set */
	const char *set;          /* "key=value key=value" on top of them */
	const char *rcvbufs;      /* "30kB 50kB"; "0.5W 1W" = times W_min; "" = the scenario's own */
	const char *delay_errors; /* percent; "" = 0 */
	const char *key;          /* of the result, as lab_summarise() takes it */
	enum lab_baseline of;     /* divided by that of the best single path */
	bool at_least;            /* else: at most */
	double arrival, lcm;      /* the promise, or LAB_NO_TARGET */
};

extern const struct lab_target lab_targets[];
extern const size_t lab_n_targets;

#endif
