/* SPDX-License-Identifier: BSD-3-Clause */
#include "recovery/cmt_gap_blocks.h"

#include <string.h>

#include "util/cmt_serial.h"

/* Of `before`, from *next: the blocks within `part`, which is cut at both ends by them. False when one of
 * them is not there as a whole. */
static bool cut(struct cmt_gap_block *part, const struct cmt_gap_blocks *before, uint32_t *next)
{
	uint32_t first = *next, end = first;

	while (end < before->n && cmt_serial_ge(part->last_tsn, before->at[end].first_tsn))
		end++;
	*next = end;
	if (end > first && cmt_serial_gt(before->at[end - 1].last_tsn, part->last_tsn))
		return false;
	if (end > first && cmt_serial_gt(part->first_tsn, before->at[first].first_tsn))
		return false;
	for (; first < end && before->at[first].first_tsn == part->first_tsn; first++)
		part->first_tsn = before->at[first].last_tsn + 1;
	for (; end > first && before->at[end - 1].last_tsn == part->last_tsn; end--)
		part->last_tsn = before->at[end - 1].first_tsn - 1;
	return true;
}

bool cmt_gap_blocks_compare(const struct cmt_gap_blocks *now, const struct cmt_gap_blocks *before,
                            uint32_t cum_ack, struct cmt_gap_news *news, uint32_t *n)
{
	uint32_t next = 0;

	*n = 0;
	while (next < before->n && cmt_serial_ge(cum_ack, before->at[next].last_tsn))
		next++;
	/* Nothing is acknowledged both ways: a block across `cum_ack` cannot be there any more. */
	for (uint32_t i = 0; i < now->n; i++) {
		struct cmt_gap_block part = now->at[i];

		if (next < before->n && part.first_tsn == before->at[next].first_tsn &&
		    part.last_tsn == before->at[next].last_tsn) {
			next++;
			continue;
		}
		if (!cut(&part, before, &next))
			return false;
		if (cmt_serial_ge(part.last_tsn, part.first_tsn))
			news[(*n)++] = (struct cmt_gap_news){.place = i, .part = part};
	}
	return next == before->n;
}

bool cmt_gap_history_begin(struct cmt_gap_history *h, bool readable, uint32_t cum_ack)
{
	const bool was_complete = h->complete;

	h->next = 0;
	h->readable = readable;
	h->adds_only = readable && was_complete &&
	               cmt_gap_blocks_compare(&h->now, &h->known, cum_ack, h->news, &h->n_news);
	h->complete = false;
	return was_complete && !h->adds_only;
}

uint32_t cmt_gap_history_skip(struct cmt_gap_history *h, uint32_t place, struct cmt_gap_block *part)
{
	const struct cmt_gap_news *news = &h->news[h->next];

	if (h->next == h->n_news)
		return h->now.n - place;
	if (news->place == place) {
		*part = news->part;
		h->next++;
	}
	return news->place - place;
}

void cmt_gap_history_end(struct cmt_gap_history *h)
{
	h->complete = h->readable;
	if (!h->complete)
		return;
	memcpy(h->known.at, h->now.at, h->now.n * sizeof(h->now.at[0]));
	h->known.n = h->now.n;
}
