/* SPDX-License-Identifier: BSD-3-Clause */
#include "key_message.h"

#include "fields.h"

#define PPID 4242

static dissector_handle_t handle, tls;

static int dissect(tvbuff_t *tvb, packet_info *pinfo, proto_tree *tree, void *data)
{
	proto_tree *ours;

	(void)data;
	ours = proto_tree_add_subtree_format(tree, tvb, 0, -1, cmt_ett_entry, NULL,
	                                     "Key management message for epoch %u", tvb_get_guint8(tvb, 0));
	proto_tree_add_item(ours, cmt_hf[CMT_HF_DTLS_KEY_EPOCH], tvb, 0, 1, ENC_BIG_ENDIAN);
	if (tls != NULL && tvb_reported_length(tvb) > 1) {
		call_dissector(tls, tvb_new_subset_remaining(tvb, 1), pinfo, tree);
	}
	return (int)tvb_captured_length(tvb);
}

void cmt_key_message_register(void)
{
	handle = register_dissector("sctp_cmt_key_message", dissect, cmt_proto);
}

void cmt_key_message_handoff(void)
{
	tls = find_dissector_add_dependency("tls", cmt_proto);
	dissector_add_uint("sctp.ppi", PPID, handle);
}
