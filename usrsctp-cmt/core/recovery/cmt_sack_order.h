/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sack_order.h - was a SACK overtaken by a newer one? Pure.
 *
 * SACKs come back on all paths, and those of a long one behind newer ones of a short one. What the older one
 * does not report yet would count as taken back by the receiver, and as lost at once. The cumulative ack does
 * not tell them apart (RFC 9260, section 6.2.1, D i): it stays while gaps are filled. The time at which the
 * receiver built them does, Tr of the echo behind each (docs/wire-format.md). */
#ifndef CMT_SACK_ORDER_H
#define CMT_SACK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/cmt_serial.h"

/* No path is that much longer than another: the receiver's clock was set back. */
#define CMT_SACK_OVERTAKEN_MAX_US 60000000

/* The newest SACK; {0} before the first. */
struct cmt_sack_order {
	bool known;
	uint32_t tr_us;
};

/* Takes note of a SACK with this cumulative ack and Tr (NULL: no echo). True when it is older than one
 * before. `acked`: the cumulative ack point. */
static inline bool cmt_sack_is_outdated(struct cmt_sack_order *o, uint32_t acked, uint32_t cum_ack,
                                        const uint32_t *tr_us)
{
	int32_t later_us = o->known && tr_us != NULL ? cmt_serial_diff(*tr_us, o->tr_us) : 0;

	if (cmt_serial_gt(acked, cum_ack))
		return true;
	if (cum_ack == acked && later_us < 0 && later_us > -CMT_SACK_OVERTAKEN_MAX_US)
		return true;
	o->known = tr_us != NULL;
	o->tr_us = tr_us != NULL ? *tr_us : 0;
	return false;
}

#endif
