/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loss detection per path by time and number (core/recovery/cmt_rack.h): which chunks are lost, when to
 * probe, what a timeout means. Every transmission has a new number, so a lost retransmission is found like
 * any other loss, without T3.
 *
 * Timers of a path with chunks out, of which the earliest asks cmt_wake_at():
 *  - reordering: a chunk was overtaken and is lost when its window has passed;
 *  - probe: nothing was acknowledged for two round trips; the newest chunk goes again (RFC 8985, section 7);
 *  - T3-rtx: upstream's; restarted by every acknowledgement of a chunk of the path. */
#include "losses/cmt_recovery.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "cmt_sched.h"
#include "delay/cmt_path_est.h"
#include "losses/cmt_assumed_acked.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_copy.h"
#include "losses/cmt_gaps.h"
#include "losses/cmt_outstanding.h"
#include "losses/cmt_reinject.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_control.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_pmtud.h"
#include "recovery/cmt_copies.h"
#include "recovery/cmt_detect.h"
#include "recovery/cmt_loss_event.h"
#include "recovery/cmt_rack.h"
#include "recovery/cmt_resent.h"
#include "sacks/cmt_sack_path.h"
#include "seams/cmt_seams.h"
#include "send/cmt_partial.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_trace.h"

bool cmt_numbers_packets(struct sctp_tcb *stcb)
{
	return cmt_asoc_scheduled(stcb) != NULL;
}

struct cmt_rack_path cmt_recovery_timing(const struct cmt_path *path)
{
	return (struct cmt_rack_path){.min_rtt_us = cmt_winfilter_min(&path->min_rtt),
	                              .srtt_us = cmt_srtt_us(path->net)};
}

uint64_t cmt_recovery_t3_us(const struct cmt_asoc *ca, const struct sctp_nets *net)
{
	return (uint64_t)(net->RTO != 0 ? net->RTO : ca->stcb->asoc.initial_rto) * 1000;
}

static struct cmt_rack_packet packet_of(const struct sctp_tmit_chunk *chk)
{
	return (struct cmt_rack_packet){.sent_us = cmt_sent_us(chk),
	                                .number = chk->cmt.path_packet_number,
	                                .times_sent = chk->snd_count + (chk->cmt.copied != 0 ? 1u : 0u)};
}

/* Which transmission arrived is known of a chunk with one, and by echoes. */
static bool is_known_to_have_arrived(const struct cmt_asoc *ca, const struct cmt_path *path,
                                     const struct cmt_rack_packet *packet)
{
	return packet->times_sent <= 1 || !cmt_asoc_negotiated(ca) ||
	       cmt_serial_ge(path->heard_number, packet->number);
}

void cmt_recovery_count_acked(struct cmt_asoc *ca, struct cmt_path *path, const struct sctp_tmit_chunk *chk,
                              uint32_t number)
{
	path->counts.acked_bytes += chk->send_size;
	CMT_TRACE(ACKED, cmt_trace_chunk(ca, USRSCTP_CMT_TRACE_ACKED, path, chk->rec.data.tsn, chk->send_size,
	                                 number));
}

void cmt_recovery_on_acked(struct sctp_nets *net, struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = chk->asoc->cmt;
	struct cmt_path *path = ca != NULL ? cmt_asoc_path_of_slot(ca, chk->cmt.slot) : NULL;
	struct cmt_rack_packet packet = packet_of(chk);
	uint64_t now_us = cmt_seam_now_us();
	int64_t waited_us = (int64_t)(now_us - packet.sent_us);
	struct cmt_rack_path timing;

	if (path == NULL || ca->sched == NULL)
		return;
	/* Whatever else of the chunk was sent, the packet that the newest echo names is what arrived. */
	if (cmt_asoc_negotiated(ca) && path->heard_number == packet.number)
		packet.times_sent = 1;
	packet.told_late = cmt_was_hidden(ca, chk);
	timing = cmt_recovery_timing(path);
	cmt_recovery_count_acked(ca, path, chk, packet.number);
	cmt_outstanding_remove(ca, chk);
	path->recovery.progress = true;
	if (cmt_serial_gt(chk->rec.data.tsn, ca->sack.highest_tsn))
		ca->sack.highest_tsn = chk->rec.data.tsn;
	if (is_known_to_have_arrived(ca, path, &packet)) {
		cmt_rack_on_delivered(&path->recovery.rack, &timing, &packet, now_us);
		cmt_pmtud_on_arrived(ca, path, packet.number);
	}
	if (!cmt_asoc_negotiated(ca) && packet.times_sent <= 1)
		cmt_path_est_on_gone(&path->est, packet.number, now_us, cmt_srtt_us(net));
	/* A copy of it arrived: the next packet is measured. */
	if (chk->do_rtt && chk->cmt.copied != 0 && timing.min_rtt_us != CMT_UNKNOWN_US &&
	    waited_us < timing.min_rtt_us) {
		chk->do_rtt = 0;
		chk->whoTo->rto_needed = 1;
	}
	cmt_spurious_on_acked(ca, path, chk);
	if (ca->sched->on_acked != NULL)
		ca->sched->on_acked(ca->sched_state, &(struct cmt_acked){.now_us = now_us,
		                                                         .path_id = cmt_path_id(ca, path),
		                                                         .tsn = chk->rec.data.tsn,
		                                                         .bytes = chk->send_size});
}

