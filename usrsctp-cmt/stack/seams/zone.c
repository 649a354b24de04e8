/* SPDX-License-Identifier: BSD-3-Clause
 *
 * zone.c - memory of a few fixed sizes (packet buffers, chunks, queue entries), allocated and freed in bursts
 * by every packet. Blocks that were freed are kept for the next of their size, where the back end is single
 * threaded; otherwise, and under sanitizers, which should see each block, they are malloc's. */
#include <stdlib.h>

#include "cmt_seams.h"
#include "zone.h"

#define GRAIN_BYTES 16
#define BYTES_MAX   4096
#define KEEP_BLOCKS 1024 /* of each size */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define KEEPS 0
#elif defined(__has_feature)
#define KEEPS (!__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer))
#else
#define KEEPS 1
#endif

struct block {
	struct block *next;
};

static struct kept {
	size_t bytes; /* of a block; 0 = none of this size was asked for yet */
	unsigned n;
	struct block *first;
} kept[BYTES_MAX / GRAIN_BYTES + 1];

/* Of two sizes within one grain the first that is used is kept, the other is malloc's. */
static struct kept *kept_of(size_t bytes)
{
	struct kept *k;

	if (!KEEPS || bytes > BYTES_MAX || bytes < sizeof(struct block) || !cmt_seam_single_threaded())
		return NULL;
	k = &kept[bytes / GRAIN_BYTES];
	if (k->bytes == 0)
		k->bytes = bytes;
	return k->bytes == bytes ? k : NULL;
}

void *cmt_zone_get(size_t bytes)
{
	struct kept *k = kept_of(bytes);
	struct block *block;

	if (k == NULL || k->first == NULL)
		return malloc(bytes);
	block = k->first;
	k->first = block->next;
	k->n--;
	return block;
}

void cmt_zone_free(size_t bytes, void *memory)
{
	struct kept *k = memory != NULL ? kept_of(bytes) : NULL;
	struct block *block = memory;

	if (k == NULL || k->n == KEEP_BLOCKS) {
		free(memory);
		return;
	}
	block->next = k->first;
	k->first = block;
	k->n++;
}

void cmt_zone_drain(void)
{
	for (unsigned i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		struct block *next;

		for (struct block *block = kept[i].first; block != NULL; block = next) {
			next = block->next;
			free(block);
		}
		kept[i] = (struct kept){.bytes = 0};
	}
}
