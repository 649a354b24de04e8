/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Retransmissions: on which path, and what the peer may acknowledge at all. */
#include "losses/cmt_retransmit.h"
#include "association/cmt_asoc.h"
#include "cmt_hooks.h"
#include "cmt_sched.h"
#include "losses/cmt_outstanding.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"
#include "send/cmt_view.h"
#include "util/cmt_serial.h"
#include "util/cmt_tuned.h"

#include <netinet/sctp_output.h>
#include <netinet/sctp_timer.h>

/* A probe wants to hear from the path it was on. */
static bool probes(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	const struct cmt_path *path = cmt_asoc_path_of_slot(ca, chk->cmt.slot);

	return chk->cmt.again == CMT_AGAIN_PROBE_DUE && path != NULL && chk->whoTo == path->net &&
	       cmt_path_usable(ca, path->net);
}

/* Copies do not go where the original is late, nor does what was lost again and again: packets of its size
 * may not get through there. */
static bool avoids(const struct sctp_tmit_chunk *chk, uint8_t slot)
{
	if (chk->cmt.again == CMT_AGAIN_COPY)
		return slot == chk->cmt.slot;
	return chk->snd_count >= CMT_LOST_TIMES && slot == chk->cmt.lost_slot;
}

/* The path that arrives first. -1: none. */
static int first_arrival(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk)
{
	struct cmt_view view = *cmt_view(ca);
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
	int chosen;

	memcpy(paths, view.paths, view.n_paths * sizeof(*paths));
	view.paths = paths;
	for (unsigned i = 0; i < view.n_paths; i++) {
		if (avoids(chk, (uint8_t)(paths[i].id + 1)))
			paths[i].usable = false;
		cmt_sched_go_behind(&paths[i], ca->paths[paths[i].id].waiting_bytes);
	}
	chosen = chk->rec.data.doing_fast_retransmit != 0 ? cmt_sched_first_arrival(&view, false)
	                                                  : cmt_sched_first_when_ready(&view);
	if (ca->sched->retransmit != NULL) {
		uint8_t lost_on = chk->cmt.slot > 0 ? (uint8_t)(chk->cmt.slot - 1) : 0;
		struct cmt_decision d = ca->sched->retransmit(ca->sched_state, &view, lost_on);

		if (d.verdict == CMT_SEND && d.path_id < CMT_SCHED_MAX_PATHS &&
		    ca->paths[d.path_id].net != NULL && cmt_path_usable(ca, ca->paths[d.path_id].net))
			chosen = d.path_id;
	}
	return chosen;
}

void cmt_retransmit_begin(struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++)
		ca->paths[i].waiting_bytes = 0;
}

static void choose_path(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	int chosen;

	cmt_asoc_sync_paths(ca);
	if (probes(ca, chk))
		return;
	chosen = first_arrival(ca, chk);
	if (chosen < 0)
		return;
	cmt_refer(&chk->whoTo, ca->paths[chosen].net);
	ca->paths[chosen].waiting_bytes += chk->send_size;
}

bool cmt_choose_retransmission_path(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct sctp_nets *other;

	if (ca != NULL && cmt_spurious_holds_back(ca, chk))
		return false;
	if (ca != NULL)
		choose_path(ca, chk);
	if (cmt_tuple_is_confirmed(chk->whoTo))
		return true;
	other = sctp_find_alternate_net(stcb, chk->whoTo, 0);
	if (other == NULL || !cmt_tuple_is_confirmed(other))
		return false;
	cmt_refer(&chk->whoTo, other);
	return true;
}

uint32_t cmt_cum_ack_limit(struct sctp_tcb *stcb, uint32_t cum_ack, uint32_t send_s)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	const struct sctp_tmit_chunk *unsent;

	if (ca == NULL)
		return send_s;
	cmt_outstanding_on_cum_ack(ca, cum_ack);
	/* A window probe that was taken back is unsent again and may be acknowledged all the same. */
	TAILQ_FOREACH(unsent, &stcb->asoc.send_queue, sctp_next)
	{
		if (unsent->cmt.slot == 0)
			break;
	}
	return unsent != NULL && cmt_serial_gt(send_s, unsent->rec.data.tsn) ? unsent->rec.data.tsn : send_s;
}
