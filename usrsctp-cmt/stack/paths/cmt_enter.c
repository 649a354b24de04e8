/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What may come in, from which four-tuple (docs/paths.md). Every packet with the tag of an association is
 * looked at before upstream sees it. One from a four-tuple that is none of its paths makes it a candidate: it
 * is asked, and what came from there waits. The answer makes a new path of it, or moves the one that a NAT
 * has given another port or address. */
#include "cmt_hooks.h"
#include "association/cmt_asoc.h"
#include "association/cmt_by_tag.h"
#include "association/cmt_wake.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_announce.h"
#include "paths/cmt_asconf_way.h"
#include "paths/cmt_give_way.h"
#include "paths/cmt_held.h"
#include "paths/cmt_keep_alive.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_race.h"
#include "paths/cmt_tuple.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "watch/cmt_trace.h"
#include "wire/cmt_wire.h"

#include <netinet/sctp_output.h>
#include <netinet/sctputil.h>

/* Four-tuples that the peer may be about to use. Until one of them is asked again, RTO.Initial (RFC 9260),
 * which doubles, since the answer to an older question does not count; up to what no round trip exceeds: the
 * peer may have been unable to answer, and waits now. */
enum { CANDIDATES_MAX = 4, ASK_AGAIN_MS = 1000, DOUBLED_MAX = 3 };

/* A packet that came, with the addresses that upstream will see. */
struct entrant {
	const struct cmt_seam_arrival *arrival;
	struct sockaddr *remote;
	/* The first chunk, or the one behind AUTH, and what follows. */
	const uint8_t *chunk;
	size_t len;
	uint8_t chunk_type;
};

static bool is_probe(uint8_t chunk_type)
{
	return chunk_type == SCTP_HEARTBEAT_REQUEST || chunk_type == SCTP_HEARTBEAT_ACK;
}

/* Upstream looks into these for the association themselves, and checks what they say. */
static bool finds_its_own_way(struct sctp_tcb *stcb, const struct entrant *e)
{
	return e->chunk_type == SCTP_COOKIE_ECHO ||
	       (e->chunk_type == SCTP_ASCONF &&
	        cmt_asconf_finds_way(stcb, e->chunk, e->len, e->arrival->local));
}

static const uint8_t *first_chunk(const struct cmt_seam_arrival *arrival)
{
	return (const uint8_t *)arrival->bytes + sizeof(struct sctphdr);
}

static struct entrant look_at(const struct cmt_seam_arrival *arrival, struct sockaddr *remote)
{
	struct entrant e = {.arrival = arrival,
	                    .remote = remote,
	                    .chunk = first_chunk(arrival),
	                    .len = arrival->len - sizeof(struct sctphdr)};
	const size_t auth_bytes = SCTP_SIZE32((size_t)(e.chunk[2] << 8 | e.chunk[3]));

	if (*e.chunk == SCTP_AUTHENTICATION && e.len >= auth_bytes + sizeof(struct sctp_chunkhdr)) {
		e.chunk += auth_bytes;
		e.len -= auth_bytes;
	}
	e.chunk_type = *e.chunk;
	return e;
}

static bool is_open(const struct sctp_tcb *stcb)
{
	return stcb->asoc.cmt != NULL && cmt_asoc_is_open(stcb->asoc.cmt);
}

static void note_heard(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	net->cmt_tuple.heard_ms = cmt_tuple_now_ms();
	if (stcb->asoc.cmt != NULL)
		net->cmt_tuple.heard_at = ++stcb->asoc.cmt->n_entered;
}

/* --- candidates --- */

/* The oldest gives way. */
static void make_room(struct sctp_tcb *stcb)
{
	struct sctp_nets *net, *oldest = NULL;
	unsigned n = 0;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (!cmt_tuple_is_candidate(net))
			continue;
		if (oldest == NULL || cmt_serial_gt(oldest->cmt_tuple.opened_ms, net->cmt_tuple.opened_ms))
			oldest = net;
		n++;
	}
	if (n >= CANDIDATES_MAX)
		sctp_remove_net(stcb, oldest);
}

static struct sctp_nets *open_candidate(struct cmt_asoc *ca, const struct entrant *e)
{
	struct sctp_nets *net;

	make_room(ca->stcb);
	if (ca->stcb->asoc.numnets >= CMT_SCHED_MAX_PATHS + CANDIDATES_MAX)
		return NULL;
	net = cmt_tuple_open(ca, e->arrival->local, e->remote, e->arrival->udp_port);
	if (net != NULL) {
		net->cmt_tuple.opened_at = ++ca->n_entered;
		net->cmt_tuple.opened_by_peer = true;
		net->cmt_tuple.moved = !is_probe(e->chunk_type);
	}
	return net;
}

