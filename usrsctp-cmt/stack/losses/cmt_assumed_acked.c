/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What SACKs leave out (core/recovery/cmt_truncated_sack.h). A chunk above the last block of a full SACK may
 * have arrived.
 *
 * Nothing but lower TSNs, some of which may still be unsent, will make room for its report. So it is neither
 * taken for lost nor sent again and again, in the place of lower ones: when its path has been silent for as
 * long as a probe waits, or a later packet there has arrived, it counts as arrived and leaves flight. What a
 * later SACK could report is no longer assumed: the SACK is asked. */
#include "losses/cmt_assumed_acked.h"
#include "association/cmt_asoc.h"
#include "losses/cmt_chunk.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_pmtud.h"
#include "recovery/cmt_truncated_sack.h"
#include "util/cmt_serial.h"

/* The chunks that wait for a cumulative ack and are above the TSN `above_tsn`, the highest first: what SACKs
 * leave out is at the queue's end. */
#define FOREACH_ABOVE(chk, ca, above_tsn)                                                                    \
	for ((chk) = TAILQ_LAST(&(ca)->stcb->asoc.sent_queue, sctpchunk_listhead);                           \
	     (chk) != NULL && cmt_serial_gt((chk)->rec.data.tsn, (above_tsn));                               \
	     (chk) = TAILQ_PREV((chk), sctpchunk_listhead, sctp_next))

/* The highest TSN that a SACK reports; at least the one behind the cumulative ack, as missing. */
static uint32_t top_of(struct mbuf *m, uint32_t cum_ack, int n_blocks, int offset)
{
	uint32_t top = cum_ack + 1;

	for (int i = 0; i < n_blocks; i++) {
		struct sctp_gap_ack_block buffer;
		const void *block =
		    sctp_m_getptr(m, offset + i * (int)sizeof(buffer), sizeof(buffer), (uint8_t *)&buffer);

		if (block == NULL)
			break;
		memcpy(&buffer, block, sizeof(buffer));
		if (cmt_serial_gt(cum_ack + ntohs(buffer.end), top))
			top = cum_ack + ntohs(buffer.end);
	}
	return top;
}

bool cmt_truncated_sack(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	return cmt_truncated_sack_hides(&ca->truncated_sack, chk->rec.data.tsn);
}

bool cmt_was_hidden(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	return cmt_truncated_sack_hides(&ca->truncated_before, chk->rec.data.tsn);
}

static void take_out_of_flight(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	sctp_flight_size_decrease(chk);
	sctp_total_flight_decrease(ca->stcb, chk);
	if (chk->whoTo->flight_size == 0)
		sctp_timer_stop(SCTP_TIMER_TYPE_SEND, ca->stcb->sctp_ep, ca->stcb, chk->whoTo,
		                SCTP_FROM_SCTP_INDATA);
}

static void assume_acked(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	if (chk->sent == SCTP_DATAGRAM_RESEND) {
		sctp_ucount_decr(ca->stcb->asoc.sent_queue_retran_cnt);
	} else {
		take_out_of_flight(ca, chk);
	}
	chk->sent = SCTP_DATAGRAM_ACKED;
	chk->cmt.assumed_acked = true;
	ca->any_assumed_acked = true;
}

void cmt_assume_path_acked(struct cmt_asoc *ca, const struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if ((cmt_is_out(chk) || chk->sent == SCTP_DATAGRAM_RESEND) && cmt_truncated_sack(ca, chk) &&
		    cmt_asoc_path_of_slot(ca, chk->cmt.slot) == path)
			assume_acked(ca, chk);
	}
}

/* As if it had just been found to be out. */
static void take_back(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	chk->sent = SCTP_DATAGRAM_SENT;
	cmt_put_in_flight(ca->stcb, chk);
	sctp_total_flight_increase(ca->stcb, chk);
}

void cmt_assumed_acked_on_sack(struct cmt_asoc *ca, struct mbuf *m, uint32_t cum_ack, int n_blocks,
                               int offset)
{
	struct sctp_tmit_chunk *chk;

	ca->truncated_before = ca->truncated_sack;
	ca->truncated_sack.full = cmt_sack_is_truncated(
	    (uint32_t)n_blocks, min(ca->stcb->asoc.smallest_mtu, CMT_PMTUD_BASE_SCTP_BYTES),
	    cmt_asoc_negotiated(ca));
	if (ca->truncated_sack.full)
		ca->truncated_sack.top = top_of(m, cum_ack, n_blocks, offset);
	if (!ca->any_assumed_acked)
		return;
	ca->any_assumed_acked = ca->truncated_sack.full;
	FOREACH_ABOVE(chk, ca, ca->truncated_before.top)
	{
		if (cmt_truncated_sack(ca, chk))
			continue;
		/* It may have been given up since (RFC 3758). */
		if (chk->cmt.assumed_acked && chk->sent == SCTP_DATAGRAM_ACKED)
			take_back(ca, chk);
		chk->cmt.assumed_acked = false;
	}
}

/* Whether the peer has heard of a packet that left its path later: it is not on its way. */
static bool is_overtaken(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	const struct cmt_path *path = cmt_asoc_path_of_slot(ca, chk->cmt.slot);

	return path != NULL && path->est.echoed.known &&
	       cmt_serial_gt(path->est.echoed.number, chk->cmt.path_packet_number);
}

void cmt_assumed_acked_on_sack_end(struct cmt_asoc *ca)
{
	struct sctp_tmit_chunk *chk;

	if (!ca->truncated_sack.full)
		return;
	FOREACH_ABOVE(chk, ca, ca->truncated_sack.top)
	{
		if (cmt_is_out(chk) && is_overtaken(ca, chk))
			assume_acked(ca, chk);
	}
}
