/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ceiling.h - what a scenario's links allow at best, whatever the scheduler.
 *
 * Pure. Rates are the ones at the start unless a span is given, of a trace its mean; cross traffic, losses
 * and competitors are not subtracted. Paths that share a link get parts of its rate in proportion to their
 * own. `only_path` -1 = all paths. */
#ifndef LAB_CEILING_H
#define LAB_CEILING_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/scenario.h"

/* One way, of the path and its shared link; direction 0 = forward. */
uint64_t lab_path_delay_us(const struct lab_scenario *s, int path, int direction);

/* Payload bits per second that path `path` alone can carry forward: without IP, SCTP and DATA headers,
 * padding and, with `extension`, CMT-TIMESTAMP, and what encryption takes. As many messages to a packet as
 * fit; a larger message in fragments. */
double lab_path_ceiling_bps(const struct lab_scenario *s, int path, bool extension);

/* The sum. */
double lab_ceiling_bps(const struct lab_scenario *s, int only_path, bool extension);

/* The mean of the sum over [from_us, until_us) of the simulation: with the rates and MTUs that the links have
 * then, and nothing while they are down or a host lacks the address. Of traces the sum of what they can
 * carry; where paths share a link, in every 100 ms. The sum at from_us when the span is empty. */
struct lab_span {
	uint64_t from_us, until_us;
};
double lab_ceiling_over_bps(const struct lab_scenario *s, int only_path, bool extension,
                            struct lab_span span);

/* The best single one (*best is its number; may be NULL). */
double lab_best_path_ceiling_bps(const struct lab_scenario *s, bool extension, int *best);

/* What a control that halves its window at every loss gets, all paths together: sum of 1.22 MSS / (RTT sqrt
 * p) (Mathis et al. 1997), at most the path's ceiling. MSS = payload of a packet; RTT = round-trip
 * propagation and the packet's transmission; p = independent loss forward, of the path and its shared link.
 */
double lab_loss_bound_bps(const struct lab_scenario *s, bool extension);

/* Sum of the rates that the used paths have forward. */
double lab_capacity_bps(const struct lab_scenario *s, int only_path);

/* W_min = sum rate_i * RTT_i, RTT_i = round-trip propagation: the receive window that keeps every path
 * busy when all data arrive in order. */
double lab_w_min_bytes(const struct lab_scenario *s, int only_path);

/* sum b_i (d_max - d_i): what must be sent ahead, or be stored by the receiver. */
double lab_look_ahead_bytes(const struct lab_scenario *s, int only_path);

/* Beginning pause time sum f_i d_i (Yabandeh et al., Eq. 8), f_i = share of path i in all rates, d_i = delay
 * of a message alone in its packets with our time stamp, its transmission included as in the paper. */
double lab_bpt_bound_us(const struct lab_scenario *s, int only_path);

/* The same for whole packets in the best case: every path sends full packets one behind the other, nothing
 * waits, all arrive in order. The longest time from "so many packets have left" to "so many have arrived",
 * which is more than sum f_i d_i because packets are not infinitely small. */
double lab_bpt_packets_us(const struct lab_scenario *s);

/* The RTT, mean of the paths, each counted with its share in all rates; without queues and
 * transmission. */
double lab_round_trip_us(const struct lab_scenario *s, int only_path);

/* The RTT of a path, and the shortest of all, without queues and transmission. */
double lab_path_round_trip_us(const struct lab_scenario *s, int path);
double lab_shortest_round_trip_us(const struct lab_scenario *s);

/* The send buffer: the scenario's own, else the larger of 4 MB and four times what the look-ahead and W_min
 * need. */
uint64_t lab_sndbuf_bytes(const struct lab_scenario *s, int only_path);

#endif
