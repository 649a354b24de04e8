/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The send path: the scheduler's choice carried out in upstream's output loop, and packets stamped. */
#include "send/cmt_send.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "cmt_sched.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_pmtud.h"
#include "recovery/cmt_sack_share.h"
#include "sacks/cmt_echo.h"
#include "sacks/cmt_sack_path.h"
#include "sched/cmt_gap.h"
#include "sched/cmt_units.h"
#include "seams/cmt_seams.h"
#include "send/cmt_copy_send.h"
#include "send/cmt_fill_gap.h"
#include "send/cmt_index.h"
#include "send/cmt_view.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "wire/cmt_wire.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_output.h>

int cmt_data_packet_overhead(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	return ca != NULL && cmt_asoc_negotiated(ca) ? (int)CMT_TIMESTAMP_BYTES : 0;
}

/* The view of an association with something to send, after the scheduler could re-plan if something was
 * learnt. */
static const struct cmt_view *planned_view(struct cmt_asoc *ca)
{
	const struct cmt_view *view = cmt_view(ca);

	if (ca->replan && ca->sched->plan != NULL)
		ca->sched->plan(ca->sched_state, view);
	ca->replan = false;
	return view;
}

/* Every congestion window is full: a SACK or a timer will look again. */
bool cmt_cannot_send(struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	const struct sctp_nets *net;

	if (ca == NULL || stcb->asoc.total_flight == 0)
		return false;
	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net->flight_size < net->cwnd)
			return false;
	}
	return true;
}

bool cmt_is_ready(struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	return ca != NULL && (cmt_gap_first(stcb) || cmt_failover_has_news(ca));
}

bool cmt_wants_look_ahead(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	const struct cmt_view *view;

	if (ca == NULL || ca->decided.has_look_ahead)
		return false;
	cmt_asoc_sync_paths(ca);
	/* Before the loop over the paths: upstream throws away what is queued for a path it has passed. */
	cmt_failover_watch_once(ca);
	if (ca->sched->look_ahead == NULL || stcb->asoc.stream_queue_cnt == 0)
		return false;
	if (!cmt_index_sync(ca) || cmt_units_count(&ca->index.units) == 0)
		return false;
	view = planned_view(ca);
	ca->decided.has_look_ahead =
	    cmt_index_is_full(ca) || !cmt_serial_gt(view->limit_tsn, stcb->asoc.sending_seq) ||
	    cmt_units_total_bytes(&ca->index.units) >= ca->sched->look_ahead(ca->sched_state, view);
	return !ca->decided.has_look_ahead;
}

void cmt_wait_for_pacing(struct cmt_asoc *ca, const struct cmt_path_view *p, uint64_t now_us)
{
	if (p->room_at_us == CMT_NEVER_US)
		return;
	ca->paths[p->id].control.paced = true;
	cmt_wake_at(ca, CMT_WAKE_OUTPUT, p->room_at_us, now_us);
}

/* The scheduler's decision, checked; an illegal one is counted and becomes WAIT. */
static struct cmt_decision ask(struct cmt_asoc *ca, const struct cmt_view *view)
{
	struct cmt_decision d = ca->sched->next(ca->sched_state, view);

