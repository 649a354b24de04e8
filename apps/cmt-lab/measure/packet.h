/* SPDX-License-Identifier: BSD-3-Clause
 *
 * packet.h - finds the chunks of an SCTP packet that the lab measures.
 *
 * Pure. The bytes may be damaged: nothing past `len` is read. */
#ifndef LAB_PACKET_H
#define LAB_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lab_data_chunk {
	uint32_t tsn;
	uint32_t payload_bytes;
};

/* Calls `fn` for each DATA and I-DATA chunk. Returns their number. */
unsigned lab_packet_data(const uint8_t *packet, size_t len,
                         void (*fn)(void *arg, const struct lab_data_chunk *chunk), void *arg);

/* Whether a CMT-TIMESTAMP chunk is in it. */
bool lab_packet_has_timestamp(const uint8_t *packet, size_t len);

/* Whether the packet goes from one port to the other. */
bool lab_packet_is_between(const uint8_t *packet, size_t len, uint16_t from_port, uint16_t to_port);

/* The initial TSN, if the packet is an INIT. */
bool lab_packet_init_tsn(const uint8_t *packet, size_t len, uint32_t *tsn);

/* The length of its DTLS chunk with the header, which is its only chunk; 0 = it has none. */
size_t lab_packet_dtls_bytes(const uint8_t *packet, size_t len);

/* Whether the packet's CRC32c (RFC 9260 appendix A) is right. */
bool lab_packet_intact(const uint8_t *packet, size_t len);

#endif
