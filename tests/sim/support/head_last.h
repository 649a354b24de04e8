/* SPDX-License-Identifier: BSD-3-Clause
 *
 * head_last.h - a scheduler that keeps the first packet's worth of units as long as there is something behind
 * it: gaps at the peer that were never sent. */
#ifndef SIM_HEAD_LAST_H
#define SIM_HEAD_LAST_H

#include <stdio.h>

#include <usrsctp_cmt.h>
#include <usrsctp_cmt_sched.h>

#include "policy.h"

/* `send`, or WAIT where it is not allowed. */
static inline struct cmt_decision send_if_legal(const struct cmt_view *v, struct cmt_decision send)
{
	return cmt_sched_legal(v, &send)
	           ? send
	           : (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = CMT_NEVER_US};
}

static struct cmt_decision head_last_next(const void *st, const struct cmt_view *v)
{
	struct cmt_decision send = {.verdict = CMT_SEND, .path_id = v->paths[0].id, .wake_us = CMT_NEVER_US};
	uint64_t before;

	(void)st;
	if (!cmt_units_at(v->units, v->packet_bytes, &send.tsn, &before))
		send.tsn = cmt_units_first(v->units);
	return send_if_legal(v, send);
}

static uint64_t head_last_look_ahead(const void *st, const struct cmt_view *v)
{
	(void)st;
	return 4 * (uint64_t)v->packet_bytes;
}

static const struct cmt_sched_ops head_last = {.size = CMT_SCHED_CONTRACT_BYTES,
                                               .name = "head-last",
                                               .next = head_last_next,
                                               .look_ahead = head_last_look_ahead};

/* Registered before. */
static inline void head_last_choose(struct socket *so)
{
	const int on = 1;

	policy_choose(so, SCTP_CMT_SCHEDULER, head_last.name);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_NODELAY, &on, sizeof(on)) == 0);
	policy_begin_with_four(so);
}

#endif
