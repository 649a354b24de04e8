/* SPDX-License-Identifier: BSD-3-Clause */
#include "chunks.h"

#include "crypto/cmt_record.h"
#include "wire/cmt_wire.h"

#define CHUNK_HEADER_BYTES   4u
#define DATA_HEADER_BYTES    16u
#define I_DATA_HEADER_BYTES  20u
#define SACK_FIXED_BYTES     16u
#define NR_SACK_FIXED_BYTES  20u
#define INIT_FIXED_BYTES     20u
#define SUPPORTED_EXTENSIONS 0x8008u

uint16_t sctp_read16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

uint32_t sctp_read32(const uint8_t *at)
{
	return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

struct sctp_header sctp_header(const uint8_t *packet)
{
	return (struct sctp_header){.source_port = sctp_read16(packet),
	                            .destination_port = sctp_read16(packet + 2),
	                            .tag = sctp_read32(packet + 4),
	                            .checksum = sctp_read32(packet + SCTP_CHECKSUM_AT)};
}

bool sctp_next_chunk(const uint8_t *packet, uint32_t len, uint32_t *at, struct sctp_chunk *chunk)
{
	uint32_t left = *at < len ? len - *at : 0;
	uint32_t padded;

	if (left < CHUNK_HEADER_BYTES || sctp_read16(packet + *at + 2) < CHUNK_HEADER_BYTES) {
		return false;
	}
	*chunk = (struct sctp_chunk){.bytes = packet + *at,
	                             .at = *at,
	                             .len = sctp_read16(packet + *at + 2),
	                             .type = packet[*at],
	                             .flags = packet[*at + 1]};
	chunk->available = chunk->len < left ? chunk->len : left;
	padded = (chunk->len + 3) & ~UINT32_C(3);
	*at += padded < left ? padded : left;
	return true;
}

bool sctp_read_data(const struct sctp_chunk *chunk, struct sctp_data *out)
{
	uint32_t header = chunk->type == CHUNK_DATA ? DATA_HEADER_BYTES : I_DATA_HEADER_BYTES;

	if ((chunk->type != CHUNK_DATA && chunk->type != CHUNK_IDATA) || chunk->len <= header ||
	    chunk->available < header) {
		return false;
	}
	*out = (struct sctp_data){.tsn = sctp_read32(chunk->bytes + 4), .payload_bytes = chunk->len - header};
	return true;
}

bool sctp_read_sack(const struct sctp_chunk *chunk, struct sctp_sack *out)
{
	uint32_t fixed = chunk->type == CHUNK_SACK ? SACK_FIXED_BYTES : NR_SACK_FIXED_BYTES;
	uint32_t blocks, at;

	if ((chunk->type != CHUNK_SACK && chunk->type != CHUNK_NR_SACK) || chunk->available < fixed) {
		return false;
	}
	blocks = sctp_read16(chunk->bytes + 12);
	out->n_duplicates = sctp_read16(chunk->bytes + 14);
	if (chunk->type == CHUNK_NR_SACK) {
		/* Blocks that are renegable, those that are not, then the duplicates. */
		blocks += out->n_duplicates;
		out->n_duplicates = sctp_read16(chunk->bytes + 16);
	}
	out->cumulative_tsn = sctp_read32(chunk->bytes + 4);
	out->rwnd_bytes = sctp_read32(chunk->bytes + 8);
	at = fixed + 4 * blocks;
	if (at > chunk->available) {
		out->n_duplicates = 0;
	} else if (out->n_duplicates > (chunk->available - at) / 4) {
		out->n_duplicates = (chunk->available - at) / 4;
	}
	out->duplicates = out->n_duplicates > 0 ? chunk->bytes + at : NULL;
	return true;
}

static bool lists_both(const uint8_t *parameter, uint32_t len)
{
	bool timestamp = false, echo = false;

	for (uint32_t i = CHUNK_HEADER_BYTES; i < len; i++) {
		timestamp = timestamp || parameter[i] == CHUNK_TIMESTAMP;
		echo = echo || parameter[i] == CHUNK_ECHO;
	}
	return timestamp && echo;
}

/* Parameters and error causes are laid out as chunks are, but for a type of two octets. */
struct item {
	const uint8_t *bytes;
	uint32_t at, len; /* in the chunk */
	uint16_t type;
};

/* The one at *at, moved behind it. False at the end, and at what is none or not all there. */
static bool next_item(const struct sctp_chunk *chunk, uint32_t *at, struct item *out)
{
	uint32_t left = *at < chunk->available ? chunk->available - *at : 0;

	if (left < CHUNK_HEADER_BYTES) {
		return false;
	}
	*out = (struct item){.bytes = chunk->bytes + *at,
	                     .at = *at,
	                     .len = sctp_read16(chunk->bytes + *at + 2),
	                     .type = sctp_read16(chunk->bytes + *at)};
	if (out->len < CHUNK_HEADER_BYTES || out->len > left) {
		return false;
	}
	*at += (out->len + 3) & ~UINT32_C(3);
	return true;
}

static bool is_capable(const struct sctp_chunk *chunk)
{
	uint32_t at = INIT_FIXED_BYTES;
	struct item parameter;

	while (next_item(chunk, &at, &parameter)) {
		if (parameter.type == SUPPORTED_EXTENSIONS && lists_both(parameter.bytes, parameter.len)) {
			return true;
		}
	}
	return false;
}

bool sctp_read_init(const struct sctp_chunk *chunk, struct sctp_init *out)
{
	if ((chunk->type != CHUNK_INIT && chunk->type != CHUNK_INIT_ACK) ||
	    chunk->available < INIT_FIXED_BYTES) {
		return false;
	}
	*out = (struct sctp_init){.tag = sctp_read32(chunk->bytes + 4),
	                          .rwnd_bytes = sctp_read32(chunk->bytes + 8),
	                          .tsn = sctp_read32(chunk->bytes + 16),
	                          .capable = is_capable(chunk)};
	return true;
}

bool sctp_read_dtls(const struct sctp_chunk *chunk, struct sctp_dtls *out)
{
	if (chunk->type != CHUNK_DTLS || chunk->len < SCTP_DTLS_RECORD_AT + CMT_RECORD_OVERHEAD_BYTES ||
	    chunk->available < SCTP_DTLS_RECORD_AT + CMT_RECORD_HEADER_BYTES) {
		return false;
	}
	*out = (struct sctp_dtls){.record_bytes = chunk->len - SCTP_DTLS_RECORD_AT,
	                          .masked_number = sctp_read16(chunk->bytes + SCTP_DTLS_RECORD_AT + 1),
	                          .padding = chunk->bytes[SCTP_DTLS_RECORD_AT - 1],
	                          .header = chunk->bytes[SCTP_DTLS_RECORD_AT]};
	return true;
}

bool sctp_read_offer(const struct sctp_chunk *chunk, struct sctp_offer *out)
{
	uint32_t at = INIT_FIXED_BYTES;
	struct item parameter;

	if (chunk->type != CHUNK_INIT && chunk->type != CHUNK_INIT_ACK) {
		return false;
	}
	while (next_item(chunk, &at, &parameter)) {
		if (cmt_km_decode(parameter.bytes, parameter.len, &out->km) > 0) {
			out->at = parameter.at;
			out->len = parameter.len;
			return true;
		}
	}
	return false;
}

bool sctp_read_dtls_cause(const struct sctp_chunk *chunk, struct sctp_cause *out)
{
	uint32_t at = CHUNK_HEADER_BYTES;
	struct item cause;

	while (chunk->type == CHUNK_ABORT && next_item(chunk, &at, &cause)) {
		if (cause.type >= CMT_KM_CAUSE_MISSING && cause.type <= CMT_KM_CAUSE_ROLES) {
			*out = (struct sctp_cause){.at = cause.at, .code = cause.type};
			return true;
		}
	}
	return false;
}