	ca->counts.decisions++;
	if (!cmt_sched_legal(view, &d)) {
		ca->counts.illegal_decisions++;
		d = (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
	}
	if (d.verdict == CMT_WAIT)
		ca->counts.waits++;
	return d;
}

/* What should leave next, on whichever path: upstream asks for each path in turn, and the answer stays the
 * same until a packet leaves. */
static void decide(struct cmt_asoc *ca, bool gap_first)
{
	struct cmt_decision *d = &ca->decided.next;
	const struct cmt_view *view;

	if (!gap_first)
		cmt_copy_output(ca);
	view = planned_view(ca);
	*d = gap_first ? cmt_gap_decide(view) : ask(ca, view);
	ca->decided.known = true;
	ca->decided.stalls = !gap_first && cmt_sched_stalls(view, d);
	if (d->verdict == CMT_WAIT) {
		for (unsigned i = 0; i < view->n_paths; i++)
			cmt_wait_for_pacing(ca, &view->paths[i], view->now_us);
		cmt_wake_at(ca, CMT_WAKE_OUTPUT, d->wake_us, view->now_us);
	}
}

/* Sets `selected`, or leaves it NULL for the first chunk that may go to `net`; false when none should. */
static bool choose(struct cmt_asoc *ca, struct sctp_nets *net, const struct sctp_tmit_chunk *head)
{
	const bool gap_first = cmt_gap_first(ca->stcb);
	const struct cmt_path *path;

	/* What was given up unsent takes TSNs, too. FORWARD-TSN or an acknowledgement makes room. */
	if (cmt_serial_gt(head->rec.data.tsn, cmt_limit_tsn(ca)))
		return false;
	path = cmt_asoc_path(ca, net);
	if (!cmt_index_sync(ca) || head->whoTo == net || cmt_units_count(&ca->index.units) == 0)
		return true;
	if (path == NULL || (gap_first && head->whoTo != NULL)) /* directed to another address */
		return false;
	if (!ca->decided.known)
		decide(ca, gap_first);
	if (ca->decided.stalls && cmt_path_usable(ca, net))
		return true;
	if (ca->decided.next.verdict == CMT_WAIT || ca->decided.next.path_id != cmt_path_id(ca, path))
		return false;
	ca->packet.selected = cmt_index_chunk(ca, ca->decided.next.tsn);
	return true;
}

static void ask_for_sack(struct sctp_tmit_chunk *chk)
{
	if (chk != NULL && chk->data != NULL)
		mtod(chk->data, struct sctp_chunkhdr *)->chunk_flags |= SCTP_DATA_SACK_IMMEDIATELY;
}

/* So that the peer may hold back SACKs for a tick (core/recovery/cmt_sack_share.h): by rates, which may be
 * taken for higher than they are. */
static bool may_arrive_fast(const struct cmt_asoc *ca, uint32_t packet_bytes)
{
	uint64_t bps = 0;

	for (unsigned i = 0; i < ca->n_slots; i++)
		bps += ca->paths[i].net != NULL ? cmt_rate_bps(&ca->paths[i].est.rate) : 0;
	return cmt_sack_rate_is_fast(bps, packet_bytes);
}

/* What ends a window of slow start: nothing follows on the path until something is acknowledged. */
static bool fills_cwnd_of_slow_start(const struct sctp_nets *net)
{
	return net->cwnd <= net->ssthresh && net->flight_size + net->mtu >= net->cwnd;
}

static bool could_stall(const struct cmt_asoc *ca, const struct cmt_path *path, const struct sctp_nets *net)
{
	return cmt_sack_could_stall(net->flight_size, path->est.log.sent_bytes - path->asked_bytes,
	                            net->mtu) &&
	       may_arrive_fast(ca, net->mtu);
}

/* Receivers hold back the acknowledgement of a single packet for up to 200 ms. Where nothing follows that
 * would let it go, nor a tick does, or where it is the first measurement of a path or asks for its base
 * delay, it is asked for at once (RFC 7053). A peer without the extension hears what it hears without a
 * scheduler. */
static void hurry_sack(struct cmt_asoc *ca, struct cmt_path *path, const struct sctp_nets *net,
                       struct sctp_tmit_chunk *first)
{
	if (!cmt_asoc_negotiated(ca) || !SCTP_BASE_SYSCTL(sctp_enable_sack_immediately))
		return;
	if (ca->stcb->asoc.stream_queue_cnt == 0 &&
	    !(ca->sack.departures.fast && may_arrive_fast(ca, net->mtu)))
		ask_for_sack(TAILQ_LAST(&ca->stcb->asoc.send_queue, sctpchunk_listhead));
	if (!net->RTO_measured || ca->stcb->asoc.total_flight == 0 || fills_cwnd_of_slow_start(net) ||
	    could_stall(ca, path, net) || cmt_route_is_asking(&path->est.route)) {
		ask_for_sack(first);
		path->asked_bytes = path->est.log.sent_bytes;
	}
}

bool cmt_select(struct sctp_tcb *stcb, struct sctp_nets *net, unsigned int *mtu, unsigned int *window)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct sctp_tmit_chunk *first;
	struct cmt_path *path;

