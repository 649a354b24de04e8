/* SPDX-License-Identifier: BSD-3-Clause */
#include "inner/too_big.h"

#include <string.h>

#include "inner/checksum.h"

#define IPV4_HEADER_BYTES    20u
#define IPV6_HEADER_BYTES    40u
#define ICMP_HEADER_BYTES    8u
#define IPV4_ANSWER_BYTES    576u /* at most (RFC 1812, section 4.3.2.3) */
#define TTL                  64
#define UNREACHABLE          3
#define FRAGMENTATION_NEEDED 4
#define PACKET_TOO_BIG       2
#define ICMPV6_INFORMATION   128 /* types from here on are no errors */

/* Echo and its reply, time stamps; all else may be an error. */
static bool is_icmp_error(const uint8_t *bytes, const struct inner_packet *p)
{
	const uint8_t type = p->transport_at < p->bytes ? bytes[p->transport_at] : 0;

	if (p->version == INNER_IPV6) {
		return p->protocol == INNER_ICMPV6 && type < ICMPV6_INFORMATION;
	}
	return p->protocol == INNER_ICMP && type != 0 && type != 8 && type != 13 && type != 14;
}

static bool may_be_answered(const uint8_t *bytes, const struct inner_packet *p)
{
	static const uint8_t none[16] = {0};
	const uint8_t multicast = p->version == INNER_IPV6 ? 0xff : 0xe0;

	return p->dont_fragment && !p->fragment && !is_icmp_error(bytes, p) &&
	       memcmp(p->source, none, p->address_bytes) != 0 && p->source[0] < multicast;
}

static size_t quoted_bytes(const struct inner_packet *p, size_t most)
{
	return p->bytes < most ? p->bytes : most;
}

static size_t answer_ipv4(const uint8_t *bytes, const struct inner_packet *p, uint32_t mtu_bytes,
                          uint8_t *out)
{
	const size_t quoted = quoted_bytes(p, IPV4_ANSWER_BYTES - IPV4_HEADER_BYTES - ICMP_HEADER_BYTES);
	const size_t all = IPV4_HEADER_BYTES + ICMP_HEADER_BYTES + quoted;
	uint8_t *const icmp = out + IPV4_HEADER_BYTES;

	memset(out, 0, IPV4_HEADER_BYTES + ICMP_HEADER_BYTES);
	out[0] = 0x45;
	inner_put16(out + 2, (uint16_t)all);
	out[8] = TTL;
	out[9] = INNER_ICMP;
	memcpy(out + 12, p->destination, 4);
	memcpy(out + 16, p->source, 4);
	inner_put16(out + 10, inner_checksum(inner_sum(0, out, IPV4_HEADER_BYTES)));
	icmp[0] = UNREACHABLE;
	icmp[1] = FRAGMENTATION_NEEDED;
	inner_put16(icmp + 6, (uint16_t)mtu_bytes);
	memcpy(icmp + ICMP_HEADER_BYTES, bytes, quoted);
	inner_put16(icmp + 2, inner_checksum(inner_sum(0, icmp, ICMP_HEADER_BYTES + quoted)));
	return all;
}

static size_t answer_ipv6(const uint8_t *bytes, const struct inner_packet *p, uint32_t mtu_bytes,
                          uint8_t *out)
{
	const size_t quoted = quoted_bytes(p, INNER_TOO_BIG_BYTES - IPV6_HEADER_BYTES - ICMP_HEADER_BYTES);
	const size_t icmp_bytes = ICMP_HEADER_BYTES + quoted;
	uint8_t *const icmp = out + IPV6_HEADER_BYTES;

	memset(out, 0, IPV6_HEADER_BYTES + ICMP_HEADER_BYTES);
	out[0] = 0x60;
	inner_put16(out + 4, (uint16_t)icmp_bytes);
	out[6] = INNER_ICMPV6;
	out[7] = TTL;
	memcpy(out + 8, p->destination, 16);
	memcpy(out + 24, p->source, 16);
	icmp[0] = PACKET_TOO_BIG;
	inner_put16(icmp + 4, (uint16_t)(mtu_bytes >> 16));
	inner_put16(icmp + 6, (uint16_t)mtu_bytes);
	memcpy(icmp + ICMP_HEADER_BYTES, bytes, quoted);
	/* The pseudo-header: both addresses, length, protocol (RFC 8200, section 8.1). */
	inner_put16(icmp + 2,
	            inner_checksum(inner_sum(inner_sum(0, out + 8, 32) + (uint32_t)icmp_bytes + INNER_ICMPV6,
	                                     icmp, icmp_bytes)));
	return IPV6_HEADER_BYTES + icmp_bytes;
}

size_t inner_too_big(const uint8_t *bytes, const struct inner_packet *p, uint32_t mtu_bytes,
                     uint8_t out[INNER_TOO_BIG_BYTES])
{
	if (!may_be_answered(bytes, p)) {
		return 0;
	}
	return p->version == INNER_IPV4 ? answer_ipv4(bytes, p, mtu_bytes, out)
	                                : answer_ipv6(bytes, p, mtu_bytes, out);
}