/* Only what comes makes us ask, so that no more than that goes there. */
static void ask(struct cmt_asoc *ca, struct sctp_nets *net)
{
	const uint32_t now_ms = cmt_tuple_now_ms();
	struct cmt_tuple *t = &net->cmt_tuple;

	if (t->asked > 0 && now_ms - t->asked_ms < (uint32_t)ASK_AGAIN_MS << (t->asked - 1))
		return;
	t->asked_ms = now_ms;
	t->asked = (uint8_t)min(t->asked + 1, DOUBLED_MAX);
	sctp_send_hb(ca->stcb, net, SCTP_SO_NOT_LOCKED);
	cmt_wake_output(ca);
}

/* --- once it has answered --- */

/* The path ID in what came; 0: none. */
static uint16_t read_path_id(const struct cmt_held *held)
{
	const struct cmt_seam_arrival *first = cmt_held_first(held);

	return first == NULL ? 0
	                     : cmt_path_id_of_chunks((const uint8_t *)first->bytes + sizeof(struct sctphdr),
	                                             first->len - sizeof(struct sctphdr));
}

/* Where the peer's path with this ID came in so far. */
static struct sctp_nets *find_by_path_id(struct cmt_asoc *ca, uint16_t path_id)
{
	const struct cmt_heard_path *heard = cmt_heard_find(&ca->heard, path_id);
	const struct cmt_path *path = heard != NULL ? cmt_asoc_path_of_slot(ca, heard->from_slot) : NULL;

	return path != NULL ? path->net : NULL;
}

static bool is_same_peer(const struct sctp_nets *a, const struct sctp_nets *b)
{
	union sctp_sockstore one, other;

	cmt_tuple_remote(a, &one);
	cmt_tuple_remote(b, &other);
	return sctp_cmpaddr(&one.sa, &other.sa) != 0;
}

/* A NAT in front of the peer does not change which of our addresses it writes to. */
static bool is_same_source(const struct sctp_nets *a, const struct sctp_nets *b)
{
	return a->ro._s_addr == NULL || a->ro._s_addr == b->ro._s_addr;
}

/* Of the paths to our address there, which was heard until the first packet from the new port and not since?
 * The newest; one of the same address of the peer before others. */
static struct sctp_nets *find_silent(struct sctp_tcb *stcb, const struct sctp_nets *candidate)
{
	struct sctp_nets *best = NULL, *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		const uint32_t heard_at = net->cmt_tuple.heard_at;

		if (net == candidate || !cmt_tuple_is_confirmed(net) || !is_same_source(net, candidate) ||
		    (heard_at != 0 && cmt_serial_gt(heard_at, candidate->cmt_tuple.opened_at)))
			continue;
		if (best == NULL || is_same_peer(net, candidate) > is_same_peer(best, candidate) ||
		    (is_same_peer(net, candidate) == is_same_peer(best, candidate) &&
		     cmt_serial_gt(heard_at, best->cmt_tuple.heard_at)))
			best = net;
	}
	return best;
}

/* The path that goes on here, because a NAT in between has changed its mind; NULL: this is a new one. The
 * path ID that stands in what came tells; where there was none, and it did not begin as paths do, silence. */
static struct sctp_nets *find_moved(struct cmt_asoc *ca, const struct sctp_nets *candidate,
                                    const struct cmt_held *held)
{
	const uint16_t path_id = read_path_id(held);
	struct sctp_nets *known = path_id != 0 ? find_by_path_id(ca, path_id) : NULL;

	if (known != NULL && known != candidate)
		return known;
	return candidate->cmt_tuple.moved ? find_silent(ca->stcb, candidate) : NULL;
}

/* It answers: what was said of it because the old four-tuple was silent no longer holds. */
static void mark_alive(struct sctp_nets *net)
{
	net->dest_state &= (uint16_t)~SCTP_ADDR_PF;
	net->dest_state |= SCTP_ADDR_REACHABLE;
	net->error_count = 0;
	net->hb_responded = 1;
}

/* A path that has answered: a new one, or one that goes on here. Of that, the number of its next packet if
 * the peer has said something from here; else 0. */
