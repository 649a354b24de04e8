/* SPDX-License-Identifier: BSD-3-Clause
 *
 * display.h - progress of a transfer on stderr, when that is a terminal: rate, time left, share and
 * state of each path.
 */
#ifndef TRANSFER_DISPLAY_H
#define TRANSFER_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "loop/progress.h"
#include "watch.h"

struct transfer_display {
	struct app_progress_bar bar;
	uint64_t at_us, at_bytes;
	double rate_bps; /* smoothed over some seconds; 0 = not measured */
};

struct transfer_display transfer_display_start(const char *title);

struct transfer_progress {
	uint64_t done_bytes, total_bytes;
	bool total_known;
	const struct monitor_watch *watch;
};

/* To be called a few times a second. `now_us` is app_wall_clock_us(). */
void transfer_display_show(struct transfer_display *d, const struct transfer_progress *progress,
                           uint64_t now_us);
void transfer_display_end(struct transfer_display *d);

#endif
