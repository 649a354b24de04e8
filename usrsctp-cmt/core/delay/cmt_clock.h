/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_clock.h - the peer's clock as seen from here: unwrapping, skew, offset by causality, steps.
 *
 * Pure. One per association: all paths end in the same two clocks. "Receiver time" everywhere else is what
 * this file makes of the peer's 32-bit stamps: unwrapped to 64 bits, with the skew taken out from the time on
 * when it was known, so that it runs at our rate.
 *
 * Offset (receiver time minus our time): for a packet sent at Ts that arrived at Ta and a SACK built at Tr
 * that is here now, causality says Tr - now <= offset <= Ta - Ts. The intersection over all paths is as wide
 * as the smallest forward plus the smallest return delay. An interval that becomes empty by more than drift
 * explains means that a clock was set: a step. */
#ifndef CMT_CLOCK_H
#define CMT_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_winfilter.h"
#include "cmt_skew.h"

struct cmt_clock {
	bool known;
	int64_t newest_raw_us; /* largest unwrapped stamp so far */
	int64_t skew_ppb;      /* taken out from tilt_raw_us on */
	int64_t tilt_raw_us;   /* stamp at the last change of skew_ppb */
	int64_t tilt_us;       /* receiver time of that stamp */
	struct cmt_skew skew;
	struct cmt_winfilter upper; /* min of Ta - Ts */
	struct cmt_winfilter lower; /* min of now - Tr, that is minus the lower bound */
	uint64_t steps;
};

/* What one echo entry says about the clocks. */
struct cmt_clock_echo {
	uint64_t sent_us, now_us;   /* our clock */
	uint32_t tr_us, elapsed_us; /* Tr and Te as on the wire */
	uint16_t return_path_id;    /* on which the SACK came */
};

enum cmt_clock_news {
	CMT_CLOCK_STEADY,  /* nothing changed */
	CMT_CLOCK_STEPPED, /* a clock was set: everything learnt in receiver time is void */
	CMT_CLOCK_TILTED   /* the skew is known better: tilt what was learnt in receiver time by tilt_ppb */
};

/* The echo in receiver time. */
struct cmt_clock_reading {
	int64_t arrival_us, built_us;
	enum cmt_clock_news news;
	int64_t tilt_ppb; /* change of the skew */
};

void cmt_clock_init(struct cmt_clock *c);

/* Takes an echo. Stamps are unwrapped correctly while the peer is heard at least every 35 minutes. */
struct cmt_clock_reading cmt_clock_on_echo(struct cmt_clock *c, const struct cmt_clock_echo *echo);

/* A stamp of the peer in receiver time; CMT_UNKNOWN_US before the first echo. */
int64_t cmt_clock_receiver_us(const struct cmt_clock *c, uint32_t stamp_us);

/* Middle of the interval; CMT_UNKNOWN_US before the first echo. `uncertainty_us` (may be NULL): half its
 * width. */
int64_t cmt_clock_offset_us(const struct cmt_clock *c, int64_t *uncertainty_us);

#endif
