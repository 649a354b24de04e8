/* SPDX-License-Identifier: BSD-3-Clause
 *
 * peer_names.h - a peer as known_peers.h calls it: HOST:PORT, one for each address of --connect. HOST is what
 * was written there, in lower case, an IPv6 address in brackets. Pure. */
#ifndef APP_PEER_NAMES_H
#define APP_PEER_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "net/addresses.h"

#define APP_PEER_NAME_BYTES (APP_HOST_BYTES + 8)

struct app_peer_names {
	char list[APP_MAX_ADDRESSES][APP_PEER_NAME_BYTES];
	size_t n;
};

/* ADDR[:PORT][,ADDR[:PORT]..] with `port`, which all share. Those of a list that are beyond what fits are
 * left out. */
void app_peer_names_of(struct app_peer_names *out, const char *addresses, uint16_t port);

#endif
