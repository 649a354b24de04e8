/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_join.h"
#include "cmt_hooks.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_output.h>
#include <netinet/sctputil.h>

/* Paths that the peer may be about to open. Whoever has the tag and not the answers gets no further. */
enum { HEARD_MAX = 2 };

static bool is_confirmed(const struct sctp_nets *net)
{
	return (net->dest_state & SCTP_ADDR_UNCONFIRMED) == 0;
}

static bool is_open(const struct cmt_asoc *ca)
{
	return cmt_asoc_negotiated(ca) && SCTP_GET_STATE(ca->stcb) == SCTP_STATE_OPEN;
}

static void probe(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	sctp_timer_start(SCTP_TIMER_TYPE_HEARTBEAT, stcb->sctp_ep, stcb, net);
	sctp_send_hb(stcb, net, SCTP_SO_NOT_LOCKED);
}

/* --- our own --- */

static bool leaves_from(const struct sctp_nets *net, const struct sctp_ifa *ifa)
{
	if (net->cmt_tuple.family != 0)
		return cmt_tuple_is_from(net, &ifa->address.sa);
	return net->ro._s_addr == ifa || (net->ro._l_addr.sa.sa_family == ifa->address.sa.sa_family &&
	                                  cmt_seam_if_index(&net->ro._l_addr.sa) == ifa->ifn_p->ifn_index);
}

static bool is_used(struct sctp_tcb *stcb, const struct sctp_ifa *ifa)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (leaves_from(net, ifa))
			return true;
	}
	return false;
}

/* An address of the peer that `ifa` leads to: the first that works, as the peer named them. */
static struct sctp_nets *find_remote(struct sctp_tcb *stcb, const struct sctp_ifa *ifa)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (!net->cmt_tuple.alias && is_confirmed(net) &&
		    cmt_seam_reaches(&ifa->address.sa, &net->ro._l_addr.sa))
			return net;
	}
	return NULL;
}

/* False: not yet, the peer has to agree to the address first. */
static bool open_from(struct cmt_asoc *ca, struct sctp_ifa *ifa)
{
	struct sctp_tcb *stcb = ca->stcb;
	const struct sctp_nets *to;
	struct sctp_nets *net;

	if (sctp_is_addr_restricted(stcb, ifa))
		return false;
	if (stcb->asoc.numnets >= CMT_SCHED_MAX_PATHS || is_used(stcb, ifa))
		return true;
	to = find_remote(stcb, ifa);
	net = to != NULL ? cmt_tuple_open(ca, &ifa->address.sa, &to->ro._l_addr.sa, to->port) : NULL;
	if (net != NULL)
		probe(stcb, net);
	return true;
}

void cmt_join_open(struct cmt_asoc *ca)
{
	const struct sctp_inpcb *inp = ca->stcb->sctp_ep;
	struct sctp_laddr *local;
	bool all = true;

	/* Back ends that know have one thread: the endpoint's list is not locked. */
	if (!cmt_seam_has_reaches() || ca->addresses_seen == cmt_seam_address_changes() || !is_open(ca))
		return;
	LIST_FOREACH(local, &inp->sctp_addr_list, sctp_nxt_addr)
	{
		if (local->ifa != NULL && local->ifa->ifn_p != NULL &&
		    (local->ifa->localifa_flags & SCTP_BEING_DELETED) == 0)
			all = open_from(ca, local->ifa) && all;
	}
	if (all)
		ca->addresses_seen = cmt_seam_address_changes();
}

/* --- the peer's --- */

struct arrival {
	const struct sockaddr *local;
	struct sockaddr *remote;
	uint16_t udp_port;  /* of the peer, network order; 0: SCTP directly in IP */
	uint8_t chunk_type; /* of its first chunk */
};

static bool is_probe(uint8_t chunk_type)
{
	return chunk_type == SCTP_HEARTBEAT_REQUEST || chunk_type == SCTP_HEARTBEAT_ACK;
}

/* Upstream looks into these for the association themselves, and checks what they say. */
static bool finds_its_own_way(uint8_t chunk_type)
{
	return chunk_type == SCTP_ASCONF || chunk_type == SCTP_AUTHENTICATION ||
	       chunk_type == SCTP_COOKIE_ECHO;
}

/* The oldest that was not confirmed gives way. */
static void make_room(struct sctp_tcb *stcb)
{
	struct sctp_nets *net, *oldest = NULL;
	unsigned n = 0;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net->cmt_tuple.opened_by_peer && !is_confirmed(net)) {
			oldest = oldest == NULL ? net : oldest;
			n++;
		}
	}
	if (n >= HEARD_MAX)
		sctp_remove_net(stcb, oldest);
}

static struct sctp_nets *open_for(struct cmt_asoc *ca, const struct arrival *arrival)
{
	struct sctp_nets *net;

	make_room(ca->stcb);
	if (ca->stcb->asoc.numnets >= CMT_SCHED_MAX_PATHS)
		return NULL;
	net = cmt_tuple_open(ca, arrival->local, arrival->remote, arrival->udp_port);
	if (net == NULL)
		return NULL;
	net->cmt_tuple.opened_by_peer = true;
	net->cmt_tuple.moved = !is_probe(arrival->chunk_type);
	probe(ca->stcb, net);
	return net;
}

