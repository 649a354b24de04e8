/* SPDX-License-Identifier: BSD-3-Clause */
#include "dissect.h"

#include "compat.h"

#include <epan/exceptions.h>
#include <epan/prefs.h>
#include <epan/proto_data.h>
#include <epan/show_exception.h>

#include "fields.h"
#include "joined.h"
#include "key_message.h"
#include "packets.h"
#include "show.h"
#include "taps.h"

#define UDP_ENCAPSULATION_PORT 9899 /* RFC 6951, section 6 */

/* Kept with a frame, in each pass: dissect_udp() has taken its packets apart. */
#define TAKEN_APART 1

static dissector_handle_t handle, udp_handle, sctp;
static cmt_ws_bool verify_checksum = TRUE;
static const char *keylog_file = "";

static bool was_taken_apart(packet_info *pinfo)
{
	return p_get_proto_data(pinfo->pool, pinfo, cmt_proto, TAKEN_APART) != NULL;
}

/* The data source with an SCTP item at `start`; NULL if there is none. */
static tvbuff_t *find_source(proto_tree *tree, uint32_t start)
{
	const GPtrArray *items = cmt_packets_items(tree);

	for (guint i = 0; items != NULL && i < items->len; i++) {
		const field_info *fi = g_ptr_array_index(items, i);

		if (fi->start == (int)start) {
			return fi->ds_tvb;
		}
	}
	return NULL;
}

/* Where something else than dissect_udp() found joined packets, Wireshark has taken them for one. The others
 * are shown, too. */
static void dissect_joined(const struct cmt_packet *packets, packet_info *pinfo, proto_tree *tree)
{
	tvbuff_t *source = NULL;

	if (was_taken_apart(pinfo)) {
		return;
	}
	for (const struct cmt_packet *p = packets; p != NULL; p = p->next) {
		if (p->joined_to == p) {
			source = find_source(tree, p->offset);
		} else if (p->joined_to != NULL && source != NULL) {
			call_dissector(sctp, tvb_new_subset_length(source, (int)p->offset, (int)p->bytes),
			               pinfo, tree);
		}
	}
}

/* What the packet protects, as a packet of its own; NULL if it cannot be read. */
static tvbuff_t *dissect_decrypted(const struct cmt_packet *p, tvbuff_t *frame, packet_info *pinfo,
                                   proto_tree *tree)
{
	tvbuff_t *plain;

	if (p->protected == NULL || p->protected->opening != CMT_OPENED) {
		return NULL;
	}
	plain = tvb_new_child_real_data(frame, p->protected->plain, p->protected->plain_bytes,
	                                (int)p->protected->plain_bytes);
	add_new_data_source(pinfo, plain, "Decrypted SCTP");
	TRY
	{
		call_dissector(sctp, plain, pinfo, tree);
	}
	CATCH_NONFATAL_ERRORS
	{
		show_exception(plain, pinfo, tree, EXCEPT_CODE, GET_MESSAGE);
	}
	ENDTRY;
	return plain;
}

static bool has_bad_chunk(const struct cmt_packet *p)
{
	for (uint32_t i = 0; i < p->n_raws; i++) {
		if (p->raws[i].bad) {
			return true;
		}
	}
	return false;
}

static bool has_impossible_sample(const struct cmt_packet *p)
{
	for (uint32_t i = 0; i < p->n_samples; i++) {
		if (p->samples[i].impossible) {
			return true;
		}
	}
	return false;
}

static bool is_refused(const struct cmt_packet *p)
{
	return p->protected != NULL && p->protected->opening == CMT_REFUSED;
}

/* Wireshark registers this tap when it opens a file. */
static bool experts_are_wanted(void)
{
	static int tap;

	tap = tap != 0 ? tap : find_tap_id("expert");
	return tap != 0 && have_tap_listener(tap);
}

