/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Spurious losses: what was taken for lost and had arrived. Three detectors, each of which the application
 * can leave out (core/recovery/cmt_detect.h):
 *  - the acknowledgement of a chunk before its retransmission went out: when F-RTO waits for it
 *    (core/recovery/cmt_frto.h) that, else Eifel;
 *  - the echo behind the SACK (Eifel, by Path Packet Number in place of the time stamp): the receiver built
 * it before the retransmission could be there, and the newest packet that it heard on its path is older. A
 *    timeout: the first packet heard of after it is older than it. Peers without the extension: the
 *    acknowledgement came sooner than any round trip takes;
 *  - duplicate TSNs in SACKs (DSACK).
 * When a timeout was spurious, or every loss of another event, the window is what it was before (RFC 4015); a
 * path that failed by such a timeout has not flapped. */
#include "losses/cmt_spurious.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_control.h"
#include "paths/cmt_paths.h"
#include "recovery/cmt_detect.h"
#include "recovery/cmt_flap.h"
#include "recovery/cmt_frto.h"
#include "recovery/cmt_loss_event.h"
#include "recovery/cmt_rack.h"
#include "recovery/cmt_resent.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "util/cmt_tuned.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_trace.h"

static bool was_probed(const struct sctp_tmit_chunk *chk)
{
	return chk->cmt.again == CMT_AGAIN_PROBE_DUE || chk->cmt.again == CMT_AGAIN_PROBED;
}

static struct cmt_resent_chunk lost_chunk(const struct sctp_tmit_chunk *chk)
{
	return (struct cmt_resent_chunk){.tsn = chk->rec.data.tsn,
	                                 .lost_number = chk->cmt.lost_number,
	                                 .lost_path = chk->cmt.lost_slot,
	                                 .probe = was_probed(chk),
	                                 .bytes = chk->send_size};
}

/* How much later than its neighbours the packet arrived; CMT_UNKNOWN_US when its record is gone. */
static int64_t lateness_us(const struct cmt_path *path, uint32_t number, uint64_t now_us)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&path->est.log, number);

	return record == NULL || !path->recovery.rack.before.known
	           ? CMT_UNKNOWN_US
	           : (int64_t)(now_us - record->sent_us) - path->recovery.rack.before.rtt_us;
}

static void undo(struct cmt_asoc *ca, struct cmt_path *path)
{
	path->recovery.loss_event.open = false;
	path->counts.undone++;
	cmt_cc_undone(ca, path);
}

/* Widens the reordering window by a step. True when there was none left. */
static bool window_was_full(struct cmt_path *path, const struct cmt_rack_path *timing)
{
	bool full = cmt_rack_window_is_full(&path->recovery.rack, timing);

	cmt_rack_on_spurious(&path->recovery.rack, timing, CMT_UNKNOWN_US);
	return full;
}

static void disprove(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost, enum cmt_detector detector)
{
	struct cmt_path *path = cmt_asoc_path_of_slot(ca, lost->lost_path);
	uint64_t now_us = cmt_seam_now_us();
	struct cmt_rack_path timing;

	/* What one detector would have found is left to the others. */
	if (!cmt_detects(ca->config.recovery, detector))
		return;
	cmt_resent_settle(ca->spurious.resent, lost->tsn);
	if (path == NULL || lost->probe)
		return;
	path->counts.spurious_chunks++;
	path->counts.spurious_bytes += lost->bytes;
	CMT_TRACE(SPURIOUS, cmt_trace_chunk(ca, USRSCTP_CMT_TRACE_SPURIOUS, path, lost->tsn, lost->bytes,
	                                    lost->lost_number));
	path->counts.spurious_by[detector]++;
	timing = cmt_recovery_timing(path);
	/* Reports of duplicates are the peer's word alone. They widen the window, once an event, until it
	 * covers a round trip; what is later than that, or than its retransmission, is a loss. */
	if (detector != CMT_DETECT_DSACK)
		cmt_rack_on_spurious(&path->recovery.rack, &timing,
		                     lateness_us(path, lost->lost_number, now_us));
	else if (path->recovery.loss_event.disproved == 0)
		path->recovery.loss_event.undo_blocked = window_was_full(path, &timing);
	path->recovery.loss_event.undo_blocked |= lost->arrived_first;
	if (cmt_loss_event_disprove(&path->recovery.loss_event, lost->lost_number) &&
	    !path->recovery.loss_event.undo_blocked)
		undo(ca, path);
	if (ca->sched->on_spurious != NULL)
		ca->sched->on_spurious(ca->sched_state, &(struct cmt_lost){.now_us = now_us,
		                                                           .path_id = cmt_path_id(ca, path),
		                                                           .tsn = lost->tsn,
		                                                           .bytes = lost->bytes});
}

