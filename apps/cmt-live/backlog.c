/* SPDX-License-Identifier: BSD-3-Clause */
#include "backlog.h"

#include <stdlib.h>
#include <string.h>

void backlog_init(struct backlog *b)
{
	*b = (struct backlog){.next_seq = 0};
	TAILQ_INIT(&b->list);
}

static void drop_first(struct backlog *b)
{
	backlog_take(b, TAILQ_FIRST(&b->list));
	b->dropped++;
}

void backlog_free(struct backlog *b)
{
	while (!TAILQ_EMPTY(&b->list)) {
		drop_first(b);
	}
}

void backlog_add(struct backlog *b, const void *payload, size_t bytes, uint64_t now_us)
{
	const uint32_t seq = b->next_seq++;
	const size_t message_bytes = LIVE_DATA_HEADER_BYTES + bytes;
	struct backlog_entry *entry = NULL;

	b->datagrams++;
	if (bytes <= LIVE_MAX_DATAGRAM_BYTES) {
		entry = malloc(sizeof(*entry) + message_bytes);
	}
	if (entry == NULL) {
		b->dropped++;
		return;
	}
	entry->seq = seq;
	entry->time_us = now_us;
	entry->bytes = message_bytes;
	live_data_header(seq, now_us, entry->message);
	memcpy(entry->message + LIVE_DATA_HEADER_BYTES, payload, bytes);
	TAILQ_INSERT_TAIL(&b->list, entry, link);
	b->bytes += message_bytes;
	while (b->bytes > BACKLOG_MAX_BYTES) {
		drop_first(b);
	}
}

void backlog_expire(struct backlog *b, uint64_t budget_us, uint64_t now_us)
{
	const struct backlog_entry *first;

	while ((first = TAILQ_FIRST(&b->list)) != NULL && now_us - first->time_us > budget_us) {
		drop_first(b);
	}
}

struct backlog_entry *backlog_first(const struct backlog *b)
{
	return TAILQ_FIRST(&b->list);
}

void backlog_take(struct backlog *b, struct backlog_entry *entry)
{
	TAILQ_REMOVE(&b->list, entry, link);
	b->bytes -= entry->bytes;
	free(entry);
}