/* Errors and warnings always; everything else if somebody looks. */
static void show(const struct cmt_packet *p, tvbuff_t *tvb, tvbuff_t *decrypted, packet_info *pinfo,
                 proto_tree *tree)
{
	struct cmt_sources sources = {
	    .frame = tvb, .packet = find_source(tree, p->offset), .decrypted = decrypted};
	bool all = proto_field_is_referenced(tree, cmt_proto) || experts_are_wanted();
	proto_item *item;
	proto_tree *ours;

	if (!all && p->verdict != CMT_DAMAGED && !has_bad_chunk(p) && !has_impossible_sample(p) &&
	    !is_refused(p)) {
		return;
	}
	item = proto_tree_add_item(tree, cmt_proto, tvb, 0, 0, ENC_NA);
	proto_item_set_generated(item);
	ours = proto_item_add_subtree(item, cmt_ett_analysis);
	cmt_show_chunks(p, &sources, pinfo, tree, ours);
	cmt_show_analysis(p, tvb, pinfo, ours, all);
}

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
	const struct cmt_packet *first;

	(void)data;
	if (!PINFO_FD_VISITED(pinfo)) {
		cmt_packets_find(tvb, pinfo, tree, verify_checksum, was_taken_apart(pinfo));
	}
	first = cmt_packets_of(pinfo);
	if (first != NULL) {
		dissect_joined(first, pinfo, tree);
	}
	for (const struct cmt_packet *p = first; p != NULL; p = p->next) {
		tvbuff_t *decrypted = dissect_decrypted(p, tvb, pinfo, tree);

		if (tree != NULL) {
			show(p, tvb, decrypted, pinfo, tree);
		}
		if (p->verdict == CMT_STATE) {
			cmt_taps_queue(pinfo, p);
		}
	}
	if (first != NULL) {
		cmt_show_info(first, pinfo);
	}
	return (int)tvb_captured_length(tvb);
}

/* SCTP in UDP (RFC 6951), in place of Wireshark's dissector: takes joined packets apart before it sees them.
 */
static int dissect_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
	uint32_t left = tvb_captured_length(tvb), at = 0, len;
	const uint8_t *bytes = tvb_get_ptr(tvb, 0, (int)left);

	(void)data;
	while ((len = sctp_proven_bytes(bytes + at, left)) > 0 && len < left) {
		call_dissector(sctp, tvb_new_subset_length(tvb, (int)at, (int)len), pinfo, tree);
		p_set_proto_data(pinfo->pool, pinfo, cmt_proto, TAKEN_APART, pinfo);
		at += len;
		left -= len;
	}
	if (left > 0) {
		call_dissector(sctp, tvb_new_subset_remaining(tvb, (int)at), pinfo, tree);
	}
	return (int)tvb_captured_length(tvb);
}

/* SCTP on any other port: what begins with a packet whose CRC32c is right. */
static cmt_ws_bool find_in_udp(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
	uint32_t len = tvb_captured_length(tvb);

	if (sctp_proven_bytes(tvb_get_ptr(tvb, 0, (int)len), len) == 0) {
		return FALSE;
	}
	dissect_udp(tvb, pinfo, tree, data);
	return TRUE;
}

static void init(void)
{
	set_postdissector_wanted_hfids(handle, cmt_packets_wanted());
	cmt_state_reset();
	cmt_keylog_reset(keylog_file);
}

static void cleanup(void)
{
	set_postdissector_wanted_hfids(handle, NULL);
	cmt_keylog_reset(NULL);
}

void cmt_dissect_register(void)
{
	module_t *module;

	cmt_proto = proto_register_protocol("Concurrent Multipath Transfer", "SCTP-CMT", "sctp_cmt");
	cmt_fields_register();
	module = prefs_register_protocol(cmt_proto, NULL);
	prefs_register_bool_preference(
	    module, "verify_checksum", "Leave packets with a wrong checksum out of the analysis",
	    "Switch off for captures of senders that leave the CRC32c to their network card",
	    &verify_checksum);
	prefs_register_filename_preference(
	    module, "keylog_file", "Key log file",
	    "Keys of encrypted associations (SCTP DTLS chunk), as cmt-send and cmt-recv write them",
	    &keylog_file, FALSE);
	register_init_routine(init);
	register_cleanup_routine(cleanup);
	handle = create_dissector_handle(dissect, cmt_proto);
	register_postdissector(handle);
	udp_handle = register_dissector("sctp_cmt_udp", dissect_udp, cmt_proto);
	cmt_key_message_register();
}

void cmt_dissect_handoff(void)
{
	cmt_packets_handoff();
	sctp = find_dissector("sctp");
	cmt_key_message_handoff();
	dissector_add_uint("udp.port", UDP_ENCAPSULATION_PORT, udp_handle);
	heur_dissector_add("udp", find_in_udp, "SCTP in UDP, by checksum", "sctp_cmt_udp", cmt_proto,
	                   HEURISTIC_ENABLE);
}
