/* SPDX-License-Identifier: BSD-3-Clause */
#include "inner/packet.h"

#include <string.h>

#include "inner/checksum.h"

#define IPV4_HEADER_BYTES 20u
#define IPV6_HEADER_BYTES 40u
#define MOST_EXTENSIONS   8u

/* Extension headers of IPv6 that are stepped over (RFC 8200, section 4). */
#define HOP_BY_HOP          0
#define ROUTING             43
#define FRAGMENT            44
#define DESTINATION_OPTIONS 60

static int parse_ipv4(const uint8_t *bytes, size_t len, struct inner_packet *out)
{
	const size_t header_bytes = (bytes[0] & 0x0fu) * 4u;

	if (len < IPV4_HEADER_BYTES || header_bytes < IPV4_HEADER_BYTES || header_bytes > len ||
	    inner_get16(bytes + 2) != len) {
		return -1;
	}
	out->protocol = bytes[9];
	out->ecn = bytes[1] & 3;
	out->fragment = (inner_get16(bytes + 6) & 0x1fffu) != 0;
	out->dont_fragment = (bytes[6] & 0x40u) != 0;
	out->source = bytes + 12;
	out->destination = bytes + 16;
	out->address_bytes = 4;
	out->transport_at = header_bytes;
	return 0;
}

/* Steps over one extension header. False when it does not end within the packet. */
static bool step_over(const uint8_t *bytes, size_t len, struct inner_packet *out)
{
	const uint8_t *const at = bytes + out->transport_at;
	size_t header_bytes;

	if (out->transport_at + 8 > len) {
		return false;
	}
	if (out->protocol == FRAGMENT) {
		header_bytes = 8;
		out->fragment = (inner_get16(at + 2) & 0xfff8u) != 0;
	} else {
		header_bytes = (at[1] + 1u) * 8u;
	}
	out->protocol = at[0];
	out->transport_at += header_bytes;
	return out->transport_at <= len;
}

static bool is_extension(uint8_t protocol)
{
	return protocol == HOP_BY_HOP || protocol == ROUTING || protocol == FRAGMENT ||
	       protocol == DESTINATION_OPTIONS;
}

static int parse_ipv6(const uint8_t *bytes, size_t len, struct inner_packet *out)
{
	if (len < IPV6_HEADER_BYTES || inner_get16(bytes + 4) + IPV6_HEADER_BYTES != len) {
		return -1;
	}
	out->protocol = bytes[6];
	out->ecn = (bytes[1] >> 4) & 3;
	out->dont_fragment = true;
	out->source = bytes + 8;
	out->destination = bytes + 24;
	out->address_bytes = 16;
	out->transport_at = IPV6_HEADER_BYTES;
	for (unsigned i = 0; i < MOST_EXTENSIONS && is_extension(out->protocol) && !out->fragment; i++) {
		if (!step_over(bytes, len, out)) {
			return -1;
		}
	}
	return 0;
}

int inner_parse(const uint8_t *bytes, size_t len, struct inner_packet *out)
{
	*out = (struct inner_packet){.bytes = len};
	if (len == 0 || len > INNER_MAX_BYTES) {
		return -1;
	}
	out->version = bytes[0] >> 4;
	switch (out->version) {
	case INNER_IPV4: return parse_ipv4(bytes, len, out);
	case INNER_IPV6: return parse_ipv6(bytes, len, out);
	default: return -1;
	}
}

/* FNV-1a. */
static uint32_t mix(uint32_t hash, const uint8_t *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		hash = (hash ^ bytes[i]) * 16777619u;
	}
	return hash;
}

uint32_t inner_flow(const uint8_t *bytes, const struct inner_packet *p)
{
	const bool has_ports = (p->protocol == INNER_TCP || p->protocol == INNER_UDP) && !p->fragment &&
	                       p->transport_at + 4 <= p->bytes;
	uint32_t hash = mix(2166136261u, p->source, p->address_bytes);

	hash = mix(hash, p->destination, p->address_bytes);
	hash = mix(hash, &p->protocol, 1);
	hash = has_ports ? mix(hash, bytes + p->transport_at, 4) : hash;
	/* The low bits of FNV alone are weak. */
	return (hash ^ (hash >> 15)) * 2246822519u ^ (hash >> 13);
}

void inner_mark_ce(uint8_t *bytes, const struct inner_packet *p)
{
	if (p->version == INNER_IPV6) {
		bytes[1] |= 0x30;
	} else {
		const uint16_t before = inner_get16(bytes);

		bytes[1] |= 3;
		inner_put16(bytes + 10,
		            inner_checksum_change(inner_get16(bytes + 10), before, inner_get16(bytes)));
	}
}
