/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_copies.h"

#include <string.h>

#include "../util/cmt_serial.h"

/* Of two packets one is acknowledged at once (RFC 9260, section 6.2). */
enum { FAILED_AFTER_PKTS = 2 };

void cmt_copies_move(struct cmt_copies *c, struct cmt_copy *list, uint32_t capacity)
{
	if (c->count > 0)
		memmove(list, &c->list[c->first], c->count * sizeof(*list));
	c->list = list;
	c->capacity = capacity;
	c->first = 0;
}

bool cmt_copies_add(struct cmt_copies *c, const struct cmt_copy *copy)
{
	uint32_t older = c->count;

	if (c->count == c->capacity)
		return false;
	if (c->first + c->count == c->capacity)
		cmt_copies_move(c, c->list, c->capacity);
	while (older > 0 && cmt_serial_gt(cmt_copies_at(c, older - 1)->number, copy->number))
		older--;
	memmove(&c->list[c->first + older + 1], &c->list[c->first + older],
	        (c->count - older) * sizeof(*c->list));
	c->list[c->first + older] = *copy;
	c->count++;
	c->bytes += copy->bytes;
	return true;
}

const struct cmt_copy *cmt_copies_find(const struct cmt_copies *c, uint32_t tsn)
{
	for (uint32_t i = 0; i < c->count; i++) {
		if (cmt_copies_at(c, i)->tsn == tsn)
			return cmt_copies_at(c, i);
	}
	return NULL;
}

void cmt_copies_remove(struct cmt_copies *c, uint32_t i)
{
	c->bytes -= cmt_copies_at(c, i)->bytes;
	memmove(&c->list[c->first + 1], &c->list[c->first], i * sizeof(*c->list));
	c->first++;
	c->count--;
}

bool cmt_copies_on_silent(struct cmt_copies *c, uint32_t pkts)
{
	c->silent_pkts += pkts;
	return c->silent_pkts >= FAILED_AFTER_PKTS;
}

void cmt_copies_clear(struct cmt_copies *c)
{
	c->first = c->count = c->bytes = 0;
}
