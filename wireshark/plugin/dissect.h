/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dissect.h - the post-dissector: shows what packets.h has found in what Wireshark's own dissector left.
 *
 * A post-dissector because packet-sctp.c offers no table for types of chunks; so it works in whatever SCTP is
 * carried. */
#ifndef CMT_WS_DISSECT_H
#define CMT_WS_DISSECT_H

void cmt_dissect_register(void);
void cmt_dissect_handoff(void);

#endif
