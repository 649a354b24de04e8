/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Life of the state, and what others ask of it. */
#include "protection/cmt_protection.h"

static uint32_t n_protected; /* associations that have the state; back ends have one thread */

/* Of associations that there was no memory for: the peer has agreed on protection, so that nothing is taken or said
 * without, and they end as if nobody answered. */
static struct cmt_protection without_memory = {
    .window_records = CMT_RECORD_WINDOW_MAX, .enforced = true, .tampered = true};

bool cmt_any_protected(void)
{
	return n_protected > 0;
}

struct cmt_protection *cmt_protection_new(struct sctp_tcb *stcb)
{
	struct cmt_protection *p = calloc(1, sizeof(*p));

	n_protected++;
	stcb->asoc.cmt_protection = p != NULL ? p : &without_memory;
	if (p != NULL)
		p->window_records = CMT_RECORD_WINDOW_MAX;
	return p;
}

void cmt_protection_free(struct sctp_tcb *stcb)
{
	struct cmt_protection *p = stcb->asoc.cmt_protection;

	if (p == NULL)
		return;
	cmt_seal_forget(stcb);
	if (p != &without_memory) {
		cmt_keys_free(p);
		free(p);
	}
	stcb->asoc.cmt_protection = NULL;
	n_protected--;
}

bool cmt_protection_is_complete(const struct sctp_tcb *stcb)
{
	const struct cmt_protection *p = stcb->asoc.cmt_protection;

	return p == NULL || (p->enforced && p->send != NULL);
}

bool cmt_is_enforced(const struct sctp_tcb *stcb)
{
	return stcb->asoc.cmt_protection != NULL && stcb->asoc.cmt_protection->enforced;
}

uint32_t cmt_protection_overhead(const struct sctp_tcb *stcb)
{
	return stcb != NULL && stcb->asoc.cmt_protection != NULL ? CMT_DTLS_OVERHEAD_BYTES : 0;
}

/* Until the handshake has told what the peer offers, nobody knows whether it is going to be protected. */
bool cmt_must_wait_for_keys(const struct sctp_tcb *stcb, uint32_t ppid)
{
	const struct cmt_protection *p = stcb->asoc.cmt_protection;

	if (stcb->sctp_ep->cmt.protection.n_methods == 0 || ntohl(ppid) == CMT_KEYS_PPID)
		return false;
	return SCTP_GET_STATE(stcb) < SCTP_STATE_OPEN || (p != NULL && !(p->released && p->send != NULL));
}
