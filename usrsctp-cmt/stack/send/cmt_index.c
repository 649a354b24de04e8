/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The index of unsent chunks: send_queue by TSN, so that a scheduler's choice is found without a walk.
 *
 * New chunks appear at the tail of send_queue in TSN order; a window probe that is taken back appears at its
 * head. Chunks leave when they are sent or given up. Chunks that the application directed to one address stay
 * out: upstream sends them in order. */
#include "send/cmt_index.h"
#include "association/cmt_asoc.h"
#include "sched/cmt_units.h"
#include "util/cmt_serial.h"

enum { CAPACITY_START = 64, CAPACITY_MAX = 4096 };

void cmt_index_reset(struct cmt_asoc *ca)
{
	free(ca->index.memory);
	free(ca->index.chunks);
	ca->index.memory = NULL;
	ca->index.chunks = NULL;
	ca->index.valid = false;
	ca->packet.selected = NULL;
}

static bool rebuild(struct cmt_asoc *ca, uint32_t capacity)
{
	struct sctp_tmit_chunk *chk;
	void *memory = malloc(cmt_units_bytes_needed(capacity));
	struct sctp_tmit_chunk **chunks = calloc(capacity, sizeof(*chunks));
	struct sctp_tmit_chunk *first = TAILQ_FIRST(&ca->stcb->asoc.send_queue);
	uint32_t first_tsn;

	if (memory == NULL || chunks == NULL) {
		free(memory);
		free(chunks);
		return false;
	}
	cmt_index_reset(ca);
	ca->index.memory = memory;
	ca->index.chunks = chunks;
	ca->index.next_tsn = ca->stcb->asoc.sending_seq;
	first_tsn = first != NULL ? first->rec.data.tsn : ca->index.next_tsn;
	cmt_units_init(&ca->index.units, capacity, first_tsn, memory);
	cmt_unordered_init(&ca->index.unordered, first_tsn);
	TAILQ_FOREACH(chk, &ca->stcb->asoc.send_queue, sctp_next)
	{
		if (chk->whoTo != NULL)
			continue;
		if (cmt_units_add(&ca->index.units, chk->rec.data.tsn, chk->send_size) != 0) {
			ca->index.next_tsn = chk->rec.data.tsn;
			break;
		}
		chunks[chk->rec.data.tsn & (capacity - 1)] = chk;
	}
	ca->index.valid = true;
	cmt_asoc_reconsider(ca);
	return true;
}

static bool add(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	if (cmt_units_add(&ca->index.units, chk->rec.data.tsn, chk->send_size) != 0)
		return false;
	ca->index.chunks[chk->rec.data.tsn & (ca->index.units.capacity - 1)] = chk;
	if (cmt_serial_gt(ca->index.unordered.tsn, chk->rec.data.tsn))
		ca->index.unordered.tsn = chk->rec.data.tsn;
	cmt_asoc_reconsider(ca);
	return true;
}

/* Adds the chunks from next_tsn on; false when they do not fit. */
static bool add_tail(struct cmt_asoc *ca)
{
	struct sctp_tmit_chunk *chk = TAILQ_LAST(&ca->stcb->asoc.send_queue, sctpchunk_listhead);
	struct sctp_tmit_chunk *first_new = NULL;

	while (chk != NULL && cmt_serial_ge(chk->rec.data.tsn, ca->index.next_tsn)) {
		first_new = chk;
		chk = TAILQ_PREV(chk, sctpchunk_listhead, sctp_next);
	}
	for (chk = first_new; chk != NULL; chk = TAILQ_NEXT(chk, sctp_next)) {
		if (chk->whoTo == NULL && !add(ca, chk))
			return false;
		ca->index.next_tsn = chk->rec.data.tsn + 1;
	}
	return true;
}

/* New ones are at the tail, so each chunk is looked at once. */
static void find_unordered(struct cmt_asoc *ca)
{
	uint32_t *tsn = &ca->index.unordered.tsn;

	cmt_unordered_pass(&ca->index.unordered, &ca->index.units);
	while (cmt_serial_ge(cmt_units_last(&ca->index.units), *tsn)) {
		const struct sctp_tmit_chunk *chk = cmt_index_chunk(ca, *tsn);

		if (chk != NULL && (chk->rec.data.rcv_flags & SCTP_DATA_UNORDERED) != 0)
			return;
		++*tsn;
	}
}

bool cmt_index_sync(struct cmt_asoc *ca)
{
	struct sctp_tmit_chunk *head = TAILQ_FIRST(&ca->stcb->asoc.send_queue);
	bool complete;

	if (!ca->index.valid && !rebuild(ca, CAPACITY_START))
		return false;
	complete = add_tail(ca);
	if (head != NULL && head->whoTo == NULL && !cmt_units_has(&ca->index.units, head->rec.data.tsn))
		complete = add(ca, head) && complete;
	while (!complete && ca->index.units.capacity < CAPACITY_MAX) {
		if (!rebuild(ca, ca->index.units.capacity * 2))
			break;
		complete = add_tail(ca);
	}
	find_unordered(ca);
	/* A unit beyond the index is far behind the window; the head must be in it. */
	return head == NULL || head->whoTo != NULL || cmt_units_has(&ca->index.units, head->rec.data.tsn);
}

bool cmt_index_is_full(const struct cmt_asoc *ca)
{
	return ca->index.next_tsn != ca->stcb->asoc.sending_seq;
}

bool cmt_index_unordered(const struct cmt_asoc *ca, uint32_t *tsn)
{
	*tsn = ca->index.unordered.tsn;
	return ca->index.valid && cmt_unordered_may_go(&ca->index.unordered, &ca->index.units);
}

uint32_t cmt_index_sent(struct cmt_asoc *ca, struct sctp_tmit_chunk *const *chunks, int n)
{
	const uint32_t tsn = chunks[0]->rec.data.tsn;
	uint32_t first_tsn = tsn;

	if (!ca->index.valid)
		return 0;
	if (cmt_units_count(&ca->index.units) > 0)
		first_tsn = cmt_units_first(&ca->index.units);
	cmt_unordered_on_sent(&ca->index.unordered, &ca->index.units, tsn);
	for (int i = 0; i < n; i++)
		(void)cmt_units_remove(&ca->index.units, chunks[i]->rec.data.tsn);
	return tsn - first_tsn;
}

struct sctp_tmit_chunk *cmt_index_chunk(const struct cmt_asoc *ca, uint32_t tsn)
{
	return cmt_units_has(&ca->index.units, tsn) ? ca->index.chunks[tsn & (ca->index.units.capacity - 1)]
	                                            : NULL;
}
