/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_race.h"
#include "cmt_hooks.h"
#include "seams/cmt_seams.h"

#include <netinet/sctp_output.h>

static bool takes_part(const struct sctp_inpcb *inp)
{
	return cmt_endpoint_is_scheduled(inp) && cmt_seam_has_output();
}

/* Upstream sends it to the primary path, and starts a timer there; the first one's is enough. */
static void send_init(struct sctp_tcb *stcb, struct sctp_nets *net, const struct sctp_nets *first,
                      int so_locked)
{
	const uint32_t cookie_preserve_req = stcb->asoc.cookie_preserve_req;
	const uint16_t unconfirmed = net->dest_state & SCTP_ADDR_UNCONFIRMED;

	sctp_timer_stop(SCTP_TIMER_TYPE_INIT, stcb->sctp_ep, stcb, net, SCTP_FROM_SCTP_OUTPUT);
	stcb->asoc.primary_destination = net;
	sctp_send_initiate(stcb->sctp_ep, stcb, so_locked);
	stcb->asoc.cookie_preserve_req = cookie_preserve_req;
	if (net == first)
		return;
	sctp_timer_stop(SCTP_TIMER_TYPE_INIT, stcb->sctp_ep, stcb, net, SCTP_FROM_SCTP_OUTPUT);
	net->dest_state |= unconfirmed;
}

struct sctp_nets *cmt_race_init(struct sctp_tcb *stcb, struct sctp_nets *first, int so_locked)
{
	struct sctp_association *asoc = &stcb->asoc;
	struct sctp_nets *net, *last = first;

	if (asoc->cmt_racing || !takes_part(stcb->sctp_ep))
		return first;
	asoc->cmt_racing = true;
	TAILQ_FOREACH(net, &asoc->nets, sctp_next)
	{
		if (net == first)
			continue;
		send_init(stcb, last, first, so_locked);
		last = net;
	}
	asoc->primary_destination = first;
	asoc->cmt_racing = false;
	return last;
}

void cmt_race_on_answer(struct sctp_tcb *stcb, struct sockaddr *remote)
{
	struct sctp_nets *const before = stcb->asoc.primary_destination;
	struct sctp_nets *net;

	if (SCTP_GET_STATE(stcb) != SCTP_STATE_COOKIE_WAIT || !takes_part(stcb->sctp_ep))
		return;
	net = sctp_findnet(stcb, remote);
	if (net == NULL || net == before)
		return;
	sctp_timer_stop(SCTP_TIMER_TYPE_INIT, stcb->sctp_ep, stcb, before, SCTP_FROM_SCTP_INPUT);
	before->dest_state |= SCTP_ADDR_UNCONFIRMED;
	net->dest_state &= (uint16_t)~SCTP_ADDR_UNCONFIRMED;
	stcb->asoc.primary_destination = net;
}

bool cmt_race_ignores(struct sctp_tcb *stcb, struct sockaddr *remote, uint8_t chunk_type)
{
	const bool is_asking = SCTP_GET_STATE(stcb) == SCTP_STATE_COOKIE_WAIT;

	if (!takes_part(stcb->sctp_ep))
		return false;
	return (chunk_type == SCTP_INITIATION_ACK && !is_asking) ||
	       (chunk_type == SCTP_ABORT_ASSOCIATION && is_asking &&
	        sctp_findnet(stcb, remote) != stcb->asoc.primary_destination);
}
