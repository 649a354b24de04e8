/* SPDX-License-Identifier: BSD-3-Clause */
#include "scenario/changes.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

#define FIRST_ROOM 8

/* What several lists may begin with: the first entries of the longest one. */
struct block {
	struct block *next;
	unsigned used, room;
	struct lab_change items[];
};

static struct block *all_blocks;

static struct block *new_block(unsigned room)
{
	struct block *block = lab_grow(NULL, 1, sizeof(*block) + room * sizeof(block->items[0]));

	block->next = all_blocks;
	block->used = 0;
	block->room = room;
	all_blocks = block;
	return block;
}

void lab_changes_add(struct lab_scenario *s, const struct lab_change *change)
{
	struct block *block = all_blocks;

	while (block != NULL && (s->changes != block->items || block->used != s->n_changes)) {
		block = block->next;
	}
	if (block == NULL || block->used == block->room) {
		block = new_block(s->n_changes == 0 ? FIRST_ROOM : 2 * s->n_changes);
		if (s->n_changes > 0) {
			memcpy(block->items, s->changes, s->n_changes * sizeof(s->changes[0]));
		}
	}
	block->items[s->n_changes++] = *change;
	block->used = s->n_changes;
	s->changes = block->items;
}

static int compare(const void *a, const void *b)
{
	const struct lab_change *x = *(const struct lab_change *const *)a,
	                        *y = *(const struct lab_change *const *)b;

	return x->at_us != y->at_us ? (x->at_us > y->at_us) - (x->at_us < y->at_us) : (x > y) - (x < y);
}

const struct lab_change **lab_changes_by_time(const struct lab_scenario *s)
{
	const struct lab_change **out = lab_grow(NULL, s->n_changes + 1, sizeof(const struct lab_change *));

	for (unsigned i = 0; i < s->n_changes; i++) {
		out[i] = &s->changes[i];
	}
	qsort(out, s->n_changes, sizeof(const struct lab_change *), compare);
	return out;
}
