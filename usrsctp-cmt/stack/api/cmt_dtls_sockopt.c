/* SPDX-License-Identifier: BSD-3-Clause */
#include "api/cmt_dtls_sockopt.h"
#include "api/cmt_assocs.h"
#include "association/cmt_asoc.h"
#include "protection/cmt_protection.h"
#include "seams/cmt_seams.h"

static int with_assoc(struct socket *so, uint32_t assoc_id, cmt_assoc_fn *fn, void *arg)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	return inp == NULL ? EINVAL : cmt_with_assoc(inp, assoc_id, fn, arg);
}

static struct cmt_protection *protection_of(const struct cmt_asoc *ca)
{
	return ca->stcb->asoc.cmt_protection;
}

/* --- what is offered, and what was agreed on --- */

/* Packets pass no seam with AF_CONN, nor where there is no back end. */
static bool is_possible(const struct sctp_inpcb *inp)
{
	return cmt_seam_has_reaches() && (inp->sctp_flags & SCTP_PCB_FLAGS_BOUND_CONN) == 0 &&
	       cmt_aead_at(0) != NULL;
}

int cmt_dtls_set_config(struct socket *so, const struct cmt_dtls_config *config)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL)
		return EINVAL;
	if (config->n_methods > 0 && !is_possible(inp))
		return EOPNOTSUPP;
	SCTP_INP_WLOCK(inp);
	inp->cmt.protection = (struct cmt_offer){
	    .roles = config->roles, .n_methods = config->n_methods, .required = config->required};
	memcpy(inp->cmt.protection.methods, config->methods, sizeof(config->methods));
	SCTP_INP_WUNLOCK(inp);
	return 0;
}

int cmt_dtls_get_config(struct socket *so, struct cmt_dtls_config *out)
{
	struct sctp_inpcb *inp = (struct sctp_inpcb *)so->so_pcb;

	if (inp == NULL)
		return EINVAL;
	SCTP_INP_RLOCK(inp);
	*out = (struct cmt_dtls_config){.roles = inp->cmt.protection.roles,
	                                .n_methods = inp->cmt.protection.n_methods,
	                                .required = inp->cmt.protection.required};
	memcpy(out->methods, inp->cmt.protection.methods, sizeof(out->methods));
	SCTP_INP_RUNLOCK(inp);
	return 0;
}

static int read_agreed(struct cmt_asoc *ca, void *arg)
{
	const struct cmt_protection *p = protection_of(ca);
	struct cmt_dtls_config *out = arg;

	if (SCTP_GET_STATE(ca->stcb) < SCTP_STATE_OPEN)
		return EINVAL;
	*out = (struct cmt_dtls_config){.n_methods = p != NULL};
	if (p != NULL) {
		out->roles = p->agreed.is_server ? CMT_KM_SERVER : CMT_KM_CLIENT;
		out->methods[0] = p->agreed.method;
	}
	return 0;
}

int cmt_dtls_get_agreed(struct socket *so, uint32_t assoc_id, struct cmt_dtls_config *out)
{
	return with_assoc(so, assoc_id, read_agreed, out);
}

struct parameter_query {
	bool peers;
	struct cmt_dtls_parameter *out;
};

static int read_parameter(struct cmt_asoc *ca, void *arg)
{
	const struct cmt_protection *p = protection_of(ca);
	const struct parameter_query *q = arg;
	struct cmt_km own;

	if (p == NULL)
		return EOPNOTSUPP;
	own = cmt_km_own(ca->stcb->sctp_ep, ca->stcb->asoc.my_vtag);
	q->out->bytes = q->peers ? p->peer_bytes : cmt_km_encode(&own, q->out->data);
	if (q->peers)
		memcpy(q->out->data, p->peer_parameter, p->peer_bytes);
	return 0;
}

int cmt_dtls_get_parameter(struct socket *so, uint32_t assoc_id, bool peers, struct cmt_dtls_parameter *out)
{
	return with_assoc(so, assoc_id, read_parameter,
	                  &(struct parameter_query){.peers = peers, .out = out});
}

/* --- keys --- */

