/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_wire.c - coding of CMT-TIMESTAMP, CMT-ECHO and probes. */
#include <errno.h>

#include "cmt_wire.h"

#define CHUNK_HEADER_BYTES 4u
#define HEARTBEAT_INFO     1u /* type of the parameter */

static void put16(uint8_t *out, uint16_t value)
{
	out[0] = (uint8_t)(value >> 8);
	out[1] = (uint8_t)(value & 0xff);
}

static void put32(uint8_t *out, uint32_t value)
{
	put16(out, (uint16_t)(value >> 16));
	put16(out + 2, (uint16_t)(value & 0xffff));
}

static uint16_t get16(const uint8_t *in)
{
	return (uint16_t)((uint16_t)(in[0] << 8) | in[1]);
}

static uint32_t get32(const uint8_t *in)
{
	return (uint32_t)get16(in) << 16 | get16(in + 2);
}

static void put_header(uint8_t *out, uint8_t type, uint8_t flags, size_t chunk_bytes)
{
	out[0] = type;
	out[1] = flags;
	put16(out + 2, (uint16_t)chunk_bytes);
}

/* The chunk's length field, or 0 when this is no readable chunk of `type` with at least `least_bytes`. */
static size_t chunk_length(const uint8_t *chunk, size_t len, uint8_t type, size_t least_bytes)
{
	size_t chunk_bytes;

	if (len < CHUNK_HEADER_BYTES || chunk[0] != type)
		return 0;
	chunk_bytes = get16(chunk + 2);
	return chunk_bytes >= least_bytes && chunk_bytes <= len ? chunk_bytes : 0;
}

size_t cmt_timestamp_encode(const struct cmt_timestamp *ts, uint8_t *out)
{
	put_header(out, CHUNK_TIMESTAMP, 0, CMT_TIMESTAMP_BYTES);
	put32(out + 4, ts->ts_us);
	put32(out + 8, ts->path_packet_number);
	put16(out + 12, ts->path_id);
	put16(out + 14, ts->return_path);
	return CMT_TIMESTAMP_BYTES;
}

int cmt_timestamp_decode(const uint8_t *chunk, size_t len, struct cmt_timestamp *out)
{
	if (chunk_length(chunk, len, CHUNK_TIMESTAMP, CMT_TIMESTAMP_BYTES) == 0)
		return -EINVAL;
	out->ts_us = get32(chunk + 4);
	out->path_packet_number = get32(chunk + 8);
	out->path_id = get16(chunk + 12);
	out->return_path = get16(chunk + 14);
	return 0;
}

const uint8_t *cmt_chunk_next(const uint8_t *chunks, size_t len, size_t *at, size_t *chunk_bytes)
{
	const uint8_t *chunk;

	if (*at > len || len - *at < CHUNK_HEADER_BYTES)
		return NULL;
	chunk = chunks + *at;
	*chunk_bytes = get16(chunk + 2);
	if (*chunk_bytes < CHUNK_HEADER_BYTES || *chunk_bytes > len - *at)
		return NULL;
	*at += (*chunk_bytes + 3) & ~(size_t)3;
	return chunk;
}

uint16_t cmt_path_id_of_chunks(const uint8_t *chunks, size_t len)
{
	size_t at = 0, chunk_bytes;
	struct cmt_timestamp ts;
	const uint8_t *chunk;

	while ((chunk = cmt_chunk_next(chunks, len, &at, &chunk_bytes)) != NULL) {
		if (cmt_timestamp_decode(chunk, chunk_bytes, &ts) == 0)
			return ts.path_id;
	}
	return 0;
}

size_t cmt_probes_of_chunks(const uint8_t *chunks, size_t len)
{
	size_t at = 0, probes = 0, chunk_bytes;
	const uint8_t *chunk;

	while ((chunk = cmt_chunk_next(chunks, len, &at, &chunk_bytes)) != NULL &&
	       (chunk[0] == CHUNK_HEARTBEAT || chunk[0] == CHUNK_HEARTBEAT_ACK || chunk[0] == CHUNK_PAD))
		probes = at < len ? at : len;
	return probes;
}

