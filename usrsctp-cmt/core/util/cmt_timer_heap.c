/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_timer_heap.c - linking and two-pass merging; nothing recurses, so a million timers need no stack. */
#include "cmt_timer_heap.h"

static bool is_earlier(const struct cmt_timer_node *a, const struct cmt_timer_node *b)
{
	return a->expiry != b->expiry ? a->expiry < b->expiry : a->order < b->order;
}

/* Makes one tree of two roots without siblings. */
static struct cmt_timer_node *meld(struct cmt_timer_node *a, struct cmt_timer_node *b)
{
	struct cmt_timer_node *const top = is_earlier(a, b) ? a : b;
	struct cmt_timer_node *const low = top == a ? b : a;

	low->before = top;
	low->sibling = top->child;
	if (top->child != NULL)
		top->child->before = low;
	top->child = low;
	return top;
}

/* Makes one tree of a list of siblings: pairs from the left, then all pairs from the right. NULL of NULL. */
static struct cmt_timer_node *meld_siblings(struct cmt_timer_node *list)
{
	struct cmt_timer_node *pairs = NULL; /* the newest first */
	struct cmt_timer_node *top;

	while (list != NULL) {
		struct cmt_timer_node *pair = list;
		struct cmt_timer_node *const second = pair->sibling;

		list = second != NULL ? second->sibling : NULL;
		pair->sibling = NULL;
		if (second != NULL) {
			second->sibling = NULL;
			pair = meld(pair, second);
		}
		pair->sibling = pairs;
		pairs = pair;
	}
	if (pairs == NULL)
		return NULL;
	top = pairs;
	pairs = top->sibling;
	top->sibling = NULL;
	while (pairs != NULL) {
		struct cmt_timer_node *const next = pairs->sibling;

		pairs->sibling = NULL;
		top = meld(top, pairs);
		pairs = next;
	}
	top->before = NULL;
	return top;
}

/* Takes the tree below `node`, which is not the root, out of its list of siblings. */
static void cut(struct cmt_timer_node *node)
{
	if (node->before->child == node)
		node->before->child = node->sibling;
	else
		node->before->sibling = node->sibling;
	if (node->sibling != NULL)
		node->sibling->before = node->before;
	node->sibling = NULL;
	node->before = NULL;
}

void cmt_timer_heap_insert(struct cmt_timer_heap *heap, struct cmt_timer_node *node, uint64_t expiry)
{
	*node = (struct cmt_timer_node){.expiry = expiry, .order = ++heap->insertions};
	heap->root = heap->root != NULL ? meld(heap->root, node) : node;
}

void cmt_timer_heap_remove(struct cmt_timer_heap *heap, struct cmt_timer_node *node)
{
	struct cmt_timer_node *const rest = meld_siblings(node->child);

	if (node == heap->root) {
		heap->root = rest;
	} else {
		cut(node);
		if (rest != NULL)
			heap->root = meld(heap->root, rest);
	}
	*node = (struct cmt_timer_node){0};
}
