/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sack_path.h - which path SACKs take: as a sender, the one to ask for in a CMT-TIMESTAMP
 * (core/delay/cmt_return_path.h); as a receiver, the one that the peer asked for.
 *
 * The association's lock is held. Paths are named by wire_ids of ours; 0 = no wish. */
#ifndef CMT_SACK_PATH_H
#define CMT_SACK_PATH_H

#include "association/cmt_asoc.h"

/* Where a packet of the path asks for its SACK. */
uint16_t cmt_sack_path_for(struct cmt_asoc *ca, struct cmt_path *path);
/* And one whose answer measures its path, before others wait for it. */
uint16_t cmt_sack_path_soonest(struct cmt_asoc *ca);

/* Round trip of the idle path with SACKs on the return path that they are asked to take in general, which may
 * be another one than what the newest took; CMT_UNKNOWN_US. */
int64_t cmt_sack_path_rtt_us(struct cmt_asoc *ca, const struct cmt_path *path);

/* How much later SACKs come on the path's own return path than on the one that they are asked to take; 0 =
 * not later, or not known. */
int64_t cmt_sack_path_detour_us(struct cmt_asoc *ca, const struct cmt_path *path);

/* Sends the SACK to the address that the peer wants SACKs on, if it is fit; else it stays on the one that
 * upstream chose. */
void cmt_sack_path_follow(struct cmt_asoc *ca, struct sctp_tmit_chunk *sack, uint64_t now_us);

#endif
