/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_assumed_acked.h - chunks that SACKs cannot report (core/recovery/cmt_truncated_sack.h), and which are
 * assumed acked.
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_ASSUMED_ACKED_H
#define CMT_ASSUMED_ACKED_H

#include "association/cmt_asoc.h"

/* A SACK comes in; its gap blocks start at `offset` of `m`. */
void cmt_assumed_acked_on_sack(struct cmt_asoc *ca, struct mbuf *m, uint32_t cum_ack, int n_blocks,
                               int offset);
void cmt_assumed_acked_on_sack_end(struct cmt_asoc *ca);
/* Whether the newest SACK could not say that the chunk has arrived. */
bool cmt_truncated_sack(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* Whether the one before could not, so that the chunk may have been there long before it is reported. */
bool cmt_was_hidden(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* Takes the path's chunks of that kind, those that wait to be sent again too, for arrived. */
void cmt_assume_path_acked(struct cmt_asoc *ca, const struct cmt_path *path);

#endif
