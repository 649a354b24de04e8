/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_race.h - which path carries the handshake: the one that answers first. An INIT goes to every address
 * that the application named, the same to each (RFC 9260, section 5.1; the idea is that of RFC 8305, without
 * its delay: here all answers are of use). Only with a scheduler and where packets go to back ends. The
 * association's lock is held. */
#ifndef CMT_RACE_H
#define CMT_RACE_H

#include "association/cmt_asoc.h"

/* A packet with our tag from there, which begins with such a chunk, says nothing of the association: the
 * answer of who was not the first (RFC 9260, section 5.2.3), to an address that may be no part of it; or the
 * refusal of another address than the first, which may be another host's. */
bool cmt_race_ignores(struct sctp_tcb *stcb, struct sockaddr *remote, uint8_t chunk_type);

#endif