/* What was lost on a path at one time. */
struct losses {
	uint32_t chunks, bytes, oldest, newest; /* Path Packet Numbers */
	struct sctp_tmit_chunk *first;          /* lowest TSN of what is to be sent again; NULL = nothing */
};

static void add_loss(struct losses *losses, struct sctp_tmit_chunk *chk, uint32_t number)
{
	if (losses->chunks == 0)
		*losses = (struct losses){.oldest = number, .newest = number};
	else if (cmt_serial_gt(number, losses->newest))
		losses->newest = number;
	else if (cmt_serial_gt(losses->oldest, number))
		losses->oldest = number;
	if (chk->sent == SCTP_DATAGRAM_RESEND &&
	    (losses->first == NULL || cmt_serial_gt(losses->first->rec.data.tsn, chk->rec.data.tsn)))
		losses->first = chk;
	losses->chunks++;
	losses->bytes += chk->send_size;
}

/* The transmission of `chk` in packet `number` of the path is lost. */
static void count_loss(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_tmit_chunk *chk,
                       uint32_t number, struct losses *losses)
{
	chk->cmt.lost_number = number;
	chk->cmt.lost_slot = (uint8_t)(cmt_path_id(ca, path) + 1);
	chk->cmt.again = CMT_AGAIN_LOST;
	/* That a probe for the packet size is lost says nothing on congestion (RFC 8899, section 3, item 7).
	 */
	if (number != path->pmtud.probe_number)
		add_loss(losses, chk, number);
	path->counts.lost_chunks++;
	path->counts.lost_bytes += chk->send_size;
	if (!cmt_asoc_negotiated(ca))
		cmt_path_est_on_gone(&path->est, number, cmt_seam_now_us(), cmt_srtt_us(path->net));
	cmt_pmtud_on_lost(ca, path, number);
	CMT_TRACE(LOST, cmt_trace_chunk(ca, USRSCTP_CMT_TRACE_LOST, path, chk->rec.data.tsn, chk->send_size,
	                                number));
	if (ca->sched->on_lost != NULL)
		ca->sched->on_lost(ca->sched_state, &(struct cmt_lost){.now_us = cmt_seam_now_us(),
		                                                       .path_id = cmt_path_id(ca, path),
		                                                       .tsn = chk->rec.data.tsn,
		                                                       .bytes = chk->send_size});
}

/* What is out is lost. A copy of it that is under way takes its place; else it is to be sent again, or was
 * abandoned. True when something may be sent for it. */
static bool lose(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_tmit_chunk *chk,
                 struct losses *losses)
{
	uint32_t number = chk->cmt.path_packet_number;
	bool taken_over = cmt_copy_take_over(ca, chk);

	if (taken_over || cmt_send_again(ca, chk))
		count_loss(ca, path, chk, number, losses);
	return !taken_over;
}

static struct cmt_cc_loss cc_loss(const struct cmt_path *path, const struct losses *losses)
{
	return (struct cmt_cc_loss){
	    .bytes = losses->bytes, .number = losses->newest, .next_number = path->est.log.next};
}

/* Tells congestion control, and keeps the books of the loss event. Its first chunk is sent whatever the
 * window says (RFC 9260, section 7.2.4, step 3). */
static void account(struct cmt_asoc *ca, struct cmt_path *path, const struct losses *losses)
{
	struct cmt_cc_loss loss = cc_loss(path, losses);

	if (cmt_control_reduce(ca, path, &loss)) {
		cmt_loss_event_start(&path->recovery.loss_event);
		cmt_rack_on_loss_event(&path->recovery.rack);
		if (losses->first != NULL)
			losses->first->rec.data.doing_fast_retransmit = 1;
	}
	cmt_loss_event_add(&path->recovery.loss_event, losses->oldest, losses->chunks);
}

