/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#define RESERVED "RESERVED"

static const char *name_of(uint8_t type)
{
	switch (type) {
	case CHUNK_TIMESTAMP: return "CMT-TIMESTAMP";
	case CHUNK_ECHO: return "CMT-ECHO";
	case CHUNK_DTLS: return "DTLS";
	default: return NULL;
	}
}

/* --- the chunk's own subtree --- */

/* The node of the field "Chunk type" at `start` of `tvb`. In an invisible tree its parent might not be the
 * chunk: only a node that begins where the chunk does is its own. */
static proto_node *find_type(proto_node *node, const tvbuff_t *tvb, uint32_t start, int hf_type)
{
	for (proto_node *child = node->first_child; child != NULL; child = child->next) {
		const field_info *fi = PNODE_FINFO(child);
		proto_node *found;

		if (fi != NULL && fi->hfinfo->id == hf_type && fi->start == (int)start && fi->ds_tvb == tvb) {
			return child;
		}
		found = find_type(child, tvb, start, hf_type);
		if (found != NULL) {
			return found;
		}
	}
	return NULL;
}

static struct cmt_target find_target(const struct cmt_packet *p, const struct cmt_raw *raw,
                                     const struct cmt_sources *sources, proto_tree *tree, proto_tree *ours)
{
	tvbuff_t *source = raw->decrypted ? sources->decrypted : sources->packet;
	uint32_t start = raw->decrypted ? raw->at : p->offset + raw->at;
	proto_node *type =
	    PTREE_DATA(tree)->visible
	        ? find_type(tree, source, start, proto_registrar_get_id_byname("sctp.chunk_type"))
	        : NULL;
	const field_info *parent = type == NULL ? NULL : PNODE_FINFO(type->parent);

	if (parent == NULL || parent->start != (int)start) {
		return (struct cmt_target){.tvb = sources->frame, .tree = ours};
	}
	if (name_of(raw->type) != NULL) {
		proto_item_set_text(type, "Chunk type: %s (0x%02x)", name_of(raw->type), raw->type);
	}
	return (struct cmt_target){.tvb = parent->ds_tvb, .start = start, .tree = type->parent, .own = true};
}

/* --- fields --- */

proto_item *cmt_show_uint(const struct cmt_target *t, proto_tree *tree, enum cmt_field field, uint32_t at,
                          int len, uint32_t value)
{
	return proto_tree_add_uint(tree, cmt_hf[field], t->tvb, t->own ? (int)(t->start + at) : 0,
	                           t->own ? len : 0, value);
}

static void show_timestamp(const struct cmt_target *t, const struct cmt_timestamp *stamp)
{
	if (t->own) {
		proto_item_set_text(t->tree, "CMT-TIMESTAMP chunk (path %u, packet %u, sent at %u us)",
		                    stamp->path_id, stamp->path_packet_number, stamp->ts_us);
	}
	cmt_show_uint(t, t->tree, CMT_HF_SENDER_TIMESTAMP, 4, 4, stamp->ts_us);
	cmt_show_uint(t, t->tree, CMT_HF_PATH_PACKET, 8, 4, stamp->path_packet_number);
	cmt_show_uint(t, t->tree, CMT_HF_PATH_ID, 12, 2, stamp->path_id);
	cmt_show_uint(t, t->tree, CMT_HF_RETURN_PATH, 14, 2, stamp->return_path);
}

