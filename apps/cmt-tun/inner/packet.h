/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet.h - an IP packet of a program of the host, as the TUN device gives it or the peer sends it: what its
 * headers say.
 *
 * Pure. Anything may stand in the bytes. */
#ifndef TUN_PACKET_H
#define TUN_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INNER_MAX_BYTES 65535u
#define INNER_IPV4      4
#define INNER_IPV6      6

/* Protocol numbers that matter here. */
#define INNER_TCP    6
#define INNER_UDP    17
#define INNER_ICMP   1
#define INNER_ICMPV6 58

struct inner_packet {
	uint8_t version;                     /* INNER_IPV4 or INNER_IPV6 */
	uint8_t protocol;                    /* behind the extension headers */
	uint8_t ecn;                         /* RFC 3168; 1 and 2: ECN-capable */
	bool fragment;                       /* not the first: has no transport header */
	bool dont_fragment;                  /* IPv6: always */
	const uint8_t *source, *destination; /* into the packet */
	size_t address_bytes;                /* 4 or 16 */
	size_t transport_at;                 /* where the transport header begins */
	size_t bytes;                        /* of all */
	uint16_t segment_bytes;              /* it stands for several (segments.h); 0 = for itself */
	uint16_t headers_bytes;              /* of one that stands for several: all that each of them has */
};

/* 0; or -1 when it is no IP packet of exactly `len` bytes. */
int inner_parse(const uint8_t *bytes, size_t len, struct inner_packet *out);

/* Equal for the packets of a flow, in one direction: addresses, protocol, and ports where it has them. */
uint32_t inner_flow(const uint8_t *bytes, const struct inner_packet *p);

/* Sets "congestion experienced" in a packet whose `ecn` is 1 or 2. */
void inner_mark_ce(uint8_t *bytes, const struct inner_packet *p);

#endif
