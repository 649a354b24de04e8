/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which paths carry data (RFC 7829). A path whose retransmission timer expired is potentially failed at once,
 * what was out on it moves to the others, and HEARTBEATs ask whether it is back. Backup paths, and paths that
 * came back from flapping, carry data while no other can; where all have failed, the last resort does. */
#include "paths/cmt_failover.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"
#include "paths/cmt_source.h"
#include "recovery/cmt_flap.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "watch/cmt_trace.h"

#include <netinet/sctp_indata.h>
#include <netinet/sctp_output.h>
#include <netinet/sctp_timer.h>

/* The value that usrsctp_cmt.h publishes; it cannot be included here. */
enum { SCTP_ADDR_POTENTIALLY_FAILED = 0x0007 };

bool cmt_path_is_active(const struct sctp_nets *net)
{
	const uint16_t unfit = SCTP_ADDR_PF | SCTP_ADDR_UNCONFIRMED | SCTP_ADDR_BEING_DELETED;

	return (net->dest_state & SCTP_ADDR_REACHABLE) != 0 && (net->dest_state & unfit) == 0;
}

static bool is_standby(const struct cmt_path *path, uint64_t now_us)
{
	return path->net->cmt_use.backup || now_us < path->fitness.flap.hold_until_us;
}

static bool is_out_of_question(const struct sctp_nets *net)
{
	return (net->dest_state & (SCTP_ADDR_UNCONFIRMED | SCTP_ADDR_BEING_DELETED)) != 0;
}

/* Our path of the address; NULL without a scheduler (`ca` NULL), or without a slot. */
static const struct cmt_path *path_of(const struct cmt_asoc *ca, const struct sctp_nets *net)
{
	const struct cmt_path *path = ca != NULL && net->cmt_slot != 0 ? &ca->paths[net->cmt_slot - 1] : NULL;

	return path != NULL && path->net == net ? path : NULL;
}

/* Fewer timeouts in a row, or else well for longer, or else of a lower slot. */
static bool is_better(const struct cmt_asoc *ca, const struct sctp_nets *net, const struct sctp_nets *than)
{
	const struct cmt_path *path = path_of(ca, net), *other = path_of(ca, than);

	if (net->error_count != than->error_count)
		return net->error_count < than->error_count;
	if (path == NULL || other == NULL)
		return false;
	if (path->fitness.flap.since_us != other->fitness.flap.since_us)
		return path->fitness.flap.since_us > other->fitness.flap.since_us;
	return path < other;
}

/* The address that carries data though none is fit (RFC 7829, section 4.2): what is acknowledged there proves
 * it alive, HEARTBEATs alone need not be answered. With a scheduler (`ca`) one of those that have a slot,
 * else any. NULL while one is fit. */
static const struct sctp_nets *last_resort(const struct sctp_tcb *stcb, const struct cmt_asoc *ca)
{
	const struct sctp_nets *net, *best = NULL;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (is_out_of_question(net) || (ca != NULL && path_of(ca, net) == NULL))
			continue;
		if (cmt_path_is_active(net))
			return NULL;
		if (best == NULL || is_better(ca, net, best))
			best = net;
	}
	return best;
}

bool cmt_is_last_resort(struct sctp_tcb *stcb, const struct sctp_nets *net)
{
	return cmt_asoc_scheduled(stcb) == NULL && net == last_resort(stcb, NULL);
}

bool cmt_path_usable(const struct cmt_asoc *ca, const struct sctp_nets *net)
{
	const struct cmt_path *path = path_of(ca, net);
	uint64_t now_us = cmt_seam_now_us();

	if (path == NULL)
		return cmt_path_is_active(net);
	if (!cmt_path_is_active(net))
		return net == last_resort(ca->stcb, ca);
	if (!is_standby(path, now_us))
		return true;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *other = &ca->paths[i];

		if (other->net != NULL && cmt_path_is_active(other->net) && !is_standby(other, now_us))
			return false;
	}
	return true;
}

static struct sctp_nets *any_usable(struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL && cmt_path_usable(ca, ca->paths[i].net))
			return ca->paths[i].net;
	}
	return NULL;
}

