/* SPDX-License-Identifier: BSD-3-Clause
 *
 * too_big.h - the answer to a packet that is larger than the tunnel takes: ICMP "fragmentation needed" (RFC
 * 1191) and ICMPv6 "packet too big" (RFC 4443, section 3.2). Pure. */
#ifndef TUN_TOO_BIG_H
#define TUN_TOO_BIG_H

#include "inner/packet.h"

#define INNER_TOO_BIG_BYTES 1280u

/* Makes the answer to `p`, from the address that `p` was for. Returns its length; 0 when none may be sent: to
 * an ICMP error, to a fragment that is not the first, to no single host, to IPv4 that may be fragmented. */
size_t inner_too_big(const uint8_t *bytes, const struct inner_packet *p, uint32_t mtu_bytes,
                     uint8_t out[INNER_TOO_BIG_BYTES]);

#endif
