/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_connected.c - libFuzzer target: packets with the right tags to both ends of a multihomed association
 * that has negotiated the extension (support/network.h). runs: 10000, edges: 6000 */
#include "support/fuzz.h"
#include "support/network.h"
#include "support/targets.h"

PACKET_TARGET(NETWORK_INSIDE)
