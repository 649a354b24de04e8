/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_paths.c - libFuzzer target: paths that join, leave and move while data flow, and packets from
 * four-tuples that nobody has, with the right tags (support/moves.h). runs: 10000, edges: 7000 */
#include "support/fuzz.h"
#include "support/network.h"
#include "support/targets.h"

PACKET_TARGET(NETWORK_PATHS)
