/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream reads all that a SACK reports, chunk by chunk, and looks through sent_queue for what it takes
 * back. It does so still where a SACK takes something back, or may leave something out. */
#include "losses/cmt_gaps.h"
#include "association/cmt_asoc.h"
#include "cmt_hooks.h"
#include "losses/cmt_outstanding.h"
#include "paths/cmt_pmtud.h"
#include "recovery/cmt_gap_blocks.h"
#include "recovery/cmt_truncated_sack.h"

_Static_assert(CMT_SACK_FIXED_BYTES + (CMT_GAP_BLOCKS_MAX + CMT_SACK_SPARE_BLOCKS) * CMT_SACK_BLOCK_BYTES >
                   CMT_PMTUD_BASE_SCTP_BYTES,
               "a SACK with more blocks counts as truncated");

struct cmt_gaps {
	struct cmt_gap_blocks known, now; /* of the SACK before; of the one that is being taken in */
	struct cmt_gap_news news[CMT_GAP_BLOCKS_MAX];
	uint32_t n_news, next; /* the first that was not read yet */
	bool complete;         /* `known` has all that counts as acknowledged */
	bool readable;         /* `now` is all that it says */
	bool adds_only;        /* which is all of `known`, and `news` */
};

/* Offsets from `cum_ack`. */
static bool read_blocks(struct cmt_gap_blocks *blocks, struct mbuf *m, uint32_t cum_ack, int n, int offset)
{
	struct sctp_gap_ack_block read[CMT_GAP_BLOCKS_MAX];

	blocks->n = 0;
	if (n > CMT_GAP_BLOCKS_MAX)
		return false;
	m_copydata(m, offset, n * (int)sizeof(read[0]), (caddr_t)read);
	for (int i = 0; i < n; i++) {
		const struct cmt_gap_block block = {.first_tsn = cum_ack + ntohs(read[i].start),
		                                    .last_tsn = cum_ack + ntohs(read[i].end)};

		if (block.first_tsn - cum_ack < 2 || !cmt_gap_blocks_add(blocks, block))
			return false;
	}
	return true;
}

/* Upstream tells by this mark what the SACK before had acknowledged as well, and takes it off in a walk that
 * was left out. */
static void take_off_marks(struct cmt_asoc *ca)
{
	struct sctp_tmit_chunk *chk;

	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (chk->sent == SCTP_DATAGRAM_MARKED)
			chk->sent = SCTP_DATAGRAM_ACKED;
	}
}

void cmt_gaps_on_sack(struct cmt_asoc *ca, struct mbuf *m, uint32_t cum_ack, int n_blocks, int offset)
{
	struct cmt_gaps *gaps = ca->gaps;

	if (gaps == NULL && n_blocks > 0)
		gaps = ca->gaps = calloc(1, sizeof(*gaps));
	if (gaps == NULL)
		return;
	gaps->next = 0;
	/* NR-SACKs have blocks of another kind. Without control of our own upstream's looks for the lowest
	 * TSN of every path that is out (CUCv2). */
	gaps->readable = ca->stcb->asoc.nrsack_supported == 0 && ca->cc.ops != NULL &&
	                 !ca->truncated_sack.full && !ca->any_assumed_acked &&
	                 read_blocks(&gaps->now, m, cum_ack, n_blocks, offset);
	gaps->adds_only =
	    gaps->readable && gaps->complete &&
	    cmt_gap_blocks_compare(&gaps->now, &gaps->known, cum_ack, gaps->news, &gaps->n_news);
	if (gaps->complete && !gaps->adds_only)
		take_off_marks(ca);
	gaps->complete = false;
}

void cmt_gaps_on_sack_end(struct cmt_asoc *ca)
{
	struct cmt_gaps *gaps = ca->gaps;

	if (gaps == NULL)
		return;
	if (!gaps->adds_only)
		cmt_outstanding_find(ca);
	gaps->complete = gaps->readable;
	if (!gaps->complete)
		return;
	memcpy(gaps->known.at, gaps->now.at, gaps->now.n * sizeof(gaps->now.at[0]));
	gaps->known.n = gaps->now.n;
}

void cmt_gaps_forget(struct cmt_asoc *ca)
{
	if (ca->gaps == NULL)
		return;
	take_off_marks(ca);
	free(ca->gaps);
	ca->gaps = NULL;
}

bool cmt_new_in_gap_block(struct sctp_tcb *stcb, const struct cmt_gap_place *place, uint16_t *start,
                          uint16_t *end, struct sctp_tmit_chunk **from)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_gaps *gaps = ca != NULL ? ca->gaps : NULL;
	const int at = *place->i;
	int to = place->n - 1;

	if (gaps == NULL || !gaps->adds_only)
		return true;
	if (gaps->next < gaps->n_news) {
		const struct cmt_gap_news *news = &gaps->news[gaps->next];

		to = (int)news->place;
		if (to == at) {
			gaps->next++;
			*start = (uint16_t)(news->part.first_tsn - place->cum_ack);
			*end = (uint16_t)(news->part.last_tsn - place->cum_ack);
			*from = cmt_outstanding_near(ca, *from, news->part.first_tsn);
			return true;
		}
	}
	/* Upstream counts both up before it reads the next one. */
	if (to > at) {
		*place->i = to - 1;
		*place->offset += (to - 1 - at) * (int)sizeof(struct sctp_gap_ack_block);
	}
	return false;
}

bool cmt_nothing_revoked(struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	return ca != NULL && ca->gaps != NULL && ca->gaps->adds_only;
}
