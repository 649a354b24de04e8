/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_copies.h - the copies under way on one path: transmissions of chunks that are, or were, under way on
 * another one as well.
 *
 * Pure: no allocation, no clock; the caller supplies the memory. A chunk is acknowledged once, however many
 * of its transmissions arrive, so what its acknowledgement does not settle is kept here until it is known to
 * have arrived or is taken for lost: it fills the path's window, and its loss is the path's loss.
 *
 * Ordered by Path Packet Number, oldest first. Adding behind the newest and removing the oldest take one
 * step; elsewhere as many as there are older ones. */
#ifndef CMT_COPIES_H
#define CMT_COPIES_H

#include <stdbool.h>
#include <stdint.h>

struct cmt_copy {
	uint64_t sent_us;
	uint32_t number; /* Path Packet Number; several chunks of a packet share it */
	uint32_t tsn;
	uint32_t bytes;
};

/* To be embedded; zeroed = empty, without memory. */
struct cmt_copies {
	struct cmt_copy *list; /* the copies are list[first] .. list[first + count - 1] */
	uint32_t capacity, first, count;
	uint32_t bytes;       /* sum */
	uint32_t silent_pkts; /* taken for lost without a sign, since anything of the path was heard of */
};

/* Moves to `list` of `capacity` >= count elements, the caller's. The memory used before is the caller's
 * again. */
void cmt_copies_move(struct cmt_copies *c, struct cmt_copy *list, uint32_t capacity);

/* False: no room. Of equal numbers the one added last is the newest. */
bool cmt_copies_add(struct cmt_copies *c, const struct cmt_copy *copy);

/* The oldest copy of `tsn`; NULL = none. Valid until the next change. */
const struct cmt_copy *cmt_copies_find(const struct cmt_copies *c, uint32_t tsn);

/* Element `i` < count, 0 the oldest. */
static inline const struct cmt_copy *cmt_copies_at(const struct cmt_copies *c, uint32_t i)
{
	return &c->list[c->first + i];
}

/* Removes element `i` < count, which becomes that of the next newer one. */
void cmt_copies_remove(struct cmt_copies *c, uint32_t i);

/* Something of the path was heard of. */
static inline void cmt_copies_on_heard(struct cmt_copies *c)
{
	c->silent_pkts = 0;
}

/* So many packets of copies were never heard of. True: the path has failed. */
bool cmt_copies_on_silent(struct cmt_copies *c, uint32_t pkts);

/* Removes all; the memory stays. */
void cmt_copies_clear(struct cmt_copies *c);

#endif
