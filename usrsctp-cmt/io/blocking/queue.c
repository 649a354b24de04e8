/* SPDX-License-Identifier: BSD-3-Clause */
#include "queue.h"

#include <stdlib.h>

void blk_queue_init(struct blk_queue *q)
{
	TAILQ_INIT(&q->messages);
	q->bytes = 0;
	q->is_full = false;
}

void blk_queue_reserve(struct blk_queue *q, size_t len)
{
	q->bytes += len;
	q->is_full = q->is_full || q->bytes >= BLK_QUEUE_BYTES;
}

void blk_queue_give_back(struct blk_queue *q, size_t len)
{
	q->bytes -= len;
	q->is_full = q->is_full && q->bytes > BLK_QUEUE_BYTES / 2;
}

void blk_queue_push(struct blk_queue *q, struct blk_message *m)
{
	TAILQ_INSERT_TAIL(&q->messages, m, entry);
}

struct blk_message *blk_queue_head(const struct blk_queue *q)
{
	return TAILQ_FIRST(&q->messages);
}

struct blk_message *blk_queue_pop(struct blk_queue *q)
{
	struct blk_message *m = TAILQ_FIRST(&q->messages);

	if (m != NULL) {
		TAILQ_REMOVE(&q->messages, m, entry);
		blk_queue_give_back(q, m->len);
	}
	return m;
}

void blk_queue_clear(struct blk_queue *q)
{
	struct blk_message *m;

	while ((m = blk_queue_pop(q)) != NULL) {
		free(m);
	}
}
