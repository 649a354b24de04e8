/* SPDX-License-Identifier: BSD-3-Clause
 *
 * order.h - in which order the numbers of a sequence appeared.
 *
 * Reordering extent: RFC 4737, section 4.2. Displacement: RFC 5236, section 4: the place at which a number
 * appeared minus the place that is its own, the numbers that are lost left out of the places. RFC 5236 takes
 * a number for lost when it is late by a threshold; here it is lost when a SACK has acknowledged it and it
 * did not appear. Each number appears once; the caller leaves repetitions out. Memory is the capture file's.
 */
#ifndef CMT_WS_ORDER_H
#define CMT_WS_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include <epan/wmem_scopes.h>

struct cmt_order {
	uint64_t arrivals;
	uint64_t newest;       /* the highest number, unwrapped */
	uint64_t place;        /* the next one's */
	wmem_array_t *records; /* arrivals that were higher than all before */
};

struct cmt_order_result {
	uint32_t extent; /* 0 = in order */
	int32_t displacement;
};

struct cmt_order_result cmt_order_add(struct cmt_order *order, uint32_t number);

/* `n` numbers below the next place are lost. */
void cmt_order_lost(struct cmt_order *order, uint32_t n);

#endif
