/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Negotiation: both chunk types in Supported Extensions, on both sides; and SCTP-AUTH for them. */
#include "cmt_asoc.h"
#include "cmt_hooks.h"

#include <netinet/sctp_auth.h>

int cmt_list_extensions(struct sctp_inpcb *inp, uint8_t *types)
{
	if (inp->cmt.no_extension)
		return 0;
	types[0] = CHUNK_TIMESTAMP;
	types[1] = CHUNK_ECHO;
	return 2;
}

void cmt_on_extensions_begin(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = cmt_asoc_get(stcb);

	if (ca != NULL)
		ca->peer_timestamps = ca->peer_echo = false;
}

void cmt_on_extension(struct sctp_tcb *stcb, uint8_t type)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;

	if (ca == NULL || stcb->sctp_ep->cmt.no_extension)
		return;
	if (type == CHUNK_TIMESTAMP)
		ca->peer_timestamps = true;
	else if (type == CHUNK_ECHO)
		ca->peer_echo = true;
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
