/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_ahead.h - what the schedulers that send ahead share: may a path send now, and which unit is so many
 * bytes ahead?
 *
 * Pure. Three rules decide whether a path may send, apart from the room that congestion control leaves:
 *  - queue: its predicted queue stays below a bound, a quarter of its min RTT within limits. That keeps the
 * prediction exact, avoids loss by our own queue and does not spend the receive window on waiting;
 *  - window: each path may use what keeps it busy for a min RTT, paths with short min RTTs first. Filling the
 * window in order of min RTT is the best use of a small one (a fractional knapsack: goodput per byte of
 * window is 1/min RTT), and at least as good as any single path. What is left when all paths are busy is free
 * for queues;
 *  - look-ahead: a unit that far ahead exists. If the data end before the path could help, it stays idle.
 */
#ifndef CMT_AHEAD_H
#define CMT_AHEAD_H

#include "../cmt_sched.h"
#include "../util/cmt_tuned.h"

struct cmt_ahead_options {
	uint64_t
	    queue_bound_us; /* predicted queue above which a path is left alone; lower on short min RTTs */
	uint64_t queue_bound_pkts; /* the same in packets; the larger of the two counts */
	bool no_probing;           /* paths carry data before their rate is measured (cmt_probing.h) */
};

#define CMT_AHEAD_OPTIONS_DEFAULT                                                                            \
	((struct cmt_ahead_options){.queue_bound_us = CMT_HOST_LATE_US, .queue_bound_pkts = CMT_QUEUE_PKTS})
/* Their entries in a table of struct cmt_option. */
/* clang-format off */
#define CMT_AHEAD_OPTIONS(o) \
	{"queue_us", &(o).queue_bound_us, 0, 10000000}, \
	{"queue_pkts", &(o).queue_bound_pkts, 0, 1000}
/* clang-format on */
#define CMT_AHEAD_OPTION_HELP                                                                                \
	"queue_us=10000 [0..10000000]: predicted queue above which a path is left alone, at most a quarter " \
	"of its min RTT; "                                                                                   \
	"queue_pkts=3 [0..1000]: the same in packets but at most 14 ms, the larger of both counts"

/* An init slot for states that begin with struct cmt_ahead_options and have no other option. */
int cmt_ahead_init(void *st, const char *text);

/* What a path can contribute. */
struct cmt_ahead_path {
	const struct cmt_path_view *path;
	bool usable;          /* and its arrival is known */
	bool has_share;       /* of window and cwnd: at least a packet per min RTT */
	uint64_t loop_pkts;   /* that keep it busy for one min RTT; 0 = not usable */
	uint64_t window_pkts; /* its share of the window, per min RTT */
	bool probing;         /* carries copies only (cmt_probing.h) */
	bool may_send;
	uint64_t
	    wake_us; /* when only the queue forbids: when it will have drained enough; else CMT_NEVER_US */
	int64_t tx_time_us;  /* time that a packet takes on the link */
	int64_t interval_us; /* between packets at the rate that cwnd and window let through; >= tx_time_us */
	int64_t arrival_us;  /* of the next packet */
};

/* Fills `out` (CMT_SCHED_MAX_PATHS elements, by position in the view). */
void cmt_ahead_paths(const struct cmt_ahead_options *options, const struct cmt_view *v,
                     struct cmt_ahead_path *out);

/* How much longer the path's predicted queue is than its bound; 0 or less when within. Requires p->usable. */
int64_t cmt_ahead_queue_excess_us(const struct cmt_ahead_options *options, const struct cmt_ahead_path *p);

/* How many bytes of units a policy sends before the next packet of the path at `index`; UINT64_MAX: nothing
 * for this path now. */
typedef uint64_t cmt_ahead_fn(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                              unsigned index);

/* Packets that a path delivers from the arrival of its next one until `lead_us` after, both included. */
typedef uint64_t cmt_ahead_count_fn(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *p,
                                    int64_t lead_us);

/* Bytes of what the other paths deliver, counted by `count`, before the next packet of the path at `index`
 * arrives. Of arrivals at the same time the one of the path that comes first in the view counts as earlier.
 */
uint64_t cmt_ahead_sum(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                       unsigned index, cmt_ahead_count_fn *count);

/* As many packets as the paths deliver whose next packet arrives before: a cmt_ahead_fn. */
uint64_t cmt_ahead_by_arrival(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                              unsigned index);

/* Policies that others wrap. */
cmt_ahead_fn cmt_fps_ahead, cmt_f2p_ahead;

/* The decision of a policy that is a function `ahead`: of the paths that may send, the one whose packet
 * arrives first, with the unit that far ahead. Never leaves data waiting while nothing is in flight. */
struct cmt_decision cmt_ahead_next(const void *st, const struct cmt_ahead_options *options,
                                   const struct cmt_view *v, cmt_ahead_fn *ahead);

/* Bytes of units that `ahead` can make use of. */
uint64_t cmt_ahead_look_ahead(const void *st, const struct cmt_ahead_options *options,
                              const struct cmt_view *v, cmt_ahead_fn *ahead);

#endif