	if (ca == NULL)
		return true;
	ca->packet.selected = NULL;
	ca->packet.stamped = false;
	if (!ca->decided.known) {
		cmt_asoc_sync_paths(ca);
		/* A path that failed may be the end of messages whose unsent parts are here. */
		cmt_failover_watch_once(ca);
	}
	first = TAILQ_FIRST(&stcb->asoc.send_queue);
	if (first == NULL)
		return true;
	if (!choose(ca, net, first))
		return false;
	cmt_asoc_reconsider(ca);
	path = cmt_asoc_path(ca, net);
	if (net->flight_size == 0 && path != NULL)
		cmt_recovery_leave_time(ca, path);
	if (ca->packet.selected != NULL)
		first = ca->packet.selected;
	while (first != NULL && first->whoTo != NULL && first->whoTo != net)
		first = TAILQ_NEXT(first, sctp_next);
	if (path != NULL)
		hurry_sack(ca, path, net, first);
	cmt_reserve_stamp(stcb, net, first, mtu);
	if (cmt_gap_first(stcb)) {
		/* Cut before the path's MTU fell: IP fragments it. */
		if (first != NULL && (first->flags & CHUNK_FLAGS_FRAGMENT_OK) != 0)
			*mtu = max(*mtu, first->send_size);
		*window = cmt_gap_bytes(ca, *mtu);
	}
	return true;
}

/* A chunk that just fits, cut before a scheduler was chosen, goes without a stamp. One that does not, since
 * the path MTU is less than what it was cut for, goes in fragments of IP in any case, with it. */
void cmt_reserve_stamp(struct sctp_tcb *stcb, struct sctp_nets *net, const struct sctp_tmit_chunk *first,
                       unsigned int *mtu)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	unsigned int overhead = (unsigned int)cmt_data_packet_overhead(stcb);
	unsigned int taken = cmt_header_bytes(net) + overhead;
	bool fits, too_large;

	if (ca == NULL)
		return;
	if (cmt_auth_is_required_chunk(SCTP_CMT_DATA_TYPE(stcb), stcb->asoc.peer_auth_chunks))
		taken += (unsigned int)sctp_get_auth_chunk_len(stcb->asoc.peer_hmac_id);
	fits = first == NULL || first->send_size + taken <= net->mtu;
	too_large = !fits && first->send_size + taken - overhead > net->mtu &&
	            first->send_size + taken <= cmt_pmtud_interface_bytes(ca);
	ca->packet.stamp_fits = fits || too_large;
	if (ca->packet.stamp_fits)
		*mtu = *mtu > overhead ? *mtu - overhead : 0;
}

void cmt_skip_to_selected(struct sctp_tcb *stcb, struct sctp_tmit_chunk **chk, struct sctp_tmit_chunk **next)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	if (ca == NULL || ca->packet.selected == NULL)
		return;
	*chk = ca->packet.selected;
	*next = TAILQ_NEXT(*chk, sctp_next);
	ca->packet.selected = NULL;
}

void cmt_stamp_packet(struct cmt_asoc *ca, struct cmt_path *path, uint16_t return_path, struct mbuf **chain,
                      struct mbuf **end)
{
	struct mbuf *m, *last = *end;

	if (!ca->packet.stamp_fits)
		return;
	m = sctp_get_mbuf_for_msg(CMT_TIMESTAMP_BYTES, 0, M_NOWAIT, 1, MT_DATA);
	if (m == NULL)
		return;
	ca->packet.stamp = cmt_asoc_stamp(ca, cmt_seam_now_us());
	ca->packet.stamped = true;
	SCTP_BUF_LEN(m) =
	    (int)cmt_timestamp_encode(&(struct cmt_timestamp){.ts_us = ca->packet.stamp,
	                                                      .path_packet_number = path->est.log.next,
	                                                      .path_id = path->wire_id,
	                                                      .return_path = return_path},
	                              mtod(m, uint8_t *));
	if (*chain == NULL)
		*chain = m;
	else
		SCTP_BUF_NEXT(last) = m;
	*end = m;
}

void cmt_prepend_timestamp(struct sctp_tcb *stcb, struct sctp_nets *net, struct mbuf **chain,
                           struct mbuf **end)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_path *path = ca != NULL && cmt_asoc_negotiated(ca) ? cmt_asoc_path(ca, net) : NULL;

	if (path != NULL && ca->packet.stamp_fits)
		cmt_stamp_packet(ca, path, cmt_sack_path_for(ca, path), chain, end);
}
