/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_announce.h"
#include "cmt_hooks.h"
#include "paths/cmt_join.h"
#include "paths/cmt_tuple.h"
#include "seams/cmt_seams.h"

#include <netinet/sctp_asconf.h>
#include <netinet/sctp_output.h>

static bool is_there(const struct sctp_ifa *ifa)
{
	return ifa != NULL && ifa->ifn_p != NULL && (ifa->localifa_flags & SCTP_BEING_DELETED) == 0;
}

static void each_of_host(struct sctp_tcb *stcb, cmt_local_fn *fn, void *arg)
{
	const struct sctp_vrf *vrf = sctp_find_vrf(stcb->asoc.vrf_id);
	const struct sctp_ifn *ifn;
	struct sctp_ifa *ifa;

	if (vrf == NULL)
		return;
	LIST_FOREACH(ifn, &vrf->ifnlist, next_ifn)
	{
		LIST_FOREACH(ifa, &ifn->ifalist, next_ifa)
		{
			if (is_there(ifa) && sctp_is_address_in_scope(ifa, &stcb->asoc.scope, 0) != 0)
				fn(stcb, ifa, arg);
		}
	}
}

/* Back ends that have one thread call this: the lists are not locked. */
void cmt_each_local(struct sctp_tcb *stcb, cmt_local_fn *fn, void *arg)
{
	const struct sctp_laddr *local;

	if ((stcb->sctp_ep->sctp_flags & SCTP_PCB_FLAGS_BOUNDALL) != 0) {
		each_of_host(stcb, fn, arg);
		return;
	}
	LIST_FOREACH(local, &stcb->sctp_ep->sctp_addr_list, sctp_nxt_addr)
	{
		if (is_there(local->ifa))
			fn(stcb, local->ifa, arg);
	}
}

/* Without a scheduler, or where nobody knows what leads where, there is no other way to further paths. */
bool cmt_names_addresses(struct sctp_tcb *stcb)
{
	const struct sctp_inpcb *inp = stcb->sctp_ep;
	const bool by_name = (inp->sctp_flags & SCTP_PCB_FLAGS_BOUNDALL) == 0;
	const bool wanted = inp->cmt.init_addresses == CMT_INIT_ADDRESSES_AUTO
	                        ? by_name
	                        : inp->cmt.init_addresses == CMT_INIT_ADDRESSES_ALL;

	stcb->asoc.cmt_unnamed = !wanted && stcb->asoc.cmt_listed && cmt_endpoint_is_scheduled(inp) &&
	                         cmt_seam_has_reaches();
	return !stcb->asoc.cmt_unnamed;
}

static void forget_source(struct sctp_tcb *stcb, const struct sctp_ifa *ifa)
{
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net->ro._s_addr != ifa)
			continue;
		sctp_free_ifa(net->ro._s_addr);
		net->ro._s_addr = NULL;
		net->src_addr_selected = 0;
	}
}

static void restrict_unless_known(struct sctp_tcb *stcb, struct sctp_ifa *ifa, void *arg)
{
	if (sctp_cmpaddr(&ifa->address.sa, arg) != 0) {
		sctp_del_local_addr_restricted(stcb, ifa);
		return;
	}
	sctp_add_local_addr_restricted(stcb, ifa);
	forget_source(stcb, ifa);
}

static void release(struct sctp_tcb *stcb, struct sctp_ifa *ifa, void *arg)
{
	(void)arg;
	sctp_del_local_addr_restricted(stcb, ifa);
}

static void ask_to_agree(struct sctp_tcb *stcb, struct sctp_ifa *ifa, int action)
{
	struct sctp_laddr item = {.ifa = ifa, .action = (uint32_t)action};
	struct sctp_asconf_iterator work = {.cnt = 1};

	LIST_INIT(&work.list_of_work);
	LIST_INSERT_HEAD(&work.list_of_work, &item, sctp_nxt_addr);
	sctp_asconf_iterator_stcb(stcb->sctp_ep, stcb, &work, 0);
}

