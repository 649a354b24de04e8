/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_rtt_order.h - what the schedulers of MPTCP share: paths in order of their smoothed round trip, and the
 * head of the queue for the one chosen. Pure. */
#ifndef CMT_RTT_ORDER_H
#define CMT_RTT_ORDER_H

#include "../cmt_sched.h"

/* The usable path (`with_room`: of those with room) with the smallest smoothed round trip, the first of
 * equals; paths without one come last. NULL: none. */
const struct cmt_path_view *cmt_rtt_first(const struct cmt_view *v, bool with_room);

/* The head on `path`; WAIT without one. */
struct cmt_decision cmt_rtt_send(const struct cmt_view *v, const struct cmt_path_view *path);

/* Congestion window in packets, at least one. */
uint64_t cmt_rtt_cwnd_pkts(const struct cmt_view *v, const struct cmt_path_view *path);

#endif
