/* SPDX-License-Identifier: BSD-3-Clause */
#include "paths/cmt_nat.h"

#include <string.h>

#include "util/cmt_time.h"
#include "wire/cmt_chunk_types.h"
#include "wire/cmt_wire.h"

/* Upstream's Heartbeat Information: two times, two random numbers, family and length of a socket address, two
 * bytes that mean nothing to the peer, 16 bytes for the address. */
enum {
	LENGTH_AT = 25,
	ADDRESS_AT = 28,
	HEARTBEAT_BYTES = 44,
	SOCKADDR_IN_BYTES = 16,
	SOCKADDR_IN6_BYTES = 28
};

static size_t address_bytes(uint8_t sockaddr_bytes)
{
	switch (sockaddr_bytes) {
	case SOCKADDR_IN_BYTES: return 4;
	case SOCKADDR_IN6_BYTES: return 16;
	default: return 0;
	}
}

static enum cmt_nat judge(const uint8_t *heartbeat, const uint8_t *local, size_t local_bytes)
{
	if (address_bytes(heartbeat[LENGTH_AT]) != local_bytes)
		return CMT_NAT_UNKNOWN;
	return memcmp(heartbeat + ADDRESS_AT, local, local_bytes) == 0 ? CMT_NAT_NONE : CMT_NAT_BETWEEN;
}

enum cmt_nat cmt_nat_of_chunks(const uint8_t *chunks, size_t len, const uint8_t *local, size_t local_bytes)
{
	size_t at = 0, chunk_bytes;
	const uint8_t *chunk;

	while ((chunk = cmt_chunk_next(chunks, len, &at, &chunk_bytes)) != NULL) {
		if (chunk[0] == CHUNK_HEARTBEAT && chunk_bytes == HEARTBEAT_BYTES)
			return judge(chunk, local, local_bytes);
	}
	return CMT_NAT_UNKNOWN;
}

uint64_t cmt_nat_keep_alive_us(enum cmt_nat nat, uint64_t last_sent_us)
{
	return nat == CMT_NAT_NONE ? CMT_NEVER_US : last_sent_us + CMT_KEEP_ALIVE_US;
}
