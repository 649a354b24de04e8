/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_wire.h - layout of CMT-TIMESTAMP, CMT-ECHO and probes for the packet size (docs/wire-format.md), and
 * their coding.
 *
 * Pure: no clock, no allocation, no stack type; re-entrant. Shared with the Wireshark plugin. All fields are
 * big endian on the wire; time in microseconds modulo 2^32. */
#ifndef CMT_WIRE_H
#define CMT_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "cmt_chunk_types.h"

#define CMT_TIMESTAMP_BYTES  16u
#define CMT_ECHO_FIXED_BYTES 8u
#define CMT_ECHO_ENTRY_BYTES 16u
#define CMT_ECHO_MAX_ENTRIES 8u
#define CMT_ECHO_MAX_BYTES   (CMT_ECHO_FIXED_BYTES + CMT_ECHO_MAX_ENTRIES * CMT_ECHO_ENTRY_BYTES)
#define CMT_TSN_SCALE_MAX    4u /* gap ack blocks reach 2^16 - 1 TSNs */

/* What a sender puts in front of DATA. */
struct cmt_timestamp {
	uint32_t ts_us;              /* Ts: when the packet was handed to the network */
	uint32_t path_packet_number; /* +1 for every packet carrying DATA on this path */
	uint16_t path_id;            /* the sender's */
	uint16_t return_path; /* the sender's id of the path on which it would like SACKs; 0 = no wish */
};

struct cmt_echo_entry {
	uint16_t path_id;
	uint16_t packets;    /* heard on this path so far, modulo 2^16 */
	uint32_t ts_us;      /* of the packet with the highest Path Packet Number heard */
	uint32_t elapsed_us; /* Te: Tr minus that packet's arrival */
	uint32_t path_packet_number;
};

struct cmt_echo {
	uint32_t tr_us;     /* Tr: the receiver's clock when the SACK was built */
	uint32_t tsn_scale; /* 0 .. CMT_TSN_SCALE_MAX: cmt_tracked_tsns() */
	uint32_t n_entries; /* 0 .. CMT_ECHO_MAX_ENTRIES */
	struct cmt_echo_entry entries[CMT_ECHO_MAX_ENTRIES];
};

/* A HEARTBEAT that asks whether packets of one size pass (RFC 8899, section 6.2.1.2). A PAD chunk (RFC 4820)
 * behind it makes up the size; the HEARTBEAT-ACK brings this back. */
#define CMT_PROBE_BYTES      20u
#define CMT_PAD_HEADER_BYTES 4u

struct cmt_probe {
	uint64_t nonce; /* nobody acknowledges what he did not get */
	uint32_t bytes;
};

/* How many TSNs behind its cumulative TSN ack a receiver keeps apart: 4096 as usrsctp and its kin do, doubled
 * `tsn_scale` times. */
static inline uint32_t cmt_tracked_tsns(uint32_t tsn_scale)
{
	return (uint32_t)4096 << tsn_scale;
}

/* Writes CMT_TIMESTAMP_BYTES to `out` and returns that. */
size_t cmt_timestamp_encode(const struct cmt_timestamp *ts, uint8_t *out);

/* Writes CMT_ECHO_FIXED_BYTES + n_entries * CMT_ECHO_ENTRY_BYTES to `out`, at most CMT_ECHO_MAX_BYTES, and
 * returns that. Requires n_entries <= CMT_ECHO_MAX_ENTRIES. */
size_t cmt_echo_encode(const struct cmt_echo *echo, uint8_t *out);

/* Writes the HEARTBEAT and the header of a PAD chunk of `pad_bytes`, header included, 0 or from
 * CMT_PAD_HEADER_BYTES on, and returns how many bytes these are: the content of the PAD chunk is to follow.
 */
size_t cmt_probe_encode(const struct cmt_probe *probe, uint32_t pad_bytes, uint8_t *out);

/* Read a chunk from its type octet on. `len` is the number of readable bytes, chunk header included; bytes
 * behind the chunk's own length field are not read. 0, or -EINVAL: other type, shorter than its fixed part,
 * length field beyond `len`, an echo whose length is no 8 + 16 * n. A longer CMT-TIMESTAMP is read as far as
 * known; an echo of more than CMT_ECHO_MAX_ENTRIES is read up to those, a larger TSN scale than
 * CMT_TSN_SCALE_MAX as that. Other flags are ignored.
 * `out` is untouched on error. */
int cmt_timestamp_decode(const uint8_t *chunk, size_t len, struct cmt_timestamp *out);
int cmt_echo_decode(const uint8_t *chunk, size_t len, struct cmt_echo *out);

/* The next of the chunks of a packet, `len` bytes behind its common header: from `*at` on, which starts with
 * 0 and is moved on behind it and its padding; `*chunk_bytes`: its length without that. NULL: there is none,
 * or it does not fit. */
const uint8_t *cmt_chunk_next(const uint8_t *chunks, size_t len, size_t *at, size_t *chunk_bytes);

/* The Path ID of the first CMT-TIMESTAMP among the chunks of a packet, `len` bytes behind its common header;
 * 0: there is none. */
uint16_t cmt_path_id_of_chunks(const uint8_t *chunks, size_t len);

/* How many bytes of them, from the first on, are HEARTBEATs, answers to such, and padding: what asks whether
 * an address is there, and says so. */
size_t cmt_probes_of_chunks(const uint8_t *chunks, size_t len);

/* Of the HEARTBEAT-ACK; -EINVAL for those of other HEARTBEATs, too. */
int cmt_probe_decode(const uint8_t *chunk, size_t len, struct cmt_probe *out);

#endif
