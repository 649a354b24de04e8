/* SPDX-License-Identifier: BSD-3-Clause
 *
 * random_network.h - scenarios `random:N` and `random-lossy:N`: networks drawn at random, N is the seed of
 * the network.
 *
 *     paths      2 to 5
 *     rate       0.5 to 50 Mbit/s, log-uniform
 *     delay      5 to 300 ms one way, log-uniform
 *     jitter     0 to 20 % of the delay (standard deviation of a normal distribution), order kept
 *     queue      100 packets, or half of the path's bandwidth-delay product when that is more
 *     loss       0 to 1 % each way (random-lossy alone; the rest of the network is that of random)
 *     rcvbuf     1 to 4 x W_min, log-uniform, at least 64 kB
 *     duration   10 s + 20 round trips of the longest path, so that slow starts end
 *
 * Pure: the same number gives the same network everywhere. */
#ifndef LAB_RANDOM_NETWORK_H
#define LAB_RANDOM_NETWORK_H

#include "scenario/scenario.h"

/* Whether `what` begins like one; then lab_random_network() is what reads it. */
bool lab_is_random_network(const char *what);

/* 0, or -1 with the reason: N is not a whole number. */
int lab_random_network(struct lab_scenario *scenario, const char *what, struct lab_error *error);

#endif