/* Upstream's `alternate` takes the place of a primary path that is not fit: control chunks go there, and user
 * data are cut for it whatever its state. Upstream gives it back when the primary path is heard of; one that
 * came back otherwise, on another four-tuple, does not leave it in place when it has failed itself. */
void cmt_failover_lead(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;
	struct sctp_nets *net;

	if (asoc->primary_destination == NULL ||
	    (asoc->alternate != NULL && cmt_path_usable(ca, asoc->alternate)))
		return;
	net = cmt_path_is_active(asoc->primary_destination) ? NULL : any_usable(ca);
	if (net != NULL || cmt_path_is_active(asoc->primary_destination))
		cmt_refer(&asoc->alternate, net);
}

/* Upstream's default is never; a threshold that the application chose stays. */
static void fail_over_at_once(struct sctp_nets *net)
{
	if (net->pf_threshold == SCTPCTL_PATH_PF_THRESHOLD_DEFAULT)
		net->pf_threshold = 0;
}

/* Addresses given to connectx() count as confirmed, so nothing was ever sent there. */
static bool is_delay_unknown(const struct cmt_path *path)
{
	return path->fitness.fit && !path->net->RTO_measured;
}

/* The RTO of before its timeouts doubled it. */
static uint64_t well_rto_us(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct sctp_nets *net = path->net;

	return max((uint64_t)(net->lastsa >> SCTP_RTT_SHIFT) + (uint64_t)net->lastsv, ca->stcb->asoc.minrto) *
	       1000;
}

bool cmt_failover_is_round_trip(struct sctp_tcb *stcb, const struct sctp_nets *net,
                                const struct timeval *sent)
{
	const struct cmt_path *path = path_of(cmt_asoc_scheduled(stcb), net);
	const uint64_t sent_us = (uint64_t)sent->tv_sec * 1000000 + (uint64_t)sent->tv_usec;

	return path == NULL || path->fitness.flap.failed || sent_us >= path->fitness.flap.since_us;
}

static uint64_t ask_again_us(const struct cmt_asoc *ca, const struct cmt_path *path, uint64_t now_us)
{
	uint64_t rto_ms = max(path->net->RTO, max(ca->stcb->asoc.initial_rto, SCTP_RTO_INITIAL));

	return path->fitness.flap.failed
	           ? cmt_flap_ask_again_us(&path->fitness.flap, well_rto_us(ca, path), now_us)
	           : now_us + rto_ms * 1000;
}

static void copy_peer(struct sctp_tcb *stcb, const struct sctp_nets *net, struct sockaddr_storage *out)
{
	union sctp_sockstore remote;
	const union sctp_sockstore *peer = &remote;

	cmt_tuple_remote(net, &remote);
	memset(out, 0, sizeof(*out));
	if (peer->sa.sa_family == AF_INET &&
	    sctp_is_feature_on(stcb->sctp_ep, SCTP_PCB_FLAGS_NEEDS_MAPPED_V4)) {
		struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)(void *)out;

		sin6->sin6_family = AF_INET6;
		sin6->sin6_port = peer->sin.sin_port;
		sin6->sin6_addr.s6_addr16[5] = 0xffff;
		memcpy(&sin6->sin6_addr.s6_addr[12], &peer->sin.sin_addr, sizeof(peer->sin.sin_addr));
	} else {
		memcpy(out, peer, sizeof(*peer));
	}
}

/* SCTP_PEER_ADDR_CHANGE with a state that upstream does not know (RFC 7829, section 7.1), or with one that it
 * tells for paths that were inactive only. */
