/* SPDX-License-Identifier: BSD-3-Clause */
#include "packets.h"

#include <epan/proto_data.h>

#include "analyse.h"
#include "fields.h"
#include "joined.h"

#define PKTDROP_HEADER_BYTES  16u
#define IPV4_ID_AT            4
#define IPV4_TTL_AT           8
#define IPV4_SOURCE_AT        12
#define MAX_PACKETS_PER_FRAME 64
#define PACKETS               0 /* what is kept with a frame */

static int hf_sctp, hf_hop_limit, hf_udp_source, hf_udp_destination;
static int proto_ip, proto_ipv6, proto_udp, proto_icmp, proto_icmpv6;

const GPtrArray *cmt_packets_items(proto_tree *tree)
{
	return tree == NULL ? NULL : proto_get_finfo_ptr_array(tree, hf_sctp);
}

struct cmt_packet *cmt_packets_of(packet_info *pinfo)
{
	return p_get_proto_data(wmem_file_scope(), pinfo, cmt_proto, PACKETS);
}

/* --- where the packets are --- */

/* A packet of the frame. Wireshark opens another SCTP item behind every DATA chunk; `end` is that of the
 * last. */
struct found {
	tvbuff_t *tvb;
	uint32_t start, end;
	bool quoted;
};

struct finds {
	struct found found[MAX_PACKETS_PER_FRAME];
	unsigned n;
};

enum relation { APART, CONTINUED, QUOTED };

static const uint8_t *bytes_from(tvbuff_t *tvb, uint32_t start, uint32_t *len)
{
	uint32_t all = tvb_captured_length(tvb);

	*len = start < all ? all - start : 0;
	return *len < SCTP_HEADER_BYTES ? NULL : tvb_get_ptr(tvb, (int)start, (int)*len);
}

/* How the item at `start` belongs to an earlier packet. */
static enum relation relate(const struct found *f, uint32_t start)
{
	uint32_t len, at = SCTP_HEADER_BYTES;
	const uint8_t *bytes = bytes_from(f->tvb, f->start, &len);
	bool after_data = false;
	struct sctp_chunk chunk;

	while (bytes != NULL && f->start + at <= start) {
		if (f->start + at == start && after_data) {
			return CONTINUED;
		}
		if (!sctp_next_chunk(bytes, len, &at, &chunk)) {
			break;
		}
		after_data = chunk.type == CHUNK_DATA || chunk.type == CHUNK_IDATA;
		if (chunk.type == CHUNK_PACKET_DROPPED &&
		    start == f->start + chunk.at + PKTDROP_HEADER_BYTES) {
			return QUOTED;
		}
	}
	return APART;
}

static bool is_within_error(const packet_info *pinfo)
{
	for (wmem_list_frame_t *f = wmem_list_head(pinfo->layers); f != NULL; f = wmem_list_frame_next(f)) {
		int proto = GPOINTER_TO_INT(wmem_list_frame_data(f));

		if (proto == proto_icmp || proto == proto_icmpv6) {
			return true;
		}
	}
	return false;
}

static void find_packets(struct finds *finds, const GPtrArray *items, const packet_info *pinfo)
{
	bool within_error = is_within_error(pinfo);

	finds->n = 0;
	for (guint i = 0; i < items->len; i++) {
		const field_info *fi = g_ptr_array_index(items, i);
		uint32_t start = (uint32_t)fi->start, end = start + (uint32_t)fi->length;
		enum relation relation = APART;
		struct found *last = finds->n > 0 ? &finds->found[finds->n - 1] : NULL;

		for (unsigned j = finds->n; j-- > 0 && relation == APART;) {
			last = &finds->found[j];
			if (last->tvb == fi->ds_tvb && start > last->start) {
				relation = relate(last, start);
			}
		}
		if (relation == CONTINUED) {
			last->end = end > last->end ? end : last->end;
		} else if (finds->n < MAX_PACKETS_PER_FRAME) {
			finds->found[finds->n++] =
			    (struct found){.tvb = fi->ds_tvb,
			                   .start = start,
			                   .end = end,
			                   .quoted = within_error || relation == QUOTED};
		}
	}
}

/* A packet's bytes. */
struct place {
	const uint8_t *bytes;
	uint32_t start, len;
	bool whole; /* the capture has not cut it */
};

