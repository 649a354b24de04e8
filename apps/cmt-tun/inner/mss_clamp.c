/* SPDX-License-Identifier: BSD-3-Clause */
#include "inner/mss_clamp.h"

#include "inner/checksum.h"

#define TCP_HEADER_BYTES 20u
#define SYN              0x02u
#define OPTION_END       0
#define OPTION_NOP       1
#define OPTION_MSS       2
#define MSS_LEAST        536u

/* The MSS value among `options`; NULL when there is none. */
static uint8_t *find_mss(uint8_t *options, size_t len)
{
	for (size_t at = 0; at < len && options[at] != OPTION_END;) {
		if (options[at] == OPTION_NOP) {
			at++;
			continue;
		}
		if (at + 1 >= len || options[at + 1] < 2 || at + options[at + 1] > len) {
			return NULL;
		}
		if (options[at] == OPTION_MSS && options[at + 1] == 4) {
			return options + at + 2;
		}
		at += options[at + 1];
	}
	return NULL;
}

bool inner_clamp_mss(uint8_t *bytes, const struct inner_packet *p, uint32_t mtu_bytes)
{
	uint8_t *const tcp = bytes + p->transport_at;
	const uint32_t headers = (p->version == INNER_IPV4 ? 20u : 40u) + TCP_HEADER_BYTES;
	const uint32_t mss = mtu_bytes > headers + MSS_LEAST ? mtu_bytes - headers : MSS_LEAST;
	size_t header_bytes;
	uint8_t *value;
	uint16_t before;

	if (p->protocol != INNER_TCP || p->fragment || p->transport_at + TCP_HEADER_BYTES > p->bytes ||
	    (tcp[13] & SYN) == 0) {
		return false;
	}
	header_bytes = (tcp[12] >> 4) * 4u;
	if (header_bytes < TCP_HEADER_BYTES || p->transport_at + header_bytes > p->bytes) {
		return false;
	}
	value = find_mss(tcp + TCP_HEADER_BYTES, header_bytes - TCP_HEADER_BYTES);
	if (value == NULL || inner_get16(value) <= mss) {
		return false;
	}
	before = inner_get16(value);
	inner_put16(value, (uint16_t)mss);
	if ((value - tcp) % 2 != 0) { /* the sum has its bytes the other way round */
		before = (uint16_t)(before << 8 | before >> 8);
		inner_put16(tcp + 16, inner_checksum_change(inner_get16(tcp + 16), before,
		                                            (uint16_t)(mss << 8 | mss >> 8)));
	} else {
		inner_put16(tcp + 16, inner_checksum_change(inner_get16(tcp + 16), before, (uint16_t)mss));
	}
	return true;
}
