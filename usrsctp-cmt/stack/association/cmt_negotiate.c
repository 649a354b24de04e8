/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Negotiation: both chunk types in Supported Extensions, on both sides; and SCTP-AUTH for them. Without a
 * scheduler an endpoint calls as upstream does, and answers in kind. */
#include "association/cmt_asoc.h"
#include "association/cmt_life.h"
#include "cmt_hooks.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_output.h>

static bool lists_in_init(const struct sctp_inpcb *inp)
{
	switch (inp->cmt.extension) {
	case CMT_EXTENSION_AUTO: return cmt_endpoint_is_scheduled(inp);
	case CMT_EXTENSION_NEVER: return false;
	case CMT_EXTENSION_ALWAYS: return true;
	}
	return false;
}

static int put_types(uint8_t *types, bool list)
{
	if (!list)
		return 0;
	types[0] = CHUNK_TIMESTAMP;
	types[1] = CHUNK_ECHO;
	return 2;
}

int cmt_list_extensions(struct sctp_tcb *stcb, uint8_t *types)
{
	stcb->asoc.cmt_listed = lists_in_init(stcb->sctp_ep);
	return put_types(types, stcb->asoc.cmt_listed);
}

/* Whether the parameters of an INIT list both types. */
static bool are_both_listed(struct mbuf *init, int offset, int len)
{
	uint8_t buffer[UINT8_MAX];
	struct sctp_paramhdr header;

	while (len >= (int)sizeof(header)) {
		const struct sctp_paramhdr *p = sctp_get_next_param(init, offset, &header, sizeof(header));
		int param_len = p != NULL ? ntohs(p->param_length) : 0, n = param_len - (int)sizeof(header);
		const uint8_t *types;

		if (n < 0 || param_len > len)
			return false;
		if (ntohs(p->param_type) == SCTP_SUPPORTED_CHUNK_EXT && n > 0) {
			n = min(n, (int)sizeof(buffer));
			types = (const uint8_t *)sctp_m_getptr(init, offset + (int)sizeof(header), n, buffer);
			return types != NULL && memchr(types, CHUNK_TIMESTAMP, (size_t)n) != NULL &&
			       memchr(types, CHUNK_ECHO, (size_t)n) != NULL;
		}
		offset += SCTP_SIZE32(param_len);
		len -= SCTP_SIZE32(param_len);
	}
	return false;
}

int cmt_answer_extensions(struct sctp_inpcb *inp, struct sctp_tcb *stcb, struct mbuf *init, int offset,
                          int len, uint8_t *types)
{
	/* Where both sides call at once ours may have listed them. */
	bool called = stcb != NULL && SCTP_GET_STATE(stcb) < SCTP_STATE_OPEN && stcb->asoc.cmt_listed;
	bool list =
	    inp->cmt.extension != CMT_EXTENSION_NEVER &&
	    (inp->cmt.extension == CMT_EXTENSION_ALWAYS || called || are_both_listed(init, offset, len));

	if (stcb != NULL)
		stcb->asoc.cmt_listed = list;
	return put_types(types, list);
}

void cmt_on_extensions_begin(struct sctp_tcb *stcb)
{
	(void)cmt_asoc_get(stcb);
}

/* Our INIT listed them, or our answer to the peer's INIT, which is processed now, did. */
static bool have_listed(const struct sctp_tcb *stcb)
{
	return stcb->sctp_ep->cmt.extension != CMT_EXTENSION_NEVER &&
	       (stcb->asoc.cmt_listed || SCTP_GET_STATE(stcb) != SCTP_STATE_COOKIE_WAIT);
}

void cmt_on_extension(struct sctp_tcb *stcb, uint8_t type)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ca == NULL || !have_listed(stcb))
		return;
	if (type == CHUNK_TIMESTAMP)
		ca->peer_timestamps = true;
	else if (type == CHUNK_ECHO)
		ca->peer_echo = true;
	cmt_asoc_engage(ca);
}

/* Takes the place of upstream's function where chunks are sent: ours travel with DATA and SACK, so when the
 * peer wants ours authenticated, AUTH has to stand in front of those. */
int cmt_auth_is_required_chunk(uint8_t chunk, sctp_auth_chklist_t *list)
{
	uint8_t ours;

	if (sctp_auth_is_required_chunk(chunk, list))
		return 1;
	switch (chunk) {
	case SCTP_DATA:
	case SCTP_IDATA: ours = CHUNK_TIMESTAMP; break;
	case SCTP_SELECTIVE_ACK:
	case SCTP_NR_SELECTIVE_ACK: ours = CHUNK_ECHO; break;
	default: return 0;
	}
	return sctp_auth_is_required_chunk(ours, list);
}
