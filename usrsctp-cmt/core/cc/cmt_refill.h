/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_refill.h - slow start that fills a route which has become longer.
 *
 * Pure. A window that filled the path before holds a part of it now: after 20 ms that became 200, a tenth.
 * What it delivered is known (cmt_path_est_held_bytes()), so there is no need to find it out at a packet per
 * round trip. But it may be less now, and others may be there: the window grows by a quarter per round trip,
 * as in the conservative phase of HyStart++ (RFC 9406), and no further when a queue has stood for a whole
 * one, or when the route is shorter again. The queue of a moment says nothing: what was sent within the old
 * round trip arrives in a clump in each new one. */
#ifndef CMT_REFILL_H
#define CMT_REFILL_H

#include <stdbool.h>
#include <stdint.h>

#define CMT_REFILL_GROWTH_DIVISOR 4

struct cmt_refill {
	bool active;
	bool had_room;           /* in this round trip there was a time without a queue */
	uint32_t round_end;      /* number whose acknowledgement ends it */
	uint32_t min_rtt_us;     /* of the longer route */
	uint32_t ssthresh_bytes; /* before: what remains of the threshold */
};

/* The route has become longer, again if active. `next_number`: of the next packet to be sent. */
void cmt_refill_begin(struct cmt_refill *r, uint32_t next_number, uint32_t min_rtt_us,
                      uint32_t ssthresh_bytes);

/* An acknowledgement of `number`. `has_queue`: a queue stands now. Whether slow start goes on; after false
 * the refill is over. */
bool cmt_refill_on_ack(struct cmt_refill *r, uint32_t number, uint32_t next_number, uint32_t min_rtt_us,
                       bool has_queue);

#endif
