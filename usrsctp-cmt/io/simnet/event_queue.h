/* SPDX-License-Identifier: BSD-3-Clause
 *
 * event_queue.h - what is going to happen, by time, then by order of registration.
 *
 * A binary heap. Payloads belong to the caller. Not thread safe. */
#ifndef SIMNET_EVENT_QUEUE_H
#define SIMNET_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct simnet_event {
	uint64_t at_us;
	uint64_t order; /* set by the queue: of two events at the same time the older one comes first */
	int kind;       /* the caller's */
	void *payload;
};

struct simnet_event_queue {
	struct simnet_event *heap;
	size_t n, capacity;
	uint64_t next_order;
};

void simnet_event_queue_init(struct simnet_event_queue *queue);

/* Releases the queue's memory, not the payloads. */
void simnet_event_queue_free(struct simnet_event_queue *queue);

/* 0 or -ENOMEM. */
int simnet_event_queue_push(struct simnet_event_queue *queue, uint64_t at_us, int kind, void *payload);

/* The earliest event, or NULL; valid until the queue changes. */
const struct simnet_event *simnet_event_queue_peek(const struct simnet_event_queue *queue);

/* Takes the earliest event out; false when there is none. */
bool simnet_event_queue_pop(struct simnet_event_queue *queue, struct simnet_event *out);

/* Takes every event of that kind out and gives its payload to `drop`. */
void simnet_event_queue_remove_kind(struct simnet_event_queue *queue, int kind, void (*drop)(void *payload));

#endif
