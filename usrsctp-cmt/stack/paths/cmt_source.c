/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which local address a path works from. When an interface is gone, or a path failed, upstream chooses
 * another source for its packets, so that of a failed path is the one that did not fail. What people want to
 * know is where it last worked. When a local address goes, or the way from one, so do the paths from there,
 * at once. */
#include "paths/cmt_source.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_tuple.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"

static bool is_same(const union sctp_sockstore *a, const union sctp_sockstore *b)
{
	return a->sa.sa_family == b->sa.sa_family &&
	       sctp_cmpaddr((struct sockaddr *)(uintptr_t)&a->sa, (struct sockaddr *)(uintptr_t)&b->sa) != 0;
}

void cmt_source_on_sent(struct cmt_path *path, uint32_t number)
{
	const struct sctp_ifa *ifa = path->net->ro._s_addr;

	if (ifa != NULL && !is_same(&path->source.now, &ifa->address)) {
		path->source.now = ifa->address;
		path->source.number = number;
	}
}

/* Who sends no DATA has HEARTBEATs alone: as long as none is missing, it works. */
void cmt_source_watch(struct cmt_path *path)
{
	if (path->counts.sent_pkts == 0 && path->net->ro._s_addr != NULL && path->net->error_count == 0)
		path->source.proven = path->net->ro._s_addr->address;
	else if (path->recovery.rack.now.known && path->source.now.sa.sa_family != 0 &&
	         cmt_serial_ge(path->recovery.rack.now.number, path->source.number))
		path->source.proven = path->source.now;
}

static void put_local(const struct cmt_path *path, union sctp_sockstore *out)
{
	if (cmt_tuple_local(path->net, out))
		return;
	if (!cmt_path_is_active(path->net) && path->source.proven.sa.sa_family != 0)
		*out = path->source.proven;
	else if (path->net->ro._s_addr != NULL)
		*out = path->net->ro._s_addr->address;
}

/* Upstream's own back end has one for all addresses. */
static in_port_t port_of(const struct cmt_asoc *ca, const struct sockaddr *local)
{
	return cmt_seam_has_output() ? cmt_seam_udp_port(ca->stcb->asoc.vrf_id, local)
	                             : htons((uint16_t)SCTP_BASE_SYSCTL(sctp_udp_tunneling_port));
}

static void put_port(union sctp_sockstore *address, in_port_t port)
{
	if (address->sa.sa_family == AF_INET)
		address->sin.sin_port = port;
	else if (address->sa.sa_family == AF_INET6)
		address->sin6.sin6_port = port;
}

struct cmt_ends cmt_source_ends(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const in_port_t peers_port = path->net->port;
	struct cmt_ends ends;

	memset(&ends, 0, sizeof(ends));
	put_local(path, &ends.local);
	put_port(&ends.local, peers_port != 0 ? port_of(ca, &ends.local.sa) : 0);
	cmt_tuple_remote(path->net, &ends.remote);
	put_port(&ends.remote, peers_port);
	return ends;
}

static bool is_to(const struct sctp_nets *net, const struct sockaddr *remote)
{
	union sctp_sockstore there;

	cmt_tuple_remote(net, &there);
	return sctp_cmpaddr(&there.sa, (struct sockaddr *)(uintptr_t)remote) != 0;
}

static void fail_paths(struct sctp_tcb *stcb, const struct sockaddr *local, const struct sockaddr *remote)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	for (unsigned i = 0; ca != NULL && i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL || !cmt_path_is_active(path->net) ||
		    !cmt_tuple_is_from(path->net, local) || (remote != NULL && !is_to(path->net, remote)))
			continue;
		cmt_failover_fail(ca, path);
		cmt_wake_output(ca);
	}
}

void cmt_on_paths_lost(uint32_t vrf_id, const struct sockaddr *local, const struct sockaddr *remote)
{
	struct sctp_inpcb *inp;
	struct sctp_tcb *stcb;

	SCTP_INP_INFO_RLOCK();
	LIST_FOREACH(inp, &SCTP_BASE_INFO(listhead), sctp_list)
	{
		if (inp->def_vrf_id != vrf_id)
			continue;
		SCTP_INP_RLOCK(inp);
		LIST_FOREACH(stcb, &inp->sctp_asoc_list, sctp_tcblist)
		{
			SCTP_TCB_LOCK(stcb);
			if ((stcb->asoc.state & SCTP_STATE_ABOUT_TO_BE_FREED) == 0)
				fail_paths(stcb, local, remote);
			SCTP_TCB_UNLOCK(stcb);
		}
		SCTP_INP_RUNLOCK(inp);
	}
	SCTP_INP_INFO_RUNLOCK();
}
