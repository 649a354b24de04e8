/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_hystart.h - HyStart++ (RFC 9406): slow start ends when delays grow from one round trip to the next,
 * before the queue overflows.
 *
 * Pure. Takes forward delays in place of round trips: what happens on the return path says nothing about the
 * queue. Only their differences count, so any constant offset is welcome.
 *
 * Delays also grow with jitter that keeps the order, the more packets there are, and then stay. So the
 * conservative phase looks at what round trips deliver per time, too: in two of them the window grows by
 * nine sixteenths; if that grows the rate by a quarter the link is not full, and slow start goes on. Only
 * round trips that used the window count: where a scheduler holds packets back, neither rate nor delay tells
 * what a larger one would do. */
#ifndef CMT_HYSTART_H
#define CMT_HYSTART_H

#include <stdbool.h>
#include <stdint.h>

#define CMT_HYSTART_GROWTH_DIVISOR 4 /* CSS_GROWTH_DIVISOR: of growth in the conservative phase */
#define CMT_HYSTART_ROUNDS         3 /* whose rates are compared, the newest with the oldest; BBR's */

enum cmt_hystart_phase {
	CMT_HYSTART_SLOW_START,   /* the window doubles every round trip */
	CMT_HYSTART_CONSERVATIVE, /* delays have grown: a quarter of that, until it is sure */
	CMT_HYSTART_DONE          /* congestion avoidance */
};

struct cmt_hystart {
	enum cmt_hystart_phase phase;
	uint32_t round_end; /* number whose acknowledgement ends the round trip */
	bool started;
	uint32_t samples;              /* of this round */
	int64_t round_min_us, last_us; /* smallest delay of this round and the one before; CMT_UNKNOWN_US */
	int64_t baseline_us;           /* smallest delay when the conservative phase began */
	uint32_t conservative_rounds;
	uint64_t round_start_us, round_bytes;   /* when the round trip began; acknowledged since */
	uint64_t rates_bps[CMT_HYSTART_ROUNDS]; /* of complete round trips, newest first */
};

struct cmt_hystart_ack {
	uint64_t now_us;
	uint32_t bytes; /* acknowledged by it */
	uint32_t cwnd_bytes;
	uint32_t number;      /* highest acknowledged */
	uint32_t next_number; /* the next to be sent */
	int64_t delay_us;     /* newest delay; CMT_UNKNOWN_US */
	uint32_t srtt_us;     /* the threshold comes from it; 0 = not measured */
};

void cmt_hystart_init(struct cmt_hystart *h);

/* An acknowledgement; returns the phase from now on. */
enum cmt_hystart_phase cmt_hystart_on_ack(struct cmt_hystart *h, const struct cmt_hystart_ack *ack);

#endif
