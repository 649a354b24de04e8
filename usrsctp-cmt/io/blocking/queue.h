/* SPDX-License-Identifier: BSD-3-Clause
 *
 * queue.h - messages between the loop's thread and the others. The lock is held, but for those that no queue
 * has yet. */
#ifndef CMT_BLOCKING_QUEUE_H
#define CMT_BLOCKING_QUEUE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include <usrsctp_cmt_event.h>

#define BLK_QUEUE_BYTES 524288u /* from here on it is full; half of it is what a thread wakes up for */

struct blk_message {
	TAILQ_ENTRY(blk_message) entry;
	struct usrsctp_cmt_message how;
	size_t len;
	uint8_t bytes[];
};

struct blk_queue {
	TAILQ_HEAD(, blk_message) messages;
	size_t bytes; /* with those that are to come */
	bool is_full; /* until it is half empty */
};

void blk_queue_init(struct blk_queue *q);
/* Room for a message that will be pushed; blk_queue_give_back(): is not needed any more. */
void blk_queue_reserve(struct blk_queue *q, size_t len);
void blk_queue_give_back(struct blk_queue *q, size_t len);
void blk_queue_push(struct blk_queue *q, struct blk_message *m); /* `len` was reserved */
struct blk_message *blk_queue_head(const struct blk_queue *q);   /* NULL: it is empty */
/* Takes the head out; its room is given back. */
struct blk_message *blk_queue_pop(struct blk_queue *q);
void blk_queue_clear(struct blk_queue *q); /* frees all */

#endif
