/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_silent.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_nat.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_tuple.h"
#include "util/cmt_time.h"

#include <netinet/sctp_output.h>

/* Until a path of unknown round trip has had the time to answer. */
enum { UNKNOWN_RTT_US = 200000 };

static bool may_be_rebound(const struct sctp_nets *net)
{
	return net->port != 0 && net->cmt_tuple.nat != CMT_NAT_NONE && cmt_tuple_is_confirmed(net) &&
	       cmt_path_is_active(net);
}

void cmt_silent_on_data(struct cmt_asoc *ca, struct sctp_nets *net, uint64_t now_us)
{
	if (net == NULL || !may_be_rebound(net))
		return;
	cmt_flow_on_data(&net->cmt_tuple.flow, now_us);
	cmt_wake_at(ca, CMT_WAKE_HEARTBEAT, cmt_flow_due_us(&net->cmt_tuple.flow), now_us);
}

/* One after the other: the peer takes a new port for that of the path which it has not heard since, and the
 * one that carries SACKs it has heard last. */
static uint64_t turn_us(const struct cmt_asoc *ca, const struct sctp_nets *net)
{
	const struct sctp_nets *other;
	uint64_t at_us = 0;

	TAILQ_FOREACH(other, &ca->stcb->asoc.nets, sctp_next)
	{
		const uint64_t rtt_us = cmt_srtt_us(other);

		if (other != net && other->cmt_tuple.flow.asked > 0)
			at_us = max(at_us, other->cmt_tuple.flow.asked_us +
			                       2 * (rtt_us != 0 ? rtt_us : UNKNOWN_RTT_US));
	}
	return at_us;
}

static uint64_t due_us(const struct cmt_asoc *ca, const struct sctp_nets *net)
{
	const uint64_t due_us = cmt_flow_due_us(&net->cmt_tuple.flow);

	return may_be_rebound(net) && due_us != CMT_NEVER_US ? max(due_us, turn_us(ca, net)) : CMT_NEVER_US;
}

static bool is_soon(const struct cmt_asoc *ca, const struct sctp_nets *net, uint64_t now_us)
{
	return due_us(ca, net) <= now_us + CMT_TICK_US;
}

/* The one whose turn it is; NULL. */
static struct sctp_nets *find_due(struct cmt_asoc *ca, uint64_t now_us)
{
	struct sctp_nets *net;
	const struct cmt_path *back = cmt_asoc_path_of_slot(ca, cmt_heard_return_slot(&ca->heard, now_us));

	if (back != NULL && is_soon(ca, back->net, now_us))
		return back->net;
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		if (is_soon(ca, net, now_us))
			return net;
	}
	return NULL;
}

static void say_on(struct cmt_asoc *ca, struct sctp_nets *net, uint64_t now_us)
{
	cmt_flow_on_asked(&net->cmt_tuple.flow, now_us);
	ca->own_sack.on = net;
	sctp_send_sack(ca->stcb, SCTP_SO_NOT_LOCKED);
	ca->own_sack.on = NULL;
}

bool cmt_silent_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	struct sctp_nets *net, *due;

	if (!cmt_asoc_is_open(ca))
		return false;
	due = find_due(ca, now_us);
	if (due != NULL)
		say_on(ca, due, now_us);
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		cmt_wake_at(ca, CMT_WAKE_HEARTBEAT, due_us(ca, net), now_us);
	}
	return due != NULL;
}
