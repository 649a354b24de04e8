/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.h - a progress bar on stderr, when that is a terminal and the work takes over a second. */
#ifndef LAB_PROGRESS_H
#define LAB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct lab_progress_bar {
	const char *title;
	bool terminal, drawn;
	uint64_t started_us, drawn_us;
};

struct lab_progress_bar lab_progress_bar_start(const char *title);

/* `done` from 0 to 1. Draws at most ten times a second. */
void lab_progress_bar_show(struct lab_progress_bar *bar, double done);

/* Takes the bar off the screen. */
void lab_progress_bar_end(struct lab_progress_bar *bar);

#endif
