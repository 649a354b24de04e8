/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet.h - SCTP packets as the tap shows them: reading their chunks, and building forged ones. Pure. */
#ifndef SIM_PACKET_H
#define SIM_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/cmt_chunk_types.h"

enum { COMMON_HEADER_BYTES = 12 };

struct chunk {
	uint8_t type;
	const uint8_t *bytes; /* from the type octet on */
	size_t len;           /* length field, padding not counted */
};

uint16_t packet_get16(const uint8_t *at);
uint32_t packet_get32(const uint8_t *at);
void packet_put16(uint8_t *at, uint16_t value);
void packet_put32(uint8_t *at, uint32_t value);

/* The chunk at `*offset` (start with 0), which moves on; false behind the last one. */
bool packet_next_chunk(const uint8_t *packet, size_t packet_bytes, size_t *offset, struct chunk *out);

/* The first chunk of a type; false when there is none. */
bool packet_find(const uint8_t *packet, size_t packet_bytes, uint8_t type, struct chunk *out);
static inline bool packet_has(const uint8_t *packet, size_t packet_bytes, uint8_t type)
{
	struct chunk unused;

	return packet_find(packet, packet_bytes, type, &unused);
}

/* TSN of a DATA or I-DATA chunk, new cumulative TSN of a FORWARD-TSN. */
static inline uint32_t chunk_tsn(const struct chunk *c)
{
	return packet_get32(c->bytes + 4);
}
static inline bool chunk_is_data(const struct chunk *c)
{
	return c->type == CHUNK_DATA || c->type == CHUNK_IDATA;
}

/* Whether the chunk is an INIT or INIT-ACK that tells what holds: an INIT goes out on every path, and of its
 * answers the first counts. `*answered`: there was one since. */
static inline bool chunk_tells_init(const struct chunk *c, bool *answered)
{
	const bool tells = c->type == CHUNK_INIT || (c->type == CHUNK_INIT_ACK && !*answered);

	if (tells)
		*answered = c->type == CHUNK_INIT_ACK;
	return tells;
}

/* The parameter of an INIT or INIT-ACK; false when there is none. `out` from its type on. */
bool packet_find_parameter(const struct chunk *init, uint16_t type, struct chunk *out);

/* A packet under construction. */
struct packet_draft {
	uint8_t bytes[1400];
	size_t len;
};
void packet_begin(struct packet_draft *d, uint16_t src_port, uint16_t dst_port, uint32_t tag);
/* Appends a chunk with `len` in its length field, of which `body_bytes` follow, and padding. */
void packet_add(struct packet_draft *d, uint8_t type, uint16_t len, const void *body, size_t body_bytes);
/* Writes the checksum of a packet, or of one under construction, to which nothing may be added behind. */
void packet_put_checksum(uint8_t *packet, size_t packet_bytes);
void packet_finish(struct packet_draft *d);

#endif
