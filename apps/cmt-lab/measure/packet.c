/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/packet.h"

#include "wire/cmt_chunk_types.h"

#define COMMON_HEADER_BYTES 12u
#define CHUNK_HEADER_BYTES  4u
#define DATA_HEADER_BYTES   16u
#define IDATA_HEADER_BYTES  20u
#define INIT_BYTES          20u
#define CHECKSUM_OFFSET     8u
#define CRC32C_POLYNOMIAL   UINT32_C(0x82f63b78) /* reflected */

static uint32_t read32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* The chunk at *at and its length, *at moved behind it; NULL at the end or at what is no chunk. */
static const uint8_t *next_chunk(const uint8_t *packet, size_t len, size_t *at, size_t *chunk_len)
{
	const uint8_t *chunk = packet + *at;

	if (len < *at + CHUNK_HEADER_BYTES) {
		return NULL;
	}
	*chunk_len = (size_t)chunk[2] << 8 | chunk[3];
	if (*chunk_len < CHUNK_HEADER_BYTES || *chunk_len > len - *at) {
		return NULL;
	}
	*at += (*chunk_len + 3) & ~(size_t)3;
	return chunk;
}

unsigned lab_packet_data(const uint8_t *packet, size_t len,
                         void (*fn)(void *arg, const struct lab_data_chunk *chunk), void *arg)
{
	size_t at = COMMON_HEADER_BYTES, chunk_len;
	const uint8_t *chunk;
	unsigned n = 0;

	while ((chunk = next_chunk(packet, len, &at, &chunk_len)) != NULL) {
		size_t header = chunk[0] == CHUNK_DATA ? DATA_HEADER_BYTES : IDATA_HEADER_BYTES;

		if ((chunk[0] == CHUNK_DATA || chunk[0] == CHUNK_IDATA) && chunk_len > header) {
			struct lab_data_chunk data = {.tsn = read32(chunk + 4),
			                              .payload_bytes = (uint32_t)(chunk_len - header)};

			fn(arg, &data);
			n++;
		}
	}
	return n;
}

bool lab_packet_has_timestamp(const uint8_t *packet, size_t len)
{
	size_t at = COMMON_HEADER_BYTES, chunk_len;
	const uint8_t *chunk;

	while ((chunk = next_chunk(packet, len, &at, &chunk_len)) != NULL) {
		if (chunk[0] == CHUNK_TIMESTAMP) {
			return true;
		}
	}
	return false;
}

bool lab_packet_is_between(const uint8_t *packet, size_t len, uint16_t from_port, uint16_t to_port)
{
	return len >= COMMON_HEADER_BYTES && read32(packet) == ((uint32_t)from_port << 16 | to_port);
}

bool lab_packet_init_tsn(const uint8_t *packet, size_t len, uint32_t *tsn)
{
	if (len < COMMON_HEADER_BYTES + INIT_BYTES || packet[COMMON_HEADER_BYTES] != CHUNK_INIT) {
		return false;
	}
	*tsn = read32(packet + COMMON_HEADER_BYTES + 16);
	return true;
}

size_t lab_packet_dtls_bytes(const uint8_t *packet, size_t len)
{
	size_t at = COMMON_HEADER_BYTES, chunk_len;
	const uint8_t *chunk = next_chunk(packet, len, &at, &chunk_len);

	return chunk != NULL && chunk[0] == CHUNK_DTLS ? chunk_len : 0;
}

/* Bit by bit: it runs only in scenarios that corrupt packets. */
bool lab_packet_intact(const uint8_t *packet, size_t len)
{
	uint32_t crc = UINT32_MAX, stored;

	if (len < COMMON_HEADER_BYTES) {
		return false;
	}
	for (size_t i = 0; i < len; i++) {
		bool checksum = i >= CHECKSUM_OFFSET && i < COMMON_HEADER_BYTES;

		crc ^= checksum ? 0 : packet[i];
		for (int bit = 0; bit < 8; bit++) {
			crc = (crc & 1) != 0 ? crc >> 1 ^ CRC32C_POLYNOMIAL : crc >> 1;
		}
	}
	/* The checksum is the one field of SCTP that is sent least significant byte first. */
	stored =
	    (uint32_t)packet[11] << 24 | (uint32_t)packet[10] << 16 | (uint32_t)packet[9] << 8 | packet[8];
	return ~crc == stored;
}