/* T3 expired for nothing: what it marked and was not sent again yet is still under way. */
static void unmark(struct cmt_asoc *ca, struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (chk->sent != SCTP_DATAGRAM_RESEND || chk->cmt.again != CMT_AGAIN_LOST ||
		    chk->data == NULL || cmt_asoc_path_of_slot(ca, chk->cmt.lost_slot) != path ||
		    chk->cmt.slot != chk->cmt.lost_slot ||
		    chk->cmt.path_packet_number != chk->cmt.lost_number ||
		    cmt_serial_gt(chk->cmt.lost_number, path->recovery.timeout.newest))
			continue;
		cmt_refer(&chk->whoTo, path->net);
		cmt_unmark_for_resend(ca->stcb, chk);
		cmt_put_in_flight(ca->stcb, chk);
		if (!ca->sack.open)
			cmt_take_window(ca->stcb, chk);
	}
}

static void timeout_was_spurious(struct cmt_asoc *ca, struct cmt_path *path)
{
	path->recovery.timeout.unacked = path->recovery.timeout.unheard = false;
	unmark(ca, path);
	cmt_flap_on_spurious(&path->fitness.flap);
	if (path->recovery.loss_event.open)
		undo(ca, path);
}

/* Whether what the chunk is to repair was sent on the path before its last timeout. */
static bool is_of_timeout(struct cmt_asoc *ca, const struct cmt_path *path, const struct sctp_tmit_chunk *chk)
{
	return chk->cmt.again == CMT_AGAIN_LOST && cmt_asoc_path_of_slot(ca, chk->cmt.lost_slot) == path &&
	       cmt_serial_ge(path->recovery.timeout.newest, chk->cmt.lost_number);
}

/* Whether anything of an earlier timeout is still to be acknowledged. */
static bool in_recovery(struct cmt_asoc *ca, const struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (chk->sent <= SCTP_DATAGRAM_RESEND && is_of_timeout(ca, path, chk))
			return true;
	}
	return false;
}

bool cmt_spurious_on_timeout(struct cmt_asoc *ca, struct cmt_path *path)
{
	struct cmt_timeout *timeout = &path->recovery.timeout;
	bool first = !timeout->unacked && !timeout->unheard;

	if (cmt_detects(ca->config.recovery, CMT_DETECT_FRTO))
		cmt_frto_on_timeout(&timeout->frto, first && in_recovery(ca, path));
	if (first) {
		timeout->newest = path->est.log.next - 1;
		timeout->delivered = path->recovery.rack.now;
	}
	timeout->unacked = true;
	timeout->unheard = cmt_asoc_negotiated(ca);
	return first;
}

/* An echo says more than the order of acknowledgements: F-RTO is not needed. */
void cmt_spurious_on_echo(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number)
{
	struct cmt_timeout *timeout = &path->recovery.timeout;

	if (timeout->unheard && cmt_detects(ca->config.recovery, CMT_DETECT_EIFEL)) {
		timeout->frto.step = CMT_FRTO_IDLE;
		if (cmt_serial_ge(timeout->newest, number))
			timeout_was_spurious(ca, path);
	}
	timeout->unheard = false;
}

bool cmt_spurious_holds_back(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	const struct cmt_path *path = cmt_asoc_path_of_slot(ca, chk->cmt.lost_slot);

	return path != NULL && path->recovery.timeout.frto.step == CMT_FRTO_NEW &&
	       is_of_timeout(ca, path, chk) && !cmt_another_carries(ca, path);
}

