/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_growth.h - what a path delivers whose window grows.
 *
 * Pure. While the window is smaller than what the link holds, packets leave in bursts as SACKs come, and
 * arrive at the link's rate with pauses between. An even rate of a window per min RTT would put other paths'
 * packets into the middle of them. */
#ifndef CMT_GROWTH_H
#define CMT_GROWTH_H

#include "cmt_ahead.h"

/* Whether that is so: slow start, a measured rate, and the congestion window is what limits the path. */
bool cmt_growth_counts(const struct cmt_view *v, const struct cmt_ahead_path *p);

/* Packets from the arrival of the path's next one until `lead_us` after, both included: what its window has
 * room for, then two for each that is acknowledged; after that the link is full. */
uint64_t cmt_growth_pkts(const struct cmt_view *v, const struct cmt_ahead_path *p, int64_t lead_us);

/* Whether it is so of any path: its order is then that of arrivals, a plan would not last until the next
 * SACK.
 */
bool cmt_growth_of_any(const struct cmt_view *v, const struct cmt_ahead_path *paths);

#endif
