/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_arrival_plan.h - a plan of when the packets of each path arrive, and the position that this gives to
 * the next one: what lcm and osia share.
 *
 * Pure. Time counts from when the plan was made. The path's first packet arrives at its delay, each that it
 * has sent moves the next one on by a packet time; a turn that the path let pass is gone:
 *
 *     next_i  = delay_i + max( elapsed , sent_i / packet * tx_time_us_i )
 *     ahead_i = sum of  floor((next_i - next_j) / interval_j) + 1  packets  over the paths j with next_j <=
 * next_i */
#ifndef CMT_ARRIVAL_PLAN_H
#define CMT_ARRIVAL_PLAN_H

#include "cmt_ahead.h"

struct cmt_arrival_plan_path {
	bool planned;
	int64_t delay_us;    /* arrival of the first packet */
	int64_t tx_time_us;  /* that a packet takes on the link: spaces what the path has sent */
	int64_t interval_us; /* between packets at the rate that cwnd and window let through: spaces what it
	                        will send */
	uint64_t sent_bytes;
};

struct cmt_arrival_plan {
	uint64_t made_at_us;
	uint32_t packet_bytes;
	struct cmt_arrival_plan_path paths[CMT_SCHED_MAX_PATHS]; /* by path id */
};

/* Forward delay of a packet sent now, its queue included, until its last bit is there. Requires
 * p->usable. */
int64_t cmt_arrival_plan_delay_us(const struct cmt_view *v, const struct cmt_ahead_path *p);

/* How far things may be from a plan before it is no good any more. */
struct cmt_arrival_plan_limits {
	int64_t rate_part; /* a rate that differs by more than one part in so many */
	int64_t drift_us;  /* paths out of step: where the plan expects each next packet, against the delay it
	                      would have now */
};

/* Whether the paths with a share of the window are those planned, and within the limits. */
bool cmt_arrival_plan_holds(const struct cmt_arrival_plan *c, const struct cmt_view *v,
                            const struct cmt_ahead_path *paths, const struct cmt_arrival_plan_limits *limits);

/* Makes a plan that starts now. `delays_us`: by position in the view, of paths with a share. */
void cmt_arrival_plan_make(struct cmt_arrival_plan *c, const struct cmt_view *v,
                           const struct cmt_ahead_path *paths, const int64_t *delays_us);

/* next_i. Requires that the path is planned. */
int64_t cmt_arrival_plan_next_us(const struct cmt_arrival_plan *c, const struct cmt_arrival_plan_path *p,
                                 uint64_t now_us);

/* Bytes that the other paths send before the next packet of the path at `index`; UINT64_MAX when that is not
 * planned. */
uint64_t cmt_arrival_plan_ahead(const struct cmt_arrival_plan *c, const struct cmt_view *v, unsigned index);

void cmt_arrival_plan_on_sent(struct cmt_arrival_plan *c, const struct cmt_sent *e);

#endif
