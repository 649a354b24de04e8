/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Congestion control of scheduled associations: RFC 9260, section 7.2, per path (uncoupled), through the
 * association's own copy of upstream's function table. What differs from upstream's:
 *  - one reduction per loss event, until what was sent before it is acknowledged (upstream: at every SACK);
 *  - cwnd grows while it was the limit at some time since its last increase.
 *
 * A sender that spreads its packets is rarely at the limit at the moment a SACK comes in, which is when
 * upstream looks (RFC 9002, section 7.8; RFC 7661). Upstream's other modules and its coupled modes keep their
 * own increase. */
#include "cmt_asoc.h"

extern const struct sctp_cc_functions sctp_cc_functions[];

/* Bytes of increase per SACK in slow start, in MTUs: RFC 3465's L. */
static uint32_t slow_start_limit(const struct sctp_nets *net)
{
	return net->mtu * SCTP_BASE_SYSCTL(sctp_L2_abc_variable);
}

static void increase(struct cmt_path *path, struct sctp_nets *net)
{
	uint32_t cwnd = net->cwnd;

	if (cwnd <= net->ssthresh) {
		if (2 * path->peak_flight_bytes > cwnd)
			net->cwnd += min(net->net_ack, slow_start_limit(net));
	} else if (path->peak_flight_bytes >= cwnd) {
		net->partial_bytes_acked += net->net_ack;
		if (net->partial_bytes_acked >= cwnd) {
			net->partial_bytes_acked -= cwnd;
			net->cwnd += net->mtu;
		}
	}
	if (net->cwnd != cwnd)
		path->peak_flight_bytes = net->flight_size;
}

static void after_sack(struct sctp_tcb *stcb, struct sctp_association *asoc, int accum_moved, int reneged_all,
                       int will_exit)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct sctp_nets *net;

	(void)accum_moved;
	(void)reneged_all;
	(void)will_exit;
	TAILQ_FOREACH(net, &asoc->nets, sctp_next)
	{
		struct cmt_path *path = cmt_asoc_path(ca, net);

		if (path != NULL && net->net_ack > 0 && !path->in_recovery)
			increase(path, net);
	}
}

/* Upstream's strikes left a mark in net_ack of the paths that lost something. */
static void after_fast_retransmit(struct sctp_tcb *stcb, struct sctp_association *asoc)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &asoc->nets, sctp_next)
	{
		struct cmt_path *path = cmt_asoc_path(ca, net);

		if (net->net_ack == 0 || path == NULL || path->in_recovery)
			continue;
		net->ssthresh = max(net->cwnd / 2, 2 * net->mtu);
		net->cwnd = net->ssthresh;
		net->partial_bytes_acked = 0;
		net->fast_retran_loss_recovery = 1;
		path->in_recovery = true;
		path->recovery_end = path->est.log.next - 1;
		sctp_timer_stop(SCTP_TIMER_TYPE_SEND, stcb->sctp_ep, stcb, net, SCTP_FROM_SCTP_CC_FUNCTIONS);
		sctp_timer_start(SCTP_TIMER_TYPE_SEND, stcb->sctp_ep, stcb, net);
	}
}

void cmt_cc_attach(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;

	asoc->cc_functions.sctp_cwnd_update_tsn_acknowledged = cmt_loss_on_tsn_acked;
	asoc->cc_functions.sctp_cwnd_update_after_fr = after_fast_retransmit;
	if (asoc->congestion_control_module == SCTP_CC_RFC2581 && asoc->sctp_cmt_on_off == SCTP_CMT_BASE)
		asoc->cc_functions.sctp_cwnd_update_after_sack = after_sack;
}

void cmt_cc_detach(struct cmt_asoc *ca)
{
	struct sctp_association *asoc = &ca->stcb->asoc;

	asoc->cc_functions = sctp_cc_functions[asoc->congestion_control_module];
}
