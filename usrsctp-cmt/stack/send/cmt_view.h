/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_view.h - the snapshot that schedulers read (core/cmt_sched.h), from the stack's present state.
 *
 * The association's lock is held. What the snapshot is reckoned from is brought up to date by calls of their
 * own; filling changes nothing. */
#ifndef CMT_VIEW_H
#define CMT_VIEW_H

#include "association/cmt_asoc.h"

/* Output begins: what estimators and pacers go by while nothing is measured, from round trips and windows. */
void cmt_view_advance(struct cmt_asoc *ca);
/* During output: the snapshot of this moment, filled anew after cmt_asoc_reconsider(). Valid until the next call
 * of this on the thread. */
const struct cmt_view *cmt_view(struct cmt_asoc *ca);
/* Fills `view` and `paths` (CMT_SCHED_MAX_PATHS) from the stack's present state. */
void cmt_view_fill(const struct cmt_asoc *ca, struct cmt_view *view, struct cmt_path_view *paths);

/* Highest TSN that may be sent: the peer tracks no more, and drops what lies beyond. */
uint32_t cmt_limit_tsn(const struct cmt_asoc *ca);

#endif
