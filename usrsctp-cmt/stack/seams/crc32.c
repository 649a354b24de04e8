/* SPDX-License-Identifier: BSD-3-Clause
 *
 * crc32.c - the CRC32c of SCTP packets (RFC 9260 appendix A) on ISA-L; takes the place of upstream's
 * netinet/sctp_crc32.c.
 *
 * A running value starts as 0xffffffff and is not inverted between blocks. No state; callable from any
 * thread. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp.h>
#include <netinet/sctp_crc32.h>

#include <isa-l/crc.h>

/* ISA-L leaves the upper halves of vector registers dirty, which slows every SSE instruction down until
 * somebody cleans them. */
static void clean_vector_registers(void)
{
#if defined(__x86_64__)
	if (__builtin_cpu_supports("avx"))
		__asm__ volatile("vzeroupper");
#endif
}

uint32_t calculate_crc32c(uint32_t crc32c, const unsigned char *buffer, unsigned int length)
{
	/* ISA-L counts in int, and reads only although its parameter lacks the const. */
	unsigned char *at = (unsigned char *)(uintptr_t)buffer;

	while (length > INT_MAX) {
		crc32c = crc32_iscsi(at, INT_MAX, crc32c);
		at += INT_MAX;
		length -= INT_MAX;
	}
	crc32c = crc32_iscsi(at, (int)length, crc32c);
	clean_vector_registers();
	return crc32c;
}

/* The checksum as it lies in the packet, least significant octet first, on every host. */
uint32_t sctp_finalize_crc32c(uint32_t crc32c)
{
	const uint32_t inverted = ~crc32c;
	const uint8_t octets[4] = {(uint8_t)(inverted & 0xff), (uint8_t)(inverted >> 8 & 0xff),
	                           (uint8_t)(inverted >> 16 & 0xff), (uint8_t)(inverted >> 24)};
	uint32_t checksum;

	memcpy(&checksum, octets, sizeof(checksum));
	return checksum;
}

/* Of the packet that starts `offset` bytes into the chain. */
uint32_t sctp_calculate_cksum(struct mbuf *m, uint32_t offset)
{
	uint32_t crc32c = 0xffffffff;

	for (; m != NULL; m = m->m_next) {
		const uint32_t len_bytes = (uint32_t)m->m_len;

		if (offset >= len_bytes) {
			offset -= len_bytes;
			continue;
		}
		crc32c =
		    calculate_crc32c(crc32c, (const unsigned char *)m->m_data + offset, len_bytes - offset);
		offset = 0;
	}
	return sctp_finalize_crc32c(crc32c);
}
