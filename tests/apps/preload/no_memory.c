/* SPDX-License-Identifier: BSD-3-Clause
 *
 * LD_PRELOAD: from the moment at which the file that NO_MEMORY_FROM names exists, whoever asks for memory
 * gets none. That is a limit of the address space that strikes at a known point. */
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t n, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

static bool none_left(void)
{
	static bool over;
	const int before = errno;
	const char *const from = over ? NULL : getenv("NO_MEMORY_FROM");

	over = over || (from != NULL && access(from, F_OK) == 0);
	errno = over ? ENOMEM : before;
	return over;
}

void *malloc(size_t bytes)
{
	return none_left() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	return none_left() ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *old, size_t bytes)
{
	return none_left() ? NULL : __libc_realloc(old, bytes);
}