static void tell_application(struct cmt_asoc *ca, const struct cmt_path *path, uint32_t state)
{
	struct sctp_tcb *stcb = ca->stcb;
	struct sctp_queued_to_read *control;
	struct sctp_paddr_change *change;
	struct mbuf *m;

	if (!cmt_has_reader(stcb) ||
	    sctp_stcb_is_feature_off(stcb->sctp_ep, stcb, SCTP_PCB_FLAGS_RECVPADDREVNT))
		return;
	m = sctp_get_mbuf_for_msg(sizeof(*change), 0, M_NOWAIT, 1, MT_DATA);
	if (m == NULL)
		return;
	SCTP_BUF_LEN(m) = sizeof(*change);
	change = mtod(m, struct sctp_paddr_change *);
	*change = (struct sctp_paddr_change){.spc_type = SCTP_PEER_ADDR_CHANGE,
	                                     .spc_length = sizeof(*change),
	                                     .spc_state = state,
	                                     .spc_assoc_id = sctp_get_associd(stcb)};
	copy_peer(stcb, path->net, &change->spc_aaddr);
	control = sctp_build_readq_entry(stcb, stcb->asoc.primary_destination, 0, 0, stcb->asoc.context, 0, 0,
	                                 0, m);
	if (control == NULL) {
		sctp_m_freem(m);
		return;
	}
	control->length = sizeof(*change);
	control->spec_flags = M_NOTIFICATION;
	control->tail_mbuf = m;
	sctp_add_to_readq(stcb->sctp_ep, stcb, control, &stcb->sctp_socket->so_rcv, 1,
	                  SCTP_READ_LOCK_NOT_HELD, SCTP_SO_NOT_LOCKED);
}

/* What is out moves to a path that can carry it. Where none can, a HEARTBEAT that is not answered says nothing
 * of it: T3 does. */
static void on_failed(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	const struct sctp_nets *carries = any_usable(ca);

	cmt_flap_on_failed(&path->fitness.flap, now_us);
	path->fitness.failed_number = path->est.log.next - 1;
	path->net->hb_responded = 0;
	path->counts.failures++;
	CMT_TRACE(PATH, cmt_trace_path(ca, path, false));
	path->fitness.ask_at_us = ask_again_us(ca, path, now_us);
	cmt_wake_at(ca, CMT_WAKE_HEARTBEAT, path->fitness.ask_at_us, now_us);
	if (path->recovery.timeout.unacked || carries != path->net)
		cmt_recovery_give_up_path(ca, path);
	if ((path->net->dest_state & SCTP_ADDR_REACHABLE) != 0)
		tell_application(ca, path, SCTP_ADDR_POTENTIALLY_FAILED);
}

/* A HEARTBEAT that is answered says nothing of what the last resort sent into the outage, and T3 of that has
 * doubled again and again: it is lost, unless acknowledgements come. */
static void on_back(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	path->fitness.ask_at_us = now_us;
	CMT_TRACE(PATH, cmt_trace_path(ca, path, false));
	if (!path->fitness.flap.failed)
		return;
	cmt_flap_on_back(&path->fitness.flap, now_us);
	/* What the answer waited for is over: only RTO heeds it (RFC 6298, section 5.7). */
	path->net->RTO_measured = 0;
	if (path->fitness.resorted_to && path->net->hb_responded && path->recovery.timeout.unacked)
		cmt_recovery_give_up_path(ca, path);
	path->fitness.resorted_to = false;
	cmt_wake_at(ca, CMT_WAKE_OUTPUT, path->fitness.flap.hold_until_us, now_us);
	/* Of inactive paths upstream tells. */
	if (!path->fitness.inactive)
		tell_application(ca, path, SCTP_ADDR_AVAILABLE);
	path->fitness.inactive = false;
}

/* Upstream takes any acknowledgement for a sign of life, also one of what arrived before the path failed.
 * What counts is a packet that was sent since, or an answered HEARTBEAT (RFC 7829, section 4.2). */
static void doubt_old_news(struct cmt_path *path)
{
	if (path->fitness.flap.failed && !path->net->hb_responded &&
	    !(path->recovery.rack.now.known &&
	      cmt_serial_gt(path->recovery.rack.now.number, path->fitness.failed_number)))
		path->net->dest_state |= SCTP_ADDR_PF;
}

/* Until then a HEARTBEAT may overtake the COOKIE-ECHO, meets a peer that knows of no association, and is
 * answered by ABORT. */
static bool is_up(const struct cmt_asoc *ca)
{
	return SCTP_GET_STATE(ca->stcb) == SCTP_STATE_OPEN;
}

/* Asks a path that failed whether it is back, one of unknown delay for that. While nobody may be asked the
 * time goes on, too: the timer of a time that has passed fires in every tick. True when a HEARTBEAT is to be
 * sent. */