void cmt_recovery_on_copies_lost(struct cmt_asoc *ca, struct cmt_path *path,
                                 const struct cmt_lost_copies *lost)
{
	const struct losses losses = {
	    .chunks = lost->chunks, .bytes = lost->bytes, .oldest = lost->oldest, .newest = lost->newest};

	path->counts.lost_chunks += lost->chunks;
	path->counts.lost_bytes += lost->bytes;
	account(ca, path, &losses);
}

/* Marks what is lost on the path by now; *next_us: when more may be. True when something was marked. */
static bool detect_on(struct cmt_asoc *ca, struct cmt_path *path, struct losses *losses, uint64_t now_us,
                      uint64_t *next_us)
{
	const struct cmt_rack_newest *delivered = &path->recovery.rack.now;
	const struct cmt_rack_path timing = cmt_recovery_timing(path);
	struct sctp_tmit_chunk *chk, *newer;
	bool any = false;

	for (chk = cmt_outstanding_oldest(ca, path); chk != NULL && delivered->known; chk = newer) {
		const struct cmt_rack_packet packet = packet_of(chk);
		uint64_t deadline_us;

		if (!cmt_serial_gt(delivered->number, packet.number))
			break;
		newer = chk->cmt.newer;
		if (!cmt_is_out(chk) ||
		    (cmt_truncated_sack(ca, chk) && (cmt_asoc_negotiated(ca) || chk->snd_count > 1)))
			continue;
		deadline_us = cmt_rack_deadline_us(&path->recovery.rack, &timing, &packet);
		if (deadline_us > now_us)
			*next_us = deadline_us < *next_us ? deadline_us : *next_us;
		else
			any = lose(ca, path, chk, losses) || any;
	}
	return any;
}

/* Marks what is lost by now; asks to be woken for what may be soon. True when something was marked. */
static bool detect(struct cmt_asoc *ca, uint64_t now_us)
{
	struct losses losses[CMT_SCHED_MAX_PATHS] = {{.chunks = 0}};
	uint64_t next_us = CMT_NEVER_US;
	bool any = false;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			any = detect_on(ca, &ca->paths[i], &losses[i], now_us, &next_us) || any;
	}
	ca->suspects = next_us != CMT_NEVER_US;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (losses[i].chunks > 0)
			account(ca, &ca->paths[i], &losses[i]);
	}
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, next_us, now_us);
	return any;
}

/* The newest chunk out on the path. */
static struct sctp_tmit_chunk *newest_out(struct cmt_asoc *ca, const struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk = cmt_outstanding_newest(ca, path);

	while (chk != NULL && !cmt_is_out(chk))
		chk = chk->cmt.older;
	return chk;
}

/* Sets the time of the next probe of a path with chunks out: before T3 expires, or never. `alone`: a single
 * packet is out, whose acknowledgement the receiver may hold back. */
static void schedule_probe(struct cmt_asoc *ca, struct cmt_path *path, bool alone, uint64_t now_us)
{
	uint32_t srtt_us = cmt_srtt_us(path->net);
	int64_t timeout_us = cmt_rack_probe_timeout_us(srtt_us, alone);

	path->recovery.probe_at_us = CMT_NEVER_US;
	if (!path->recovery.probed && srtt_us != 0 && timeout_us < (int64_t)path->net->RTO * 1000)
		path->recovery.probe_at_us = now_us + (uint64_t)timeout_us;
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, path->recovery.probe_at_us, now_us);
}

void cmt_recovery_on_sent(struct cmt_asoc *ca, struct cmt_path *path)
{
	schedule_probe(ca, path, ca->stcb->asoc.total_flight_count == 0, cmt_seam_now_us());
}

/* True when there may be something to send: the newest chunk of the path again, or others in the room that
 * it no longer takes. */
static bool probe(struct cmt_asoc *ca, struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk = newest_out(ca, path);

	path->recovery.probe_at_us = CMT_NEVER_US;
	if (chk != NULL && cmt_truncated_sack(ca, chk)) {
		cmt_assume_path_acked(ca, path);
		return true;
	}
	path->recovery.probed = true;
	/* One probe is out at a time: else a path that has become slow gets the same chunk again with every
	 * acknowledgement, as often as an association bears (RFC 8985, section 7.2). */
	if (chk == NULL || chk->cmt.again == CMT_AGAIN_PROBED || !cmt_path_usable(ca, path->net) ||
	    !cmt_may_send_again(ca, chk) || !cmt_send_again(ca, chk))
		return false;
	chk->cmt.lost_number = chk->cmt.path_packet_number;
	chk->cmt.lost_slot = chk->cmt.slot;
	chk->cmt.again = CMT_AGAIN_PROBE_DUE;
	chk->rec.data.doing_fast_retransmit = 1;
	path->counts.probes++;
	return true;
}