static bool is_same_peer(const struct sctp_nets *a, const struct sctp_nets *b)
{
	union sctp_sockstore one, other;

	cmt_tuple_remote(a, &one);
	cmt_tuple_remote(b, &other);
	return sctp_cmpaddr(&one.sa, &other.sa) != 0;
}

static bool was_heard_before(const struct sctp_nets *net, uint32_t ms)
{
	return net->cmt_tuple.heard_ms == 0 || cmt_serial_gt(ms, net->cmt_tuple.heard_ms);
}

/* A NAT gave a path another port: it goes on there with all that is known of it. Which one? The one of that
 * address that has been silent for longest, if it has been since. */
static struct sctp_nets *move_port(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	struct sctp_nets *old = NULL, *other;
	const uint16_t port = net->port;

	net->cmt_tuple.moved = false;
	TAILQ_FOREACH(other, &stcb->asoc.nets, sctp_next)
	{
		if (other != net && is_same_peer(other, net) &&
		    was_heard_before(other, net->cmt_tuple.opened_ms) &&
		    (old == NULL || was_heard_before(other, old->cmt_tuple.heard_ms)))
			old = other;
	}
	if (!net->cmt_tuple.alias || old == NULL)
		return net;
	sctp_remove_net(stcb, net);
	old->port = port;
	return old;
}

/* The peer is known to be there, whichever of our addresses it writes to. */
static bool is_from_known(const struct sctp_nets *known, const struct arrival *arrival)
{
	return known != NULL &&
	       (known->port == arrival->udp_port || known->port == 0 || arrival->udp_port == 0);
}

/* Whether the packet, which has the association's tag, is for upstream. `*net`: its path, where one has
 * exactly this four-tuple, else NULL; may become one that was opened for it. */
static bool may_enter(struct sctp_tcb *stcb, struct sctp_nets **net, const struct arrival *arrival)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct sctp_nets *known = sctp_findnet(stcb, arrival->remote);

	if (*net != NULL && is_confirmed(*net)) {
		if ((*net)->cmt_tuple.moved)
			*net = move_port(stcb, *net);
		(*net)->cmt_tuple.heard_ms = cmt_tuple_now_ms();
		return true;
	}
	if (is_from_known(known, arrival) && known != *net) {
		known->cmt_tuple.heard_ms = cmt_tuple_now_ms();
		return true;
	}
	if (*net != NULL)
		return is_probe(arrival->chunk_type);
	if (SCTP_GET_STATE(stcb) < SCTP_STATE_OPEN || finds_its_own_way(arrival->chunk_type))
		return true;
	if (ca == NULL || !is_open(ca))
		return known != NULL;
	if (known != NULL || arrival->chunk_type == SCTP_HEARTBEAT_REQUEST)
		*net = open_for(ca, arrival);
	return *net != NULL && is_probe(arrival->chunk_type);
}

/* The association whose tag and ports these are, locked; NULL. */
static struct sctp_tcb *lock_association(const struct sctphdr *sh)
{
	const uint32_t tag = ntohl(sh->v_tag);
	struct sctp_tcb *stcb;

	SCTP_INP_INFO_RLOCK();
	LIST_FOREACH(stcb,
	             &SCTP_BASE_INFO(sctp_asochash)[SCTP_PCBHASH_ASOC(tag, SCTP_BASE_INFO(hashasocmark))],
	             sctp_asocs)
	{
		if (stcb->asoc.my_vtag != tag)
			continue;
		SCTP_TCB_LOCK(stcb);
		if (stcb->rport == sh->src_port && stcb->sctp_ep->sctp_lport == sh->dest_port &&
		    (stcb->asoc.state & SCTP_STATE_ABOUT_TO_BE_FREED) == 0)
			break;
		SCTP_TCB_UNLOCK(stcb);
	}
	SCTP_INP_INFO_RUNLOCK();
	return stcb;
}

bool cmt_join_in(struct sockaddr_storage *from, const struct sockaddr_storage *to, const uint8_t *packet,
                 uint16_t udp_port)
{
	struct arrival arrival = {.local = (const struct sockaddr *)to,
	                          .remote = (struct sockaddr *)from,
	                          .udp_port = udp_port,
	                          .chunk_type = packet[sizeof(struct sctphdr)]};
	struct sctphdr sh;
	struct sctp_tcb *stcb;
	struct sctp_nets *net;
	bool enters;

	if (cmt_tuple_is_alias(arrival.remote))
		return false;
	memcpy(&sh, packet, sizeof(sh));
	stcb = sh.v_tag != 0 ? lock_association(&sh) : NULL;
	if (stcb == NULL)
		return true;
	net = cmt_tuple_find(stcb, arrival.local, arrival.remote, udp_port);
	enters = may_enter(stcb, &net, &arrival);
	if (net != NULL)
		cmt_tuple_name(net, arrival.remote);
	SCTP_TCB_UNLOCK(stcb);
	return enters;
}
