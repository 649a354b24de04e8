/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz_protected.c - libFuzzer target: packets to both ends of a multihomed association that the DTLS chunk
 * protects, in records with its keys and as they are (support/sealed.h). Who has not got the keys ends
 * nothing, and changes no byte. runs: 10000, edges: 6000 */
#include "support/fuzz.h"
#include "support/network.h"
#include "support/targets.h"

PACKET_TARGET(NETWORK_PROTECTED)
