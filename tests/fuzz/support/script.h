/* SPDX-License-Identifier: BSD-3-Clause
 *
 * script.h - the input of the packet targets: what attackers send, what applications do, and when.
 *
 * One byte of settings, then packets: who and how (2 bytes), how long to wait before (1 byte), a length (2
 * bytes), and chunks without the common header, which the network of the target (network.h) puts in front.
 * Or, in the place of a packet, an act of the application that `who` talks to. A script of any bytes is a
 * script. Pure. */
#ifndef FUZZ_SCRIPT_H
#define FUZZ_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SCRIPT_SETTINGS_BYTES = 1, SCRIPT_HEAD_BYTES = 5, SCRIPT_PACKETS_MAX = 24, SCRIPT_CHUNKS_MAX = 3000 };

/* Upper half of a packet's first byte. */
enum { SCRIPT_HEAD_MOVES = 0xd0, SCRIPT_HEAD_ACTS = 0xe0, SCRIPT_HEAD_DAMAGED = 0xf0 };

/* Verification tag of a packet. */
enum script_tag {
	SCRIPT_TAG_RIGHT,     /* what the receiver told last */
	SCRIPT_TAG_FIRST,     /* what it told first */
	SCRIPT_TAG_REFLECTED, /* the sender's own, as with the T bit */
	SCRIPT_TAG_ZERO,
	SCRIPT_TAG_WRONG,
	SCRIPT_TAGS
};

/* What an application does. */
enum script_act {
	SCRIPT_WRITE,
	SCRIPT_CLOSE, /* in good order */
	SCRIPT_SHUT_READING,
	SCRIPT_SHUT_WRITING,
	SCRIPT_RESET_STREAMS,
	SCRIPT_RESET_TSNS,
	SCRIPT_ADD_STREAMS,
	SCRIPT_ACTS
};

struct script_packet {
	bool moves;    /* no packet, but something happens to paths; where that is not so, a packet: */
	unsigned from; /* 0 .. 12: a four-tuple, where packets have others than their path's */
	bool acts;     /* no packet: */
	enum script_act act;
	unsigned variant; /* of the act, or of what happens */
	unsigned who;     /* 0 .. 7: one of the target's attackers */
	enum script_tag tag;
	unsigned path; /* 0, 1 */
	bool relative; /* TSNs and the like are told relative to what they should be; cookies are filled in */
	bool damaged;  /* the checksum is wrong */
	uint64_t wait_us;
	const uint8_t *chunks;
	size_t len;
};

/* The packet at `*offset` (start with SCRIPT_SETTINGS_BYTES), which moves on; false at the end. */
bool script_next(const uint8_t *script, size_t size, size_t *offset, struct script_packet *out);

/* Appends a packet to a script of `size` bytes; its new size, or `size` when there is no room. */
size_t script_add(uint8_t *script, size_t size, size_t max_size, const struct script_packet *packet);

/* For LLVMFuzzerCustomMutator: changes packets, chunks, parameters and fields, and repairs most lengths.
 * `types`: chunk types that may be inserted; `moves`: and what happens to paths. */
size_t script_mutate(uint8_t *script, size_t size, size_t max_size, unsigned seed, const uint8_t *types,
                     size_t n_types, bool moves);

/* For LLVMFuzzerCustomCrossOver: packets of both. */
size_t script_cross(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                    uint8_t *out, size_t max_size, unsigned seed);

#endif
