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
	struct cmt_gap_history *gaps = ca->gaps;
	bool readable;

	if (gaps == NULL && n_blocks > 0)
		gaps = ca->gaps = calloc(1, sizeof(*gaps));
	if (gaps == NULL)
		return;
	/* NR-SACKs have blocks of another kind. Without control of our own upstream's looks for the lowest
	 * TSN of every path that is out (CUCv2). */
	readable = ca->stcb->asoc.nrsack_supported == 0 && ca->cc.ops != NULL && !ca->truncated_sack.full &&
	           !ca->any_assumed_acked && read_blocks(&gaps->now, m, cum_ack, n_blocks, offset);
	if (cmt_gap_history_begin(gaps, readable, cum_ack))
		take_off_marks(ca);
}

void cmt_gaps_on_sack_end(struct cmt_asoc *ca)
{
	if (ca->gaps == NULL)
		return;
	if (!ca->gaps->adds_only)
		cmt_outstanding_find(ca);
	cmt_gap_history_end(ca->gaps);
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
	struct cmt_gap_block part;
	int skipped;

	if (ca == NULL || ca->gaps == NULL || !ca->gaps->adds_only)
		return true;
	skipped = (int)cmt_gap_history_skip(ca->gaps, (uint32_t)*place->i, &part);
	if (skipped == 0) {
		*start = (uint16_t)(part.first_tsn - place->cum_ack);
		*end = (uint16_t)(part.last_tsn - place->cum_ack);
		*from = cmt_outstanding_near(ca, *from, part.first_tsn);
		return true;
	}
	/* Upstream counts both up before it reads the next one. */
	*place->i += skipped - 1;
	*place->offset += (skipped - 1) * (int)sizeof(struct sctp_gap_ack_block);
	return false;
}

bool cmt_nothing_revoked(struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);

	return ca != NULL && ca->gaps != NULL && ca->gaps->adds_only;
}