static void announce(struct sctp_tcb *stcb, struct sctp_ifa *ifa, void *arg)
{
	(void)arg;
	if (sctp_is_addr_restricted(stcb, ifa) != 0)
		ask_to_agree(stcb, ifa, SCTP_ADD_IP_ADDRESS);
}

static void announce_rest(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	const bool nameless = ca != NULL && cmt_asoc_negotiated(ca);

	stcb->asoc.cmt_unnamed = false;
	if (nameless)
		ca->nameless = true;
	cmt_each_local(stcb, nameless ? release : announce, NULL);
}

void cmt_announce_on_handshake(struct sctp_tcb *stcb, uint8_t chunk_type, const struct sockaddr *local)
{
	if (!stcb->asoc.cmt_unnamed)
		return;
	if (chunk_type == SCTP_INITIATION_ACK && SCTP_GET_STATE(stcb) == SCTP_STATE_COOKIE_WAIT)
		cmt_each_local(stcb, restrict_unless_known, (void *)(uintptr_t)local);
	if (chunk_type == SCTP_COOKIE_ACK && SCTP_GET_STATE(stcb) == SCTP_STATE_COOKIE_ECHOED)
		announce_rest(stcb);
}

void cmt_announce_on_output(struct sctp_tcb *stcb)
{
	if (stcb->asoc.cmt_unnamed && SCTP_GET_STATE(stcb) == SCTP_STATE_OPEN)
		announce_rest(stcb);
}

/* --- addresses that come and go --- */

/* A peer that speaks the extension need not agree first: a path begins with its answer there. It is told the
 * name only where it knows the others by theirs; when it does not reach us there, it may reach it. */
static void add(struct cmt_asoc *ca, struct sctp_ifa *ifa)
{
	if (!ca->nameless)
		ask_to_agree(ca->stcb, ifa, SCTP_ADD_IP_ADDRESS);
	sctp_del_local_addr_restricted(ca->stcb, ifa);
	cmt_join_on_address(ca, ifa);
}

/* An address that the application takes away is no source any more, not even of the packet that says so (RFC
 * 5061, section 5.3); one whose interface is gone may come back. */
static void drop(struct sctp_tcb *stcb, struct sctp_ifa *ifa, int action)
{
	const bool is_there =
	    sctp_find_ifa_by_addr(&ifa->address.sa, stcb->asoc.vrf_id, SCTP_ADDR_NOT_LOCKED) != NULL;

	if (action == SCTP_DEL_IP_ADDRESS && is_there)
		cmt_tuple_unpin(stcb, &ifa->address.sa);
	ask_to_agree(stcb, ifa, action);
}

static void on_changes(struct sctp_inpcb *inp, struct sctp_tcb *stcb, void *list, uint32_t value)
{
	const struct sctp_asconf_iterator *changes = list;
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	const struct sctp_laddr *change;

	if (ca == NULL || !cmt_asoc_is_open(ca) || !cmt_seam_has_reaches()) {
		sctp_asconf_iterator_stcb(inp, stcb, list, value);
		return;
	}
	LIST_FOREACH(change, &changes->list_of_work, sctp_nxt_addr)
	{
		if (change->action == SCTP_ADD_IP_ADDRESS)
			add(ca, change->ifa);
		else
			drop(stcb, change->ifa, (int)change->action);
	}
}

int cmt_initiate_iterator(inp_func at_endpoint, asoc_func at_association, inp_func after_endpoint,
                          uint32_t endpoint_flags, uint32_t endpoint_features, uint32_t states, void *list,
                          uint32_t value, end_func at_end, struct sctp_inpcb *inp, uint8_t without_output)
{
	return sctp_initiate_iterator(
	    at_endpoint, at_association == sctp_asconf_iterator_stcb ? on_changes : at_association,
	    after_endpoint, endpoint_flags, endpoint_features, states, list, value, at_end, inp,
	    without_output);
}
