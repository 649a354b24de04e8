/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A gap at the peer that was never sent.
 *
 * Chunks leave out of TSN order, so the lowest outstanding one may be unsent while the peer holds what comes
 * behind it. Schedulers leave room for it in the window (cmt_sched_window_ahead()), but the peer may have
 * less room than it said: messages that wait for its application cost it more than their bytes, what was
 * taken for lost, gave its room back and arrives all the same takes it twice, and some peers count chunks as
 * well (upstream's sctp_max_chunks_on_queue). A peer that is full of what waits for the gap drops all that
 * lies above, retransmissions and window probes too, for ever. What fills the gap it accepts (RFC 9260,
 * section 6.2): that goes whatever the window says, and before anything is sent again. Upstream does the same
 * for the lowest outstanding TSN once it was sent. */
#include "cmt_asoc.h"
#include "cmt_hooks.h"

/* The lowest outstanding chunk, if it is unsent and the peer has told of one behind it. */
static const struct sctp_tmit_chunk *unsent_gap(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const struct sctp_tmit_chunk *chk = TAILQ_FIRST(&asoc->send_queue);

	return chk != NULL && chk->rec.data.tsn == asoc->last_acked_seq + 1 &&
	               cmt_serial_gt(ca->highest_tsn, chk->rec.data.tsn)
	           ? chk
	           : NULL;
}

/* Whether what lies above all that the peer has was lost twice. */
static bool seems_full(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const struct sctp_tmit_chunk *chk = TAILQ_LAST(&asoc->sent_queue, sctpchunk_listhead);

	while (asoc->sent_queue_retran_cnt > 0 && chk != NULL &&
	       cmt_serial_gt(chk->rec.data.tsn, ca->highest_tsn)) {
		if (chk->sent == SCTP_DATAGRAM_RESEND && chk->snd_count > 1)
			return true;
		chk = TAILQ_PREV(chk, sctpchunk_listhead, sctp_next);
	}
	return false;
}

bool cmt_gap_first(struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	return ca != NULL && unsent_gap(ca) != NULL &&
	       (stcb->asoc.peers_rwnd < stcb->asoc.smallest_mtu || seems_full(ca));
}

uint32_t cmt_gap_bytes(const struct cmt_asoc *ca, uint32_t max_bytes)
{
	uint32_t bytes = 0;

	for (const struct sctp_tmit_chunk *chk = unsent_gap(ca);
	     chk != NULL && cmt_serial_gt(ca->highest_tsn, chk->rec.data.tsn) && bytes < max_bytes;
	     chk = TAILQ_NEXT(chk, sctp_next))
		bytes += chk->send_size;
	return bytes < max_bytes ? bytes : max_bytes;
}
