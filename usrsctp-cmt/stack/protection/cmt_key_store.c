/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Keys of a protected association come and go, one epoch after the other. */
#include "association/cmt_wake.h"
#include "protection/cmt_protection.h"
#include "protection/cmt_keylog.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_output.h>

static const struct cmt_aead *check(const struct cmt_key_material *keys)
{
	const struct cmt_aead *aead = cmt_aead_find(keys->suite);

	return aead != NULL && keys->key_bytes == aead->key_bytes && keys->iv_bytes == aead->iv_bytes &&
	               keys->sn_key_bytes == aead->sn_key_bytes && keys->epoch >= CMT_FIRST_EPOCH
	           ? aead
	           : NULL;
}

/* --- send --- */

static void free_send(struct cmt_record_tx *tx)
{
	if (tx != NULL)
		tx->aead->free(tx->ctx);
	free(tx);
}

static struct cmt_record_tx *new_send(const struct cmt_aead *aead, const struct cmt_key_material *keys)
{
	struct cmt_record_tx *tx = calloc(1, sizeof(*tx));
	struct cmt_aead_ctx *ctx = tx != NULL ? aead->new (keys->key, keys->sn_key, CMT_AEAD_SEALS) : NULL;

	if (ctx == NULL) {
		free(tx);
		return NULL;
	}
	cmt_record_tx_init(tx, aead, ctx, keys->iv, keys->epoch);
	return tx;
}

static uint64_t newest_send_epoch(const struct cmt_protection *p)
{
	const struct cmt_record_tx *tx = p->next_send != NULL ? p->next_send : p->send;

	return tx != NULL ? tx->epoch : CMT_FIRST_EPOCH - 1;
}

int cmt_keys_set_send(struct sctp_tcb *stcb, const struct cmt_key_material *keys, bool when_peer_does)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;
	const struct cmt_aead *aead = check(keys);
	struct cmt_record_tx *tx;

	if (aead == NULL || keys->epoch != newest_send_epoch(p) + 1)
		return EINVAL;
	if (p->tampered)
		return EPROTO;
	tx = new_send(aead, keys);
	if (tx == NULL)
		return ENOMEM;
	free_send(p->next_send);
	p->next_send = tx;
	cmt_keylog_write(stcb->asoc.peer_vtag, keys);
	if (!when_peer_does) {
		free_send(p->send);
		p->send = tx;
		p->next_send = NULL;
	}
	return 0;
}

/* --- receive --- */

static void free_receive(struct cmt_protection *p, struct cmt_record_rx *rx)
{
	if (rx == NULL)
		return;
	p->counts.gone.opened += rx->opened;
	p->counts.gone.forged += rx->forged + rx->malformed;
	p->counts.gone.replayed += rx->replayed;
	rx->aead->free(rx->ctx);
	free(rx);
}

int cmt_keys_add_receive(struct sctp_tcb *stcb, const struct cmt_key_material *keys)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;
	const struct cmt_aead *aead = check(keys);
	struct cmt_record_rx *rx;
	struct cmt_aead_ctx *ctx;

	if (aead == NULL ||
	    keys->epoch != (p->receive[0] != NULL ? p->receive[0]->epoch + 1 : (uint64_t)CMT_FIRST_EPOCH))
		return EINVAL;
	if (p->tampered)
		return EPROTO;
	if (p->receive[1] != NULL)
		return EOVERFLOW;
	rx = calloc(1, sizeof(*rx));
	ctx = rx != NULL ? aead->new (keys->key, keys->sn_key, CMT_AEAD_OPENS) : NULL;
	if (ctx == NULL) {
		free(rx);
		return ENOMEM;
	}
	cmt_record_rx_init(rx, aead, ctx, keys->iv, keys->epoch);
	(void)cmt_record_rx_window(rx, p->window_records);
	p->receive[1] = p->receive[0];
	p->receive[0] = rx;
	cmt_keylog_write(stcb->asoc.my_vtag, keys);
	return 0;
}

