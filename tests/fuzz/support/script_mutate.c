/* SPDX-License-Identifier: BSD-3-Clause */
#include <string.h>

#include "../../sim/support/packet.h"
#include "fuzz.h"
#include "script.h"

enum { WRITTEN_PACKETS_MAX = 10 };

struct draft {
	uint8_t settings;
	unsigned n;
	struct draft_packet {
		uint8_t head[3]; /* all but the length */
		size_t len;
		uint8_t chunks[SCRIPT_CHUNKS_MAX];
	} packets[SCRIPT_PACKETS_MAX];
};

/* A chunk or parameter in place: type and flags, or a type of 2 bytes, then a length, then the body. */
struct part {
	size_t at, len; /* len: padding included, as far as it is there */
};

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static size_t below(uint64_t *random, size_t n)
{
	return n > 0 ? (size_t)(next_random(random) >> 11) % n : 0;
}

static void read_draft(struct draft *d, const uint8_t *script, size_t size)
{
	size_t offset = SCRIPT_SETTINGS_BYTES, start = offset;
	struct script_packet p;

	d->settings = size > 0 ? script[0] : 0;
	d->n = 0;
	while (d->n < SCRIPT_PACKETS_MAX && script_next(script, size, &offset, &p)) {
		struct draft_packet *packet = &d->packets[d->n++];

		memcpy(packet->head, script + start, sizeof(packet->head));
		memcpy(packet->chunks, p.chunks, p.len);
		packet->len = p.len;
		start = offset;
	}
}

/* Some stretch of it: crossing would make all scripts as long as they may be, and packets are what costs. */
static size_t write_draft(const struct draft *d, uint8_t *script, size_t max_size, uint64_t *random)
{
	size_t size = SCRIPT_SETTINGS_BYTES;
	unsigned n = d->n < WRITTEN_PACKETS_MAX ? d->n : WRITTEN_PACKETS_MAX;
	unsigned from = (unsigned)below(random, d->n - n + 1);

	if (max_size < SCRIPT_SETTINGS_BYTES)
		return 0;
	script[0] = d->settings;
	for (unsigned i = from; i < from + n; i++) {
		const struct draft_packet *p = &d->packets[i];

		if (size + SCRIPT_HEAD_BYTES + p->len > max_size)
			break;
		memcpy(script + size, p->head, sizeof(p->head));
		packet_put16(script + size + 3, (uint16_t)p->len);
		memcpy(script + size + SCRIPT_HEAD_BYTES, p->chunks, p->len);
		size += SCRIPT_HEAD_BYTES + p->len;
	}
	return size;
}

/* Some part of `bytes`; its end and beyond it where a length says nonsense. */
static struct part pick_part(const uint8_t *bytes, size_t len, uint64_t *random)
{
	struct part parts[64] = {{0, len}};
	size_t n = 0, at = 0;

	while (n < 64 && at + 4 <= len) {
		size_t padded = (packet_get16(bytes + at + 2) + (size_t)3) & ~(size_t)3;

		if (padded < 4 || padded > len - at)
			padded = len - at;
		parts[n++] = (struct part){at, padded};
		at += padded;
	}
	return parts[below(random, n)];
}

/* Puts `n` bytes in the place of `part`; what does not fit is left as it was. Returns the new length. */
static size_t replace(uint8_t *bytes, size_t len, size_t max, struct part part, const uint8_t *with, size_t n)
{
	if (len - part.len + n > max)
		return len;
	memmove(bytes + part.at + n, bytes + part.at + part.len, len - part.at - part.len);
	memcpy(bytes + part.at, with, n);
	return len - part.len + n;
}

static const uint16_t lengths[] = {0, 1, 3, 4, 5, 7, 8, 12, 16, 20, 0x7fff, 0xfffc, 0xffff};
static const uint32_t values[] = {0, 1, 2, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};

static void change_field(uint8_t *body, size_t len, uint64_t *random)
{
	uint32_t value = values[below(random, sizeof(values) / sizeof(values[0]))];
	unsigned kind = (unsigned)below(random, 3);
	size_t at;

	if (len < 4)
		return;
	at = kind == 0 ? below(random, len - 3) & ~(size_t)3 : below(random, len - 1) & ~(size_t)1;
	switch (kind) {
	case 0: packet_put32(body + at, value); break;
	case 1: packet_put16(body + at, (uint16_t)value); break;
	default: packet_put16(body + at, (uint16_t)(packet_get16(body + at) + below(random, 9) - 4)); break;
	}
}

/* Changes the body of a part, of `room` bytes at most, and repairs its length. `nested`: where parameters
 * start in it, 0 = none. Returns its new length. */
static size_t mutate_body(uint8_t *bytes, size_t len, size_t room, size_t nested, uint64_t *random)
{
	size_t size = len;

	if (len < 4)
		return len;
	if (nested > 0 && len > nested + 4 && below(random, 2) == 0) {
		struct part p = pick_part(bytes + nested, len - nested, random);
		uint8_t copy[SCRIPT_CHUNKS_MAX];
		size_t n = p.len;

		p.at += nested;
		memcpy(copy, bytes + p.at, n);
		switch (below(random, 3)) {
		case 0: n = 0; break;
		case 1: p.len = 0; break; /* twice */
		default: n = mutate_body(copy, n, room - (len - n), 0, random); break;
		}
		size = replace(bytes, len, room, p, copy, n);
	} else if (below(random, 2) == 0) {
		change_field(bytes + 4, len - 4, random);
	} else {
		size = 4 + LLVMFuzzerMutate(bytes + 4, len - 4, room - 4);
	}
	if (below(random, 16) != 0)
		packet_put16(bytes + 2, (uint16_t)size);
	while (size % 4 != 0 && size < room)
		bytes[size++] = 0;
	return size;
}

