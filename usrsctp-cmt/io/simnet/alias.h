/* SPDX-License-Identifier: BSD-3-Clause
 *
 * alias.h - whether a packet shows an address that only the stack itself knows (docs/paths.md): one of
 * 240.0.0.0/4 (RFC 1112) or 100::/64 (RFC 6666). Pure. */
#ifndef SIMNET_ALIAS_H
#define SIMNET_ALIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

bool simnet_is_alias(const struct sockaddr *address);

/* What part of an SCTP packet does, as words for a message: an address parameter of INIT, INIT ACK, ASCONF or
 * ASCONF ACK (RFC 9260, section 3.3.2.1; RFC 5061, section 4.2). NULL: none. */
const char *simnet_shows_alias(const void *packet, size_t len);

#endif
