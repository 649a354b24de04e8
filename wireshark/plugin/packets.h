/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packets.h - the first pass over a frame: finds its SCTP packets in what Wireshark's own dissector left, has
 * each analysed once, and keeps them with the frame. */
#ifndef CMT_WS_PACKETS_H
#define CMT_WS_PACKETS_H

#include "state.h"

void cmt_packets_handoff(void);

/* The fields that must be in the tree. For set_postdissector_wanted_hfids(), which takes it over. */
GArray *cmt_packets_wanted(void);

/* In the order of the capture, once for each frame. `frame` is the post-dissector's buffer; `joined`: a
 * datagram of the frame was found to hold several packets. Packets whose checksum is wrong are CMT_DAMAGED if
 * `verify_checksum`. */
void cmt_packets_find(tvbuff_t *frame, packet_info *pinfo, proto_tree *tree, bool verify_checksum,
                      bool joined);

/* The first SCTP packet of the frame, or NULL. */
struct cmt_packet *cmt_packets_of(packet_info *pinfo);

/* Wireshark's SCTP items of the frame, in order of appearance; NULL if there is none. */
const GPtrArray *cmt_packets_items(proto_tree *tree);

#endif
