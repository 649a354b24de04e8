/* SPDX-License-Identifier: BSD-3-Clause */
#include "script.h"

#include <string.h>

#include "../../sim/support/packet.h"
#include "fuzz.h"

/* Codes below 128 are steps of 0.2 ms; above, of 50 ms. */
enum { WAIT_STEP_US = 200, WAIT_LONG_STEP_US = 50000, WAIT_CODES = 128 };
/* Added to the code of a tag; a multiple of SCRIPT_TAGS. */
enum { ABSOLUTE = 130 };

bool script_next(const uint8_t *script, size_t size, size_t *offset, struct script_packet *out)
{
	const uint8_t *at = script + *offset;
	size_t len;

	if (*offset + SCRIPT_HEAD_BYTES > size)
		return false;
	len = packet_get16(at + 3);
	if (len > size - *offset - SCRIPT_HEAD_BYTES)
		len = size - *offset - SCRIPT_HEAD_BYTES;
	*offset += SCRIPT_HEAD_BYTES + len;
	*out = (struct script_packet){
	    .moves = (at[0] & 0xf0) == SCRIPT_HEAD_MOVES,
	    .from = at[0] >> 4,
	    .acts = (at[0] & 0xf0) == SCRIPT_HEAD_ACTS,
	    .act = at[1] % SCRIPT_ACTS,
	    .variant = (at[0] & 0xf0) == SCRIPT_HEAD_MOVES ? at[1] : at[1] / SCRIPT_ACTS,
	    .who = at[0] & 7,
	    .path = at[0] >> 3 & 1,
	    .damaged = (at[0] & 0xf0) == SCRIPT_HEAD_DAMAGED,
	    .tag = at[1] % SCRIPT_TAGS,
	    .relative = at[1] < ABSOLUTE,
	    .wait_us = at[2] < WAIT_CODES ? (uint64_t)at[2] * WAIT_STEP_US
	                                  : (uint64_t)(at[2] - WAIT_CODES) * WAIT_LONG_STEP_US,
	    .chunks = at + SCRIPT_HEAD_BYTES,
	    .len = len < SCRIPT_CHUNKS_MAX ? len : SCRIPT_CHUNKS_MAX};
	return true;
}

size_t script_add(uint8_t *script, size_t size, size_t max_size, const struct script_packet *packet)
{
	uint64_t steps = packet->wait_us / WAIT_STEP_US;
	uint8_t *at = script + size;

	if (packet->len > UINT16_MAX || size + SCRIPT_HEAD_BYTES + packet->len > max_size)
		return size;
	if (steps >= WAIT_CODES)
		steps = WAIT_CODES + packet->wait_us / WAIT_LONG_STEP_US;
	at[0] = (uint8_t)(packet->who | packet->path << 3 | (packet->damaged ? SCRIPT_HEAD_DAMAGED : 0));
	at[1] = (uint8_t)((unsigned)packet->tag + (packet->relative ? 0 : ABSOLUTE));
	at[2] = (uint8_t)(steps < UINT8_MAX ? steps : UINT8_MAX);
	packet_put16(at + 3, (uint16_t)packet->len);
	memcpy(at + SCRIPT_HEAD_BYTES, packet->chunks, packet->len);
	return size + SCRIPT_HEAD_BYTES + packet->len;
}
