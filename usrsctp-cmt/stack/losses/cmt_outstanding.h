/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_outstanding.h - the chunks that are out, path by path in the order in which they left: the newest
 * transmission of each. What RACK (RFC 8985) asks of a path is at the oldest end; and places in sent_queue,
 * which is in TSN order, are near one end or the other.
 *
 * The association's lock is held; a scheduler is in force. A chunk is taken off the list when it is
 * acknowledged or to be sent again; one that upstream marks or gives up is passed over, and leaves with the
 * cumulative ack. */
#ifndef CMT_OUTSTANDING_H
#define CMT_OUTSTANDING_H

#include "association/cmt_asoc.h"

/* The chunk is out, on the path and in the packet that its tag names; it may have been on a list before. */
void cmt_outstanding_add(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
void cmt_outstanding_remove(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
/* Upstream is about to free all up to `cum_ack`. */
void cmt_outstanding_on_cum_ack(struct cmt_asoc *ca, uint32_t cum_ack);
/* A SACK has taken chunks back, perhaps. */
void cmt_outstanding_find(struct cmt_asoc *ca);
/* The path is gone. */
void cmt_outstanding_forget_path(struct cmt_asoc *ca, const struct cmt_path *path);
/* Nothing is known any more; no chunk is touched. */
void cmt_outstanding_free(struct cmt_asoc *ca);

/* By Path Packet Number; from one to the next by cmt.newer and cmt.older. NULL: none. */
struct sctp_tmit_chunk *cmt_outstanding_oldest(const struct cmt_asoc *ca, const struct cmt_path *path);
struct sctp_tmit_chunk *cmt_outstanding_newest(const struct cmt_asoc *ca, const struct cmt_path *path);
/* A chunk of sent_queue not far below `tsn`: `from`, which is one or NULL, or one behind it. */
struct sctp_tmit_chunk *cmt_outstanding_near(const struct cmt_asoc *ca, struct sctp_tmit_chunk *from,
                                             uint32_t tsn);

#endif