static void show_echo(const struct cmt_target *t, const struct cmt_echo *echo)
{
	if (t->own) {
		proto_item_set_text(t->tree, "CMT-ECHO chunk (paths heard: %u)", echo->n_entries);
	}
	cmt_show_uint(t, t->tree, CMT_HF_TSN_SCALE, 1, 1, echo->tsn_scale);
	cmt_show_uint(t, t->tree, CMT_HF_RECEIVER_TIMESTAMP, 4, 4, echo->tr_us);
	for (uint32_t i = 0; i < echo->n_entries; i++) {
		const struct cmt_echo_entry *e = &echo->entries[i];
		uint32_t at = CMT_ECHO_FIXED_BYTES + i * CMT_ECHO_ENTRY_BYTES;
		proto_tree *entry = proto_tree_add_subtree_format(
		    t->tree, t->tvb, t->own ? (int)(t->start + at) : 0,
		    t->own ? (int)CMT_ECHO_ENTRY_BYTES : 0, cmt_ett_entry, NULL,
		    "Path %u: packet %u, heard %u", e->path_id, e->path_packet_number, e->packets);

		cmt_show_uint(t, entry, CMT_HF_ECHO_PATH_ID, at, 2, e->path_id);
		cmt_show_uint(t, entry, CMT_HF_ECHO_PACKETS, at + 2, 2, e->packets);
		cmt_show_uint(t, entry, CMT_HF_ECHO_SENDER_TIMESTAMP, at + 4, 4, e->ts_us);
		cmt_show_uint(t, entry, CMT_HF_TIME_ELAPSED, at + 8, 4, e->elapsed_us);
		cmt_show_uint(t, entry, CMT_HF_ECHO_PATH_PACKET, at + 12, 4, e->path_packet_number);
	}
}

static void show_raw(const struct cmt_packet *p, const struct cmt_target *t, const struct cmt_raw *raw,
                     packet_info *pinfo)
{
	if (raw->bad) {
		proto_tree_add_expert_format(t->tree, pinfo, &cmt_ei_bad_length, t->tvb,
		                             t->own ? (int)t->start : 0, t->own ? (int)raw->len : 0,
		                             "%s with a length of %u", name_of(raw->type), raw->len);
		return;
	}
	if (raw->stamp != NULL) {
		show_timestamp(t, raw->stamp);
	} else if (raw->echo != NULL) {
		show_echo(t, raw->echo);
	} else if (raw->type == CHUNK_INIT || raw->type == CHUNK_INIT_ACK) {
		proto_item_set_generated(
		    proto_tree_add_boolean(t->tree, cmt_hf[CMT_HF_CAPABLE], t->tvb, 0, 0, raw->capable));
	}
	cmt_show_encryption(p, t, raw);
}

void cmt_show_chunks(const struct cmt_packet *p, const struct cmt_sources *sources, packet_info *pinfo,
                     proto_tree *tree, proto_tree *ours)
{
	for (uint32_t i = 0; i < p->n_raws; i++) {
		struct cmt_target target = find_target(p, &p->raws[i], sources, tree, ours);

		show_raw(p, &target, &p->raws[i], pinfo);
	}
}

/* --- the Info column --- */

/* What Wireshark wrote has taken all of them for chunks of the first. */
static void show_joined(const struct cmt_packet *first, packet_info *pinfo)
{
	uint32_t n_data = 0;

	for (const struct cmt_packet *p = first; p != NULL; p = p->next) {
		n_data += p->n_txs;
	}
	col_clear_fence(pinfo->cinfo, COL_INFO);
	col_add_fstr(pinfo->cinfo, COL_INFO, "%u packets joined by segmentation offload, DATA chunks: %u",
	             first->n_joined, n_data);
}

static void show_names(const struct cmt_packet *p, packet_info *pinfo)
{
	const char *old = p->n_raws > 0 ? col_get_text(pinfo->cinfo, COL_INFO) : NULL;
	char *text, *end;

	if (old == NULL || strstr(old, RESERVED) == NULL) {
		return;
	}
	text = end = wmem_alloc(pinfo->pool, strlen(old) + p->n_raws * strlen(name_of(CHUNK_TIMESTAMP)) + 1);
	for (uint32_t i = 0; i < p->n_raws; i++) {
		const char *name = name_of(p->raws[i].type);
		const char *reserved = name == NULL ? NULL : strstr(old, RESERVED);

		if (reserved != NULL) {
			memcpy(end, old, (size_t)(reserved - old));
			end = g_stpcpy(end + (reserved - old), name);
			old = reserved + strlen(RESERVED);
		}
	}
	g_stpcpy(end, old);
	col_clear_fence(pinfo->cinfo, COL_INFO);
	col_add_str(pinfo->cinfo, COL_INFO, text);
}

void cmt_show_info(const struct cmt_packet *p, packet_info *pinfo)
{
	if (p->n_joined > 0) {
		show_joined(p, pinfo);
	} else {
		show_names(p, pinfo);
	}
}
