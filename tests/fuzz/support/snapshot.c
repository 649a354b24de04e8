/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Compiled without sanitizers, and without built-in functions, whose stand-ins would find poison. */
#include "snapshot.h"

#include <link.h>
#include <sanitizer/asan_interface.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"

enum {
	HEAD_BYTES = 32, /* of a block, poisoned; what the next one's overflow finds */
	GRAIN_BYTES = 64,
	BINS = 2048,
	RANGES_MAX = 2,
	POISON_AHEAD_BYTES = 1 << 20,
	FILL_BYTES_MAX = 4096, /* as AddressSanitizer does */
	FILL = 0xbe,
	SHADOW_HEAD = 0xfa,
	SHADOW_FREED = 0xfd,
	UNGUARDED_SCALE = 3
};
#define ARENA_BYTES ((size_t)1 << 32)

struct block {
	size_t bytes;
	struct block *next; /* in its bin */
	bool freed;
};

struct range {
	char *at;
	size_t bytes;
};

struct saved {
	size_t used, blocks;
	char *memory, *shadow, *variables;
};

/* Not among the variables that are put back. */
struct arena {
	char *base, *shadow;
	size_t used, poisoned, blocks, scale;
	bool entered, settled;
	struct block *bins[BINS];
	struct range variables[RANGES_MAX];
	size_t n_variables, variables_bytes;
	struct saved first, saved[SNAPSHOTS_MAX];
};

static struct arena *arena;

/* Of the linker: what belongs to libFuzzer, side by side in the segment. */
extern char counters_begin[] __asm__("__start___sancov_cntrs") __attribute__((visibility("hidden")));
extern char places_end[] __asm__("__stop___sancov_pcs") __attribute__((visibility("hidden")));

/* NULL without AddressSanitizer: whoever wants more inputs a second gets blocks that nobody guards. */
#pragma weak __asan_get_shadow_mapping

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);

static void copy(char *restrict to, const char *restrict from, size_t n)
{
#ifdef __x86_64__
	/* In large blocks as fast as memory is; a stack that is put back takes a tenth of an input. */
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
#endif
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
}

static void fill(char *at, int value, size_t n)
{
	for (size_t i = 0; i < n; i++)
		at[i] = (char)value;
}

static void *map(size_t bytes)
{
	void *memory =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	REQUIRE(memory != MAP_FAILED);
	return memory;
}

/* --- the arena --- */

static char *shadow_of(const void *at)
{
	return arena->shadow + ((size_t)((const char *)at - arena->base) >> arena->scale);
}

static void poison_until(size_t end)
{
	while (arena->poisoned < end) {
		fill(shadow_of(arena->base + arena->poisoned), SHADOW_HEAD,
		     (size_t)POISON_AHEAD_BYTES >> arena->scale);
		arena->poisoned += POISON_AHEAD_BYTES;
	}
}

/* Only the first `bytes` bytes behind the head may be touched. */
static void open_block(const struct block *b, size_t bytes)
{
	char *shadow = shadow_of((const char *)b + HEAD_BYTES);
	size_t grain = (size_t)1 << arena->scale;

	fill(shadow, 0, bytes / grain);
	if (bytes % grain != 0)
		shadow[bytes / grain] = (char)(bytes % grain);
}

static size_t room_for(size_t bytes)
{
	return (bytes + HEAD_BYTES + GRAIN_BYTES - 1) / GRAIN_BYTES * GRAIN_BYTES;
}

static struct block *new_block(size_t bytes)
{
	size_t room = room_for(bytes), bin = room / GRAIN_BYTES;
	struct block *b;

	if (!arena->settled && bin < BINS && arena->bins[bin] != NULL) {
		b = arena->bins[bin];
		arena->bins[bin] = b->next;
	} else {
		REQUIRE(bytes < ARENA_BYTES - arena->used - room);
		b = (struct block *)(arena->base + arena->used);
		arena->used += room;
		poison_until(arena->used + HEAD_BYTES);
	}
	*b = (struct block){.bytes = bytes};
	arena->blocks++;
	open_block(b, bytes);
	return b;
}

static bool is_ours(const void *memory)
{
	return arena != NULL && (const char *)memory >= arena->base &&
	       (const char *)memory < arena->base + ARENA_BYTES;
}

static struct block *block_of(void *memory)
{
	struct block *b = (struct block *)((char *)memory - HEAD_BYTES);

	REQUIRE(((uintptr_t)b & 15) == 0);
	return b;
}

void *__wrap_malloc(size_t bytes)
{
	char *memory;

	if (arena == NULL || !arena->entered)
		return __real_malloc(bytes);
	memory = (char *)new_block(bytes) + HEAD_BYTES;
	fill(memory, FILL, bytes < FILL_BYTES_MAX ? bytes : FILL_BYTES_MAX);
	return memory;
}

void *__wrap_calloc(size_t n, size_t bytes)
{
	char *memory;

	if (arena == NULL || !arena->entered)
		return __real_calloc(n, bytes);
	REQUIRE(n == 0 || bytes <= SIZE_MAX / n);
	memory = (char *)new_block(n * bytes) + HEAD_BYTES;
	fill(memory, 0, n * bytes);
	return memory;
}

