/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_join.h - how an association gets further paths while it is up (docs/paths.md). A path begins with a
 * HEARTBEAT of each side, whose nonce the other brings back on the same path (RFC 9260, section 5.4; the
 * model is RFC 9000, section 8.2); what the peer begins is taken in by cmt_enter.c. Only between peers that
 * speak the extension. The association's lock is held. */
#ifndef CMT_JOIN_H
#define CMT_JOIN_H

#include "association/cmt_asoc.h"

/* Opens a path for every local address of the endpoint that leads to the peer and that no path uses yet;
 * again when local addresses have come. Does nothing most of the time. */
void cmt_join_open(struct cmt_asoc *ca);

/* This address of the endpoint may be used from now on: opens a path from there soon, or asks those that
 * leave from there, whether they are back or the route to them has changed. */
void cmt_join_on_address(struct cmt_asoc *ca, struct sctp_ifa *ifa);

#endif
