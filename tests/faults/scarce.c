/* SPDX-License-Identifier: BSD-3-Clause */
#include "scarce.h"

#include <execinfo.h>
#include <stddef.h>
#include <unistd.h>

static uint64_t count, failures, fail_at;
static int64_t blocks;
static bool again_and_again, tells, counts;

/* A zone's block may come from malloc(): one allocation. */
static bool in_zone;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__real_cmt_zone_get(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);
void *__wrap_cmt_zone_get(size_t bytes);

void scarce_begin(uint64_t at, bool again, bool tell)
{
	count = failures = 0;
	fail_at = at;
	again_and_again = again;
	tells = tell;
	counts = true;
}

void scarce_pause(void)
{
	counts = false;
}

void scarce_go_on(void)
{
	counts = true;
}

uint64_t scarce_count(void)
{
	return count;
}

uint64_t scarce_failures(void)
{
	return failures;
}

int64_t scarce_blocks(void)
{
	return blocks;
}

static void tell_place(void)
{
	void *frames[24];

	(void)write(STDERR_FILENO, "no memory at\n", 13);
	backtrace_symbols_fd(frames, backtrace(frames, 24), STDERR_FILENO);
}

static bool fails(void)
{
	if (!counts || in_zone)
		return false;
	count++;
	if (fail_at == 0 || (count != fail_at && (!again_and_again || count % fail_at != 0)))
		return false;
	failures++;
	if (tells)
		tell_place();
	return true;
}

static void *noted(void *memory)
{
	blocks += memory != NULL;
	return memory;
}

void *__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : noted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : noted(__real_calloc(n, bytes));
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	void *larger;

	if (fails())
		return NULL;
	larger = __real_realloc(memory, bytes);
	blocks += memory == NULL && larger != NULL;
	return larger;
}

void __wrap_free(void *memory)
{
	blocks -= memory != NULL;
	__real_free(memory);
}

void *__wrap_cmt_zone_get(size_t bytes)
{
	void *memory;

	if (fails())
		return NULL;
	in_zone = true;
	memory = __real_cmt_zone_get(bytes);
	in_zone = false;
	return memory;
}
