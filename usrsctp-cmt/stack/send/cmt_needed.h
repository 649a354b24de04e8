/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_needed.h - by when the peer's application needs what is not sent yet (SCTP_CMT_NEEDED): a line through
 * the position of a byte in what the application hands over, and the time at which it is needed.
 *
 * The association's lock is held. */
#ifndef CMT_NEEDED_H
#define CMT_NEEDED_H

#include "association/cmt_asoc.h"

/* What is handed over next is needed in `in_us`, what comes after it at `rate_bps`, what waits before it as
 * much earlier. rate_bps 0: nothing is known. */
void cmt_needed_set(struct cmt_asoc *ca, uint64_t rate_bps, uint32_t in_us);

/* These unsent chunks left, or were given up. */
void cmt_needed_take(struct cmt_asoc *ca, struct sctp_tmit_chunk *const *chunks, int n);

/* When the lowest TSN is needed that is not sent, that is not acknowledged. Both require ca->needed.bps > 0.
 */
int64_t cmt_needed_unsent_us(const struct cmt_asoc *ca);
int64_t cmt_needed_unacked_us(const struct cmt_asoc *ca);

#endif
