/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_tracked.h - how many TSNs behind its cumulative TSN ack a receiver keeps apart: as many as chunks fit
 * into its buffer, told behind SACKs (core/wire/cmt_wire.h).
 *
 * The association's lock is held. */
#ifndef CMT_TRACKED_H
#define CMT_TRACKED_H

#include "association/cmt_asoc.h"

/* An echo is built: what it is to tell. What was told once stays: the peer may have sent that far. */
uint32_t cmt_tracked_tell(struct cmt_asoc *ca);
/* The peer told this. */
void cmt_tracked_on_told(struct cmt_asoc *ca, uint32_t tsn_scale);
/* The queues of the association may hold as many chunks as that takes, from when it uses what is ours. */
void cmt_tracked_limit_queues(const struct cmt_asoc *ca);

#endif
