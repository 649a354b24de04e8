/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_ocps.h - offset compensation (Ni et al., OCPS, section III): a path's predicted N is corrected by what
 * SACKs say about the round before. Pure.
 *
 * A packet of path k was early when it arrives before packets below it that are with faster paths (slaves of
 * k), or not sent yet: N_k was too large. It was late when packets of faster paths above it arrived before:
 * N_k was too small. Faster is the shorter min RTT, the paper's RTT.
 *
 * Algorithm 1 to the letter takes a step at every SACK with a hole (`every_sack`): with one of path k that
 * shows no loss on k, a_k moves if a hole belongs to a slave of k, and b_l of all masters l of k if one
 * belongs to any of them. A hole is what is missing below the highest TSN that the peer has, until it is sent
 * again, which the paper's subflows do on their own, or two rounds later: then it was given up. What is not
 * sent yet is a hole of the slaves. Otherwise:
 *  - one step per round, by the majority of the round's packets, and only when the round before said the same
 *    ("continuously indicating"); not one for every SACK with a hole: a single hole is chance, and an offset
 *    that moved shows its effect a round later. A change of situation clears the offset at once;
 *  - what was out when another path lost a packet belongs to no round: the retransmission took a place of
 *    that path's packets, and the next round has none in it;
 *  - only those slower paths move that carried a hole, not all of them;
 *  - a hole that is a loss, or that a later packet of its path has overtaken, is no evidence;
 *  - a packet that is still out and is sent again, on whichever path, while higher ones of faster paths have
 *    arrived: that is a miss beyond any offset. b_k moves at once, and the path is tried with one packet at a
 *    time until one is not late enough to be sent again;
 *  - a path without use is never told that its offset is wrong: after sixteen min RTTs half of it is tried,
 *    with one packet, and again every sixteen. It can hold up the others for about a min RTT.
 */
#ifndef CMT_OCPS_H
#define CMT_OCPS_H

#include "../cmt_sched.h"

/* Corrects N by a_pkts + b_pkts. */
struct cmt_ocps_offset {
	int32_t a_pkts, a_threshold_pkts; /* <= 0: N was too large */
	int32_t b_pkts, b_threshold_pkts; /* >= 0: N was too small */
};

/* Algorithm 1 with erratum 5: from 0 by one packet, doubled up to the threshold, then by one packet. The
 * other offset, if there is one, is cleared instead, and half of it becomes its threshold. */
void cmt_ocps_too_large(struct cmt_ocps_offset *offset);
void cmt_ocps_too_small(struct cmt_ocps_offset *offset);

enum cmt_ocps_said { CMT_OCPS_IN_TIME, CMT_OCPS_TOO_LARGE, CMT_OCPS_TOO_SMALL };

enum { CMT_OCPS_TSNS = 4096 }; /* a power of two: the window_tsns of its schedulers */

struct cmt_ocps_path {
	struct cmt_ocps_offset offset;
	uint32_t oldest_tsn, newest_tsn; /* packets out, by their first TSN; valid when `out` */
	uint32_t acked_tsn;   /* highest newly acknowledged since the last judgement; valid when `acked` */
	uint32_t highest_tsn; /* highest acknowledged before; valid when `heard` */
	uint32_t again_tsn;   /* lowest sent again since then while it was out; valid when `again` */
	bool out, acked, heard, again;
	/* The round: begins behind start_tsn (valid when `waiting`), ends with end_tsn (when it has begun).
	 * With every_sack both are valid when `waiting`.
	 */
	bool waiting;
	uint32_t start_tsn, end_tsn;
	uint32_t judged, early, late; /* packets in it */
	enum cmt_ocps_said said;      /* by the round before */
	bool trying;                  /* no more than one packet is sent, until it is judged */
	bool tried;                   /* it was sent */
	uint64_t kept_us;             /* when the path last sent, or the offset was last halved */
};

struct cmt_ocps {
	bool every_sack;
	struct cmt_ocps_path paths[CMT_SCHED_MAX_PATHS]; /* by path id */
	uint8_t carrier[CMT_OCPS_TSNS]; /* by TSN of a packet's first chunk: path id + 1; 0 = none */
};

/* `threshold_pkts` > 0. */
void cmt_ocps_init(struct cmt_ocps *o, uint32_t threshold_pkts, bool every_sack);

/* The slots of a scheduler. */
void cmt_ocps_on_sent(struct cmt_ocps *o, const struct cmt_sent *e);
void cmt_ocps_on_acked(struct cmt_ocps *o, const struct cmt_acked *e);
void cmt_ocps_on_lost(struct cmt_ocps *o, const struct cmt_lost *e);
void cmt_ocps_on_path(struct cmt_ocps *o, uint8_t path_id, bool usable);

/* SACKs came in: moves the offsets. */
void cmt_ocps_plan(struct cmt_ocps *o, const struct cmt_view *v);

/* `ahead_bytes` of a cmt_ahead_fn for this path, corrected; UINT64_MAX also while its one
 * packet is out. */
uint64_t cmt_ocps_correct(const struct cmt_ocps *o, const struct cmt_view *v, uint8_t path_id,
                          uint64_t ahead_bytes);

#endif
