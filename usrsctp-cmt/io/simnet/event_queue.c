/* SPDX-License-Identifier: BSD-3-Clause */
#include "event_queue.h"

#include <errno.h>
#include <stdlib.h>

static bool before(const struct simnet_event *a, const struct simnet_event *b)
{
	return a->at_us != b->at_us ? a->at_us < b->at_us : a->order < b->order;
}

static void sift_up(struct simnet_event *heap, size_t i)
{
	struct simnet_event moving = heap[i];

	while (i > 0 && before(&moving, &heap[(i - 1) / 2])) {
		heap[i] = heap[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	heap[i] = moving;
}

static void sift_down(struct simnet_event *heap, size_t n, size_t i)
{
	struct simnet_event moving = heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= n) {
			break;
		}
		if (child + 1 < n && before(&heap[child + 1], &heap[child])) {
			child++;
		}
		if (!before(&heap[child], &moving)) {
			break;
		}
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moving;
}

void simnet_event_queue_init(struct simnet_event_queue *queue)
{
	*queue = (struct simnet_event_queue){.heap = NULL};
}

void simnet_event_queue_free(struct simnet_event_queue *queue)
{
	free(queue->heap);
	simnet_event_queue_init(queue);
}

int simnet_event_queue_push(struct simnet_event_queue *queue, uint64_t at_us, int kind, void *payload)
{
	if (queue->n == queue->capacity) {
		size_t capacity = queue->capacity > 0 ? 2 * queue->capacity : 64;
		struct simnet_event *heap = realloc(queue->heap, capacity * sizeof(*heap));

		if (heap == NULL) {
			return -ENOMEM;
		}
		queue->heap = heap;
		queue->capacity = capacity;
	}
	queue->heap[queue->n] = (struct simnet_event){
	    .at_us = at_us, .order = queue->next_order++, .kind = kind, .payload = payload};
	sift_up(queue->heap, queue->n);
	queue->n++;
	return 0;
}

const struct simnet_event *simnet_event_queue_peek(const struct simnet_event_queue *queue)
{
	return queue->n > 0 ? &queue->heap[0] : NULL;
}

bool simnet_event_queue_pop(struct simnet_event_queue *queue, struct simnet_event *out)
{
	if (queue->n == 0) {
		return false;
	}
	*out = queue->heap[0];
	queue->n--;
	if (queue->n > 0) {
		queue->heap[0] = queue->heap[queue->n];
		sift_down(queue->heap, queue->n, 0);
	}
	return true;
}

void simnet_event_queue_remove_kind(struct simnet_event_queue *queue, int kind, void (*drop)(void *payload))
{
	size_t kept = 0;

	for (size_t i = 0; i < queue->n; i++) {
		if (queue->heap[i].kind == kind) {
			drop(queue->heap[i].payload);
		} else {
			queue->heap[kept++] = queue->heap[i];
		}
	}
	queue->n = kept;
	for (size_t i = kept / 2; i-- > 0;) {
		sift_down(queue->heap, kept, i);
	}
}
