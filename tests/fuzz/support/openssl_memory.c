/* SPDX-License-Identifier: BSD-3-Clause */
#include "openssl_memory.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <openssl/crypto.h>

#include "fuzz.h"

enum { CLASS_MIN = 5, CLASSES = 28, REGION_BYTES = 1 << 27 };

/* In front of what OpenSSL has; 2^exponent bytes with it. */
union block {
	size_t exponent;
	union block *next;
	max_align_t aligned;
};

static union block *unused[CLASSES];

static union block *cut(size_t bytes)
{
	static uint8_t *region;
	static size_t left;
	union block *block;

	if (left < bytes) {
		region = mmap(NULL, REGION_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		REQUIRE(region != MAP_FAILED);
		left = REGION_BYTES;
	}
	block = (union block *)region;
	region += bytes;
	left -= bytes;
	return block;
}

static void *take(size_t bytes, const char *file, int line)
{
	size_t exponent = CLASS_MIN;
	union block *block;

	(void)file, (void)line;
	while (((size_t)1 << exponent) < bytes + sizeof(*block))
		exponent++;
	REQUIRE(exponent < CLASSES);
	block = unused[exponent];
	if (block != NULL)
		unused[exponent] = block->next;
	else
		block = cut((size_t)1 << exponent);
	block->exponent = exponent;
	return block + 1;
}

static void give_back(void *memory, const char *file, int line)
{
	(void)file, (void)line;
	if (memory != NULL) {
		union block *block = (union block *)memory - 1;
		const size_t exponent = block->exponent;

		block->next = unused[exponent];
		unused[exponent] = block;
	}
}

static void *resize(void *old, size_t bytes, const char *file, int line)
{
	void *memory = take(bytes, file, line);

	if (old != NULL) {
		const size_t had = ((size_t)1 << ((union block *)old - 1)->exponent) - sizeof(union block);

		memcpy(memory, old, had < bytes ? had : bytes);
		give_back(old, file, line);
	}
	return memory;
}

void fuzz_openssl_memory(void)
{
	if (getenv("FUZZ_OPENSSL_PLAIN") != NULL)
		REQUIRE(CRYPTO_set_mem_functions(take, resize, give_back) == 1);
}
