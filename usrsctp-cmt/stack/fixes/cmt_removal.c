/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses that an association loses while data or requests are under way to them. A local one is still
 * ours until the peer has agreed (RFC 5061, section 5.3). */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>
#include <netinet/sctp_sysctl.h>
#include <netinet/sctp_timer.h>

#include "cmt_hooks.h"
#include "losses/cmt_chunk.h"
#include "paths/cmt_held.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"

bool cmt_is_being_removed(struct sctp_tcb *stcb, struct sockaddr *address)
{
	const struct sctp_asconf_addr *change;

	TAILQ_FOREACH(change, &stcb->asoc.asconf_queue, next)
	{
		if (change->ap.aph.ph.param_type == SCTP_DEL_IP_ADDRESS && change->ifa != NULL &&
		    sctp_cmpaddr(&change->ifa->address.sa, address))
			return true;
	}
	return false;
}

struct sctp_nets *cmt_path_left(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	struct sctp_nets *left;

	TAILQ_FOREACH(left, &stcb->asoc.nets, sctp_next)
	{
		if (left == net)
			return net;
	}
	return net != NULL ? stcb->asoc.primary_destination : NULL;
}

/* What a gap ack block acknowledged is out again when the next one does not (RFC 9260, section 6.2.1): in the
 * flight of an address that has a T3. */
static void move_elsewhere(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk, struct sctp_nets *elsewhere)
{
	if (chk->sent < SCTP_DATAGRAM_RESEND) {
		cmt_mark_for_resend(stcb, chk);
		chk->do_rtt = 0;
	}
	cmt_refer(&chk->whoTo, elsewhere);
}

/* Another address, though it may not be confirmed yet: once it is, what waits for it leaves. */
static struct sctp_nets *other_than(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	struct sctp_nets *other = sctp_find_alternate_net(stcb, net, 0);

	if (other != NULL && other != net)
		return other;
	TAILQ_FOREACH(other, &stcb->asoc.nets, sctp_next)
	{
		if (other != net)
			break;
	}
	return other;
}

/* T1-init and T1-cookie are T3-rtx' timer; behind COOKIE-ACK upstream starts T3-rtx for what waits. */
static bool is_in_handshake(const struct sctp_tcb *stcb)
{
	const int state = SCTP_GET_STATE(stcb);

	return state == SCTP_STATE_COOKIE_WAIT || state == SCTP_STATE_COOKIE_ECHOED;
}

/* What stands behind the request in its packet may end the packet, and nothing is sent then: T3-rtx runs. Where
 * no address is confirmed HEARTBEATs do. */
static void send_all_elsewhere(struct sctp_tcb *stcb, struct sctp_nets *net, struct sctp_nets *elsewhere)
{
	struct sctp_tmit_chunk *chk;
	bool moved = false;

	TAILQ_FOREACH(chk, &stcb->asoc.sent_queue, sctp_next)
	{
		if (chk->whoTo != net)
			continue;
		move_elsewhere(stcb, chk, elsewhere);
		moved |= chk->sent == SCTP_DATAGRAM_RESEND;
	}
	if (moved && !is_in_handshake(stcb) && cmt_tuple_is_confirmed(elsewhere) &&
	    !SCTP_OS_TIMER_PENDING(&elsewhere->rxt_timer.timer))
		sctp_timer_start(SCTP_TIMER_TYPE_SEND, stcb->sctp_ep, stcb, elsewhere);
}

/* On the address that is gone nothing would stop it. */
static void move_t2(struct sctp_tcb *stcb, struct sctp_nets *net, struct sctp_nets *elsewhere)
{
	const int type = net->rxt_timer.type;

	if (!SCTP_OS_TIMER_PENDING(&net->rxt_timer.timer) ||
	    (type != SCTP_TIMER_TYPE_SHUTDOWN && type != SCTP_TIMER_TYPE_SHUTDOWNACK))
		return;
	sctp_timer_stop(type, stcb->sctp_ep, stcb, net, SCTP_FROM_SCTP_PCB);
	sctp_timer_start(type, stcb->sctp_ep, stcb, elsewhere);
}

/* No path is left that has answered: data wait for the first one that does, and so all are asked by a timer,
 * those too that are asked only when something comes from them as long as there are others. */
static void ask_all_but(struct sctp_tcb *stcb, const struct sctp_nets *removed)
{
	struct sctp_nets *net;

	if (cmt_tuple_any_is_confirmed(stcb, removed))
		return;
	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	{
		if (net != removed && !SCTP_OS_TIMER_PENDING(&net->hb_timer.timer))
			sctp_timer_start(SCTP_TIMER_TYPE_HEARTBEAT, stcb->sctp_ep, stcb, net);
	}
}

void cmt_on_address_removed(struct sctp_tcb *stcb, struct sctp_nets *net)
{
	struct sctp_nets *const elsewhere = other_than(stcb, net);

	if (elsewhere != NULL) {
		send_all_elsewhere(stcb, net, elsewhere);
		move_t2(stcb, net, elsewhere);
		ask_all_but(stcb, net);
	}
	if (stcb->asoc.cmt != NULL) {
		cmt_held_drop(&stcb->asoc.cmt->held, net);
		cmt_asoc_forget_path(stcb->asoc.cmt, net);
	}
}
