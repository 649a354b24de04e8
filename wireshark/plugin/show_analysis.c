/* SPDX-License-Identifier: BSD-3-Clause */
#include "show.h"

#include "fields.h"

/* What every field here needs. */
struct view {
	tvbuff_t *tvb;
	packet_info *pinfo;
	proto_tree *tree;
	bool all_experts;
};

static proto_item *add_uint(const struct view *v, enum cmt_field field, uint32_t value)
{
	proto_item *item = proto_tree_add_uint(v->tree, cmt_hf[field], v->tvb, 0, 0, value);

	proto_item_set_generated(item);
	return item;
}

static proto_item *add_int(const struct view *v, enum cmt_field field, int32_t value)
{
	proto_item *item = proto_tree_add_int(v->tree, cmt_hf[field], v->tvb, 0, 0, value);

	proto_item_set_generated(item);
	return item;
}

static void show_joined(const struct view *v, const struct cmt_packet *p)
{
	if (p->n_joined > 0) {
		proto_item *item = add_uint(v, CMT_HF_JOINED, p->n_joined);

		if (v->all_experts) {
			expert_add_info(v->pinfo, item, &cmt_ei_joined);
		}
	}
}

static void show_sealed(const struct view *v, const struct cmt_packet *p)
{
	static const char *const notes[] = {
	    [CMT_NO_KEY] = "Encrypted, no key",
	    [CMT_NOT_OPENED] = "Encrypted, and no key of the key log file opens it",
	    [CMT_CUT] = "Encrypted, and cut off by the capture",
	};
	proto_item *item;

	if (!cmt_is_sealed(p)) {
		return;
	}
	item = add_uint(v, CMT_HF_SEALED, p->bytes);
	if (p->protected->opening == CMT_REFUSED) {
		expert_add_info(v->pinfo, item, &cmt_ei_refused);
	} else if (v->all_experts) {
		expert_add_info_format(v->pinfo, item, &cmt_ei_sealed, "%s", notes[p->protected->opening]);
	}
}

static void show_copy(const struct view *v, const struct cmt_packet *p)
{
	if (p->copy_of != NULL) {
		add_uint(v, CMT_HF_COPY_OF, p->copy_of->frame);
		add_int(v, CMT_HF_TRANSIT_TIME, (int32_t)(p->at_us - p->copy_of->at_us));
	}
}

static void show_number(const struct view *v, const struct cmt_packet *p)
{
	if (p->path_gap > 0) {
		proto_item *item = add_uint(v, CMT_HF_PATH_LOSS, p->path_gap);

		if (v->all_experts) {
			expert_add_info_format(v->pinfo, item, &cmt_ei_path_loss,
			                       "Packets of path %u missing: %u", p->stamp.path_id,
			                       p->path_gap);
		}
	}
	if (p->path_late > 0) {
		add_uint(v, CMT_HF_PATH_LATE, p->path_late);
	}
	if (p->echoed_by != NULL) {
		add_uint(v, CMT_HF_ECHO_IN, p->echoed_by->frame);
		add_int(v, CMT_HF_DATA_FORWARD_DELAY, p->delay_us);
		add_uint(v, CMT_HF_DATA_ABOVE_MIN, p->above_us);
	}
}

