/* SPDX-License-Identifier: BSD-3-Clause
 *
 * backlog.h - datagrams that the sender has read and SCTP has not taken yet, oldest first, numbered.
 *
 * The source never waits: what is older than the budget, or more than BACKLOG_MAX_BYTES, is dropped from the
 * front. `now_us` is one monotonic clock. Not thread safe. */
#ifndef LIVE_BACKLOG_H
#define LIVE_BACKLOG_H

#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "live_message.h"

#define BACKLOG_MAX_BYTES (64u << 20)

struct backlog_entry {
	TAILQ_ENTRY(backlog_entry) link;
	uint32_t seq;
	uint64_t time_us; /* when it was read */
	size_t bytes;     /* of the message, header included */
	uint8_t message[];
};

struct backlog {
	TAILQ_HEAD(backlog_list, backlog_entry) list;
	uint32_t next_seq; /* of the next datagram */
	size_t bytes;
	uint64_t datagrams, dropped; /* read; of those, dropped here */
};

void backlog_init(struct backlog *b);
void backlog_free(struct backlog *b);

/* Adds a datagram of 1 to LIVE_MAX_DATAGRAM_BYTES. Without memory, or when it is larger, it counts as
 * dropped. */
void backlog_add(struct backlog *b, const void *payload, size_t bytes, uint64_t now_us);

/* Drops what was read more than `budget_us` ago. */
void backlog_expire(struct backlog *b, uint64_t budget_us, uint64_t now_us);

/* The oldest, or NULL. */
struct backlog_entry *backlog_first(const struct backlog *b);
void backlog_take(struct backlog *b, struct backlog_entry *entry);

#endif
