/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_held.h - packets on a four-tuple that is not confirmed yet: they wait for its answer, are taken in as
 * of when they came once it is there, and are forgotten with it. So neither a path that the peer uses as soon
 * as it may, nor one to which a NAT has given another port, loses its first flight. The association's lock is
 * held, but for cmt_held_take_in(). */
#ifndef CMT_HELD_H
#define CMT_HELD_H

#include "association/cmt_asoc.h"
#include "seams/cmt_seams.h"

struct cmt_held;

/* Keeps a copy of what came on `net`'s four-tuple; does nothing when much is held already, or without memory.
 */
void cmt_held_add(struct cmt_held **held, const struct sctp_nets *net,
                  const struct cmt_seam_arrival *arrival);

/* Takes those of `net` out of the list, in order; NULL: there are none. Whoever calls owns them. */
struct cmt_held *cmt_held_take(struct cmt_held **held, const struct sctp_nets *net);

/* The first of them; NULL. Valid as long as that one is. */
const struct cmt_seam_arrival *cmt_held_first(const struct cmt_held *held);

/* Gives them to the stack, and frees them. No lock is held. */
void cmt_held_take_in(struct cmt_held *held);

/* Forgets those of `net`; NULL: all. */
void cmt_held_drop(struct cmt_held **held, const struct sctp_nets *net);

#endif