void cmt_spurious_on_output_end(struct cmt_asoc *ca)
{
	if (ca->stcb->asoc.total_flight > 0)
		return;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_frto *f = &ca->paths[i].recovery.timeout.frto;

		if (f->step != CMT_FRTO_NEW)
			continue;
		f->step = CMT_FRTO_IDLE;
		cmt_wake_output(ca);
	}
}

/* Whether the path's window of new data may go though all that was marked for nothing arrives as well. */
static bool new_data_may_go(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	uint32_t bytes = path->net->cwnd;
	const struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &asoc->sent_queue, sctp_next)
	bytes += chk->sent <= SCTP_DATAGRAM_RESEND ? chk->send_size : 0;
	return bytes <= ca->sack.a_rwnd_bytes &&
	       (!TAILQ_EMPTY(&asoc->send_queue) || asoc->stream_queue_cnt > 0);
}

void cmt_spurious_on_sack_end(struct cmt_asoc *ca, struct cmt_path *path)
{
	struct cmt_timeout *timeout = &path->recovery.timeout;

	if (!cmt_frto_on_sack_end(&timeout->frto, timeout->frto.again && new_data_may_go(ca, path)))
		return;
	/* The retransmissions that SACKs seemed to acknowledge are still under way, and have overtaken
	 * nothing. */
	path->recovery.rack.now = path->recovery.rack.before = timeout->delivered;
	timeout_was_spurious(ca, path);
}

void cmt_on_acked_before_resent(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	const bool was_lost = chk->cmt.again == CMT_AGAIN_LOST;
	struct cmt_path *path =
	    ca != NULL ? cmt_asoc_path_of_slot(ca, was_lost ? chk->cmt.lost_slot : chk->cmt.slot) : NULL;
	struct cmt_resent_chunk lost = lost_chunk(chk);
	enum cmt_detector detector = CMT_DETECT_EIFEL;

	if (path == NULL)
		return;
	if (path->recovery.timeout.frto.step == CMT_FRTO_NEW && is_of_timeout(ca, path, chk))
		detector = CMT_DETECT_FRTO;
	cmt_recovery_count_acked(ca, path, chk, was_lost ? lost.lost_number : chk->cmt.path_packet_number);
	if (!was_lost)
		return;
	chk->cmt.lost_slot = 0;
	path->recovery.progress = true;
	if (detector == CMT_DETECT_FRTO)
		path->recovery.timeout.frto.original = true;
	if (cmt_detects(ca->config.recovery, detector))
		disprove(ca, &lost, detector);
	else if (cmt_loss_event_withdraw(&path->recovery.loss_event, lost.lost_number))
		undo(ca, path);
}

/* Most associations send nothing again. */
static void allocate(struct cmt_asoc *ca)
{
	struct {
		struct cmt_resent resent;
		struct cmt_pending_loss pending[CMT_PENDING_LOSSES_MAX];
		uint32_t reported[CMT_REPORTED_MAX];
	} *memory = calloc(1, sizeof(*memory));

	if (memory == NULL)
		return;
	ca->spurious.resent = &memory->resent;
	ca->spurious.pending = memory->pending;
	ca->spurious.reported = memory->reported;
}

void cmt_spurious_on_copied(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost)
{
	if (ca->spurious.resent == NULL)
		allocate(ca);
	if (ca->spurious.resent != NULL)
		cmt_resent_add(ca->spurious.resent, lost);
}

void cmt_spurious_on_resent(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	struct cmt_resent_chunk lost;

	if (chk->cmt.again == CMT_AGAIN_PROBE_DUE)
		chk->cmt.again = CMT_AGAIN_PROBED;
	lost = lost_chunk(chk);
	if (chk->cmt.lost_slot == 0 || chk->cmt.again == CMT_AGAIN_COPY)
		return;
	cmt_spurious_on_copied(ca, &lost);
}

static void defer(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	if (ca->spurious.pending == NULL || ca->spurious.n_pending == CMT_PENDING_LOSSES_MAX ||
	    chk->cmt.lost_slot == 0 || chk->cmt.again == CMT_AGAIN_COPY)
		return;
	ca->spurious.pending[ca->spurious.n_pending++] =
	    (struct cmt_pending_loss){.lost = lost_chunk(chk),
	                              .slot = chk->cmt.slot,
	                              .number = chk->cmt.path_packet_number,
	                              .sent_us = cmt_sent_us(chk)};
}

