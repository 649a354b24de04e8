/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_keep_alive.h - paths in UDP behind a NAT are not silent for longer than 20 s (docs/paths.md). Each side
 * learns from the HEARTBEATs of the other whether there is one in front of it (core/paths/cmt_nat.h). Only
 * between peers that speak the extension, where the application has not switched HEARTBEATs off. The
 * association's lock is held. */
#ifndef CMT_KEEP_ALIVE_H
#define CMT_KEEP_ALIVE_H

#include "association/cmt_asoc.h"
#include "seams/cmt_seams.h"

/* A HEARTBEAT came in on it, and upstream is about to see it. A peer that has not heard of us what we see is
 * told. */
void cmt_keep_alive_on_heartbeat(struct cmt_asoc *ca, struct sctp_nets *net,
                                 const struct cmt_seam_arrival *arrival);

/* Once the association is up the timer sees to it. */
void cmt_keep_alive_on_output(struct cmt_asoc *ca);

/* True when a HEARTBEAT is to be sent. */
bool cmt_keep_alive_on_timer(struct cmt_asoc *ca);

#endif