bool cmt_recovery_on_timer(struct cmt_asoc *ca)
{
	uint64_t now_us = cmt_seam_now_us(), next_us = CMT_NEVER_US;
	bool any = ca->suspects && detect(ca, now_us);

	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL)
			continue;
		if (path->recovery.probe_at_us <= now_us)
			any = probe(ca, path) || any;
		next_us = path->recovery.probe_at_us < next_us ? path->recovery.probe_at_us : next_us;
	}
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, next_us, now_us);
	cmt_copy_settle(ca, now_us);
	any = cmt_reinject_on_timer(ca, now_us) || any;
	any = cmt_pmtud_on_timer(ca, now_us) || any;
	return cmt_partial_on_timer(ca, now_us) || any;
}

/* A receiver may hold back the acknowledgement of the last packet, so T3 waits that much longer than a round
 * trip (RFC 9260, section 6.3.1, asks for a second at least). What the round trip was says little when SACKs
 * come back another way now; nor do HEARTBEATs, which are answered on their own path. An RTO of 0 stands for
 * RTO.Initial: nothing is known of the round trip (C1). */
void cmt_recovery_leave_time(struct cmt_asoc *ca, struct cmt_path *path)
{
	struct sctp_nets *net = path->net;
	int64_t rtt_us = cmt_max_us(cmt_srtt_us(net), cmt_sack_path_rtt_us(ca, path));

	if (net->RTO == 0)
		return;
	net->RTO = max(net->RTO, (unsigned)((rtt_us + CMT_RACK_MAX_SACK_DELAY_US) / 1000));
}

static void restart_t3(struct cmt_asoc *ca, struct cmt_path *path)
{
	sctp_timer_stop(SCTP_TIMER_TYPE_SEND, ca->stcb->sctp_ep, ca->stcb, path->net, SCTP_FROM_SCTP_INDATA);
	if (path->net->flight_size > 0)
		sctp_timer_start(SCTP_TIMER_TYPE_SEND, ca->stcb->sctp_ep, ca->stcb, path->net);
}

/* The path delivered something: T3 starts anew (RFC 9260, section 6.3.2, R3; here for every chunk, since the
 * lowest TSN of a path need not be its oldest packet), and so does the wait for a probe. */
static void restart_timers(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	cmt_recovery_leave_time(ca, path);
	restart_t3(ca, path);
	path->recovery.probe_at_us = CMT_NEVER_US;
	if (path->net->flight_size > 0)
		schedule_probe(ca, path, ca->stcb->asoc.total_flight_count <= 1, now_us);
}

/* What is out is acknowledged as much later. */
void cmt_recovery_on_longer_return(struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL && ca->paths[i].net->flight_size > 0)
			restart_timers(ca, &ca->paths[i], cmt_seam_now_us());
	}
}

void cmt_recovery_on_silent_return(struct cmt_asoc *ca, uint32_t wait_ms)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];
		unsigned rto;

		if (path->net == NULL || path->net->flight_size == 0 ||
		    sctp_os_timer_left_ticks(&path->net->rxt_timer.timer) >= wait_ms)
			continue;
		rto = path->net->RTO;
		path->net->RTO = wait_ms;
		restart_t3(ca, path);
		path->net->RTO = rto;
	}
}

void cmt_recovery_on_sack_end(struct cmt_asoc *ca)
{
	uint64_t now_us = cmt_seam_now_us();

	if (!ca->sack.open)
		return;
	ca->sack.open = false;
	cmt_gaps_on_sack_end(ca);
	cmt_assumed_acked_on_sack_end(ca);
	cmt_failover_watch(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL)
			continue;
		cmt_spurious_on_sack_end(ca, path);
		if (!path->recovery.progress)
			continue;
		path->recovery.progress = false;
		path->recovery.probed = false;
		path->copied_at_us = 0;
		cmt_copies_on_heard(&path->copy.out);
		path->recovery.timeout.unacked = false;
		/* What it delivers answers for a HEARTBEAT that was lost. */
		if (!path->fitness.flap.failed)
			path->net->hb_responded = 1;
		cmt_rack_on_sack_end(&path->recovery.rack);
		restart_timers(ca, path, now_us);
		CMT_TRACE(METRICS, cmt_trace_metrics(ca, path));
	}
	if (!cmt_asoc_negotiated(ca))
		cmt_spurious_judge(ca, CMT_UNKNOWN_US);
	/* Without gaps, now and before, nothing can have been overtaken. */
	if (ca->suspects || ca->spurious.n_pending > 0 || ca->stcb->asoc.saw_sack_with_frags != 0 ||
	    ca->stcb->asoc.saw_sack_with_nr_frags != 0)
		(void)detect(ca, now_us);
	cmt_reinject_watch(ca, now_us);
}

