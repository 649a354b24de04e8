/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_blind.c - libFuzzer target: packets to both ends of an association by somebody who knows addresses and
 * ports and no tag (support/network.h). runs: 10000, edges: 4000 */
#include "support/fuzz.h"
#include "support/network.h"
#include "support/targets.h"

PACKET_TARGET(NETWORK_BLIND)
