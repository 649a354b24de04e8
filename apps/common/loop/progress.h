/* SPDX-License-Identifier: BSD-3-Clause
 *
 * progress.h - a progress bar on stderr, when that is a terminal and the work takes over a second. */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app_progress_bar {
	const char *title;
	bool terminal, drawn;
	uint64_t started_us, drawn_us;
};

struct app_progress_bar app_progress_bar_start(const char *title);

/* `done` from 0 to 1, below 0 = not known; `note` stands behind the bar. Draws at most ten times a second. A
 * line as wide as the terminal: the bar is as long as it has room, and the end of the note goes when even
 * that is too long. */
void app_progress_bar_show(struct app_progress_bar *bar, double done, const char *note);

/* That line. Pure. */
void app_progress_line(const char *title, double done, const char *note, size_t columns, char *out,
                       size_t out_bytes);

/* Takes the bar off the screen. */
void app_progress_bar_end(struct app_progress_bar *bar);

#endif