/* To the end of the chunk in which the last item ends. False if there is no header. */
static bool locate(struct place *out, const struct found *f)
{
	uint32_t available, at = SCTP_HEADER_BYTES;
	struct sctp_chunk chunk = {.len = 0};

	*out = (struct place){.bytes = bytes_from(f->tvb, f->start, &available), .start = f->start};
	if (out->bytes == NULL) {
		return false;
	}
	while (f->start + at < f->end && sctp_next_chunk(out->bytes, available, &at, &chunk)) {
	}
	out->len = f->start + at < f->end ? f->end - f->start : at;
	out->whole = chunk.available == chunk.len;
	return true;
}

/* --- the first pass --- */

/* A sender may leave the checksum to the hardware, or out (RFC 9653): then it is 0. */
static bool is_damaged(const struct place *place)
{
	return sctp_header(place->bytes).checksum != 0 && !sctp_has_checksum(place->bytes, place->len);
}

/* What tells two views of a packet apart, and two packets of the same bytes. Wireshark's IPv4 source address
 * is the one in the frame: what stands before it is the rest of the header (a field of the IP header would
 * cost more than everything else here). Within something reassembled or decrypted it may be elsewhere: then
 * they are 0. */
static void read_ip_header(struct cmt_packet *p, const packet_info *pinfo, tvbuff_t *tvb, proto_tree *tree)
{
	uint32_t len = tvb_captured_length(tvb);
	const uint8_t *frame = tvb_get_ptr(tvb, 0, (int)len), *source = pinfo->net_src.data;

	if (pinfo->net_src.type == AT_IPv6) {
		const GPtrArray *items = proto_get_finfo_ptr_array(tree, hf_hop_limit);
		const field_info *innermost =
		    items == NULL || items->len == 0 ? NULL : g_ptr_array_index(items, items->len - 1);

		p->ttl = innermost == NULL ? 0 : *tvb_get_ptr(innermost->ds_tvb, innermost->start, 1);
	} else if (pinfo->net_src.type == AT_IPv4 && (uintptr_t)source >= (uintptr_t)frame + IPV4_SOURCE_AT &&
	           (uintptr_t)source < (uintptr_t)frame + len) {
		p->ip_id = sctp_read16(source - IPV4_SOURCE_AT + IPV4_ID_AT);
		p->ttl = source[IPV4_TTL_AT - IPV4_SOURCE_AT];
	}
}

/* Whether the innermost UDP header is within the innermost IP packet, and not that of a tunnel around it. */
static bool is_in_udp(const packet_info *pinfo)
{
	bool in_udp = false;

	for (wmem_list_frame_t *f = wmem_list_head(pinfo->layers); f != NULL; f = wmem_list_frame_next(f)) {
		int proto = GPOINTER_TO_INT(wmem_list_frame_data(f));

		in_udp = proto == proto_udp || (in_udp && proto != proto_ip && proto != proto_ipv6);
	}
	return in_udp;
}

static uint16_t innermost_port(proto_tree *tree, int field)
{
	const GPtrArray *items = proto_get_finfo_ptr_array(tree, field);
	const field_info *fi =
	    items == NULL || items->len == 0 ? NULL : g_ptr_array_index(items, items->len - 1);

	return fi == NULL ? 0 : sctp_read16(tvb_get_ptr(fi->ds_tvb, fi->start, 2));
}

static struct cmt_ends find_ends(const packet_info *pinfo, proto_tree *tree)
{
	struct cmt_ends ends = {.src = pinfo->net_src, .dst = pinfo->net_dst};

	if (is_in_udp(pinfo)) {
		ends.src_udp = innermost_port(tree, hf_udp_source);
		ends.dst_udp = innermost_port(tree, hf_udp_destination);
	}
	return ends;
}

/* Where packets go that the first pass has analysed. */
struct list {
	struct cmt_packet *last;
	packet_info *pinfo;
	tvbuff_t *frame;
	proto_tree *tree;
	struct cmt_ends ends;
};

static struct cmt_packet *append(struct list *list, const struct place *place)
{
	struct cmt_packet *p = wmem_new0(wmem_file_scope(), struct cmt_packet);

