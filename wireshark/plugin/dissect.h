/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dissect.h - the post-dissector: finds the SCTP packets of a frame in what Wireshark's own dissector left.
 *
 * A post-dissector because packet-sctp.c offers no table for types of chunks; so it works in whatever SCTP is
 * carried. A frame is parsed once, on the first pass, and its packets are kept with it. */
#ifndef CMT_WS_DISSECT_H
#define CMT_WS_DISSECT_H

#include "state.h"

void cmt_dissect_register(void);
void cmt_dissect_handoff(void);

/* The first SCTP packet of the frame, or NULL. */
struct cmt_packet *cmt_dissect_packets(packet_info *pinfo);

#endif