void cmt_spurious_on_acked(struct cmt_asoc *ca, struct cmt_path *path, const struct sctp_tmit_chunk *chk)
{
	struct cmt_path *lost_on = cmt_asoc_path_of_slot(ca, chk->cmt.lost_slot);

	if (chk->snd_count > 1) {
		if (lost_on != NULL)
			lost_on->recovery.timeout.frto.again = true;
		defer(ca, chk);
	} else if (cmt_serial_gt(chk->cmt.path_packet_number, path->recovery.timeout.newest)) {
		path->recovery.timeout.frto.newer = true;
	}
}

/* Whether the retransmission arrived for all that is known: an echo names it, or it had the time for that.
 * How much that is nobody knows while what is heard of was sent before T3 expired. */
static bool arrived(struct cmt_asoc *ca, const struct cmt_path *path, const struct cmt_pending_loss *pending)
{
	const struct cmt_anchor *echoed = &path->est.echoed;

	if (!cmt_asoc_negotiated(ca) || (echoed->known && cmt_serial_ge(echoed->number, pending->number)))
		return true;
	return cmt_seam_now_us() - pending->sent_us >= cmt_srtt_us(path->net) &&
	       !(echoed->known && cmt_serial_ge(path->recovery.timeout.newest, echoed->number));
}

/* Sooner than a round trip is clearly sooner: a peer that keeps back the echoes of the quickest ones must not
 * make all others look too quick. */
static bool is_too_soon(const struct cmt_path *path, const struct cmt_pending_loss *pending)
{
	int64_t min_rtt_us = cmt_winfilter_min(&path->min_rtt);

	return min_rtt_us != CMT_UNKNOWN_US &&
	       (int64_t)(cmt_seam_now_us() - pending->sent_us) < min_rtt_us - min_rtt_us / CMT_LITTLE_SHARE;
}

/* Whether the original is acknowledged. That an echo does not name the retransmission says little: SACKs that
 * come back on other paths overtake the one whose echo does, and some are lost. It must also have been built,
 * at `built_us` in receiver time, before the retransmission can have arrived. A SACK without an echo tells of
 * nothing that was newer. */
static bool is_spurious(struct cmt_asoc *ca, const struct cmt_path *path,
                        const struct cmt_pending_loss *pending, int64_t built_us)
{
	int64_t base_us = cmt_path_est_base_us(&path->est);

	if (built_us == CMT_UNKNOWN_US || base_us == CMT_UNKNOWN_US)
		return is_too_soon(path, pending) || !arrived(ca, path, pending);
	return built_us < (int64_t)pending->sent_us + base_us && !arrived(ca, path, pending);
}

static void judge_pending(struct cmt_asoc *ca, const struct cmt_pending_loss *pending, int64_t built_us)
{
	const struct cmt_path *path = cmt_asoc_path_of_slot(ca, pending->slot);

	if (path != NULL && is_spurious(ca, path, pending, built_us))
		disprove(ca, &pending->lost, CMT_DETECT_EIFEL);
	else if (path != NULL && !arrived(ca, path, pending))
		return;
	else if (pending->lost.probe && cmt_resent_open(ca->spurious.resent, pending->lost.tsn))
		cmt_recovery_on_probe_delivered(ca, &pending->lost);
	else if (cmt_asoc_negotiated(ca))
		cmt_resent_arrived_first(ca->spurious.resent, pending->lost.tsn);
}

void cmt_spurious_judge(struct cmt_asoc *ca, int64_t built_us)
{
	for (unsigned i = 0; i < ca->spurious.n_pending; i++)
		judge_pending(ca, &ca->spurious.pending[i], built_us);
	ca->spurious.n_pending = 0;
	for (unsigned i = 0; i < ca->spurious.n_reported; i++) {
		struct cmt_resent_chunk lost;

		if (cmt_resent_take_duplicate(ca->spurious.resent, ca->spurious.reported[i], &lost))
			disprove(ca, &lost, CMT_DETECT_DSACK);
	}
	ca->spurious.n_reported = 0;
}
