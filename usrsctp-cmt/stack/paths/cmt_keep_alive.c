/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_keep_alive.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_nat.h"
#include "paths/cmt_tuple.h"
#include "util/cmt_time.h"

#include <netinet/sctp_output.h>

/* Failed ones are asked anyway. */
static bool is_kept(const struct sctp_nets *net)
{
	return net->port != 0 && cmt_path_is_active(net) && (net->dest_state & SCTP_ADDR_NOHB) == 0;
}

static uint64_t last_sent_us(const struct sctp_nets *net, uint64_t now_us)
{
	struct timeval now, since;

	(void)SCTP_GETTIME_TIMEVAL(&now);
	timersub(&now, &net->last_sent_time, &since);
	return now_us - ((uint64_t)since.tv_sec * 1000000 + (uint64_t)since.tv_usec);
}

static uint64_t due_us(const struct sctp_nets *net, uint64_t now_us)
{
	return is_kept(net)
	           ? cmt_nat_keep_alive_us((enum cmt_nat)net->cmt_tuple.nat, last_sent_us(net, now_us))
	           : CMT_NEVER_US;
}

static void watch(struct cmt_asoc *ca)
{
	const uint64_t now_us = cmt_seam_now_us();
	const struct sctp_nets *net;

	if (!cmt_asoc_is_open(ca))
		return;
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		cmt_wake_at(ca, CMT_WAKE_HEARTBEAT, due_us(net, now_us), now_us);
	}
}

void cmt_keep_alive_on_output(struct cmt_asoc *ca)
{
	if (ca->kept_alive || !cmt_asoc_is_open(ca))
		return;
	ca->kept_alive = true;
	watch(ca);
}

bool cmt_keep_alive_on_timer(struct cmt_asoc *ca)
{
	const uint64_t now_us = cmt_seam_now_us();
	struct sctp_nets *net;
	bool asked = false;

	if (!cmt_asoc_is_open(ca))
		return false;
	TAILQ_FOREACH(net, &ca->stcb->asoc.nets, sctp_next)
	{
		uint64_t at_us = due_us(net, now_us);

		if (at_us <= now_us + CMT_TICK_US) {
			sctp_send_hb(ca->stcb, net, SCTP_SO_NOT_LOCKED);
			asked = true;
			at_us = cmt_nat_keep_alive_us((enum cmt_nat)net->cmt_tuple.nat, now_us);
		}
		cmt_wake_at(ca, CMT_WAKE_HEARTBEAT, at_us, now_us);
	}
	return asked;
}

void cmt_keep_alive_on_heartbeat(struct cmt_asoc *ca, struct sctp_nets *net,
                                 const struct cmt_seam_arrival *arrival)
{
	const struct sockaddr *local = arrival->local;
	const bool six = local->sa_family == AF_INET6;
	const uint8_t *address =
	    six ? ((const struct sockaddr_in6 *)(const void *)local)->sin6_addr.s6_addr
	        : (const uint8_t *)&((const struct sockaddr_in *)(const void *)local)->sin_addr;
	const enum cmt_nat nat =
	    cmt_nat_of_chunks((const uint8_t *)arrival->bytes + sizeof(struct sctphdr),
	                      arrival->len - sizeof(struct sctphdr), address, six ? 16 : 4);

	if (nat == CMT_NAT_UNKNOWN || arrival->udp_port == 0 || !cmt_asoc_is_open(ca))
		return;
	net->cmt_tuple.nat = nat & 3;
	if (!net->cmt_tuple.told && cmt_tuple_is_confirmed(net))
		sctp_send_hb(ca->stcb, net, SCTP_SO_NOT_LOCKED);
	watch(ca);
}
