/* SPDX-License-Identifier: BSD-3-Clause */
#include "repair_in.h"

#include <stdlib.h>
#include <string.h>

#include "repair_code.h"

#define MASK (REPAIR_IN_DATAGRAMS - 1)

struct kept {
	uint8_t *payload; /* NULL = nothing is here */
	uint32_t seq;
	uint32_t bytes;
	uint64_t time_us;
	bool restored; /* and has not come itself */
};

struct block {
	bool used;
	bool over; /* complete; its further messages are of no use */
	uint64_t age;
	struct repair_message like; /* `i` and `symbol` are of no meaning */
	unsigned n;
	uint8_t indices[REPAIR_MAX_SYMBOLS];
	uint8_t *symbols[REPAIR_MAX_SYMBOLS];
};

struct repair_in {
	repair_restored_fn *restored;
	void *arg;
	uint64_t blocks_seen;
	struct repair_in_counts counts;
	struct kept kept[REPAIR_IN_DATAGRAMS];
	struct block blocks[REPAIR_IN_BLOCKS];
};

struct repair_in *repair_in_new(repair_restored_fn *restored, void *arg)
{
	struct repair_in *const in = calloc(1, sizeof(*in));

	if (in != NULL) {
		in->restored = restored;
		in->arg = arg;
	}
	return in;
}

static void free_symbols(struct block *b)
{
	while (b->n > 0) {
		free(b->symbols[--b->n]);
	}
}

void repair_in_forget(struct repair_in *in)
{
	for (unsigned i = 0; i < REPAIR_IN_DATAGRAMS; i++) {
		free(in->kept[i].payload);
		in->kept[i].payload = NULL;
	}
	for (unsigned i = 0; i < REPAIR_IN_BLOCKS; i++) {
		free_symbols(&in->blocks[i]);
		in->blocks[i].used = false;
	}
}

void repair_in_free(struct repair_in *in)
{
	if (in != NULL) {
		repair_in_forget(in);
		free(in);
	}
}

static struct kept *find(struct repair_in *in, uint32_t seq)
{
	struct kept *const place = &in->kept[seq & MASK];

	return place->payload != NULL && place->seq == seq ? place : NULL;
}

bool repair_in_is_restored(const struct repair_in *in, uint32_t seq)
{
	const struct kept *const place = &in->kept[seq & MASK];

	return place->payload != NULL && place->seq == seq && place->restored;
}

/* Takes a copy; an older one leaves. */
static void keep(struct repair_in *in, const struct repair_datagram *datagram, bool restored)
{
	struct kept *const place = &in->kept[datagram->seq & MASK];

	free(place->payload);
	place->payload = malloc(datagram->bytes);
	if (place->payload != NULL) {
		memcpy(place->payload, datagram->payload, datagram->bytes);
		place->seq = datagram->seq;
		place->bytes = (uint32_t)datagram->bytes;
		place->time_us = datagram->time_us;
		place->restored = restored;
	}
}

/* Where those of a block are missing: their indices; how many. */
static unsigned find_gaps(struct repair_in *in, const struct block *b, uint8_t missing[REPAIR_MAX_DATAGRAMS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < b->like.k; i++) {
		if (find(in, b->like.first + i) == NULL) {
			missing[n++] = (uint8_t)i;
		}
	}
	return n;
}

/* The symbols of the datagrams that are there; false: one is not of this block, whatever its number says. */
static bool write_symbols(struct repair_in *in, const struct block *b, uint8_t *const *data)
{
	for (unsigned i = 0; i < b->like.k; i++) {
		const struct kept *const k = find(in, b->like.first + i);

		if (k == NULL) {
			continue;
		}
		if (k->bytes + REPAIR_PREFIX_BYTES > b->like.symbol_bytes) {
			return false;
		}
		repair_symbol_write(&(struct repair_datagram){.time_us = k->time_us,
		                                              .payload = k->payload,
		                                              .bytes = k->bytes},
		                    b->like.time_us, data[i], b->like.symbol_bytes);
	}
	return true;
}

