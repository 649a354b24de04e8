/* SPDX-License-Identifier: BSD-3-Clause
 *
 * show.h - puts a packet's fields into the tree, and the chunks' names into the Info column.
 *
 * Reads what analyse.h found; changes no state. Works without the packet's bytes: on later passes Wireshark
 * may give neither a tree in which they could be found nor a tree at all. */
#ifndef CMT_WS_SHOW_H
#define CMT_WS_SHOW_H

#include "state.h"

/* The fields as they stand in the packet, in their chunk's own subtree where there is one, else in `ours`.
 * `frame` is the post-dissector's buffer, `tree` its tree. */
void cmt_show_chunks(const struct cmt_packet *p, tvbuff_t *frame, packet_info *pinfo, proto_tree *tree,
                     proto_tree *ours);

/* What the analysis knows. Notes and chats only if `all_experts`. */
void cmt_show_analysis(const struct cmt_packet *p, tvbuff_t *frame, packet_info *pinfo, proto_tree *ours,
                       bool all_experts);

/* Of the frame whose first packet is `p`: Wireshark calls chunks that it does not know RESERVED, and joined
 * packets malformed. */
void cmt_show_info(const struct cmt_packet *p, packet_info *pinfo);

#endif
