/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_resent.h"

#include <string.h>

void cmt_resent_reset(struct cmt_resent *r)
{
	memset(r, 0, sizeof(*r));
}

static struct cmt_resent_chunk *slot_of(struct cmt_resent *r, uint32_t tsn)
{
	return &r->ring[tsn % CMT_RESENT_MAX];
}

void cmt_resent_add(struct cmt_resent *r, const struct cmt_resent_chunk *chunk)
{
	struct cmt_resent_chunk *slot = slot_of(r, chunk->tsn);
	uint8_t times = slot->known && slot->tsn == chunk->tsn ? slot->times : 0;

	*slot = *chunk;
	slot->known = true;
	slot->times = times < UINT8_MAX ? (uint8_t)(times + 1) : UINT8_MAX;
}

void cmt_resent_settle(struct cmt_resent *r, uint32_t tsn)
{
	struct cmt_resent_chunk *slot = slot_of(r, tsn);

	if (slot->tsn == tsn)
		slot->known = false;
}

void cmt_resent_outrun(struct cmt_resent *r, uint32_t tsn)
{
	struct cmt_resent_chunk *slot = slot_of(r, tsn);

	if (slot->tsn == tsn)
		slot->outrun = true;
}

bool cmt_resent_open(const struct cmt_resent *r, uint32_t tsn)
{
	const struct cmt_resent_chunk *slot = &r->ring[tsn % CMT_RESENT_MAX];

	return slot->known && slot->tsn == tsn;
}

bool cmt_resent_take_duplicate(struct cmt_resent *r, uint32_t tsn, struct cmt_resent_chunk *chunk)
{
	struct cmt_resent_chunk *slot = slot_of(r, tsn);

	if (!slot->known || slot->tsn != tsn || slot->times != 1)
		return false;
	*chunk = *slot;
	slot->known = false;
	return true;
}
