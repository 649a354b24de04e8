/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of what holds up everything else (opportunistic retransmission: Raiciu et al., "How Hard Can It
 * Be?", NSDI 2012, section 4.2). A scheduler sends ahead because it knows when packets arrive. When one is
 * much later than that, because its path became slow, all that came behind it waits at the peer, until it
 * fills the receive window, and the other paths idle: they carry copies of what should have come over the late
 * path by now. That is no loss. Where they idle it costs little: what is out there and not due yet would take
 * more of them than the window keeps idle. Where they do not, copies take the place of new data, and wait for
 * as long as that is worth (ADR 14). */
#include "losses/cmt_reinject.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "delay/cmt_path_est.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "recovery/cmt_late.h"
#include "recovery/cmt_rack.h"
#include "recovery/cmt_resent.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
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

static uint64_t others_bps(struct cmt_asoc *ca, const struct cmt_path *late)
{
	uint64_t bps = 0;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path != late && cmt_path_usable(ca, path->net))
			bps += cmt_path_est_rate_bps(&path->est);
	}
	return bps;
}

#define COPY_TAKES_MAX_US 10000000

/* What the other paths deliver while a copy is under way: more copies would wait in their queues. */
static uint64_t copies_bytes(struct cmt_asoc *ca, const struct cmt_path *late)
{
	return others_bps(ca, late) * (uint64_t)cmt_min_us(copy_takes_us(ca, late), COPY_TAKES_MAX_US) /
	       CMT_BPS_PER_BYTE_PER_US;
}

/* Of the send buffer. Whoever writes large messages waits before it is wholly full. */
#define FULL_SHARE 8

static bool send_buffer_is_full(const struct cmt_asoc *ca)
{
	const struct sctp_tcb *stcb = ca->stcb;
	uint32_t limit_bytes;

	/* Nobody writes any more. */
	if (stcb->sctp_socket == NULL || SCTP_GET_STATE(stcb) != SCTP_STATE_OPEN ||
	    (stcb->asoc.state & SCTP_STATE_SHUTDOWN_PENDING) != 0)
		return false;
	limit_bytes = SCTP_SB_LIMIT_SND(stcb->sctp_socket);
	return stcb->asoc.total_output_queue_size > limit_bytes - limit_bytes / FULL_SHARE;
}

static bool any_unsent(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;

	return asoc->stream_queue_cnt > 0 || !TAILQ_EMPTY(&asoc->send_queue);
}

/* When the peer acknowledges it at the latest, as planned. Where nothing comes behind it, the SACK may be held
 * back (RFC 9260, section 6.2). */
static uint64_t due_us(const struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	return chk->cmt.due_us == 0 || any_unsent(ca) || send_buffer_is_full(ca)
	           ? chk->cmt.due_us
	           : chk->cmt.due_us + CMT_RACK_MAX_SACK_DELAY_US;
}

/* For how long the other paths carry nothing new when they carry all that is out on this one. Nothing where they
 * idle: what is late fills the peer's window, or nothing is left to be sent. */
static int64_t displaced_us(struct cmt_asoc *ca, const struct cmt_path *late)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const uint64_t bps = others_bps(ca, late);

	if (!any_unsent(ca) || asoc->peers_rwnd < asoc->smallest_mtu)
		return 0;
	return bps == 0 ? COPY_TAKES_MAX_US : cmt_transmission_us(late->net->flight_size, bps);
}

static struct cmt_path *path_of(struct cmt_asoc *ca, const struct sctp_tmit_chunk *head)
{
	return head != NULL ? cmt_asoc_path_of_slot(ca, head->cmt.slot) : NULL;
}

/* From when on a copy of the blocking chunk helps, if that takes `displaced_us` from new data. CMT_NEVER_US:
 * nothing blocks, or no other path would help. */
static uint64_t late_at_us(struct cmt_asoc *ca, const struct sctp_tmit_chunk *head, int64_t displaced_us)
{
	const struct cmt_path *path = path_of(ca, head);

	return path == NULL ? CMT_NEVER_US
	                    : cmt_late_at_us(due_us(ca, head), copy_takes_us(ca, path), displaced_us,
	                                     cmt_path_est_jitter_us(&path->est));
}

void cmt_reinject_watch(struct cmt_asoc *ca, uint64_t now_us)
{
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, late_at_us(ca, blocking(ca), 0), now_us);
}

bool cmt_reinject_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	struct sctp_tmit_chunk *head = blocking(ca), *chk;
	struct cmt_path *late = path_of(ca, head);
	uint64_t late_us = late_at_us(ca, head, 0), left_bytes;
	uint8_t slot;
	bool any = false;

	if (late_us > now_us || late_at_us(ca, head, displaced_us(ca, late)) > now_us) {
		if (late_us != CMT_NEVER_US)
			cmt_wake_at(ca, CMT_WAKE_RECOVERY,
			            late_us > now_us ? late_us : now_us + CMT_LATE_MIN_US, now_us);
		return false;
	}
	slot = head->cmt.slot;
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
