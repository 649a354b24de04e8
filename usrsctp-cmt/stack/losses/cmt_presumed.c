/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What SACKs leave out (core/recovery/cmt_unreported.h). A chunk above the last block of a full SACK may have
 * arrived.
 *
 * Nothing but lower TSNs, some of which may still be unsent, will make room for its report. So it is neither
 * taken for lost nor sent again and again, in the place of lower ones: when its path has been silent for as
 * long as a probe waits, it counts as arrived and leaves flight. Each SACK is asked anew: its presumptions
 * are taken back, and those that it could not report either are made again behind it. */
#include "losses/cmt_presumed.h"
#include "association/cmt_asoc.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_pmtud.h"
#include "recovery/cmt_unreported.h"
#include "util/cmt_serial.h"

/* The highest TSN that a SACK reports. */
static uint32_t top_of(struct mbuf *m, uint32_t cum_ack, int n_blocks, int offset)
{
	uint32_t top = cum_ack;

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

bool cmt_unreported(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	return cmt_unreported_hides(&ca->unreported, chk->rec.data.tsn);
}

static void take_out_of_flight(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	sctp_flight_size_decrease(chk);
	sctp_total_flight_decrease(ca->stcb, chk);
	if (chk->whoTo->flight_size == 0)
		sctp_timer_stop(SCTP_TIMER_TYPE_SEND, ca->stcb->sctp_ep, ca->stcb, chk->whoTo,
		                SCTP_FROM_SCTP_INDATA);
}

static void presume(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	if (chk->sent == SCTP_DATAGRAM_RESEND) {
		sctp_ucount_decr(ca->stcb->asoc.sent_queue_retran_cnt);
	} else {
		take_out_of_flight(ca, chk);
	}
	chk->sent = SCTP_DATAGRAM_ACKED;
	chk->cmt.presumed = true;
	ca->n_presumed++;
}

void cmt_unreported_presume_path(struct cmt_asoc *ca, const struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if ((cmt_is_out(chk) || chk->sent == SCTP_DATAGRAM_RESEND) && cmt_unreported(ca, chk) &&
		    cmt_asoc_path_of_slot(ca, chk->cmt.slot) == path)
			presume(ca, chk);
	}
}

/* As if it had just been found to be out. */
static void take_back(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	chk->sent = SCTP_DATAGRAM_SENT;
	cmt_put_in_flight(ca->stcb, chk);
	sctp_total_flight_increase(ca->stcb, chk);
}

void cmt_unreported_on_sack(struct cmt_asoc *ca, struct mbuf *m, uint32_t cum_ack, int n_blocks, int offset)
{
	struct sctp_tmit_chunk *chk;

	ca->unreported.full = cmt_unreported_is_full(
	    (uint32_t)n_blocks, min(ca->stcb->asoc.smallest_mtu, CMT_PMTUD_BASE_SCTP_BYTES),
	    cmt_asoc_negotiated(ca));
	if (ca->unreported.full)
		ca->unreported.top = top_of(m, cum_ack, n_blocks, offset);
	if (ca->n_presumed == 0)
		return;
	ca->n_presumed = 0;
	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		/* It may have been given up since (RFC 3758). */
		if (chk->cmt.presumed && chk->sent == SCTP_DATAGRAM_ACKED) {
			take_back(ca, chk);
			ca->n_presumed++;
		} else {
			chk->cmt.presumed = false;
		}
	}
}

/* Whether the peer has heard of a packet that left its path later: it is not on its way. */
static bool is_overtaken(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	const struct cmt_path *path = cmt_asoc_path_of_slot(ca, chk->cmt.slot);

	return path != NULL && path->est.echoed.known &&
	       cmt_serial_gt(path->est.echoed.number, chk->cmt.path_packet_number);
}

void cmt_unreported_on_sack_end(struct cmt_asoc *ca)
{
	struct sctp_tmit_chunk *chk;

	if (!ca->unreported.full && ca->n_presumed == 0)
		return;
	ca->n_presumed = 0;
	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		bool again = chk->cmt.presumed;

		chk->cmt.presumed = false;
		if (cmt_is_out(chk) && cmt_unreported(ca, chk) && (again || is_overtaken(ca, chk)))
			presume(ca, chk);
	}
}