	p->frame = list->pinfo->num;
	p->offset = place->start;
	p->bytes = place->len;
	p->checksum = sctp_header(place->bytes).checksum;
	p->at_us = (int64_t)list->pinfo->abs_ts.secs * 1000000 + list->pinfo->abs_ts.nsecs / 1000;
	cmt_analyse_raws(p, place->bytes, place->len, false);
	if (list->last == NULL) {
		p_add_proto_data(wmem_file_scope(), list->pinfo, cmt_proto, PACKETS, p);
	} else {
		list->last->next = p;
	}
	list->last = p;
	return p;
}

static struct cmt_packet *append_good(struct list *list, const struct place *place)
{
	struct cmt_packet *p = append(list, place);

	read_ip_header(p, list->pinfo, list->frame, list->tree);
	p->protected = cmt_protected_read(place->bytes, place->len);
	if (p->protected != NULL && p->protected->opening == CMT_OPENED) {
		cmt_analyse_raws(p, p->protected->plain, p->protected->plain_bytes, true);
		cmt_analyse(p, p->protected->plain, p->protected->plain_bytes, &list->ends);
	} else {
		cmt_analyse(p, place->bytes, place->len, &list->ends);
	}
	return p;
}

/* The packets that stand one behind the other at `f`, all but the last of the first one's length. The end of
 * the last, or 0 when it is not several. */
static uint32_t append_joined(struct list *list, const struct found *f)
{
	struct place place = {.start = f->start, .whole = true};
	struct cmt_packet *first = NULL;
	uint32_t left, segment_bytes;

	place.bytes = bytes_from(f->tvb, f->start, &left);
	segment_bytes = sctp_proven_bytes(place.bytes, left);
	if (segment_bytes == 0 || sctp_proven_bytes(place.bytes + segment_bytes, left - segment_bytes) == 0) {
		return 0;
	}
	do {
		place.len = sctp_proven_bytes(place.bytes, left < segment_bytes ? left : segment_bytes);
		if (place.len > 0) {
			struct cmt_packet *p = append_good(list, &place);

			first = first == NULL ? p : first;
			p->joined_to = first;
			first->n_joined++;
			place.bytes += place.len;
			place.start += place.len;
			left -= place.len;
		}
	} while (place.len == segment_bytes);
	return place.start;
}

void cmt_packets_find(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, bool verify_checksum, bool joined)
{
	const GPtrArray *items = cmt_packets_items(tree);
	struct list list = {.pinfo = pinfo, .frame = tvb, .tree = tree};
	const tvbuff_t *apart = NULL; /* what was taken apart: up to `end` of this data source */
	uint32_t end = 0;
	struct finds finds;

	if (items == NULL) {
		return;
	}
	list.ends = find_ends(pinfo, tree);
	find_packets(&finds, items, pinfo);
	for (unsigned i = 0; i < finds.n; i++) {
		const struct found *f = &finds.found[i];
		struct place place;
		bool bad;

		if ((f->tvb == apart && f->start < end) || !locate(&place, f)) {
			continue;
		}
		if (f->quoted) {
			append(&list, &place)->verdict = CMT_QUOTED;
			continue;
		}
		bad = place.whole && is_damaged(&place);
		end = bad || !place.whole || joined ? append_joined(&list, f) : 0;
		apart = f->tvb;
		if (end == 0 && bad && verify_checksum) {
			append(&list, &place)->verdict = CMT_DAMAGED;
		} else if (end == 0) {
			append_good(&list, &place);
		}
	}
}

GArray *cmt_packets_wanted(void)
{
	GArray *hfids = g_array_new(FALSE, FALSE, sizeof(int));

	g_array_append_val(hfids, hf_sctp);
	g_array_append_val(hfids, hf_hop_limit);
	g_array_append_val(hfids, hf_udp_source);
	g_array_append_val(hfids, hf_udp_destination);
	return hfids;
}

void cmt_packets_handoff(void)
{
	hf_sctp = proto_registrar_get_id_byname("sctp");
	hf_hop_limit = proto_registrar_get_id_byname("ipv6.hlim");
	hf_udp_source = proto_registrar_get_id_byname("udp.srcport");
	hf_udp_destination = proto_registrar_get_id_byname("udp.dstport");
	proto_ip = proto_get_id_by_filter_name("ip");
	proto_ipv6 = proto_get_id_by_filter_name("ipv6");
	proto_udp = proto_get_id_by_filter_name("udp");
	proto_icmp = proto_get_id_by_filter_name("icmp");
	proto_icmpv6 = proto_get_id_by_filter_name("icmpv6");
}
