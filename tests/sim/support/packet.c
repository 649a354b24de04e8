/* SPDX-License-Identifier: BSD-3-Clause */
#include "packet.h"

#include <string.h>

enum { CHUNK_HEADER_BYTES = 4, INIT_FIXED_BYTES = 20 };

uint16_t packet_get16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

uint32_t packet_get32(const uint8_t *at)
{
	return (uint32_t)packet_get16(at) << 16 | packet_get16(at + 2);
}

void packet_put16(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)(value & 0xff);
}

void packet_put32(uint8_t *at, uint32_t value)
{
	packet_put16(at, (uint16_t)(value >> 16));
	packet_put16(at + 2, (uint16_t)(value & 0xffff));
}

/* Chunks and parameters lie alike: a length at octet 2, padded to four. */
static size_t padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

bool packet_next_chunk(const uint8_t *packet, size_t packet_bytes, size_t *offset, struct chunk *out)
{
	size_t at = *offset == 0 ? COMMON_HEADER_BYTES : *offset;

	if (at + CHUNK_HEADER_BYTES > packet_bytes)
		return false;
	out->type = packet[at];
	out->bytes = packet + at;
	out->len = packet_get16(packet + at + 2);
	if (out->len < CHUNK_HEADER_BYTES || at + out->len > packet_bytes)
		return false;
	*offset = at + padded(out->len);
	return true;
}

bool packet_find(const uint8_t *packet, size_t packet_bytes, uint8_t type, struct chunk *out)
{
	size_t offset = 0;

	while (packet_next_chunk(packet, packet_bytes, &offset, out)) {
		if (out->type == type)
			return true;
	}
	return false;
}

bool packet_find_parameter(const struct chunk *init, uint16_t type, struct chunk *out)
{
	size_t at = INIT_FIXED_BYTES;

	while (at + CHUNK_HEADER_BYTES <= init->len) {
		size_t len = packet_get16(init->bytes + at + 2);

		if (len < CHUNK_HEADER_BYTES || at + len > init->len)
			return false;
		if (packet_get16(init->bytes + at) == type) {
			*out = (struct chunk){.bytes = init->bytes + at, .len = len};
			return true;
		}
		at += padded(len);
	}
	return false;
}

void packet_begin(struct packet_draft *d, uint16_t src_port, uint16_t dst_port, uint32_t tag)
{
	memset(d->bytes, 0, sizeof(d->bytes));
	packet_put16(d->bytes, src_port);
	packet_put16(d->bytes + 2, dst_port);
	packet_put32(d->bytes + 4, tag);
	d->len = COMMON_HEADER_BYTES;
}

void packet_add(struct packet_draft *d, uint8_t type, uint16_t len, const void *body, size_t body_bytes)
{
	uint8_t *at = d->bytes + d->len;

	at[0] = type;
	at[1] = 0;
	packet_put16(at + 2, len);
	if (body_bytes > 0)
		memcpy(at + CHUNK_HEADER_BYTES, body, body_bytes);
	d->len += padded(CHUNK_HEADER_BYTES + body_bytes);
}

/* CRC32c four bits at a time (RFC 9260, appendix A): a second opinion on the stack's. */
static uint32_t crc32c(const uint8_t *bytes, size_t len)
{
	static const uint32_t of[16] = {
	    UINT32_C(0x00000000), UINT32_C(0x105ec76f), UINT32_C(0x20bd8ede), UINT32_C(0x30e349b1),
	    UINT32_C(0x417b1dbc), UINT32_C(0x5125dad3), UINT32_C(0x61c69362), UINT32_C(0x7198540d),
	    UINT32_C(0x82f63b78), UINT32_C(0x92a8fc17), UINT32_C(0xa24bb5a6), UINT32_C(0xb21572c9),
	    UINT32_C(0xc38d26c4), UINT32_C(0xd3d3e1ab), UINT32_C(0xe330a81a), UINT32_C(0xf36e6f75)};
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < len; i++) {
		crc ^= bytes[i];
		crc = (crc >> 4) ^ of[crc & 15];
		crc = (crc >> 4) ^ of[crc & 15];
	}
	return ~crc;
}

void packet_put_checksum(uint8_t *packet, size_t packet_bytes)
{
	uint32_t crc;

	packet_put32(packet + 8, 0);
	crc = crc32c(packet, packet_bytes);
	for (unsigned i = 0; i < 4; i++)
		packet[8 + i] = (uint8_t)(crc >> (8 * i));
}

void packet_finish(struct packet_draft *d)
{
	packet_put_checksum(d->bytes, d->len);
}
