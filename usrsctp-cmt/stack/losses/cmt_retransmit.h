/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_retransmit.h - on which path a retransmission goes (a hook of cmt_hooks.h).
 *
 * The association's lock is held. */
#ifndef CMT_RETRANSMIT_H
#define CMT_RETRANSMIT_H

#include "association/cmt_asoc.h"

/* What is to be sent again is looked through from the lowest TSN on. */
void cmt_retransmit_begin(struct cmt_asoc *ca);

#endif