static void show_data(const struct view *outer, const struct cmt_tx *tx)
{
	struct view v = *outer;

	if (tx->first == NULL) {
		return; /* no part of the analysis */
	}
	v.tree =
	    proto_tree_add_subtree_format(outer->tree, v.tvb, 0, 0, cmt_ett_entry, NULL, "TSN %u", tx->tsn);
	add_uint(&v, CMT_HF_TSN, tx->tsn);
	if (tx->first != tx) {
		add_uint(&v, CMT_HF_DUPLICATE_TSN, tx->tsn);
		add_uint(&v, CMT_HF_DUPLICATE_OF, tx->first->packet->frame);
	}
	if (tx->spurious_by != NULL) {
		add_uint(&v, CMT_HF_SPURIOUS_IN, tx->spurious_by->frame);
	}
	if (tx->order.extent > 0) {
		proto_item *item = add_uint(&v, CMT_HF_OUT_OF_ORDER, tx->tsn);

		add_uint(&v, CMT_HF_REORDER_EXTENT, tx->order.extent);
		if (v.all_experts) {
			expert_add_info_format(v.pinfo, item, &cmt_ei_out_of_order,
			                       "TSN %u out of order, %u after the first higher one", tx->tsn,
			                       tx->order.extent);
		}
	}
	if (tx->first == tx) {
		add_int(&v, CMT_HF_DISPLACEMENT, tx->order.displacement);
	}
	if (tx->first == tx && tx->packet->copy_of == NULL) {
		add_uint(&v, CMT_HF_SENT_AHEAD, tx->sent_ahead);
	}
}

static void show_sample(const struct view *outer, const struct cmt_sample *s)
{
	struct view v = *outer;
	proto_item *item;

	v.tree = proto_tree_add_subtree_format(outer->tree, v.tvb, 0, 0, cmt_ett_entry, &item,
	                                       "Answer on path %u", s->path == NULL ? 0 : s->path->number);
	if (s->packet != NULL) {
		add_uint(&v, CMT_HF_ECHO_OF, s->packet->frame);
	}
	if (s->impossible) {
		expert_add_info(v.pinfo, item, &cmt_ei_impossible);
	}
	if (s->stale && v.all_experts) {
		expert_add_info(v.pinfo, item, &cmt_ei_stale);
	}
	if (s->valid) {
		add_int(&v, CMT_HF_FORWARD_DELAY, s->delay_us);
		add_uint(&v, CMT_HF_ABOVE_MIN, s->above_us);
		add_uint(&v, CMT_HF_JITTER, s->jitter_us);
	}
	if (s->unreported != 0) {
		item = add_int(&v, CMT_HF_UNREPORTED, s->unreported);
		if (s->unreported > 0 && v.all_experts) {
			expert_add_info(v.pinfo, item, &cmt_ei_unreported);
		}
	}
}

static void show_spurious(const struct view *v, const struct cmt_tx *tx)
{
	proto_item *item = add_uint(v, CMT_HF_SPURIOUS, tx->packet->frame);

	if (v->all_experts) {
		expert_add_info_format(v->pinfo, item, &cmt_ei_spurious, "TSN %u was sent again spuriously",
		                       tx->tsn);
	}
}

void cmt_show_analysis(const struct cmt_packet *p, tvbuff_t *frame, packet_info *pinfo, proto_tree *ours,
                       bool all_experts)
{
	struct view v = {.tvb = frame, .pinfo = pinfo, .tree = ours, .all_experts = all_experts};

	if (p->verdict == CMT_DAMAGED) {
		expert_add_info(pinfo, proto_tree_get_parent(ours), &cmt_ei_damaged);
	}
	if (p->verdict != CMT_STATE) {
		return;
	}
	add_uint(&v, CMT_HF_ASSOCIATION, p->half->assoc->number);
	add_uint(&v, CMT_HF_PATH, p->path->number);
	show_joined(&v, p);
	show_sealed(&v, p);
	show_copy(&v, p);
	show_number(&v, p);
	for (uint32_t i = 0; i < p->n_txs; i++) {
		show_data(&v, &p->txs[i]);
	}
	if (p->has_rwnd) {
		add_uint(&v, CMT_HF_RECEIVER_BUFFER, p->rwnd_used_bytes);
	}
	for (uint32_t i = 0; i < p->n_samples; i++) {
		show_sample(&v, &p->samples[i]);
	}
	for (uint32_t i = 0; i < p->n_spurious; i++) {
		show_spurious(&v, p->spurious[i]);
	}
}