static void give(struct repair_in *in, const struct block *b, uint8_t i, const uint8_t *symbol)
{
	struct repair_datagram datagram = {.seq = b->like.first + i};

	if (repair_symbol_read(symbol, b->like.symbol_bytes, b->like.time_us, &datagram) != 0) {
		in->counts.unusable++;
		return;
	}
	keep(in, &datagram, true);
	in->counts.restored++;
	in->restored(&datagram, in->arg);
}

static void restore(struct repair_in *in, struct block *b, const uint8_t *missing, unsigned n)
{
	uint8_t *const memory = malloc(b->like.k * b->like.symbol_bytes);
	uint8_t *data[REPAIR_MAX_DATAGRAMS];
	const struct repair_code_loss loss = {.k = b->like.k,
	                                      .bytes = b->like.symbol_bytes,
	                                      .data = data,
	                                      .n = n,
	                                      .missing = missing,
	                                      .repair = b->symbols,
	                                      .repair_i = b->indices};

	if (memory == NULL) {
		return;
	}
	for (unsigned i = 0; i < b->like.k; i++) {
		data[i] = memory + i * b->like.symbol_bytes;
	}
	if (!write_symbols(in, b, data)) {
		in->counts.unusable += n;
	} else if (repair_code_restore(&loss) == 0) {
		for (unsigned i = 0; i < n; i++) {
			give(in, b, missing[i], data[missing[i]]);
		}
	}
	free(memory);
}

/* Restores what can be, and is done with a block that has everything. */
static void look_at(struct repair_in *in, struct block *b)
{
	uint8_t missing[REPAIR_MAX_DATAGRAMS];
	const unsigned n = find_gaps(in, b, missing);

	if (n > b->n) {
		return;
	}
	if (n > 0) {
		restore(in, b, missing, n);
	}
	b->over = true;
	free_symbols(b);
}

void repair_in_datagram(struct repair_in *in, const struct repair_datagram *datagram)
{
	struct kept *const before = find(in, datagram->seq);

	if (before != NULL) {
		in->counts.needless += before->restored;
		before->restored = false;
		return;
	}
	if (datagram->bytes == 0 || datagram->bytes > REPAIR_MAX_DATAGRAM_BYTES) {
		return;
	}
	keep(in, datagram, false);
	for (unsigned i = 0; i < REPAIR_IN_BLOCKS; i++) {
		struct block *const b = &in->blocks[i];

		if (b->used && !b->over && datagram->seq - b->like.first < b->like.k) {
			look_at(in, b);
		}
	}
}

/* The block that a message is of; the oldest one makes room for a new one. */
static struct block *block_of(struct repair_in *in, const struct repair_message *message)
{
	struct block *oldest = &in->blocks[0];

	for (unsigned i = 0; i < REPAIR_IN_BLOCKS; i++) {
		struct block *const b = &in->blocks[i];

		if (b->used && b->like.first == message->first) {
			return b;
		}
		if (!b->used || (oldest->used && b->age < oldest->age)) {
			oldest = b;
		}
	}
	free_symbols(oldest);
	*oldest = (struct block){.used = true, .age = in->blocks_seen++, .like = *message};
	return oldest;
}

static bool is_new(const struct block *b, const struct repair_message *message)
{
	for (unsigned i = 0; i < b->n; i++) {
		if (b->indices[i] == message->i) {
			return false;
		}
	}
	return true;
}

void repair_in_message(struct repair_in *in, const struct repair_message *message)
{
	struct block *const b = block_of(in, message);
	uint8_t *copy;

	in->counts.messages++;
	if (b->like.k != message->k || b->like.time_us != message->time_us ||
	    b->like.symbol_bytes != message->symbol_bytes || !is_new(b, message)) {
		in->counts.unusable++;
		return;
	}
	copy = b->over ? NULL : malloc(message->symbol_bytes);
	if (copy != NULL) {
		memcpy(copy, message->symbol, message->symbol_bytes);
		b->indices[b->n] = message->i;
		b->symbols[b->n++] = copy;
		look_at(in, b);
	}
}

struct repair_in_counts repair_in_counts(const struct repair_in *in)
{
	return in->counts;
}
