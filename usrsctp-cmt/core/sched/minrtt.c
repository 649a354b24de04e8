/* SPDX-License-Identifier: BSD-3-Clause
 *
 * minrtt - the head of the queue goes to the path with the smallest smoothed round trip of those that have
 * congestion window left (default scheduler of Linux MPTCP, net/mptcp/sched.c; Raiciu et al., "How Hard Can
 * It Be?", NSDI 2012, section 4). Paths without a measured round trip come last. */
#include "cmt_rtt_order.h"

static struct cmt_decision minrtt_next(const void *st, const struct cmt_view *v)
{
	(void)st;
	return cmt_rtt_send(v, cmt_rtt_first(v, true));
}

const struct cmt_sched_ops cmt_sched_minrtt = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "minrtt",
    .summary = "smallest round trip with congestion window left, head of the queue (Linux MPTCP)",
    .next = minrtt_next,
};