int cmt_keys_delete_receive(struct cmt_protection *p, uint64_t epoch)
{
	if (p->receive[0] != NULL && p->receive[0]->epoch == epoch)
		return EBUSY;
	if (p->receive[1] == NULL || p->receive[1]->epoch != epoch)
		return ENOENT;
	free_receive(p, p->receive[1]);
	p->receive[1] = NULL;
	return 0;
}

struct cmt_record_rx *cmt_keys_receive(const struct cmt_protection *p, unsigned epoch_bits)
{
	for (unsigned i = 0; i < 2; i++) {
		if (p->receive[i] != NULL && (p->receive[i]->epoch & 3) == epoch_bits)
			return p->receive[i];
	}
	return NULL;
}

void cmt_keys_set_window(struct cmt_protection *p, uint32_t records)
{
	p->window_records = records;
	for (unsigned i = 0; i < 2; i++) {
		if (p->receive[i] != NULL)
			(void)cmt_record_rx_window(p->receive[i], records);
	}
}

/* --- nothing in the clear any more --- */

static bool has_unread(const struct sctp_tcb *stcb)
{
	const struct sctp_queued_to_read *message;

	TAILQ_FOREACH(message, &stcb->sctp_ep->read_queue, next)
	{
		if (message->stcb == stcb && (message->spec_flags & M_NOTIFICATION) == 0 &&
		    message->length > 0)
			return true;
	}
	return false;
}

static bool has_gap(const struct sctp_association *asoc)
{
	return SCTP_TSN_GT(asoc->highest_tsn_inside_map, asoc->cumulative_tsn) ||
	       SCTP_TSN_GT(asoc->highest_tsn_inside_nr_map, asoc->cumulative_tsn) ||
	       asoc->size_on_reasm_queue > 0 || asoc->size_on_all_streams > 0;
}

/* Paths that have not answered yet may have been asked in the clear, and their answers are dropped now. And a
 * peer with `next_send` keys must hear us before it can say anything. */
static void ask_again(struct sctp_tcb *stcb)
{
	struct sctp_nets *net;

	if (stcb->asoc.cmt_protection->send == NULL)
		return;
	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if ((net->dest_state & SCTP_ADDR_UNCONFIRMED) != 0 || net == stcb->asoc.primary_destination)
			sctp_send_hb(stcb, net, SCTP_SO_NOT_LOCKED);
	}
	if (stcb->asoc.cmt != NULL)
		cmt_wake_output(stcb->asoc.cmt);
}

/* The DTLS chunk authenticates all of it. */
static void end_auth(struct sctp_association *asoc)
{
	asoc->auth_supported = 0;
	if (asoc->local_auth_chunks != NULL)
		sctp_clear_chunklist(asoc->local_auth_chunks);
	if (asoc->peer_auth_chunks != NULL)
		sctp_clear_chunklist(asoc->peer_auth_chunks);
}

static void enforce(struct sctp_tcb *stcb)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;

	if (p->enforced)
		return;
	p->enforced = true;
	end_auth(&stcb->asoc);
	SCTP_INP_READ_LOCK(stcb->sctp_ep);
	p->tampered = has_unread(stcb) || has_gap(&stcb->asoc);
	SCTP_INP_READ_UNLOCK(stcb->sctp_ep);
}

int cmt_keys_release(struct sctp_tcb *stcb)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;

	if (p->receive[0] == NULL)
		return EINVAL;
	enforce(stcb);
	if (p->tampered)
		return EPROTO;
	if (!p->released)
		ask_again(stcb);
	p->released = true;
	return 0;
}

void cmt_keys_on_opened(struct sctp_tcb *stcb, const struct cmt_record_rx *receive)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;
	const bool is_first = p->send == NULL;

	if (p->next_send == NULL || p->next_send->epoch != receive->epoch)
		return;
	free_send(p->send);
	p->send = p->next_send;
	p->next_send = NULL;
	enforce(stcb);
	if (is_first && !p->tampered)
		ask_again(stcb);
}

void cmt_keys_free(struct cmt_protection *p)
{
	free_send(p->send);
	free_send(p->next_send);
	free_receive(p, p->receive[0]);
	free_receive(p, p->receive[1]);
}
