/* SPDX-License-Identifier: BSD-3-Clause */
#include "quantile.h"

#include <stdbool.h>

/* Both heaps keep the smallest on top; `lower` holds negated values. */
static int64_t at(const GArray *heap, guint i)
{
	return g_array_index(heap, int64_t, i);
}

static void swap(GArray *heap, guint i, guint j)
{
	int64_t value = at(heap, i);

	g_array_index(heap, int64_t, i) = at(heap, j);
	g_array_index(heap, int64_t, j) = value;
}

static void push(GArray *heap, int64_t value)
{
	guint i = heap->len;

	g_array_append_val(heap, value);
	while (i > 0 && at(heap, i) < at(heap, (i - 1) / 2)) {
		swap(heap, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static int64_t pop(GArray *heap)
{
	int64_t top = at(heap, 0);
	guint i = 0, child;

	swap(heap, 0, heap->len - 1);
	g_array_set_size(heap, heap->len - 1);
	while ((child = 2 * i + 1) < heap->len) {
		if (child + 1 < heap->len && at(heap, child + 1) < at(heap, child)) {
			child++;
		}
		if (at(heap, i) <= at(heap, child)) {
			break;
		}
		swap(heap, i, child);
		i = child;
	}
	return top;
}

void cmt_quantile_add(struct cmt_quantile *q, int64_t value)
{
	guint rank;

	if (q->lower == NULL) {
		q->lower = g_array_new(FALSE, FALSE, sizeof(int64_t));
		q->upper = g_array_new(FALSE, FALSE, sizeof(int64_t));
	}
	if (q->lower->len > 0 && value > -at(q->lower, 0)) {
		push(q->upper, value);
	} else {
		push(q->lower, -value);
	}
	rank = ((q->lower->len + q->upper->len) * 19 + 19) / 20;
	while (q->lower->len > rank) {
		push(q->upper, -pop(q->lower));
	}
	while (q->lower->len < rank) {
		push(q->lower, -pop(q->upper));
	}
}

int64_t cmt_quantile_p95(const struct cmt_quantile *q)
{
	return -at(q->lower, 0);
}

void cmt_quantile_free(struct cmt_quantile *q)
{
	if (q->lower != NULL) {
		g_array_free(q->lower, TRUE);
		g_array_free(q->upper, TRUE);
	}
	*q = (struct cmt_quantile){.lower = NULL};
}
