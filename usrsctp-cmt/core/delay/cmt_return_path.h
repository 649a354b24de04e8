/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_return_path.h - the sender's wish: on which path shall SACKs come back?
 *
 * Pure: time is an argument, never decreasing; no allocation.
 *
 * The one with the shortest return path, as long as SACKs do not fill it. Three rules keep them from that,
 * and none does for the others:
 *  - the queue that SACKs met counts as delay (cmt_return_delay.h): they leave, and the path looks as good as
 *    before once it has drained;
 *  - so a path that they left because of a queue of theirs is barred, longer each time. Without the bar they
 *    come back to fill it again and again, and each time many are lost;
 *  - where the return path cannot be wide, because the forward path is not, they do not begin.
 * A path that they left because it was silent is barred for a second.
 * A narrow path carries the SACKs that its own packets cause, when its return path is the shorter one: they
 * are as few as these, and tell its losses after a round trip of its own (docs/adr/0027-own-return-path.md).
 * Copies that measure a path are not waited for on their own return path (docs/adr/0032-first-echo.md). */
#ifndef CMT_RETURN_PATH_H
#define CMT_RETURN_PATH_H

#include <stdbool.h>
#include <stdint.h>

#include "cmt_return_delay.h"

/* A path that SACKs filled is not asked for any for a while: a second, twice as long each time, a minute at
 * most. Zeroed: it never was. */
struct cmt_return_bar {
	uint64_t until_us, length_us;
};

/* One path, as it is now. */
struct cmt_return_path {
	uint16_t id; /* as SACKs are asked for; not 0 */
	bool usable;
	bool starting;      /* rate_bps grows */
	uint64_t rate_bps;  /* of the way forth */
	int64_t min_rtt_us; /* shortest time from sending to the SACK; CMT_UNKNOWN_US */
	uint32_t srtt_us;   /* 0 = not measured */
	struct cmt_return_delay *delay;
	struct cmt_return_bar *bar;
};

/* The id of the path for the next SACKs; 0 = none. `asked`: the answer before; that path may be barred.
 */
uint16_t cmt_return_path_choose(const struct cmt_return_path *paths, unsigned n, uint16_t asked,
                                uint64_t now_us);

/* The id that is answered soonest: `asked`, the path for SACKs in general, or while there is none the one
 * with the shortest round trip; 0 = none is known. */
uint16_t cmt_return_path_soonest(const struct cmt_return_path *paths, unsigned n, uint16_t asked);

/* The id that a packet of `own` asks for, when `asked` is the path for SACKs in general. */
uint16_t cmt_return_path_for_packet(const struct cmt_return_path *own, const struct cmt_return_path *asked,
                                    uint64_t now_us);

#endif
