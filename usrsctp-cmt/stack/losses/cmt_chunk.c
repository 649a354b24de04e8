/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One chunk that was sent: in flight, out of it, to be sent again. What upstream counts of it is counted
 * here.
 */
#include "losses/cmt_chunk.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "losses/cmt_outstanding.h"
#include "seams/cmt_seams.h"

uint64_t cmt_sent_us(const struct sctp_tmit_chunk *chk)
{
	return (uint64_t)chk->sent_rcv_time.tv_sec * 1000000u + (uint64_t)chk->sent_rcv_time.tv_usec;
}

void cmt_put_in_flight(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	if (ca != NULL)
		cmt_outstanding_add(ca, chk);
	sctp_flight_size_increase(chk);
	if (!SCTP_OS_TIMER_PENDING(&chk->whoTo->rxt_timer.timer))
		sctp_timer_start(SCTP_TIMER_TYPE_SEND, stcb->sctp_ep, stcb, chk->whoTo);
}

void cmt_mark_for_resend(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk)
{
	if (stcb->asoc.cmt != NULL)
		cmt_outstanding_remove(stcb->asoc.cmt, chk);
	sctp_flight_size_decrease(chk);
	sctp_total_flight_decrease(stcb, chk);
	stcb->asoc.peers_rwnd += chk->send_size + SCTP_BASE_SYSCTL(sctp_peer_chunk_oh);
	chk->sent = SCTP_DATAGRAM_RESEND;
	sctp_ucount_incr(stcb->asoc.sent_queue_retran_cnt);
	chk->rec.data.doing_fast_retransmit = 0;
}

void cmt_unmark_for_resend(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk)
{
	chk->sent = SCTP_DATAGRAM_SENT;
	sctp_ucount_decr(stcb->asoc.sent_queue_retran_cnt);
	sctp_total_flight_increase(stcb, chk);
}

void cmt_take_window(struct sctp_tcb *stcb, const struct sctp_tmit_chunk *chk)
{
	stcb->asoc.peers_rwnd =
	    sctp_sbspace_sub(stcb->asoc.peers_rwnd, chk->send_size + SCTP_BASE_SYSCTL(sctp_peer_chunk_oh));
}

bool cmt_may_send_again(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	return !ca->stcb->asoc.prsctp_supported || !PR_SCTP_RTX_ENABLED(chk->flags) ||
	       chk->snd_count <= chk->rec.data.timetodrop.tv_sec;
}

bool cmt_send_again(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	struct sctp_tcb *stcb = ca->stcb;

	if (!cmt_may_send_again(ca, chk)) {
		/* Takes it out of flight as well. */
		if (chk->data != NULL)
			(void)sctp_release_pr_sctp_chunk(stcb, chk, 1, SCTP_SO_NOT_LOCKED);
		cmt_wake_at(ca, CMT_WAKE_RECOVERY, cmt_seam_now_us(), cmt_seam_now_us());
		return false;
	}
	cmt_mark_for_resend(stcb, chk);
	if (chk->do_rtt) {
		chk->do_rtt = 0;
		if (chk->whoTo->rto_needed == 0)
			chk->whoTo->rto_needed = 1;
	}
	chk->whoTo->find_pseudo_cumack = 1;
	chk->whoTo->find_rtx_pseudo_cumack = 1;
	return true;
}
