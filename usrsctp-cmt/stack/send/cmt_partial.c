/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of limited reliability (RFC 3758) that are given up while chunks leave out of TSN order: fragments
 * of one message may lie in sent_queue and send_queue in any mixture, with others between them, where
 * upstream takes what follows in sent_queue for the rest of the message.
 *
 * A message is given up with all fragments behind the one that ran out of time or retransmissions, sent or
 * not; those that were not sent yet never are. Unsent fragments before it are sent: FORWARD-TSN passes none
 * of them (SCTP_CMT_ADVANCE_OR_BREAK), and the peer throws them away when it comes. */
#include "send/cmt_partial.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_paths.h"
#include "sched/cmt_units.h"
#include "seams/cmt_seams.h"
#include "send/cmt_needed.h"
#include "util/cmt_serial.h"

#include <netinet/sctp_indata.h>
#include <netinet/sctp_output.h>

static bool same_message(const struct sctp_association *asoc, const struct sctp_tmit_chunk *a,
                         const struct sctp_tmit_chunk *b)
{
	return a->rec.data.sid == b->rec.data.sid && a->rec.data.mid == b->rec.data.mid &&
	       (a->rec.data.rcv_flags & SCTP_DATA_UNORDERED) ==
	           (b->rec.data.rcv_flags & SCTP_DATA_UNORDERED) &&
	       /* Messages interleave only in I-DATA (RFC 8260). */
	       (asoc->idata_supported != 0 || b->rec.data.tsn == a->rec.data.tsn + 1);
}

/* The next fragment behind `chk`, from this place of a queue on. */
static struct sctp_tmit_chunk *find(const struct sctp_association *asoc, const struct sctp_tmit_chunk *chk,
                                    struct sctp_tmit_chunk *from)
{
	while (from != NULL &&
	       (!cmt_serial_gt(from->rec.data.tsn, chk->rec.data.tsn) || !same_message(asoc, chk, from)))
		from = TAILQ_NEXT(from, sctp_next);
	return from;
}

static void insert_by_tsn(struct sctp_association *asoc, struct sctp_tmit_chunk *chk)
{
	struct sctp_tmit_chunk *before = TAILQ_LAST(&asoc->sent_queue, sctpchunk_listhead);

	while (before != NULL && cmt_serial_gt(before->rec.data.tsn, chk->rec.data.tsn))
		before = TAILQ_PREV(before, sctpchunk_listhead, sctp_next);
	if (before != NULL)
		TAILQ_INSERT_AFTER(&asoc->sent_queue, before, chk, sctp_next);
	else
		TAILQ_INSERT_HEAD(&asoc->sent_queue, chk, sctp_next);
	asoc->sent_queue_cnt++;
}

/* Takes an unsent chunk to its place in sent_queue, where FORWARD-TSN passes it, with the address of the one
 * before it: a FORWARD-TSN that ends here and gets lost is sent again by that address's T3. */
static void give_up_unsent(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk,
                           const struct sctp_tmit_chunk *before, bool message_was_sent)
{
	struct sctp_association *asoc = &stcb->asoc;
	struct cmt_asoc *ca = asoc->cmt;

	if (ca != NULL)
		cmt_needed_take(ca, &chk, 1);
	if (ca != NULL && ca->index.valid) {
		(void)cmt_units_remove(&ca->index.units, chk->rec.data.tsn);
		cmt_asoc_reconsider(ca);
	}
	TAILQ_REMOVE(&asoc->send_queue, chk, sctp_next);
	asoc->send_queue_cnt--;
	sctp_free_bufspace(stcb, asoc, chk, 1);
	sctp_ulp_notify(message_was_sent ? SCTP_NOTIFY_SENT_DG_FAIL : SCTP_NOTIFY_UNSENT_DG_FAIL, stcb, 0,
	                chk, SCTP_SO_NOT_LOCKED);
	if (chk->data != NULL)
		sctp_m_freem(chk->data);
	chk->data = NULL;
	chk->book_size = 0; /* never in flight */
	chk->sent = SCTP_FORWARD_TSN_SKIP;
	if (chk->whoTo == NULL && before->whoTo != NULL)
		cmt_refer(&chk->whoTo, before->whoTo);
	insert_by_tsn(asoc, chk);
}

struct sctp_tmit_chunk *cmt_next_fragment(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk,
                                          int message_was_sent)
{
	const struct sctp_association *asoc = &stcb->asoc;
	struct sctp_tmit_chunk *sent = find(asoc, chk, TAILQ_NEXT(chk, sctp_next));
	struct sctp_tmit_chunk *unsent = find(asoc, chk, TAILQ_FIRST(&asoc->send_queue));

	if (unsent == NULL || (sent != NULL && cmt_serial_gt(unsent->rec.data.tsn, sent->rec.data.tsn)))
		return sent;
	give_up_unsent(stcb, unsent, chk, message_was_sent != 0);
	return unsent;
}

/* --- FORWARD-TSN --- */

/* Sent, and the cumulative ack has not reached it. */
static bool forward_is_out(const struct sctp_association *asoc)
{
	return cmt_serial_gt(asoc->advanced_peer_ack_point, asoc->last_acked_seq);
}

/* Where control chunks go. */
static const struct sctp_nets *control_net(const struct sctp_association *asoc)
{
	return asoc->alternate != NULL ? asoc->alternate : asoc->primary_destination;
}

static void note_forward(struct cmt_asoc *ca, uint64_t now_us)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;

	ca->forward.tsn = asoc->advanced_peer_ack_point;
	ca->forward.again_us = now_us + cmt_recovery_t3_us(ca, control_net(asoc));
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, ca->forward.again_us, now_us);
}

void cmt_partial_watch(struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;

	if (forward_is_out(asoc) && ca->forward.tsn != asoc->advanced_peer_ack_point)
		note_forward(ca, cmt_seam_now_us());
}

/* Moves the point up to which the peer may go on. True when it moved. */
static bool advance(struct sctp_tcb *stcb)
{
	struct sctp_association *asoc = &stcb->asoc;
	uint32_t passed_tsn = asoc->advanced_peer_ack_point;
	struct sctp_tmit_chunk *last;

	if (asoc->prsctp_supported == 0 || asoc->pr_sctp_cnt == 0)
		return false;
	last = sctp_try_advance_peer_ack_point(stcb, asoc);
	if (!cmt_serial_gt(asoc->advanced_peer_ack_point, passed_tsn))
		return false;
	while (last != NULL && last->whoTo == NULL)
		last = TAILQ_NEXT(last, sctp_next);
	if (last != NULL)
		sctp_timer_start(SCTP_TIMER_TYPE_SEND, stcb->sctp_ep, stcb, last->whoTo);
	return true;
}

bool cmt_partial_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	struct sctp_tcb *stcb = ca->stcb;

	if (!advance(stcb)) {
		if (!forward_is_out(&stcb->asoc))
			return false;
		if (ca->forward.again_us > now_us) {
			cmt_wake_at(ca, CMT_WAKE_RECOVERY, ca->forward.again_us, now_us);
			return false;
		}
		note_forward(ca, now_us);
	}
	send_forward_tsn(stcb, &stcb->asoc);
	return true;
}
