/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fuzz.h - what every target shares: libFuzzer's functions, and what an oracle does when it is wrong. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* To be defined by a target; the last two where it mutates by structure. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

/* libFuzzer's own mutations, for bytes without a structure. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* An input for which the condition does not hold is a finding. */
#define REQUIRE(condition)                                                                                   \
	do {                                                                                                 \
		if (!(condition))                                                                            \
			fuzz_fail(__FILE__, __LINE__, #condition);                                           \
	} while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *condition);

/* The input as a source of choices; zeros behind its end. */
struct fuzz_bytes {
	const uint8_t *at;
	size_t left;
};

uint64_t fuzz_take(struct fuzz_bytes *b, unsigned n_bytes); /* big endian, at most 8 */

/* Any order of magnitude up to `max` alike; now and then the ends. */
uint64_t fuzz_take_size(struct fuzz_bytes *b, uint64_t max);

#endif
