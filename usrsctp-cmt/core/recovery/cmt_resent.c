/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_resent.h"

#include <string.h>

void cmt_resent_reset(struct cmt_resent *r)
{
	memset(r, 0, sizeof(*r));
}

/* What is known of `tsn`; NULL = nothing. */
static struct cmt_resent_chunk *find(struct cmt_resent *r, uint32_t tsn)
{
	struct cmt_resent_chunk *slot = r != NULL ? &r->ring[tsn % CMT_RESENT_MAX] : NULL;

	return slot != NULL && slot->known && slot->tsn == tsn ? slot : NULL;
}

void cmt_resent_add(struct cmt_resent *r, const struct cmt_resent_chunk *chunk)
{
	const struct cmt_resent_chunk *before = find(r, chunk->tsn);
	uint8_t times = before != NULL ? before->times : 0;
	struct cmt_resent_chunk *slot = &r->ring[chunk->tsn % CMT_RESENT_MAX];

	*slot = *chunk;
	slot->known = true;
	slot->pending_reports = 0;
	slot->times = times < UINT8_MAX ? (uint8_t)(times + 1) : UINT8_MAX;
}

void cmt_resent_settle(struct cmt_resent *r, uint32_t tsn)
{
	struct cmt_resent_chunk *slot = find(r, tsn);

	if (slot != NULL)
		slot->known = false;
}

void cmt_resent_arrived_first(struct cmt_resent *r, uint32_t tsn)
{
	struct cmt_resent_chunk *slot = find(r, tsn);

	if (slot != NULL)
		slot->arrived_first = true;
}

void cmt_resent_expect_report(struct cmt_resent *r, uint32_t tsn)
{
	struct cmt_resent_chunk *slot = find(r, tsn);

	if (slot != NULL && slot->pending_reports < UINT8_MAX)
		slot->pending_reports++;
}

bool cmt_resent_open(struct cmt_resent *r, uint32_t tsn)
{
	return find(r, tsn) != NULL;
}

bool cmt_resent_take_duplicate(struct cmt_resent *r, uint32_t tsn, struct cmt_resent_chunk *chunk)
{
	struct cmt_resent_chunk *slot = find(r, tsn);

	if (slot != NULL && slot->pending_reports > 0) {
		slot->pending_reports--;
		return false;
	}
	if (slot == NULL || slot->times != 1)
		return false;
	*chunk = *slot;
	slot->known = false;
	return true;
}
