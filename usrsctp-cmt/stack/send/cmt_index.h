/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_index.h - send_queue by TSN, so that a scheduler's choice is found without a walk.
 *
 * The association's lock is held. Who gives up an unsent chunk takes it out of ca->index.units. */
#ifndef CMT_INDEX_H
#define CMT_INDEX_H

#include "association/cmt_asoc.h"

/* Brings units and chunks up to date with send_queue. False: chunks that no index can describe (no memory):
 * send in order. */
bool cmt_index_sync(struct cmt_asoc *ca);
/* Whether the highest chunks of send_queue had no place: no policy sees them, nor any behind them. */
bool cmt_index_is_full(const struct cmt_asoc *ca);
/* The unsent chunk, NULL when it is not there. */
struct sctp_tmit_chunk *cmt_index_chunk(const struct cmt_asoc *ca, uint32_t tsn);
/* A packet of these chunks leaves: they are no more in the index. How many TSNs ahead of the lowest. */
uint32_t cmt_index_sent(struct cmt_asoc *ca, struct sctp_tmit_chunk *const *chunks, int n);
/* Whether an unordered chunk may go before the lowest one, and which (sched/cmt_unordered.h). */
bool cmt_index_unordered(const struct cmt_asoc *ca, uint32_t *tsn);
/* Frees the index. It is built again when it is needed. */
void cmt_index_reset(struct cmt_asoc *ca);

#endif