static uint32_t settle(struct cmt_asoc *ca, struct sctp_nets *net, const struct cmt_held *held)
{
	struct sctp_tcb *stcb = ca->stcb;
	struct sctp_nets *moved = find_moved(ca, net, held);
	const struct cmt_path *path = cmt_asoc_path(ca, moved);

	net->cmt_tuple.opened_by_peer = false;
	note_heard(stcb, net);
	if (moved == NULL) {
		cmt_give_way(ca, net);
		sctp_ulp_notify(SCTP_NOTIFY_ASCONF_ADD_IP, stcb, 0, &net->ro._l_addr.sa, SCTP_SO_NOT_LOCKED);
		sctp_timer_start(SCTP_TIMER_TYPE_HEARTBEAT, stcb->sctp_ep, stcb, net);
		return 0;
	}
	cmt_tuple_move(moved, net);
	mark_alive(moved);
	CMT_TRACE(PATH, cmt_trace_path_moved(ca, moved));
	sctp_remove_net(stcb, net);
	return path != NULL && held != NULL ? path->est.log.next : 0;
}

/* --- every packet --- */

/* One of the endpoint's addresses, or one that it gave up and the peer has not agreed to yet. Back ends have
 * one thread: the lists are not locked. */
static bool is_to_us(struct sctp_tcb *stcb, const struct cmt_seam_arrival *arrival)
{
	struct sockaddr *local = (struct sockaddr *)(uintptr_t)arrival->local;
	struct sctp_inpcb *inp = stcb->sctp_ep;
	struct sctp_ifa *ifa;

	if ((inp->sctp_flags & SCTP_PCB_FLAGS_BOUNDALL) != 0)
		return true;
	ifa = sctp_find_ifa_by_addr(local, arrival->vrf_id, SCTP_ADDR_NOT_LOCKED);
	return ifa != NULL && (sctp_is_addr_in_ep(inp, ifa) || cmt_is_being_removed(stcb, local));
}

/* The peer is known to be there, whichever of our addresses it writes to. */
static bool is_from_known(const struct sctp_nets *known, const struct entrant *e)
{
	return known != NULL && !cmt_tuple_is_candidate(known) &&
	       (known->port == e->arrival->udp_port || known->port == 0 || e->arrival->udp_port == 0);
}

/* Where other paths may begin, each stays what it is. */
static bool may_pin(struct sctp_tcb *stcb, const struct sctp_nets *known, const struct entrant *e)
{
	return cmt_seam_has_reaches() && cmt_asoc_scheduled(stcb) != NULL && is_open(stcb) &&
	       cmt_tuple_is_confirmed(known) && known->port == e->arrival->udp_port;
}

/* Questions and answers come in, all else waits. What stands behind those in their packet comes again by
 * itself; but for AUTH, which is of all that follows it. */
static enum cmt_entry at_candidate(struct cmt_asoc *ca, struct sctp_nets *net, const struct entrant *e)
{
	const size_t probes_bytes = cmt_probes_of_chunks(e->chunk, e->len);
	const bool has_more = probes_bytes < e->len;

	/* One that does not fit into its packet. */
	if (is_probe(e->chunk_type) && probes_bytes == 0)
		return CMT_DROP;
	if (is_probe(e->chunk_type) && has_more && e->chunk == first_chunk(e->arrival))
		return CMT_TAKE_APART;
	if (cmt_tuple_is_candidate(net))
		ask(ca, net);
	if (is_probe(e->chunk_type) && !has_more)
		return e->chunk_type == SCTP_HEARTBEAT_ACK ? CMT_TAKE_AND_SETTLE : CMT_TAKE;
	if (e->chunk_type != SCTP_ABORT_ASSOCIATION && e->chunk_type != SCTP_SHUTDOWN_COMPLETE)
		cmt_held_add(&ca->held, net, e->arrival);
	return CMT_DROP;
}

/* `*net`: the path that has exactly this four-tuple, else NULL; may become one that is opened for it. */
static enum cmt_entry judge(struct sctp_tcb *stcb, struct sctp_nets **net, const struct entrant *e)
{
	struct sctp_nets *known;

	if (!is_to_us(stcb, e->arrival) || cmt_race_ignores(stcb, e->remote, e->chunk_type))
		return CMT_DROP;
	cmt_announce_on_handshake(stcb, e->chunk_type, e->arrival->local);
	if (*net != NULL && cmt_tuple_is_confirmed(*net)) {
		note_heard(stcb, *net);
		return CMT_TAKE;
	}
	known = sctp_findnet(stcb, e->remote);
	if (is_from_known(known, e) && known != *net) {
		note_heard(stcb, known);
		if (may_pin(stcb, known, e) && cmt_tuple_pin(known, e->arrival->local))
			CMT_TRACE(PATH, cmt_trace_path_moved(stcb->asoc.cmt, known));
		return CMT_TAKE;
	}
	if (*net == NULL) {
		if (SCTP_GET_STATE(stcb) < SCTP_STATE_OPEN || (known == NULL && finds_its_own_way(stcb, e)))
			return CMT_TAKE;
		if (!is_open(stcb))
			return known != NULL ? CMT_TAKE : CMT_DROP;
		*net = open_candidate(stcb->asoc.cmt, e);
	}
	return *net != NULL ? at_candidate(stcb->asoc.cmt, *net, e) : CMT_DROP;
}

