/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_truncated_sack.h - what may a SACK have left out? Receivers report a limited number of gap ack blocks,
 * from the lowest TSN up: Linux 16, others what fits into a packet. Pure. */
#ifndef CMT_TRUNCATED_SACK_H
#define CMT_TRUNCATED_SACK_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_serial.h"

enum {
	/* Headers of an IPv6 packet with a SACK, and a gap ack block (RFC 9260, section 3.3.4; the NR-SACK's
	 * is the larger). */
	CMT_SACK_FIXED_BYTES = 40 + 12 + 20,
	CMT_SACK_BLOCK_BYTES = 4,
	/* Room for our echo, a few duplicates, another path's smaller MTU. */
	CMT_SACK_SPARE_BLOCKS = 48,
	/* Linux' SCTP_MAX_GABS; nobody is known to report fewer. */
	CMT_SACK_FOREIGN_BLOCKS = 16
};

/* The newest SACK. */
struct cmt_truncated_sack {
	bool full;    /* it had no room for more blocks: what it leaves out may have arrived */
	uint32_t top; /* then: highest TSN that it reports, the first missing one at least */
};

/* Whether a SACK with `n_blocks` had no room for more. `mtu_bytes`: the smallest of the paths'; `ours`: the
 * peer is known to fill its packets. */
static inline bool cmt_sack_is_truncated(uint32_t n_blocks, uint32_t mtu_bytes, bool ours)
{
	return CMT_SACK_FIXED_BYTES + (n_blocks + CMT_SACK_SPARE_BLOCKS) * CMT_SACK_BLOCK_BYTES > mtu_bytes ||
	       (!ours && n_blocks >= CMT_SACK_FOREIGN_BLOCKS);
}

/* Whether the SACK could not say that `tsn` has arrived. */
static inline bool cmt_truncated_sack_hides(const struct cmt_truncated_sack *u, uint32_t tsn)
{
	return u->full && cmt_serial_gt(tsn, u->top);
}

#endif