size_t cmt_echo_encode(const struct cmt_echo *echo, uint8_t *out)
{
	const size_t chunk_bytes = CMT_ECHO_FIXED_BYTES + (size_t)echo->n_entries * CMT_ECHO_ENTRY_BYTES;
	uint8_t *at = out + CMT_ECHO_FIXED_BYTES;

	put_header(out, CHUNK_ECHO, (uint8_t)echo->tsn_scale, chunk_bytes);
	put32(out + 4, echo->tr_us);
	for (uint32_t i = 0; i < echo->n_entries; i++, at += CMT_ECHO_ENTRY_BYTES) {
		const struct cmt_echo_entry *entry = &echo->entries[i];

		put16(at, entry->path_id);
		put16(at + 2, entry->packets);
		put32(at + 4, entry->ts_us);
		put32(at + 8, entry->elapsed_us);
		put32(at + 12, entry->path_packet_number);
	}
	return chunk_bytes;
}

int cmt_echo_decode(const uint8_t *chunk, size_t len, struct cmt_echo *out)
{
	const size_t chunk_bytes = chunk_length(chunk, len, CHUNK_ECHO, CMT_ECHO_FIXED_BYTES);
	const uint8_t *at;
	size_t n_entries;

	if (chunk_bytes == 0 || (chunk_bytes - CMT_ECHO_FIXED_BYTES) % CMT_ECHO_ENTRY_BYTES != 0)
		return -EINVAL;
	n_entries = (chunk_bytes - CMT_ECHO_FIXED_BYTES) / CMT_ECHO_ENTRY_BYTES;
	at = chunk + CMT_ECHO_FIXED_BYTES;
	out->tsn_scale = chunk[1] < CMT_TSN_SCALE_MAX ? chunk[1] : CMT_TSN_SCALE_MAX;
	out->tr_us = get32(chunk + 4);
	out->n_entries = n_entries < CMT_ECHO_MAX_ENTRIES ? (uint32_t)n_entries : CMT_ECHO_MAX_ENTRIES;
	for (uint32_t i = 0; i < out->n_entries; i++, at += CMT_ECHO_ENTRY_BYTES) {
		struct cmt_echo_entry *entry = &out->entries[i];

		entry->path_id = get16(at);
		entry->packets = get16(at + 2);
		entry->ts_us = get32(at + 4);
		entry->elapsed_us = get32(at + 8);
		entry->path_packet_number = get32(at + 12);
	}
	return 0;
}

size_t cmt_probe_encode(const struct cmt_probe *probe, uint32_t pad_bytes, uint8_t *out)
{
	put_header(out, CHUNK_HEARTBEAT, 0, CMT_PROBE_BYTES);
	put16(out + 4, HEARTBEAT_INFO);
	put16(out + 6, CMT_PROBE_BYTES - CHUNK_HEADER_BYTES);
	put32(out + 8, (uint32_t)(probe->nonce >> 32));
	put32(out + 12, (uint32_t)probe->nonce);
	put32(out + 16, probe->bytes);
	if (pad_bytes == 0)
		return CMT_PROBE_BYTES;
	put_header(out + CMT_PROBE_BYTES, CHUNK_PAD, 0, pad_bytes);
	return CMT_PROBE_BYTES + CMT_PAD_HEADER_BYTES;
}

int cmt_probe_decode(const uint8_t *chunk, size_t len, struct cmt_probe *out)
{
	if (chunk_length(chunk, len, CHUNK_HEARTBEAT_ACK, CMT_PROBE_BYTES) != CMT_PROBE_BYTES ||
	    get16(chunk + 4) != HEARTBEAT_INFO || get16(chunk + 6) != CMT_PROBE_BYTES - CHUNK_HEADER_BYTES)
		return -EINVAL;
	out->nonce = (uint64_t)get32(chunk + 8) << 32 | get32(chunk + 12);
	out->bytes = get32(chunk + 16);
	return 0;
}
