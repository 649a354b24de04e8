/* SPDX-License-Identifier: BSD-3-Clause
 *
 * palette.h - how a scheduler looks in every picture. */
#ifndef LAB_PALETTE_H
#define LAB_PALETTE_H

#include <stdbool.h>

enum lab_family {
	LAB_FAMILY_EVERYWHERE, /* what the others are compared with: in every panel */
	LAB_FAMILY_QUEUE,      /* the head of the queue, on some path */
	LAB_FAMILY_AHEAD       /* chunks behind the head on slow paths */
};

struct lab_style {
	const char *scheduler;
	enum lab_family family;
	const char *colour;
	unsigned point, dash; /* gnuplot's pt and dt */
	double width;
};

#define LAB_BEST_PATH "best path" /* plain SCTP on the best single path */

/* A scheduler of the library, LAB_STOCK or LAB_BEST_PATH; any other name has a style, too. */
const struct lab_style *lab_style(const char *scheduler);

#endif
