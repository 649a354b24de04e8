/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Loss by the path's own numbering: a chunk is lost when packets sent three numbers later on the same path
 * were acknowledged. TSN disorder between paths is deliberate and says nothing. Every transmission has a new
 * number, so a lost retransmission is found the same way, without T3.
 */
#include "cmt_asoc.h"
#include "cmt_hooks.h"

#include <netinet/sctp_output.h>

enum { PACKET_THRESHOLD = 3 };

bool cmt_numbers_packets(struct sctp_tcb *stcb)
{
	return cmt_asoc_scheduled(stcb) != NULL;
}

static struct cmt_path *path_of_chunk(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	if (chk->cmt.slot == 0 || ca->paths[chk->cmt.slot - 1].net == NULL)
		return NULL;
	return &ca->paths[chk->cmt.slot - 1];
}

/* An acknowledgement that comes sooner after a retransmission than the path can answer is for an earlier
 * transmission. */
static bool answers_newest_transmission(const struct cmt_path *path, const struct sctp_tmit_chunk *chk)
{
	int64_t loop_us = cmt_winfilter_min(&path->loop);
	uint64_t now_us = cmt_seam_now_us();
	uint64_t sent_us =
	    (uint64_t)chk->sent_rcv_time.tv_sec * 1000000u + (uint64_t)chk->sent_rcv_time.tv_usec;

	return chk->snd_count < 2 || loop_us == CMT_UNKNOWN_US || (int64_t)(now_us - sent_us) >= loop_us;
}

static struct cmt_lost lost_event(const struct cmt_asoc *ca, const struct cmt_path *path,
                                  const struct sctp_tmit_chunk *chk)
{
	return (struct cmt_lost){.now_us = cmt_seam_now_us(),
	                         .path_id = cmt_path_id(ca, path),
	                         .tsn = chk->rec.data.tsn,
	                         .bytes = chk->send_size};
}

static void note_spurious(struct cmt_asoc *ca, struct cmt_path *path, const struct sctp_tmit_chunk *chk)
{
	struct cmt_lost event = lost_event(ca, path, chk);

	path->spurious_pkts++;
	path->spurious_bytes += chk->send_size;
	if (ca->sched->on_spurious != NULL)
		ca->sched->on_spurious(ca->sched_state, &event);
}

void cmt_loss_on_tsn_acked(struct sctp_nets *net, struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = chk->asoc->cmt;
	struct cmt_path *path;

	(void)net;
	if (ca == NULL || ca->sched == NULL || chk->sent >= SCTP_DATAGRAM_RESEND)
		return;
	path = path_of_chunk(ca, chk);
	if (path == NULL)
		return;
	path->acked_bytes += chk->send_size;
	if (!answers_newest_transmission(path, chk)) {
		note_spurious(ca, path, chk);
		return;
	}
	if (cmt_serial_gt(chk->cmt.path_packet_number, path->highest_acked))
		path->highest_acked = chk->cmt.path_packet_number;
	if (path->in_recovery && cmt_serial_ge(path->highest_acked, path->recovery_end)) {
		path->in_recovery = false;
		path->net->fast_retran_loss_recovery = 0;
	}
	if (ca->sched->on_acked != NULL)
		ca->sched->on_acked(ca->sched_state, &(struct cmt_acked){.now_us = cmt_seam_now_us(),
		                                                         .path_id = cmt_path_id(ca, path),
		                                                         .tsn = chk->rec.data.tsn,
		                                                         .bytes = chk->send_size});
}

bool cmt_chunk_is_lost(struct sctp_tcb *stcb, const struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct cmt_path *path = path_of_chunk(ca, chk);
	struct cmt_lost event;

	if (path == NULL ||
	    cmt_serial_diff(path->highest_acked, chk->cmt.path_packet_number) < PACKET_THRESHOLD)
		return false;
	path->lost_pkts++;
	path->lost_bytes += chk->send_size;
	event = lost_event(ca, path, chk);
	if (ca->sched->on_lost != NULL)
		ca->sched->on_lost(ca->sched_state, &event);
	return true;
}

void cmt_choose_retransmission_path(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	struct cmt_view view;
	int chosen;

	if (ca == NULL)
		return;
	cmt_asoc_sync_paths(ca);
	cmt_view_fill(ca, &view, paths);
	chosen = cmt_sched_first_arrival(&view, false);
	if (ca->sched->retransmit != NULL) {
		uint8_t lost_on = chk->cmt.slot > 0 ? (uint8_t)(chk->cmt.slot - 1) : 0;
		struct cmt_decision d = ca->sched->retransmit(ca->sched_state, &view, lost_on);

		if (d.verdict == CMT_SEND && d.path_id < CMT_SCHED_MAX_PATHS &&
		    ca->paths[d.path_id].net != NULL && cmt_path_usable(ca, ca->paths[d.path_id].net))
			chosen = d.path_id;
	}
	if (chosen < 0 || ca->paths[chosen].net == chk->whoTo)
		return;
	if (chk->whoTo != NULL)
		cmt_release_address(chk->whoTo);
	chk->whoTo = ca->paths[chosen].net;
	cmt_hold_address(chk->whoTo);
}

uint32_t cmt_cum_ack_limit(struct sctp_tcb *stcb, uint32_t send_s)
{
	const struct sctp_tmit_chunk *unsent;

	if (cmt_asoc_scheduled(stcb) == NULL)
		return send_s;
	/* A window probe that was taken back is unsent again and may be acknowledged all the same. */
	TAILQ_FOREACH(unsent, &stcb->asoc.send_queue, sctp_next)
	{
		if (unsent->cmt.slot == 0)
			break;
	}
	return unsent != NULL && cmt_serial_gt(send_s, unsent->rec.data.tsn) ? unsent->rec.data.tsn : send_s;
}
