/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_by_tag.h - the association of a packet, whichever address it came from. */
#ifndef CMT_BY_TAG_H
#define CMT_BY_TAG_H

struct cmt_seam_arrival;
struct sctp_tcb;

/* That whose verification tag and ports the packet has, locked; NULL. No lock is held. */
struct sctp_tcb *cmt_lock_by_tag(const struct cmt_seam_arrival *arrival);

#endif