/* An ABORT with the peer's tag, of who knows no association there: says nothing of the association as long as
 * nothing else came from there. Nor does one from another port than the path's. */
static enum cmt_entry judge_reflected(const struct cmt_seam_arrival *arrival, struct sockaddr_storage *from,
                                      struct sockaddr_storage *to)
{
	struct sctp_nets *net = NULL;
	struct sctp_tcb *stcb = cmt_seam_lock_association(arrival->vrf_id, from, to, &net);
	bool never_answered, elsewhere;

	if (stcb == NULL)
		return CMT_TAKE;
	never_answered =
	    net != NULL && !cmt_tuple_is_confirmed(net) && SCTP_GET_STATE(stcb) >= SCTP_STATE_OPEN;
	elsewhere = net != NULL && net->port != arrival->udp_port && is_open(stcb);
	if (never_answered && net->cmt_tuple.opened_by_peer)
		sctp_remove_net(stcb, net);
	SCTP_TCB_UNLOCK(stcb);
	return never_answered || elsewhere ? CMT_DROP : CMT_TAKE;
}

static void on_heartbeat(struct sctp_tcb *stcb, struct sctp_nets *net, const struct entrant *e)
{
	if (net != NULL && stcb->asoc.cmt != NULL)
		cmt_keep_alive_on_heartbeat(stcb->asoc.cmt, net, e->arrival);
}

enum cmt_entry cmt_enter(struct sockaddr_storage *from, struct sockaddr_storage *to,
                         const struct cmt_seam_arrival *arrival)
{
	const struct entrant e = look_at(arrival, (struct sockaddr *)from);
	struct sctp_tcb *stcb;
	struct sctp_nets *net;
	enum cmt_entry entry;

	if (cmt_tuple_is_alias(e.remote))
		return CMT_DROP;
	stcb = cmt_lock_by_tag(arrival);
	if (stcb == NULL)
		return e.chunk_type == SCTP_ABORT_ASSOCIATION ? judge_reflected(arrival, from, to) : CMT_TAKE;
	net = cmt_tuple_find(stcb, arrival->local, arrival->remote, arrival->udp_port);
	entry = judge(stcb, &net, &e);
	if (e.chunk_type == SCTP_HEARTBEAT_REQUEST && entry != CMT_DROP)
		on_heartbeat(stcb, net != NULL ? net : sctp_findnet(stcb, e.remote), &e);
	if (net != NULL)
		cmt_tuple_name(net, e.remote);
	SCTP_TCB_UNLOCK(stcb);
	return entry;
}

/* What the peer said from here is taken in: packets before `number` went where it no longer is. */
static void lose_what_went_elsewhere(const struct cmt_seam_arrival *arrival, uint32_t number)
{
	struct sctp_tcb *stcb = cmt_lock_by_tag(arrival);
	const struct sctp_nets *net;
	struct cmt_path *path;

	if (stcb == NULL)
		return;
	net = cmt_tuple_find(stcb, arrival->local, arrival->remote, arrival->udp_port);
	path = net != NULL && cmt_asoc_scheduled(stcb) != NULL ? cmt_asoc_path(stcb->asoc.cmt, net) : NULL;
	if (path != NULL)
		cmt_recovery_on_moved(stcb->asoc.cmt, path, number);
	SCTP_TCB_UNLOCK(stcb);
}

void cmt_settle(const struct cmt_seam_arrival *arrival)
{
	struct sctp_tcb *stcb = cmt_lock_by_tag(arrival);
	struct cmt_held *held = NULL;
	struct sctp_nets *net;
	uint32_t number = 0;

	if (stcb == NULL)
		return;
	net = cmt_tuple_find(stcb, arrival->local, arrival->remote, arrival->udp_port);
	if (net != NULL && cmt_tuple_is_confirmed(net) && stcb->asoc.cmt != NULL) {
		held = cmt_held_take(&stcb->asoc.cmt->held, net);
		if (net->cmt_tuple.opened_by_peer)
			number = settle(stcb->asoc.cmt, net, held);
	}
	SCTP_TCB_UNLOCK(stcb);
	cmt_held_take_in(held);
	if (number != 0)
		lose_what_went_elsewhere(arrival, number);
}
