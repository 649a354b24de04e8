/* SPDX-License-Identifier: BSD-3-Clause
 *
 * TSNs: sent ahead, sent again, sent spuriously, seen out of order. */
#include "analyse.h"
#include "util/cmt_serial.h"

/* Of one TSN; an association is given up long before. */
#define MAX_TRANSMISSIONS 100

/* A SACK that acknowledges so much that the capture lacks is not believed. */
#define MAX_UNSEEN_TSNS (1 << 20)

static void add_spurious(struct cmt_packet *by, struct cmt_tx *tx)
{
	if (tx->spurious_by != NULL) {
		return;
	}
	tx->spurious_by = by;
	by->spurious =
	    wmem_realloc(wmem_file_scope(), by->spurious, (by->n_spurious + 1) * sizeof(struct cmt_tx *));
	by->spurious[by->n_spurious++] = tx;
}

static struct cmt_tsn *tsn_of(struct cmt_half *half, uint32_t number, bool make)
{
	struct cmt_tsn *tsn = cmt_sparse_get(&half->tsns, number);

	if (tsn == NULL && make) {
		tsn = wmem_new0(wmem_file_scope(), struct cmt_tsn);
		cmt_sparse_set(&half->tsns, number, tsn);
	}
	return tsn;
}

static void advance_next(struct cmt_half *half)
{
	while (tsn_of(half, half->next_tsn, false) != NULL) {
		half->next_tsn++;
	}
}

static void on_first_transmission(struct cmt_half *half, struct cmt_tx *tx)
{
	if (!half->knows_next) {
		half->knows_next = true;
		half->next_tsn = tx->tsn;
		half->swept_tsn = tx->tsn - 1;
	}
	if (cmt_serial_gt(tx->tsn, half->next_tsn)) {
		tx->sent_ahead = tx->tsn - half->next_tsn;
	}
	advance_next(half);
	tx->order = cmt_order_add(&half->order[0], tx->tsn);
}

static void on_sent(struct cmt_packet *p, struct cmt_tx *tx)
{
	struct cmt_tsn *tsn = tsn_of(p->half, tx->tsn, true);

	if (tsn->first == NULL) {
		tsn->first = tsn->last = tx;
		tx->first = tx;
		on_first_transmission(p->half, tx);
		return;
	}
	tx->first = tsn->first;
	if (tsn->last->packet == p || tsn->n_transmissions == MAX_TRANSMISSIONS) {
		return; /* twice in one packet, or without end: nobody sends that */
	}
	tsn->n_transmissions++;
	tsn->last->next = tx;
	tsn->last = tx;
	if (tsn->arrivals > 0) {
		add_spurious(p, tx);
	}
}

/* What was sent later than the transmission that arrived was spurious. */
static void on_arrived(struct cmt_packet *p, struct cmt_tx *arrival)
{
	struct cmt_tsn *tsn = tsn_of(p->half, arrival->tsn, false);
	struct cmt_tx *tx = tsn == NULL ? NULL : tsn->first;

	while (tx != NULL && tx->packet != p->copy_of) {
		tx = tx->next;
	}
	if (tx == NULL || tx->arrived) {
		return;
	}
	tx->arrived = true;
	arrival->first = tsn->arrivals++ == 0 ? arrival : tsn->first;
	if (arrival->first == arrival) {
		arrival->order = cmt_order_add(&p->half->order[1], arrival->tsn);
	}
	for (tx = tx->next; tx != NULL; tx = tx->next) {
		add_spurious(p, tx);
	}
}

void cmt_analyse_data(struct cmt_packet *p, struct cmt_tx *tx, const struct sctp_data *data)
{
	tx->packet = p;
	tx->tsn = data->tsn;
	tx->payload_bytes = data->payload_bytes;
	if (p->copy_of != NULL) {
		on_arrived(p, tx);
	} else {
		on_sent(p, tx);
	}
}

/* The receiver got this TSN twice: the last retransmission not yet known to be spurious was. Where arrivals
 * are seen, they say it better. */
static void on_duplicate(struct cmt_packet *p, struct cmt_half *data, uint32_t number)
{
	struct cmt_tsn *tsn = tsn_of(data, number, false);
	struct cmt_tx *last = NULL;

	if (tsn == NULL || tsn->arrivals > 0) {
		return;
	}
	for (struct cmt_tx *tx = tsn->first->next; tx != NULL; tx = tx->next) {
		if (tx->spurious_by == NULL) {
			last = tx;
		}
	}
	if (last != NULL) {
		add_spurious(p, last);
	}
}

/* What the receiver has and the capture has not. */
static void sweep(struct cmt_half *data, uint32_t cumulative_tsn)
{
	uint32_t lost[2] = {0, 0};

	while (data->swept_tsn != cumulative_tsn) {
		const struct cmt_tsn *tsn = tsn_of(data, ++data->swept_tsn, false);

		lost[0] += tsn == NULL;
		lost[1] += tsn == NULL || tsn->arrivals == 0;
	}
	for (int view = 0; view < 2; view++) {
		if (data->order[view].arrivals > 0) {
			cmt_order_lost(&data->order[view], lost[view]);
		}
	}
}

void cmt_analyse_sack(struct cmt_packet *p, const struct sctp_sack *sack)
{
	struct cmt_half *data = p->half->peer;

	if (sack->rwnd_bytes > p->half->largest_rwnd_bytes) {
		p->half->largest_rwnd_bytes = sack->rwnd_bytes;
	}
	p->has_rwnd = true;
	p->rwnd_used_bytes = p->half->largest_rwnd_bytes - sack->rwnd_bytes;
	if (data == NULL) {
		return;
	}
	if (data->knows_next && sack->cumulative_tsn - data->swept_tsn < MAX_UNSEEN_TSNS) {
		sweep(data, sack->cumulative_tsn);
	}
	if (data->knows_next && sack->cumulative_tsn - data->next_tsn < MAX_UNSEEN_TSNS) {
		data->next_tsn = sack->cumulative_tsn + 1;
		advance_next(data);
	}
	for (uint32_t i = 0; i < sack->n_duplicates; i++) {
		on_duplicate(p, data, sctp_read32(sack->duplicates + 4 * (size_t)i));
	}
}