/* Where parameters start in a chunk. */
static size_t nested_in(uint8_t type)
{
	switch (type) {
	case CHUNK_INIT:
	case CHUNK_INIT_ACK: return 20;
	case CHUNK_ASCONF:
	case CHUNK_ASCONF_ACK: return 8;
	case CHUNK_RECONFIG:
	case CHUNK_ERROR:
	case CHUNK_ABORT:
	case CHUNK_HEARTBEAT:
	case CHUNK_HEARTBEAT_ACK: return 4;
	default: return 0;
	}
}

static void mutate_chunks(struct draft_packet *packet, uint64_t *random, const uint8_t *types, size_t n_types)
{
	uint8_t chunk[SCRIPT_CHUNKS_MAX];
	struct part p = pick_part(packet->chunks, packet->len, random);
	size_t room = SCRIPT_CHUNKS_MAX - (packet->len - p.len), len = p.len;

	memcpy(chunk, packet->chunks + p.at, p.len);
	switch (below(random, 12)) {
	case 0: /* leave it out */ len = 0; break;
	case 1: /* twice */
		packet->len = replace(packet->chunks, packet->len, SCRIPT_CHUNKS_MAX, (struct part){p.at, 0},
		                      chunk, len);
		return;
	case 2: /* a new one in front */
		memset(chunk, 0, 32);
		chunk[0] = types[below(random, n_types)];
		len = 4 + 4 * below(random, 7);
		packet_put16(chunk + 2, (uint16_t)len);
		packet->len = replace(packet->chunks, packet->len, SCRIPT_CHUNKS_MAX, (struct part){p.at, 0},
		                      chunk, len);
		return;
	case 3:
		if (len >= 4)
			chunk[0] = types[below(random, n_types)];
		break;
	case 4:
		if (len >= 4)
			chunk[1] = (uint8_t)next_random(random) & (below(random, 2) == 0 ? 0xff : 3);
		break;
	case 5:
		if (len >= 4)
			packet_put16(chunk + 2, lengths[below(random, sizeof(lengths) / sizeof(lengths[0]))]);
		break;
	case 6: len = below(random, len + 1); break;
	default: len = mutate_body(chunk, len, room, len >= 4 ? nested_in(chunk[0]) : 0, random); break;
	}
	packet->len = replace(packet->chunks, packet->len, SCRIPT_CHUNKS_MAX, p, chunk, len);
}

static void mutate_packets(struct draft *d, uint64_t *random, bool moves)
{
	size_t i = below(random, d->n), k = below(random, d->n);
	static struct draft_packet copy;

	copy = d->packets[i];
	switch (below(random, 5)) {
	case 0:
		if (d->n > 1)
			d->packets[i] = d->packets[--d->n];
		break;
	case 1:
		d->packets[i] = d->packets[k];
		d->packets[k] = copy;
		break;
	case 2:
		if (d->n < SCRIPT_PACKETS_MAX)
			d->packets[d->n++] = copy;
		break;
	case 3: /* the application does something before, or something happens */
		if (d->n < SCRIPT_PACKETS_MAX) {
			d->packets[d->n++] = copy;
			d->packets[i] = (struct draft_packet){
			    .head = {(uint8_t)((moves && below(random, 2) == 0 ? SCRIPT_HEAD_MOVES
			                                                       : SCRIPT_HEAD_ACTS) |
			                       (next_random(random) & (moves ? 15 : 7))),
			             (uint8_t)next_random(random), copy.head[2]}};
		}
		break;
	default: d->packets[i].head[below(random, 3)] = (uint8_t)next_random(random); break;
	}
}

size_t script_mutate(uint8_t *script, size_t size, size_t max_size, unsigned seed, const uint8_t *types,
                     size_t n_types, bool moves)
{
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	static struct draft d;

	read_draft(&d, script, size);
	if (d.n == 0) {
		d.packets[d.n++] = (struct draft_packet){.len = 0};
	}
	for (size_t times = 1 + below(&random, 3); times > 0; times--) {
		switch (below(&random, 16)) {
		case 0: d.settings ^= (uint8_t)(1u << below(&random, 8)); break;
		case 1:
		case 2:
		case 3: mutate_packets(&d, &random, moves); break;
		default: mutate_chunks(&d.packets[below(&random, d.n)], &random, types, n_types); break;
		}
	}
	return write_draft(&d, script, max_size, &random);
}

size_t script_cross(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                    uint8_t *out, size_t max_size, unsigned seed)
{
	uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	static struct draft a, b;
	unsigned from, n;

	read_draft(&a, one, one_size);
	read_draft(&b, other, other_size);
	a.n = (unsigned)below(&random, a.n + 1);
	from = (unsigned)below(&random, b.n);
	n = b.n - from;
	for (unsigned i = 0; i < n && a.n < SCRIPT_PACKETS_MAX; i++)
		a.packets[a.n++] = b.packets[from + i];
	return write_draft(&a, out, max_size, &random);
}
