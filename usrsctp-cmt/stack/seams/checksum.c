/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_seams.h"

#include <string.h>

#include <netinet/sctp_os.h>
#include <netinet/sctp.h>
#include <netinet/sctp_crc32.h>

uint32_t cmt_seam_checksum(const void *packet, size_t len)
{
	const uint8_t *bytes = packet;
	struct sctphdr sh;
	uint32_t crc32c;

	memcpy(&sh, bytes, sizeof(sh));
	sh.checksum = 0;
	crc32c = calculate_crc32c(0xffffffff, (const unsigned char *)&sh, sizeof(sh));
	return sctp_finalize_crc32c(
	    calculate_crc32c(crc32c, bytes + sizeof(sh), (unsigned int)(len - sizeof(sh))));
}
