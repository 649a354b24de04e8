/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_sentlog.h"

#include "../util/cmt_serial.h"

void cmt_sentlog_init(struct cmt_sentlog *log, struct cmt_sent_record *records, uint32_t capacity)
{
	*log = (struct cmt_sentlog){.records = records, .capacity = capacity, .next = 1};
	for (uint32_t i = 0; i < capacity; i++)
		records[i] = (struct cmt_sent_record){.end_bytes = 0};
}

void cmt_sentlog_grow(struct cmt_sentlog *log, struct cmt_sent_record *records, uint32_t capacity)
{
	uint32_t kept = log->capacity;

	for (uint32_t number = log->next - kept; number != log->next; number++)
		records[number & (capacity - 1)] = log->records[number & (log->capacity - 1)];
	/* Numbers between the old and the new capacity were never kept: mark them as such by an impossible
	 * size. */
	for (uint32_t i = kept; i < capacity; i++)
		records[(log->next + i - kept) & (capacity - 1)] = (struct cmt_sent_record){.end_bytes = 0};
	log->records = records;
	log->capacity = capacity;
}

uint32_t cmt_sentlog_add(struct cmt_sentlog *log, const struct cmt_sent_record *record, uint32_t bytes)
{
	struct cmt_sent_record *slot = &log->records[log->next & (log->capacity - 1)];

	log->sent_bytes += bytes;
	*slot = *record;
	slot->end_bytes = log->sent_bytes;
	slot->bytes = bytes;
	return log->next++;
}

void cmt_sentlog_add_other(struct cmt_sentlog *log, uint32_t bytes)
{
	log->sent_bytes += bytes;
}

void cmt_sentlog_note_echo(struct cmt_sentlog *log, uint32_t number)
{
	log->records[number & (log->capacity - 1)].echoed = true;
}

const struct cmt_sent_record *cmt_sentlog_find(const struct cmt_sentlog *log, uint32_t number)
{
	const struct cmt_sent_record *record;
	int32_t age = cmt_serial_diff(log->next, number);

	if (age < 1 || (uint32_t)age > log->capacity)
		return NULL;
	record = &log->records[number & (log->capacity - 1)];
	return record->end_bytes != 0 ? record : NULL;
}
