/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A gap at the peer that was never sent: what core/sched/cmt_gap.h wants to know of it, and a packet that
 * fills it. */
#include "send/cmt_fill_gap.h"
#include "association/cmt_asoc.h"
#include "cmt_hooks.h"
#include "sched/cmt_gap.h"
#include "util/cmt_serial.h"

/* False when nothing is unsent. */
static bool describe(const struct cmt_asoc *ca, struct cmt_gap *g)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const struct sctp_tmit_chunk *unsent = TAILQ_FIRST(&asoc->send_queue);
	const struct sctp_tmit_chunk *sent = TAILQ_FIRST(&asoc->sent_queue);

	if (unsent == NULL)
		return false;
	*g = (struct cmt_gap){
	    .lowest_tsn = asoc->last_acked_seq + 1,
	    .unsent_tsn = unsent->rec.data.tsn,
	    .highest_tsn = ca->sack.highest_tsn,
	    .window_bytes = asoc->peers_rwnd,
	    .a_rwnd_bytes = ca->sack.a_rwnd_bytes,
	    .flight_bytes = asoc->total_flight,
	    .packet_bytes = asoc->smallest_mtu,
	    .resends_lowest = sent != NULL && sent->sent == SCTP_DATAGRAM_RESEND,
	};
	if (cmt_gap_has_no_room(g))
		g->unsent_bytes = cmt_gap_bytes(ca, g->flight_bytes + 1);
	return true;
}

/* The chunks above all that the peer has are the last ones. */
static bool refuses(const struct cmt_asoc *ca, const struct cmt_gap *g)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const struct sctp_tmit_chunk *chk = TAILQ_LAST(&asoc->sent_queue, sctpchunk_listhead);

	while (asoc->sent_queue_retran_cnt > 0 && chk != NULL &&
	       cmt_serial_gt(chk->rec.data.tsn, g->highest_tsn)) {
		if (chk->sent == SCTP_DATAGRAM_RESEND &&
		    cmt_gap_is_refused(g, chk->rec.data.tsn, chk->snd_count))
			return true;
		chk = TAILQ_PREV(chk, sctpchunk_listhead, sctp_next);
	}
	return false;
}

bool cmt_gap_first(struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_gap g;

	if (ca == NULL || !describe(ca, &g))
		return false;
	g.refuses = cmt_gap_is_unsent(&g) && refuses(ca, &g);
	return cmt_gap_goes_first(&g);
}

uint32_t cmt_gap_bytes(const struct cmt_asoc *ca, uint32_t max_bytes)
{
	uint32_t bytes = 0;

	for (const struct sctp_tmit_chunk *chk = TAILQ_FIRST(&ca->stcb->asoc.send_queue);
	     chk != NULL && cmt_serial_gt(ca->sack.highest_tsn, chk->rec.data.tsn) && bytes < max_bytes;
	     chk = TAILQ_NEXT(chk, sctp_next))
		bytes += chk->send_size;
	return bytes < max_bytes ? bytes : max_bytes;
}
