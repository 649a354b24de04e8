/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

/* In the parameter. */
#define TIE_BREAKER_AT 4u
#define FLAGS_AT       8u

static void show_bit(const struct cmt_target *t, proto_tree *tree, enum cmt_field field, uint32_t at,
                     uint8_t octet)
{
	proto_tree_add_boolean(tree, cmt_hf[field], t->tvb, t->own ? (int)(t->start + at) : 0, t->own ? 1 : 0,
	                       octet);
}

/* What the key has brought to light. */
static void show_opened(const struct cmt_target *t, const struct cmt_protected *opened)
{
	proto_item *items[] = {
	    proto_tree_add_uint64(t->tree, cmt_hf[CMT_HF_DTLS_EPOCH], t->tvb, 0, 0, opened->epoch),
	    proto_tree_add_uint64(t->tree, cmt_hf[CMT_HF_DTLS_NUMBER], t->tvb, 0, 0, opened->number),
	    proto_tree_add_uint(t->tree, cmt_hf[CMT_HF_DTLS_SUITE], t->tvb, 0, 0, opened->suite->id),
	};

	for (size_t i = 0; i < array_length(items); i++) {
		proto_item_set_generated(items[i]);
	}
}

static void show_dtls(const struct cmt_target *t, const struct cmt_raw *raw,
                      const struct cmt_protected *protected)
{
	const struct sctp_dtls *dtls = raw->dtls;
	bool opened = protected != NULL && protected->opening == CMT_OPENED;

	if (t->own && opened) {
		proto_item_set_text(t->tree, "DTLS chunk (epoch %" PRIu64 ", record %" PRIu64 ", %u bytes)",
		                    protected->epoch, protected->number, dtls->record_bytes);
	} else if (t->own) {
		proto_item_set_text(t->tree, "DTLS chunk (epoch %u modulo 4, %u bytes)",
		                    cmt_record_epoch_bits(dtls->header), dtls->record_bytes);
	}
	show_bit(t, t->tree, CMT_HF_DTLS_RESTART, 1, raw->flags);
	cmt_show_uint(t, t->tree, CMT_HF_DTLS_PADDING, SCTP_DTLS_RECORD_AT - 1, 1, dtls->padding);
	cmt_show_uint(t, t->tree, CMT_HF_DTLS_HEADER, SCTP_DTLS_RECORD_AT, 1, dtls->header);
	cmt_show_uint(t, t->tree, CMT_HF_DTLS_EPOCH_BITS, SCTP_DTLS_RECORD_AT, 1,
	              cmt_record_epoch_bits(dtls->header));
	cmt_show_uint(t, t->tree, CMT_HF_DTLS_MASKED_NUMBER, SCTP_DTLS_RECORD_AT + 1, 2, dtls->masked_number);
	proto_item_set_generated(
	    cmt_show_uint(t, t->tree, CMT_HF_DTLS_RECORD_BYTES, SCTP_DTLS_RECORD_AT, 0, dtls->record_bytes));
	if (opened) {
		show_opened(t, protected);
	}
}

static void show_offer(const struct cmt_target *t, const struct sctp_offer *offer)
{
	proto_tree *tree = proto_tree_add_subtree(t->tree, t->tvb, t->own ? (int)(t->start + offer->at) : 0,
	                                          t->own ? (int)offer->len : 0, cmt_ett_entry, NULL,
	                                          "DTLS Key Management parameter");
	const struct cmt_km *km = &offer->km;

	cmt_show_uint(t, tree, CMT_HF_DTLS_TIE_BREAKER, offer->at + TIE_BREAKER_AT, 4, km->tie_breaker);
	show_bit(t, tree, CMT_HF_DTLS_OFFERS_RESTART, offer->at + FLAGS_AT, km->flags);
	show_bit(t, tree, CMT_HF_DTLS_SERVER, offer->at + FLAGS_AT, km->flags);
	show_bit(t, tree, CMT_HF_DTLS_CLIENT, offer->at + FLAGS_AT, km->flags);
	for (uint32_t i = 0; i < km->n_methods; i++) {
		cmt_show_uint(t, tree, CMT_HF_DTLS_METHOD, offer->at + CMT_KM_FIXED_BYTES + i, 1,
		              km->methods[i]);
	}
}

void cmt_show_encryption(const struct cmt_packet *p, const struct cmt_target *t, const struct cmt_raw *raw)
{
	switch (raw->type) {
	case CHUNK_DTLS:
		if (raw->dtls != NULL) {
			show_dtls(t, raw, raw->decrypted ? NULL : p->protected);
		}
		break;
	case CHUNK_INIT:
	case CHUNK_INIT_ACK:
		if (raw->offer != NULL) {
			show_offer(t, raw->offer);
		}
		break;
	case CHUNK_ABORT:
		if (raw->cause != NULL) {
			cmt_show_uint(t, t->tree, CMT_HF_DTLS_CAUSE, raw->cause->at, 2, raw->cause->code);
		}
		break;
	default: break;
	}
}
