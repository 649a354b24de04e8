/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of what holds up everything else (opportunistic retransmission: Raiciu et al., "How Hard Can It
 * Be?", NSDI 2012, section 4.2). A scheduler sends ahead because it knows when packets arrive. When one is
 * much later than that, because its path became slow, it blocks the receive window, or all there is, and the
 * other paths idle: they carry copies of what should have come over the late path by now. That is no loss,
 * and costs little: what is out there and not due yet would take more of the other paths than is idle. While
 * they do not idle copies cost what they carry, and what is late is waited for, but not for longer than T3
 * would.
 */
#include "losses/cmt_reinject.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "delay/cmt_path_est.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "recovery/cmt_late.h"
#include "recovery/cmt_resent.h"
#include "sacks/cmt_sack_path.h"
#include "send/cmt_needed.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "util/cmt_tuned.h"
#include "util/cmt_winfilter.h"

/* The chunk that everything above waits for, if something does. */
static struct sctp_tmit_chunk *blocking(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	struct sctp_tmit_chunk *head = TAILQ_FIRST(&asoc->sent_queue);

	if (head == NULL || !cmt_is_out(head) || head->cmt.again == CMT_AGAIN_COPY || head->cmt.copied != 0 ||
	    !cmt_may_send_again(ca, head) ||
	    (asoc->saw_sack_with_frags == 0 && asoc->saw_sack_with_nr_frags == 0))
		return NULL;
	return head;
}

/* The min RTT of the best other path: what a copy takes. */
static int64_t copy_takes_us(struct cmt_asoc *ca, const struct cmt_path *late)
{
	int64_t best_us = INT64_MAX;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];
		int64_t min_rtt_us;

		if (path->net == NULL || path == late || !cmt_path_usable(ca, path->net))
			continue;
		min_rtt_us = cmt_winfilter_min(&path->min_rtt);
		if (min_rtt_us != CMT_UNKNOWN_US)
			best_us = cmt_min_us(best_us, min_rtt_us);
	}
	return best_us;
}

/* What the other paths deliver in that time: more copies would wait in their queues. */
static uint64_t copies_bytes(struct cmt_asoc *ca, const struct cmt_path *late)
{
	uint64_t bps = 0;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path != late && cmt_path_usable(ca, path->net))
			bps += cmt_path_est_rate_bps(&path->est);
	}
	return bps * (uint64_t)cmt_min_us(copy_takes_us(ca, late), CMT_LONG_US) / CMT_BPS_PER_BYTE_PER_US;
}

/* CMT_NEVER_US: the application did not tell when its peer needs what blocks. */
static uint64_t urgent_at_us(struct cmt_asoc *ca, const struct cmt_path *late)
{
	return ca->needed.bps == 0 ? CMT_NEVER_US
	                           : cmt_late_urgent_at_us(cmt_needed_unacked_us(ca),
	                                                   cmt_min_us(copy_takes_us(ca, late), CMT_LONG_US));
}

/* Nothing but what is out: the application has no more, or the send buffer is full. */
static bool nothing_waits(const struct cmt_asoc *ca)
{
	return ca->stcb->asoc.stream_queue_cnt == 0 && TAILQ_EMPTY(&ca->stcb->asoc.send_queue);
}

/* What is late fills the peer's window, or nothing waits. */
static bool others_idle(const struct cmt_asoc *ca)
{
	return nothing_waits(ca) || ca->stcb->asoc.peers_rwnd < ca->stcb->asoc.smallest_mtu;
}

/* When the acknowledgement of the chunk is due; 0 = unknown. */
static uint64_t due_us(struct cmt_asoc *ca, const struct cmt_path *path, const struct sctp_tmit_chunk *chk)
{
	const int64_t min_rtt_us = cmt_winfilter_min(&path->min_rtt);

	if (!nothing_waits(ca))
		return chk->cmt.due_us;
	return cmt_late_alone_due_us(chk->cmt.due_us,
	                             cmt_path_est_ack_due_us(&path->est, path->est.log.next - 1, min_rtt_us),
	                             cmt_sack_path_detour_us(ca, path), cmt_path_est_jitter_us(&path->est));
}

/* From when on a copy of the blocking chunk helps: when it is certainly late or, being overdue, is needed.
 * CMT_NEVER_US: nothing blocks, or no other path would help. */
static uint64_t late_at_us(struct cmt_asoc *ca, const struct sctp_tmit_chunk *head)
{
	const struct cmt_path *path = head != NULL ? cmt_asoc_path_of_slot(ca, head->cmt.slot) : NULL;
	uint64_t late_us, urgent_us;

	if (path == NULL)
		return CMT_NEVER_US;
	late_us = cmt_late_at_us(due_us(ca, path, head), copy_takes_us(ca, path));
	if (late_us == CMT_NEVER_US)
		return late_us;
	urgent_us = max(urgent_at_us(ca, path), head->cmt.due_us);
	return min(late_us, urgent_us);
}

void cmt_reinject_watch(struct cmt_asoc *ca, uint64_t now_us)
{
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, late_at_us(ca, blocking(ca)), now_us);
}

bool cmt_reinject_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	struct sctp_tmit_chunk *head = blocking(ca), *chk;
	uint8_t slot = head != NULL ? head->cmt.slot : 0;
	uint64_t late_us = late_at_us(ca, head);
	struct cmt_path *late = cmt_asoc_path_of_slot(ca, slot);
	uint64_t left_bytes;
	bool any = false;

	if (late_us > now_us ||
	    (!others_idle(ca) && cmt_late_is_waited_for(head->cmt.due_us, urgent_at_us(ca, late), now_us))) {
		if (late_us != CMT_NEVER_US)
			cmt_wake_at(ca, CMT_WAKE_RECOVERY,
			            late_us > now_us ? late_us : now_us + CMT_HOST_LATE_US, now_us);
		return false;
	}
	left_bytes = copies_bytes(ca, late);
	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (cmt_serial_gt(chk->rec.data.tsn, ca->sack.highest_tsn) ||
		    (any && chk->send_size > left_bytes))
			break;
		if (!cmt_is_out(chk) || chk->cmt.slot != slot || chk->cmt.again == CMT_AGAIN_COPY ||
		    chk->cmt.copied != 0 || !cmt_may_send_again(ca, chk) || chk->cmt.due_us > now_us ||
		    !cmt_send_again(ca, chk))
			continue;
		chk->cmt.again = CMT_AGAIN_COPY;
		cmt_resent_settle(ca->spurious.resent, chk->rec.data.tsn);
		ca->counts.copies++;
		left_bytes -= min(left_bytes, chk->send_size);
		any = true;
	}
	if (any && cmt_late_on_copied(&late->copied_at_us, cmt_recovery_t3_us(ca, late->net), now_us))
		cmt_failover_fail(ca, late);
	return any;
}
