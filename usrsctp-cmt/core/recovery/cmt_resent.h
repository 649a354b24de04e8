/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_resent.h - what was retransmitted lately, to understand reports of duplicates (DSACK: RFC 3708, and the
 * duplicate TSNs of a SACK, RFC 9260, section 3.3.4).
 *
 * Pure. As many duplicates of a TSN as it was retransmitted mean that every copy arrived: the first
 * retransmission was spurious. Fewer say nothing certain; a probe was never taken for lost.
 * A ring of the newest CMT_RESENT_MAX; what it has forgotten stays unjudged. Where nothing was retransmitted
 * yet, NULL does instead: reports then say nothing. */
#ifndef CMT_RESENT_H
#define CMT_RESENT_H

#include <stdbool.h>
#include <stdint.h>

#define CMT_RESENT_MAX 256

/* A chunk, and the transmission that was declared lost first. */
struct cmt_resent_chunk {
	bool known;
	uint32_t tsn;
	uint32_t lost_number; /* Path Packet Number */
	uint8_t lost_path;
	bool probe;              /* not taken for lost */
	bool arrived_first;      /* the retransmission arrived first, or so it seems */
	uint8_t times;           /* retransmitted; UINT8_MAX = not to be judged */
	uint8_t reports;         /* duplicates reported, but for those of copies */
	uint8_t pending_reports; /* duplicates that are still to be reported, of copies that are known to have
	                            arrived */
	uint32_t bytes;
};

struct cmt_resent {
	struct cmt_resent_chunk ring[CMT_RESENT_MAX]; /* by TSN modulo its size */
};

void cmt_resent_reset(struct cmt_resent *r); /* not NULL */

/* `chunk` was retransmitted; `times`, `reports`, `pending_reports` and `known` are ours. `r` is not NULL. */
void cmt_resent_add(struct cmt_resent *r, const struct cmt_resent_chunk *chunk);

/* What is known of it is settled: it is not judged again. */
void cmt_resent_settle(struct cmt_resent *r, uint32_t tsn);

/* The retransmission of `tsn` was acknowledged, not its original. */
void cmt_resent_arrived_first(struct cmt_resent *r, uint32_t tsn);

/* A copy of `tsn` arrived: the peer reports a duplicate, which says nothing of the transmission that was
 * lost. */
void cmt_resent_expect_report(struct cmt_resent *r, uint32_t tsn);

/* Whether `tsn` was retransmitted and is not settled. */
bool cmt_resent_open(struct cmt_resent *r, uint32_t tsn);

/* The peer reports `tsn` as duplicate. The chunk whose retransmission was spurious, forgotten with this call;
 * false when nothing can be said. */
bool cmt_resent_take_duplicate(struct cmt_resent *r, uint32_t tsn, struct cmt_resent_chunk *chunk);

#endif