static bool ask_if_due(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	bool due = path->fitness.ask_at_us <= now_us;

	if (due) {
		if (is_up(ca))
			sctp_send_hb(ca->stcb, path->net, SCTP_SO_NOT_LOCKED);
		path->fitness.ask_at_us = ask_again_us(ca, path, now_us);
	}
	cmt_wake_at(ca, CMT_WAKE_HEARTBEAT, path->fitness.ask_at_us, now_us);
	return due && is_up(ca);
}

/* Upstream adds up the timeouts of all paths (RFC 9260, section 8.1), so an outage of eight paths would end
 * the association in the time that eight timeouts take. The path that has most of them in a row decides. */
static void count_errors_once(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;
	unsigned most = 0;
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &asoc->nets, sctp_next)
	most = max(most, net->error_count);
	if (asoc->overall_error_count > most)
		asoc->overall_error_count = most;
}

bool cmt_failover_has_news(const struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path->fitness.flap.failed && cmt_path_is_active(path->net))
			return true;
	}
	return false;
}

/* A failed path carries nothing while one is fit. What is out there all the same, sent when it was the last
 * resort or assumed acked until a SACK reported it missing, has nothing but a T3 that has doubled again and
 * again: it is lost. Where all have failed it stays: the last resort may be another one after every timeout,
 * and a chunk that moves each time is soon sent as often as upstream sends one. */
static void give_up_what_is_left(struct cmt_asoc *ca)
{
	if (last_resort(ca->stcb, ca) != NULL)
		return;
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && path->net->flight_size > 0 && path->fitness.flap.failed &&
		    !cmt_path_usable(ca, path->net))
			cmt_recovery_give_up_path(ca, path);
	}
}

void cmt_failover_watch(struct cmt_asoc *ca)
{
	uint64_t now_us = cmt_seam_now_us();

	count_errors_once(ca);

	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];
		bool fit, usable;

		if (path->net != NULL) {
			doubt_old_news(path);
			path->fitness.inactive |= (path->net->dest_state & SCTP_ADDR_REACHABLE) == 0;
		}
		fit = path->net != NULL && cmt_path_is_active(path->net);
		if (fit)
			cmt_source_watch(path);
		if (fit && is_up(ca))
			fail_over_at_once(path->net);
		if (fit && !path->fitness.fit)
			on_back(ca, path, now_us);
		else if (!fit && path->fitness.fit && path->net != NULL)
			on_failed(ca, path, now_us);
		path->fitness.fit = fit;
		if (is_delay_unknown(path) && is_up(ca))
			ask_if_due(ca, path, now_us);
		usable = path->net != NULL && cmt_path_usable(ca, path->net);
		path->fitness.resorted_to |= usable && !fit;
		if (usable == path->fitness.usable)
			continue;
		path->fitness.usable = usable;
		CMT_TRACE(PATH, cmt_trace_path(ca, path, path->net == NULL));
		ca->replan = true;
		cmt_asoc_reconsider(ca);
		if (ca->sched->on_path != NULL)
			ca->sched->on_path(ca->sched_state, (uint8_t)i, usable, now_us);
	}
	give_up_what_is_left(ca);
	cmt_failover_lead(ca);
	ca->decided.watched = true;
}

void cmt_failover_watch_once(struct cmt_asoc *ca)
{
	if (!ca->decided.watched)
		cmt_failover_watch(ca);
}

void cmt_failover_fail(struct cmt_asoc *ca, struct cmt_path *path)
{
	path->copied_at_us = 0;
	if (path->net->pf_threshold >= path->net->failure_threshold)
		return;
	path->net->dest_state |= SCTP_ADDR_PF;
	cmt_failover_watch(ca);
	sctp_send_hb(ca->stcb, path->net, SCTP_SO_NOT_LOCKED);
}

bool cmt_failover_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	bool asked = false;

	count_errors_once(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net != NULL && (path->fitness.flap.failed || is_delay_unknown(path)))
			asked = ask_if_due(ca, path, now_us) || asked;
	}
	return asked;
}
