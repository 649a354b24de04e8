/* SPDX-License-Identifier: BSD-3-Clause */
#include "inner/segments.h"

#define TCP_HEADER_BYTES 20u

int inner_set_segments(const uint8_t *bytes, struct inner_packet *p, uint16_t segment_bytes)
{
	size_t header_bytes;

	if (p->protocol != INNER_TCP || p->fragment || segment_bytes < INNER_LEAST_SEGMENT_BYTES ||
	    p->transport_at + TCP_HEADER_BYTES > p->bytes) {
		return -1;
	}
	header_bytes = (bytes[p->transport_at + 12] >> 4) * 4u;
	if (header_bytes < TCP_HEADER_BYTES || p->transport_at + header_bytes + segment_bytes >= p->bytes) {
		return -1;
	}
	p->headers_bytes = (uint16_t)(p->transport_at + header_bytes);
	p->segment_bytes = segment_bytes;
	return 0;
}

size_t inner_largest_bytes(const struct inner_packet *p)
{
	return p->segment_bytes != 0 ? (size_t)p->headers_bytes + p->segment_bytes : p->bytes;
}
