/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_reinject.h - copies of what is late and holds up everything else (core/recovery/cmt_late.h).
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_REINJECT_H
#define CMT_REINJECT_H

#include "association/cmt_asoc.h"

/* Asks to be woken when what holds up the rest has become late. */
void cmt_reinject_watch(struct cmt_asoc *ca, uint64_t now_us);
/* True when copies are to be sent. */
bool cmt_reinject_on_timer(struct cmt_asoc *ca, uint64_t now_us);

#endif
