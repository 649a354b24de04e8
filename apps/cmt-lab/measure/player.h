/* SPDX-License-Identifier: BSD-3-Clause
 *
 * player.h - a media player that reads a stream of constant rate: how long it has to wait at first, and what
 * its viewer sees when it starts with a buffer of some size: the start-up, and the stalls.
 *
 * Pure. Times count from the first byte asked for. */
#ifndef LAB_PLAYER_H
#define LAB_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

struct lab_player {
	double rate_bps;       /* of the media, payload */
	uint64_t buffer_bytes; /* it starts, and resumes after a stall, with so much read and not played */

	/* Never underruns if it waits this long at first, whatever its buffer: the longest of (time - bytes
	 * read before / rate). Start-up included. */
	uint64_t wait_us;

	/* With the buffer. A viewer waits startup_us, then sees the picture stop `stalls` times, for
	 * stalled_us in all. */
	uint64_t startup_us; /* valid when `started` */
	uint64_t stalls, stalled_us;
	bool started, playing;

	uint64_t read_bytes;
	double played_bytes; /* by since_us */
	uint64_t since_us;   /* it plays, or stands still, since then */
	uint64_t last_us;    /* of the last reading */
};

void lab_player_start(struct lab_player *p, double rate_bps, uint64_t buffer_us);

/* `len_bytes` more are read at `now_us`, never before the last call's. */
void lab_player_read(struct lab_player *p, uint64_t len_bytes, uint64_t now_us);

/* When byte 0 would have been played, had it played since then; of one that plays. */
double lab_player_origin_us(const struct lab_player *p);

/* There is no more: it plays what it has. */
void lab_player_end(struct lab_player *p);

#endif
