/* SPDX-License-Identifier: BSD-3-Clause */
#include "pattern.h"

/* A bijection of 64 bits (multiply and xor-shift), so distinct words stay distinct. */
static uint64_t word_at(uint64_t index)
{
	uint64_t x = index + UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	x = (x ^ (x >> 32)) * UINT64_C(0xd6e8feb86659fd93);
	return x ^ (x >> 32);
}

static uint8_t byte_at(uint64_t word, uint64_t offset)
{
	return (uint8_t)(word >> (8 * (offset & 7)));
}

void lab_pattern_fill(uint8_t *out, uint64_t offset, size_t len)
{
	uint64_t word = word_at(offset >> 3);

	for (size_t i = 0; i < len; i++, offset++) {
		if ((offset & 7) == 0) {
			word = word_at(offset >> 3);
		}
		out[i] = byte_at(word, offset);
	}
}

size_t lab_pattern_match(const uint8_t *bytes, uint64_t offset, size_t len)
{
	uint64_t word = word_at(offset >> 3);

	for (size_t i = 0; i < len; i++, offset++) {
		if ((offset & 7) == 0) {
			word = word_at(offset >> 3);
		}
		if (bytes[i] != byte_at(word, offset)) {
			return i;
		}
	}
	return len;
}
