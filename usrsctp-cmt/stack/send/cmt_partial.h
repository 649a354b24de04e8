/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_partial.h - FORWARD-TSN for messages of limited reliability (RFC 3758), with a scheduler in force.
 *
 * The association's lock is held. */
#ifndef CMT_PARTIAL_H
#define CMT_PARTIAL_H

#include "association/cmt_asoc.h"

/* Output begins, perhaps with a FORWARD-TSN: when it goes again if the cumulative ack does not reach it. */
void cmt_partial_watch(struct cmt_asoc *ca);
/* Tells the peer of what was given up since the last SACK, or again of what was lost. True when FORWARD-TSN
 * is to be sent. */
bool cmt_partial_on_timer(struct cmt_asoc *ca, uint64_t now_us);

#endif
