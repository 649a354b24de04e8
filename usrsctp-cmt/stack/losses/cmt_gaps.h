/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_gaps.h - what a SACK says in gap ack blocks that the one before did not
 * (core/recovery/cmt_gap_blocks.h): the rest of sent_queue is not looked at.
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_GAPS_H
#define CMT_GAPS_H

#include "association/cmt_asoc.h"

/* A SACK comes in; its gap blocks start at `offset` of `m`. After cmt_assumed_acked_on_sack(). */
void cmt_gaps_on_sack(struct cmt_asoc *ca, struct mbuf *m, uint32_t cum_ack, int n_blocks, int offset);
/* It was taken in. */
void cmt_gaps_on_sack_end(struct cmt_asoc *ca);
/* The next one is read as a whole. */
void cmt_gaps_forget(struct cmt_asoc *ca);

#endif
