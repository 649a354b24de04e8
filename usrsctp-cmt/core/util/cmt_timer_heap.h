/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_timer_heap.h - timers by expiry: an intrusive pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986).
 *
 * Pure: no clock, no allocation; the node lives in the caller's timer. Not thread safe. Insertion and a look
 * at the first are constant, removal is O(log n) amortised. Expiries are 64 bits wide and therefore never
 * wrap, in whatever unit the caller counts. Equal expiries come out in order of insertion. */
#ifndef CMT_TIMER_HEAP_H
#define CMT_TIMER_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: in no heap. The fields are private. */
struct cmt_timer_node {
	struct cmt_timer_node *child;   /* first of those that expire later */
	struct cmt_timer_node *sibling; /* next child of the same parent */
	struct cmt_timer_node *before;  /* previous sibling; the parent of a first child; NULL at the root */
	uint64_t expiry;
	uint64_t order; /* of insertion, from 1; 0 = in no heap */
};

/* All zero: empty. */
struct cmt_timer_heap {
	struct cmt_timer_node *root;
	uint64_t insertions;
};

static inline bool cmt_timer_heap_holds(const struct cmt_timer_node *node)
{
	return node->order != 0;
}

/* The node that expires first; NULL when empty. */
static inline struct cmt_timer_node *cmt_timer_heap_first(const struct cmt_timer_heap *heap)
{
	return heap->root;
}

static inline uint64_t cmt_timer_heap_expiry(const struct cmt_timer_node *node)
{
	return node->expiry;
}

/* Requires a node that is in no heap. */
void cmt_timer_heap_insert(struct cmt_timer_heap *heap, struct cmt_timer_node *node, uint64_t expiry);

/* Requires a node of this heap. */
void cmt_timer_heap_remove(struct cmt_timer_heap *heap, struct cmt_timer_node *node);

#endif
