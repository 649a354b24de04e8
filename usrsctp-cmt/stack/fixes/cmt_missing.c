/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The chunk whose TSN follows the cumulative TSN ack is missing at the peer, though it may have been
 * acknowledged before, by a gap ack block. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>

#include "cmt_hooks.h"
#include "losses/cmt_chunk.h"

/* NULL: nothing is out, or that TSN waits to be sent for the first time. */
static struct sctp_tmit_chunk *first_missing(const struct sctp_association *asoc)
{
	struct sctp_tmit_chunk *chk = TAILQ_FIRST(&asoc->sent_queue);

	return chk != NULL && chk->rec.data.tsn == asoc->last_acked_seq + 1 ? chk : NULL;
}

bool cmt_denies_delivery(struct sctp_tcb *stcb)
{
	const struct sctp_tmit_chunk *chk = first_missing(&stcb->asoc);

	if (chk == NULL || chk->sent != SCTP_DATAGRAM_NR_ACKED)
		return false;
	sctp_abort_an_association(
	    stcb->sctp_ep, stcb,
	    sctp_generate_cause(SCTP_CAUSE_PROTOCOL_VIOLATION, "DATA are missing that were delivered"),
	    SCTP_SO_NOT_LOCKED);
	return true;
}

void cmt_take_back_missing(struct sctp_tcb *stcb)
{
	struct sctp_tmit_chunk *chk = first_missing(&stcb->asoc);

	if (chk == NULL || chk->sent != SCTP_DATAGRAM_ACKED)
		return;
	chk->sent = SCTP_DATAGRAM_SENT;
	cmt_put_in_flight(stcb, chk);
	sctp_total_flight_increase(stcb, chk);
}
