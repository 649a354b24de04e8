/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_listener.c - libFuzzer target: packets to a listening endpoint (support/network.h).
 * runs: 10000, edges: 5500 */
#include "support/fuzz.h"
#include "support/network.h"
#include "support/targets.h"

PACKET_TARGET(NETWORK_LISTENER)
