/* SPDX-License-Identifier: BSD-3-Clause
 *
 * chunks.h - reads the chunks of an SCTP packet (RFC 9260) that the analysis needs.
 *
 * Pure. The bytes come from the network and may be cut by the capture: nothing behind `len` is read. The two
 * chunks of the extension are decoded by core/wire/cmt_wire.h, the parameter of encryption by
 * core/wire/cmt_km.h. */
#ifndef CMT_WS_CHUNKS_H
#define CMT_WS_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/cmt_chunk_types.h"
#include "wire/cmt_km.h"

#define SCTP_HEADER_BYTES   12u
#define SCTP_CHECKSUM_AT    8u
#define SCTP_CHECKSUM_BYTES 4u

/* The DTLS chunk (draft-ietf-tsvwg-sctp-dtls-chunk-04, section 4): 4 octets of header, one of padding, a
 * record. */
#define SCTP_DTLS_RECORD_AT 5u
#define SCTP_DTLS_RESTART   0x01 /* flag: a key of its own, for the restart of an association */

#define SCTP_TAG_REFLECTED 0x01 /* flag of ABORT and SHUTDOWN COMPLETE: the tag is the other direction's */

struct sctp_header {
	uint16_t source_port, destination_port;
	uint32_t tag;
	uint32_t checksum; /* as it stands in the packet */
};

struct sctp_chunk {
	const uint8_t *bytes;
	uint32_t at;        /* offset in the packet */
	uint32_t len;       /* its length field */
	uint32_t available; /* bytes of it in the capture */
	uint8_t type, flags;
};

struct sctp_data {
	uint32_t tsn, payload_bytes;
};

struct sctp_sack {
	uint32_t cumulative_tsn, rwnd_bytes;
	const uint8_t *duplicates; /* TSNs, big endian */
	uint32_t n_duplicates;
};

struct sctp_init {
	uint32_t tag, rwnd_bytes, tsn;
	bool capable; /* lists both chunks of the extension as supported */
};

/* A DTLS chunk, as it can be read without a key. */
struct sctp_dtls {
	uint32_t record_bytes;   /* with its header */
	uint16_t masked_number;  /* 16 bits of the sequence number, encrypted */
	uint8_t padding, header; /* the octet before the record, and the record's first */
};

/* The parameter DTLS Key Management of INIT and INIT-ACK. */
struct sctp_offer {
	uint32_t at, len; /* in the chunk */
	struct cmt_km km;
};

/* An error cause of an ABORT. */
struct sctp_cause {
	uint32_t at; /* in the chunk */
	uint16_t code;
};

uint16_t sctp_read16(const uint8_t *at);
uint32_t sctp_read32(const uint8_t *at);

/* Requires SCTP_HEADER_BYTES bytes. */
struct sctp_header sctp_header(const uint8_t *packet);

/* The chunk at *at, first SCTP_HEADER_BYTES, moved behind it. False at the end and at what is no chunk. */
bool sctp_next_chunk(const uint8_t *packet, uint32_t len, uint32_t *at, struct sctp_chunk *chunk);

/* False for other types and for chunks that are too short. */
bool sctp_read_data(const struct sctp_chunk *chunk, struct sctp_data *out);
bool sctp_read_sack(const struct sctp_chunk *chunk, struct sctp_sack *out);
bool sctp_read_init(const struct sctp_chunk *chunk, struct sctp_init *out);

/* False for other types, and for chunks in which no record has room. What the capture has cut reads as far as
 * the record's header. */
bool sctp_read_dtls(const struct sctp_chunk *chunk, struct sctp_dtls *out);

/* Of an INIT or INIT-ACK. False if it has none, or it is malformed. */
bool sctp_read_offer(const struct sctp_chunk *chunk, struct sctp_offer *out);

/* The first cause of an ABORT that speaks of the DTLS chunk. */
bool sctp_read_dtls_cause(const struct sctp_chunk *chunk, struct sctp_cause *out);

#endif
