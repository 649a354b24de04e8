/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_join.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "paths/cmt_announce.h"
#include "paths/cmt_give_way.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"
#include "seams/cmt_seams.h"

#include <netinet/sctp_output.h>
#include <netinet/sctputil.h>

static void probe(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	sctp_timer_start(SCTP_TIMER_TYPE_HEARTBEAT, stcb->sctp_ep, stcb, net);
	sctp_send_hb(stcb, net, SCTP_SO_NOT_LOCKED);
}

/* From there, or, where the peer's address is all that is said, through its interface. */
static bool leaves_from(const struct sctp_nets *net, const struct sctp_ifa *ifa)
{
	return cmt_tuple_is_from(net, &ifa->address.sa) ||
	       (net->cmt_tuple.family == 0 && net->ro._l_addr.sa.sa_family == ifa->address.sa.sa_family &&
	        cmt_seam_if_index(ifa->vrf_id, &net->ro._l_addr.sa) == ifa->ifn_p->ifn_index);
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

/* An address of the peer that `ifa` leads to: the first that has answered, as the peer named them. */
static const struct sctp_nets *find_remote(struct sctp_tcb *stcb, const struct sctp_ifa *ifa,
                                           union sctp_sockstore *remote)
{
	const struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		cmt_tuple_remote(net, remote);
		if (cmt_tuple_is_confirmed(net) &&
		    cmt_seam_reaches(ifa->vrf_id, &ifa->address.sa, &remote->sa))
			return net;
	}
	return NULL;
}

static void open_from(struct sctp_tcb *stcb, struct sctp_ifa *ifa, void *all)
{
	union sctp_sockstore remote;
	const struct sctp_nets *to;
	struct sctp_nets *net;

	/* Not yet: the peer has to agree to the address first. */
	if (sctp_is_addr_restricted(stcb, ifa)) {
		*(bool *)all = false;
		return;
	}
	if (stcb->asoc.numnets >= CMT_SCHED_MAX_PATHS || is_used(stcb, ifa))
		return;
	to = find_remote(stcb, ifa, &remote);
	net = to != NULL ? cmt_tuple_open(stcb->asoc.cmt, &ifa->address.sa, &remote.sa, to->port) : NULL;
	if (net != NULL)
		probe(stcb, net);
}

void cmt_join_open(struct cmt_asoc *ca)
{
	bool all = true;

	if (!cmt_seam_has_reaches() || ca->addresses_seen == cmt_seam_address_changes() ||
	    !cmt_asoc_is_open(ca))
		return;
	cmt_each_local(ca->stcb, open_from, &all);
	if (all)
		ca->addresses_seen = cmt_seam_address_changes();
}

/* Upstream keeps the source that it chose when the route was another one. */
static void leave_from(struct sctp_nets *net, struct sctp_ifa *ifa)
{
	if (net->ro._s_addr != NULL)
		sctp_free_ifa(net->ro._s_addr);
	atomic_add_int(&ifa->refcount, 1);
	net->ro._s_addr = ifa;
	net->src_addr_selected = 1;
}

void cmt_join_on_address(struct cmt_asoc *ca, struct sctp_ifa *ifa)
{
	struct sctp_nets *net;

	if (!is_used(ca->stcb, ifa))
		cmt_give_way(ca, NULL);
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		if (cmt_tuple_is_candidate(net) || !leaves_from(net, ifa))
			continue;
		if (!cmt_tuple_is_from(net, &ifa->address.sa))
			leave_from(net, ifa);
		probe(ca->stcb, net);
	}
	ca->addresses_seen = cmt_seam_address_changes() - 1;
	cmt_wake_output(ca);
}
