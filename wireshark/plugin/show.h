/* SPDX-License-Identifier: BSD-3-Clause
 *
 * show.h - puts a packet's fields into the tree, and the chunks' names into the Info column.
 *
 * Reads what analyse.h found; changes no state. Works without the packet's bytes: on later passes Wireshark
 * may give neither a tree in which they could be found nor a tree at all. */
#ifndef CMT_WS_SHOW_H
#define CMT_WS_SHOW_H

#include "fields.h"
#include "state.h"

/* Where a packet's bytes are, in this pass. */
struct cmt_sources {
	tvbuff_t *frame;     /* the post-dissector's buffer */
	tvbuff_t *packet;    /* the data source that the packet stands in; NULL = not known */
	tvbuff_t *decrypted; /* what it protects; NULL = nothing that can be read */
};

/* The fields as they stand in the packet, in their chunk's own subtree where there is one, else in `ours`.
 * `tree` is the post-dissector's. */
void cmt_show_chunks(const struct cmt_packet *p, const struct cmt_sources *sources, packet_info *pinfo,
                     proto_tree *tree, proto_tree *ours);

/* Where a chunk's fields go. */
struct cmt_target {
	tvbuff_t *tvb;
	uint32_t start; /* of the chunk in `tvb` */
	proto_tree *tree;
	bool own; /* the chunk's own subtree; else all fields are at 0, without length */
};

/* A field at an offset in the chunk. */
proto_item *cmt_show_uint(const struct cmt_target *t, proto_tree *tree, enum cmt_field field, uint32_t at,
                          int len, uint32_t value);

/* Part of cmt_show_chunks(): what belongs to encryption. */
void cmt_show_encryption(const struct cmt_packet *p, const struct cmt_target *t, const struct cmt_raw *raw);

/* What the analysis knows. Notes and chats only if `all_experts`. */
void cmt_show_analysis(const struct cmt_packet *p, tvbuff_t *frame, packet_info *pinfo, proto_tree *ours,
                       bool all_experts);

/* Of the frame whose first packet is `p`: Wireshark calls chunks that it does not know RESERVED, and joined
 * packets malformed. */
void cmt_show_info(const struct cmt_packet *p, packet_info *pinfo);

#endif
