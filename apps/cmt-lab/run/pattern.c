/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/pattern.h"

#include <endian.h>
#include <string.h>

enum { BLOCK_WORDS = 64 };

/* A bijection of 64 bits (multiply and xor-shift), so distinct words stay distinct. */
static uint64_t word_at(uint64_t index)
{
	uint64_t x = index + UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	return x ^ (x >> 32);
}

/* The pattern from the word of `offset` on, and where in it `offset` is. */
struct block {
	uint64_t words[BLOCK_WORDS]; /* least significant byte first */
	const uint8_t *bytes;
	size_t n; /* from there to the end, at most what is asked for */
};

static void make_block(struct block *b, uint64_t offset, size_t len)
{
	const size_t skipped = offset & 7, room = sizeof(b->words) - skipped;
	size_t n_words;

	b->n = len < room ? len : room;
	b->bytes = (const uint8_t *)b->words + skipped;
	n_words = (skipped + b->n + 7) / 8;
	for (size_t i = 0; i < n_words; i++) {
		b->words[i] = htole64(word_at((offset >> 3) + i));
	}
}

void lab_pattern_fill(uint8_t *out, uint64_t offset, size_t len)
{
	struct block b;

	for (size_t done = 0; done < len; done += b.n) {
		make_block(&b, offset + done, len - done);
		memcpy(out + done, b.bytes, b.n);
	}
}

size_t lab_pattern_match(const uint8_t *bytes, uint64_t offset, size_t len)
{
	struct block b;
	size_t done = 0, i = 0;

	for (; done < len; done += b.n) {
		make_block(&b, offset + done, len - done);
		if (memcmp(bytes + done, b.bytes, b.n) != 0) {
			while (bytes[done + i] == b.bytes[i]) {
				i++;
			}
			return done + i;
		}
	}
	return len;
}