static int add_keys(struct cmt_asoc *ca, void *arg)
{
	const struct cmt_dtls_keys *keys = arg;
	const struct cmt_key_material material = {.suite = keys->suite,
	                                          .epoch = keys->epoch,
	                                          .key = keys->data,
	                                          .iv = keys->data + keys->key_bytes,
	                                          .sn_key = keys->data + keys->key_bytes + keys->iv_bytes,
	                                          .key_bytes = keys->key_bytes,
	                                          .iv_bytes = keys->iv_bytes,
	                                          .sn_key_bytes = keys->sn_key_bytes};

	if (protection_of(ca) == NULL)
		return EOPNOTSUPP;
	switch (keys->direction) {
	case CMT_DTLS_SEND: return cmt_keys_set_send(ca->stcb, &material, false);
	case CMT_DTLS_NEXT_SEND: return cmt_keys_set_send(ca->stcb, &material, true);
	case CMT_DTLS_RECEIVE: return cmt_keys_add_receive(ca->stcb, &material);
	}
	return EINVAL;
}

int cmt_dtls_add_keys(struct socket *so, uint32_t assoc_id, const struct cmt_dtls_keys *keys)
{
	return with_assoc(so, assoc_id, add_keys, (void *)(uintptr_t)keys);
}

static int delete_keys(struct cmt_asoc *ca, void *arg)
{
	return protection_of(ca) == NULL ? EOPNOTSUPP
	                                 : cmt_keys_delete_receive(protection_of(ca), *(const uint64_t *)arg);
}

int cmt_dtls_delete_keys(struct socket *so, uint32_t assoc_id, uint64_t epoch)
{
	return with_assoc(so, assoc_id, delete_keys, &epoch);
}

/* --- what comes in --- */

static int enforce(struct cmt_asoc *ca, void *arg)
{
	(void)arg;
	return protection_of(ca) == NULL ? EOPNOTSUPP : cmt_keys_release(ca->stcb);
}

int cmt_dtls_enforce(struct socket *so, uint32_t assoc_id)
{
	return with_assoc(so, assoc_id, enforce, NULL);
}

static int read_enforced(struct cmt_asoc *ca, void *arg)
{
	*(uint32_t *)arg = cmt_is_enforced(ca->stcb);
	return 0;
}

int cmt_dtls_is_enforced(struct socket *so, uint32_t assoc_id, uint32_t *enforced)
{
	return with_assoc(so, assoc_id, read_enforced, enforced);
}

static int set_window(struct cmt_asoc *ca, void *arg)
{
	const uint32_t records = *(const uint32_t *)arg;

	if (protection_of(ca) == NULL)
		return EOPNOTSUPP;
	if (records < CMT_RECORD_WINDOW_MIN || records > CMT_RECORD_WINDOW_MAX)
		return EINVAL;
	cmt_keys_set_window(protection_of(ca), records);
	return 0;
}

int cmt_dtls_set_window(struct socket *so, uint32_t assoc_id, uint32_t records)
{
	return with_assoc(so, assoc_id, set_window, &records);
}

static int read_window(struct cmt_asoc *ca, void *arg)
{
	if (protection_of(ca) == NULL)
		return EOPNOTSUPP;
	*(uint32_t *)arg = protection_of(ca)->window_records;
	return 0;
}

int cmt_dtls_get_window(struct socket *so, uint32_t assoc_id, uint32_t *records)
{
	return with_assoc(so, assoc_id, read_window, records);
}

static int read_stats(struct cmt_asoc *ca, void *arg)
{
	const struct cmt_protection *p = protection_of(ca);
	struct cmt_dtls_stats *out = arg;

	if (p == NULL)
		return EOPNOTSUPP;
	*out = (struct cmt_dtls_stats){.dropped_clear = p->counts.dropped_clear,
	                               .failures = p->counts.gone.forged,
	                               .opened = p->counts.gone.opened,
	                               .replayed = p->counts.gone.replayed,
	                               .sealed = p->counts.sealed,
	                               .unknown_epoch = p->counts.unknown_epoch};
	for (unsigned i = 0; i < 2 && p->receive[i] != NULL; i++) {
		out->failures += p->receive[i]->forged + p->receive[i]->malformed;
		out->opened += p->receive[i]->opened;
		out->replayed += p->receive[i]->replayed;
	}
	if (p->receive[0] != NULL) {
		out->receive_epoch = p->receive[0]->epoch;
		out->epoch_failures = p->receive[0]->forged;
	}
	if (p->send != NULL) {
		out->send_epoch = p->send->epoch;
		out->send_records = p->send->next_seq;
	}
	return 0;
}

int cmt_dtls_get_stats(struct socket *so, uint32_t assoc_id, struct cmt_dtls_stats *out)
{
	return with_assoc(so, assoc_id, read_stats, out);
}