void __wrap_free(void *memory)
{
	struct block *b;
	size_t bin;

	if (!is_ours(memory)) {
		__real_free(memory);
		return;
	}
	b = block_of(memory);
	REQUIRE(!b->freed);
	b->freed = true;
	arena->blocks--;
	fill(shadow_of(memory), SHADOW_FREED, (b->bytes + ((size_t)1 << arena->scale) - 1) >> arena->scale);
	bin = room_for(b->bytes) / GRAIN_BYTES;
	if (!arena->settled && bin < BINS) {
		b->next = arena->bins[bin];
		arena->bins[bin] = b;
	}
}

void *__wrap_realloc(void *memory, size_t bytes)
{
	size_t had;
	void *larger;

	if (memory == NULL)
		return __wrap_malloc(bytes);
	if (!is_ours(memory))
		return __real_realloc(memory, bytes);
	had = block_of(memory)->bytes;
	larger = __wrap_malloc(bytes);
	copy(larger, memory, had < bytes ? had : bytes);
	__wrap_free(memory);
	return larger;
}

size_t snapshot_blocks(void)
{
	return arena->blocks;
}

/* --- variables --- */

static void add_range(char *from, char *to)
{
	if (from >= to)
		return;
	REQUIRE(arena->n_variables < RANGES_MAX);
	arena->variables[arena->n_variables++] = (struct range){from, (size_t)(to - from)};
	arena->variables_bytes += (size_t)(to - from);
}

/* The writable segment of the object that this function is in, without what is read-only once it is loaded,
 * and without the counters. */
static int find_variables(struct dl_phdr_info *info, size_t size, void *arg)
{
	const char *anchor = (const char *)&arena;
	char *relro_end = NULL;

	(void)size;
	(void)arg;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type == PT_GNU_RELRO)
			relro_end =
			    (char *)((info->dlpi_addr + p->p_vaddr + p->p_memsz + 4095) & ~(ElfW(Addr))4095);
	}
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		char *from = (char *)(info->dlpi_addr + p->p_vaddr), *to = from + p->p_memsz;

		if (p->p_type != PT_LOAD || (p->p_flags & PF_W) == 0 || anchor < from || anchor >= to)
			continue;
		if (relro_end > from)
			from = relro_end;
		REQUIRE(counters_begin >= from && places_end <= to && counters_begin < places_end);
		add_range(from, counters_begin);
		add_range(places_end, to);
		return 1;
	}
	return 0;
}

/* --- keeping and putting back --- */

static void save(struct saved *s)
{
	char *at = s->variables = map(arena->variables_bytes);

	for (size_t i = 0; i < arena->n_variables; i++) {
		copy(at, arena->variables[i].at, arena->variables[i].bytes);
		at += arena->variables[i].bytes;
	}
	s->used = arena->used;
	s->blocks = arena->blocks;
	s->memory = map(s->used + 1);
	s->shadow = map((s->used >> arena->scale) + 1);
	copy(s->memory, arena->base, s->used);
	copy(s->shadow, arena->shadow, s->used >> arena->scale);
}

static void restore(const struct saved *s)
{
	const char *at = s->variables;

	for (size_t i = 0; i < arena->n_variables; i++) {
		copy(arena->variables[i].at, at, arena->variables[i].bytes);
		at += arena->variables[i].bytes;
	}
	if (arena->used > s->used)
		fill(shadow_of(arena->base + s->used), SHADOW_HEAD, (arena->used - s->used) >> arena->scale);
	copy(arena->base, s->memory, s->used);
	copy(arena->shadow, s->shadow, s->used >> arena->scale);
	arena->used = s->used;
	arena->blocks = s->blocks;
}

static void open_shadow(void)
{
	size_t offset;

	if (__asan_get_shadow_mapping != NULL) {
		__asan_get_shadow_mapping(&arena->scale, &offset);
		arena->shadow = (char *)(((uintptr_t)arena->base >> arena->scale) + offset);
	} else {
		arena->scale = UNGUARDED_SCALE;
		arena->shadow = map(ARENA_BYTES >> arena->scale);
	}
}

static void open_arena(void)
{
	arena = map(sizeof(*arena));
	arena->base = map(ARENA_BYTES);
	open_shadow();
	REQUIRE(dl_iterate_phdr(find_variables, NULL) == 1);
	save(&arena->first);
}

bool snapshot_enter(unsigned id)
{
	bool found;

	REQUIRE(id < SNAPSHOTS_MAX);
	if (arena == NULL)
		open_arena();
	found = arena->saved[id].memory != NULL;
	restore(found ? &arena->saved[id] : &arena->first);
	for (size_t i = 0; i < BINS && !found; i++)
		arena->bins[i] = NULL;
	arena->settled = found;
	arena->entered = true;
	return found;
}

void snapshot_leave(void)
{
	arena->entered = false;
}

void snapshot_save(unsigned id)
{
	save(&arena->saved[id]);
	arena->settled = true;
}
