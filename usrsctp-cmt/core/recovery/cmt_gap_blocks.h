/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_gap_blocks.h - the gap ack blocks of a SACK, and what they say that those of the SACK before did not
 * (RFC 9260, section 3.3.4).
 *
 * A SACK repeats what all before it said, so what one costs is to be what it says anew. Pure. */
#ifndef CMT_GAP_BLOCKS_H
#define CMT_GAP_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_serial.h"

/* Both ends included. */
struct cmt_gap_block {
	uint32_t first_tsn, last_tsn;
};

/* More than a SACK has that is not truncated (cmt_truncated_sack.h). */
enum { CMT_GAP_BLOCKS_MAX = 256 };

/* In TSN order, apart from each other. All zero: none. */
struct cmt_gap_blocks {
	struct cmt_gap_block at[CMT_GAP_BLOCKS_MAX];
	uint32_t n;
};

/* False, and nothing is added: the block ends before it begins, does not lie above the one before it, or
 * there are CMT_GAP_BLOCKS_MAX. */
static inline bool cmt_gap_blocks_add(struct cmt_gap_blocks *blocks, struct cmt_gap_block block)
{
	if (blocks->n == CMT_GAP_BLOCKS_MAX || cmt_serial_gt(block.first_tsn, block.last_tsn) ||
	    (blocks->n > 0 && !cmt_serial_gt(block.first_tsn, blocks->at[blocks->n - 1].last_tsn)))
		return false;
	blocks->at[blocks->n++] = block;
	return true;
}

/* Of the block at that place, from both ends without what was there before. */
struct cmt_gap_news {
	uint32_t place;
	struct cmt_gap_block part;
};

/* What `now` has above `cum_ack` that `before` has not goes to `news`, CMT_GAP_BLOCKS_MAX of them, *n in TSN
 * order. False when `now` lacks what `before` has: the peer takes something back, or has cut a block in two.
 */
bool cmt_gap_blocks_compare(const struct cmt_gap_blocks *now, const struct cmt_gap_blocks *before,
                            uint32_t cum_ack, struct cmt_gap_news *news, uint32_t *n);

/* The SACKs of an association, one after the other. Zeroed: none came. */
struct cmt_gap_history {
	struct cmt_gap_blocks known, now; /* of the SACK before; of the one that is being taken in */
	struct cmt_gap_news news[CMT_GAP_BLOCKS_MAX];
	uint32_t n_news, next; /* the first that was not read yet */
	bool complete;         /* `known` has all that counts as acknowledged */
	bool readable;         /* `now` is all that it says */
	bool adds_only;        /* which is all of `known`, and `news` */
};

/* A SACK comes in. `readable`: its blocks were put into `now`, and nothing else in it counts. True where it
 * takes back what the one before said, or may: what is acknowledged is to be found anew. */
bool cmt_gap_history_begin(struct cmt_gap_history *h, bool readable, uint32_t cum_ack);

/* Of a SACK that adds only: how many of its blocks, the one at `place` first, say nothing new. 0: what that
 * one says anew is `part`, and counts as read. */
uint32_t cmt_gap_history_skip(struct cmt_gap_history *h, uint32_t place, struct cmt_gap_block *part);

/* It was taken in. */
void cmt_gap_history_end(struct cmt_gap_history *h);

#endif
