/* SPDX-License-Identifier: BSD-3-Clause */
#include "losses/cmt_outstanding.h"
#include "cmt_hooks.h"
#include "losses/cmt_chunk.h"
#include "paths/cmt_paths.h"
#include "util/cmt_serial.h"

/* By slot. */
struct cmt_outstanding {
	struct {
		struct sctp_tmit_chunk *oldest, *newest;
	} of[CMT_SCHED_MAX_PATHS];
};

void cmt_outstanding_remove(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	struct cmt_chunk_tag *tag = &chk->cmt;

	if (tag->listed == 0 || ca->outstanding == NULL)
		return;
	*(tag->older != NULL ? &tag->older->cmt.newer : &ca->outstanding->of[tag->listed - 1].oldest) =
	    tag->newer;
	*(tag->newer != NULL ? &tag->newer->cmt.older : &ca->outstanding->of[tag->listed - 1].newest) =
	    tag->older;
	tag->listed = 0;
}

static void insert_behind(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk, struct sctp_tmit_chunk *older)
{
	struct cmt_chunk_tag *tag = &chk->cmt;

	tag->listed = tag->slot;
	tag->older = older;
	tag->newer = older != NULL ? older->cmt.newer : ca->outstanding->of[tag->slot - 1].oldest;
	*(older != NULL ? &older->cmt.newer : &ca->outstanding->of[tag->slot - 1].oldest) = chk;
	*(tag->newer != NULL ? &tag->newer->cmt.older : &ca->outstanding->of[tag->slot - 1].newest) = chk;
}

void cmt_outstanding_add(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	struct sctp_tmit_chunk *older;

	if (ca->outstanding == NULL)
		ca->outstanding = calloc(1, sizeof(*ca->outstanding));
	/* Without memory T3-rtx alone finds what is lost. */
	if (ca->outstanding == NULL || cmt_asoc_path_of_slot(ca, chk->cmt.slot) == NULL)
		return;
	cmt_outstanding_remove(ca, chk);
	older = ca->outstanding->of[chk->cmt.slot - 1].newest;
	while (older != NULL && cmt_serial_gt(older->cmt.path_packet_number, chk->cmt.path_packet_number))
		older = older->cmt.older;
	insert_behind(ca, chk, older);
}

void cmt_outstanding_on_cum_ack(struct cmt_asoc *ca, uint32_t cum_ack)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (cmt_serial_gt(chk->rec.data.tsn, cum_ack))
			break;
		cmt_outstanding_remove(ca, chk);
	}
}

void cmt_outstanding_find(struct cmt_asoc *ca)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (chk->cmt.listed == 0 && cmt_is_out(chk))
			cmt_outstanding_add(ca, chk);
	}
}

void cmt_outstanding_forget_path(struct cmt_asoc *ca, const struct cmt_path *path)
{
	struct sctp_tmit_chunk *chk;

	while ((chk = cmt_outstanding_oldest(ca, path)) != NULL)
		cmt_outstanding_remove(ca, chk);
}

void cmt_outstanding_free(struct cmt_asoc *ca)
{
	free(ca->outstanding);
	ca->outstanding = NULL;
}

struct sctp_tmit_chunk *cmt_outstanding_oldest(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return ca->outstanding != NULL ? ca->outstanding->of[cmt_path_id(ca, path)].oldest : NULL;
}

struct sctp_tmit_chunk *cmt_outstanding_newest(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return ca->outstanding != NULL ? ca->outstanding->of[cmt_path_id(ca, path)].newest : NULL;
}

/* Chunks of a packet that is leaving are not in sent_queue yet. */
static bool is_nearer(const struct sctp_tmit_chunk *a, const struct sctp_tmit_chunk *b, uint32_t tsn)
{
	return a != NULL && a->sent != SCTP_DATAGRAM_UNSENT && cmt_serial_ge(tsn, a->rec.data.tsn) &&
	       (b == NULL || cmt_serial_gt(a->rec.data.tsn, b->rec.data.tsn));
}

struct sctp_tmit_chunk *cmt_outstanding_near(const struct cmt_asoc *ca, struct sctp_tmit_chunk *from,
                                             uint32_t tsn)
{
	for (unsigned i = 0; ca->outstanding != NULL && i < ca->n_slots; i++) {
		if (is_nearer(ca->outstanding->of[i].oldest, from, tsn))
			from = ca->outstanding->of[i].oldest;
		if (is_nearer(ca->outstanding->of[i].newest, from, tsn))
			from = ca->outstanding->of[i].newest;
	}
	return from;
}

struct sctp_tmit_chunk *cmt_place_sent(struct sctp_tcb *stcb, struct sctp_tmit_chunk *chk,
                                       struct sctp_tmit_chunk *last)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct sctp_tmit_chunk *at;

	if (ca == NULL || last == NULL || !cmt_serial_gt(last->rec.data.tsn, chk->rec.data.tsn))
		return last;
	at = cmt_outstanding_near(ca, TAILQ_FIRST(&stcb->asoc.sent_queue), chk->rec.data.tsn);
	if (chk->cmt.listed != 0 && is_nearer(chk->cmt.older, at, chk->rec.data.tsn))
		at = chk->cmt.older;
	while (cmt_serial_gt(chk->rec.data.tsn, at->rec.data.tsn))
		at = TAILQ_NEXT(at, sctp_next);
	return at;
}