void cmt_recovery_on_probe_delivered(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost)
{
	struct cmt_path *path = cmt_asoc_path_of_slot(ca, lost->lost_path);

	cmt_resent_settle(ca->spurious.resent, lost->tsn);
	if (path == NULL || path->heard_number == lost->lost_number || cmt_copy_of_probed(ca, path, lost))
		return;
	path->counts.lost_chunks++;
	path->counts.lost_bytes += lost->bytes;
	CMT_TRACE(LOST, cmt_trace_chunk(ca, USRSCTP_CMT_TRACE_LOST, path, lost->tsn, lost->bytes,
	                                lost->lost_number));
	(void)cmt_control_reduce(ca, path,
	                         &(struct cmt_cc_loss){.bytes = lost->bytes,
	                                               .number = lost->lost_number,
	                                               .next_number = path->est.log.next});
}

void cmt_recovery_on_timeout(struct cmt_asoc *ca, struct cmt_path *path)
{
	struct losses losses = {.chunks = 0};
	struct sctp_tmit_chunk *chk;
	struct cmt_cc_loss loss;
	bool first;

	cmt_assume_path_acked(ca, path);
	first = cmt_spurious_on_timeout(ca, path);
	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (chk->sent == SCTP_DATAGRAM_RESEND && cmt_asoc_path_of_slot(ca, chk->cmt.slot) == path &&
		    (chk->cmt.lost_slot != chk->cmt.slot ||
		     chk->cmt.lost_number != chk->cmt.path_packet_number)) {
			count_loss(ca, path, chk, chk->cmt.path_packet_number, &losses);
			(void)cmt_copy_take_over(ca, chk);
		}
	}
	cmt_pmtud_on_timeout(ca, path);
	path->counts.timeouts++;
	path->recovery.probe_at_us = CMT_NEVER_US;
	loss = cc_loss(path, &losses);
	cmt_cc_timed_out(ca, path, &loss);
	CMT_TRACE(METRICS, cmt_trace_metrics(ca, path));
	/* Timeouts in a row are one claim: that nothing arrives any more. */
	if (first) {
		cmt_loss_event_start(&path->recovery.loss_event);
		cmt_loss_event_add(&path->recovery.loss_event, losses.oldest, losses.chunks);
	}
	cmt_failover_watch(ca);
}

bool cmt_another_carries(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *other = &ca->paths[i];

		if (other != path && other->net != NULL && cmt_path_usable(ca, other->net))
			return true;
	}
	return false;
}

/* What is out on the path in packets before `number`. */
static struct losses lose_before(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number)
{
	struct losses losses = {.chunks = 0};
	struct sctp_tmit_chunk *chk, *newer;

	for (chk = cmt_outstanding_oldest(ca, path); chk != NULL; chk = newer) {
		if (!cmt_serial_gt(number, chk->cmt.path_packet_number))
			break;
		newer = chk->cmt.newer;
		if (cmt_is_out(chk))
			(void)lose(ca, path, chk, &losses);
	}
	return losses;
}

void cmt_recovery_on_moved(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number)
{
	const struct losses losses = lose_before(ca, path, number);

	if (losses.chunks == 0)
		return;
	cmt_loss_event_add(&path->recovery.loss_event, losses.oldest, losses.chunks);
	cmt_wake_output(ca);
}

void cmt_recovery_give_up_path(struct cmt_asoc *ca, struct cmt_path *path)
{
	const struct losses losses = lose_before(ca, path, path->est.log.next);

	/* Where T3 expired it has told congestion control. Else a path that comes back would begin with the
	 * window that it failed with. */
	if (losses.chunks > 0 && path->recovery.timeout.unacked)
		cmt_loss_event_add(&path->recovery.loss_event, losses.oldest, losses.chunks);
	else if (losses.chunks > 0)
		account(ca, path, &losses);
	cmt_copies_clear(&path->copy.out);
	/* Upstream lets one packet out after a timeout; the other paths have room for all. Without any, what
	 * is acknowledged next judges the timeout (F-RTO): nothing more leaves until then, unless nothing is
	 * out that could be acknowledged, as what the timeout was of had moved to another address that is
	 * gone. */
	if (cmt_another_carries(ca, path) || (losses.chunks > 0 && ca->stcb->asoc.total_flight_count == 0))
		cmt_wake_output(ca);
}
