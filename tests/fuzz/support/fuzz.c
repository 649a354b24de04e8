/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void fuzz_fail(const char *file, int line, const char *condition)
{
	fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
	abort();
}

uint64_t fuzz_take(struct fuzz_bytes *b, unsigned n_bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < n_bytes && b->left > 0; i++, b->left--)
		value = value << 8 | *b->at++;
	return value;
}

uint64_t fuzz_take_size(struct fuzz_bytes *b, uint64_t max)
{
	unsigned kind = (unsigned)fuzz_take(b, 1);
	uint64_t value;

	if (kind >= 0xfe)
		return kind == 0xff ? max : 0;
	value = fuzz_take(b, kind % 8 + 1);
	return value <= max ? value : value % (max + 1);
}
