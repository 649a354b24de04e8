/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_chunks.c - libFuzzer target: CMT-TIMESTAMP and CMT-ECHO with the right tags to both ends of an
 * association, which loses nothing but measurements by it (support/network.h). runs: 10000, edges: 4000 */
#include "support/fuzz.h"
#include "support/network.h"
#include "support/targets.h"

PACKET_TARGET(NETWORK_CHUNKS)
