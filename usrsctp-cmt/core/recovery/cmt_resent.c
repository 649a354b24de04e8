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
	struct cmt_resent_chunk now = before == NULL || before->probe ? *chunk : *before;

	now.known = true;
	now.pending_reports = before != NULL ? before->pending_reports : 0;
	now.reports = before != NULL ? before->reports : 0;
	now.times = before != NULL ? before->times : 0;
	if (now.times < UINT8_MAX)
		now.times++;
	r->ring[chunk->tsn % CMT_RESENT_MAX] = now;
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
	if (slot == NULL || slot->times == UINT8_MAX || ++slot->reports < slot->times)
		return false;
	*chunk = *slot;
	slot->known = false;
	return true;
}
