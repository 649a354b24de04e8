/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_silent.h - paths behind a NAT on which the peer's data stop abruptly: the NAT may have given out
 * another port (core/paths/cmt_flow.h). A SACK there makes a new mapping, and the peer learns of it.
 *
 * The association's lock is held. */
#ifndef CMT_SILENT_H
#define CMT_SILENT_H

#include "association/cmt_asoc.h"

/* Data of the peer's came in on `net`. */
void cmt_silent_on_data(struct cmt_asoc *ca, struct sctp_nets *net, uint64_t now_us);
/* Whether there is something to send. */
bool cmt_silent_on_timer(struct cmt_asoc *ca, uint64_t now_us);

#endif
