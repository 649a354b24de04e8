/* SPDX-License-Identifier: BSD-3-Clause */
#include "joined.h"

#ifdef CMT_ISAL
#include <isa-l/crc.h>
#else
#include <wireshark.h>

#include <wsutil/crc32.h>
#endif

#define CRC32C_INITIAL 0xffffffffu

static uint32_t add_to_crc(uint32_t crc, const uint8_t *bytes, uint32_t len)
{
#ifdef CMT_ISAL
	/* ISA-L's parameter is not const, but it only reads. */
	crc = crc32_iscsi((unsigned char *)(uintptr_t)bytes, (int)len, crc);
#if defined(__x86_64__)
	/* Vector registers that it leaves in use would slow down everything that comes after. */
	if (__builtin_cpu_supports("avx")) {
		__asm__ volatile("vzeroupper");
	}
#endif
	return crc;
#else
	return crc32c_calculate_no_swap(bytes, (int)len, crc);
#endif
}

static uint32_t crc_of_header(const uint8_t *packet)
{
	static const uint8_t zero[SCTP_CHECKSUM_BYTES];

	return add_to_crc(add_to_crc(CRC32C_INITIAL, packet, SCTP_CHECKSUM_AT), zero, SCTP_CHECKSUM_BYTES);
}

static bool is_in_header(const uint8_t *packet, uint32_t crc)
{
	/* The one field of SCTP that is sent least significant byte first. */
	return __builtin_bswap32(sctp_read32(packet + SCTP_CHECKSUM_AT)) == ~crc;
}

static uint32_t crc_of_packet(const uint8_t *packet, uint32_t len)
{
	return add_to_crc(crc_of_header(packet), packet + SCTP_HEADER_BYTES, len - SCTP_HEADER_BYTES);
}

bool sctp_has_checksum(const uint8_t *packet, uint32_t len)
{
	return is_in_header(packet, crc_of_packet(packet, len));
}

void sctp_set_checksum(uint8_t *packet, uint32_t len)
{
	uint32_t crc = ~crc_of_packet(packet, len);

	for (unsigned i = 0; i < SCTP_CHECKSUM_BYTES; i++) {
		packet[SCTP_CHECKSUM_AT + i] = (uint8_t)(crc >> (8 * i) & 0xff);
	}
}

uint32_t sctp_proven_bytes(const uint8_t *bytes, uint32_t len)
{
	uint32_t at = SCTP_HEADER_BYTES, crc;
	struct sctp_chunk chunk;

	if (len < SCTP_HEADER_BYTES) {
		return 0;
	}
	crc = crc_of_header(bytes);
	while (sctp_next_chunk(bytes, len, &at, &chunk)) {
		crc = add_to_crc(crc, chunk.bytes, at - chunk.at);
		if (is_in_header(bytes, crc)) {
			return at;
		}
	}
	return 0;
}
