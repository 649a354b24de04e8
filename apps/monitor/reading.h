/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reading.h - what an association and its paths are at one moment, and what happened between two of them.
 *
 * Pure but for monitor_read(). Times are of app_wall_clock_us(). */
#ifndef MONITOR_READING_H
#define MONITOR_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/path_stats.h"

struct monitor_reading {
	uint64_t at_us; /* 0 = nothing was read yet */
	struct app_assoc_stats stats;
	bool waits;                            /* the application waits for the peer's data */
	uint64_t since_us[SCTP_CMT_MAX_PATHS]; /* when the path was first seen in its state */
	uint64_t
	    moved_us; /* when DATA chunks were last acknowledged or received, or nothing waited for that */
	uint32_t peer_window_bytes; /* of the peer's receive buffer, left */
	uint32_t send_buffer_bytes, receive_buffer_bytes;
};

/* Reads `so`. False, and `out` untouched, when there is nothing to be read: the association is gone, or not
 * there yet. */
bool monitor_read(struct socket *so, uint64_t now_us, struct monitor_reading *out);

/* The path of that id, or NULL. */
const struct sctp_cmt_path_stats *monitor_path(const struct monitor_reading *r, uint16_t path_id);

/* Takes `since_us` and `moved_us` over from the reading before. */
void monitor_carry_since(const struct monitor_reading *before, struct monitor_reading *now);

/* For how long nothing has moved; 0 = it moves. While a path is active that is told from MONITOR_STALLED_US
 * on, which is longer than an ordinary retransmission takes. */
#define MONITOR_STALLED_US 2000000u
uint64_t monitor_stalled_us(const struct monitor_reading *r, uint64_t now_us);

/* Between two readings; 0 where nothing is known (one reading). */
struct monitor_change {
	double send_bps, receive_bps; /* DATA chunks acknowledged, received */
	double share;                 /* of what the association sent and received, 0 to 1 */
	double loss;                  /* packets declared lost / packets sent, 0 to 1 */
};
struct monitor_change monitor_path_change(const struct monitor_reading *before,
                                          const struct monitor_reading *now, size_t path);
struct monitor_change monitor_assoc_change(const struct monitor_reading *before,
                                           const struct monitor_reading *now);

enum monitor_event_kind {
	MONITOR_PATH_FAILED,  /* it is potentially failed, or was since the reading before */
	MONITOR_PATH_BACK,    /* it carries data again */
	MONITOR_PATH_STANDBY, /* it carries none while another can */
	MONITOR_PATH_ADDED,
	MONITOR_PATH_REMOVED
};

/* Calls `fn` for each event of each path, the path's statistics with it. */
typedef void monitor_event_fn(enum monitor_event_kind kind, const struct sctp_cmt_path_stats *path,
                              void *arg);
void monitor_events_between(const struct monitor_reading *before, const struct monitor_reading *now,
                            monitor_event_fn *fn, void *arg);

#endif
