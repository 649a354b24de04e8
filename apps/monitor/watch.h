/* SPDX-License-Identifier: BSD-3-Clause
 *
 * watch.h - an association for lines that are drawn again and again, as a progress bar: what its paths do
 * now, and whether anything moves.
 *
 * Pure but for monitor_watch_look(). Times are of app_wall_clock_us(). */
#ifndef MONITOR_WATCH_H
#define MONITOR_WATCH_H

#include "reading.h"

/* Zeroed: nothing was seen yet; so again when another association is to be watched. */
struct monitor_watch {
	struct monitor_reading since; /* one to two seconds before `now`, once there were so many */
	struct monitor_reading next;  /* takes its place */
	struct monitor_reading now;
};

/* Reads `so`; to be called a few times a second. `waits`: the application waits for the peer's data.
 * Otherwise something waits when the association has something to send. */
void monitor_watch_look(struct monitor_watch *w, struct socket *so, bool waits, uint64_t now_us);

/* The rest of monitor_watch_look(). */
void monitor_watch_note(struct monitor_watch *w, const struct monitor_reading *reading);

/* For how long nothing has moved; 0 = it moves, or nothing waits. */
uint64_t monitor_watch_stalled_us(const struct monitor_watch *w);

#define MONITOR_WATCH_TEXT_BYTES 600

/* "62/38 %  path 2 (wlan0) down for 6 s": shares of what was sent and received in the last one to two
 * seconds, in the order of the paths' ids, and each path that carries nothing. Returns `out`. */
char *monitor_watch_text(const struct monitor_watch *w, char out[MONITOR_WATCH_TEXT_BYTES]);

#endif
