/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_spurious.h - what was taken for lost and had arrived: three detectors (core/recovery/cmt_detect.h), and
 * what follows when they agree.
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_SPURIOUS_H
#define CMT_SPURIOUS_H

#include "association/cmt_asoc.h"

/* A transmission of a chunk was taken for lost, and another one is under way: the same, for duplicates. */
void cmt_spurious_on_copied(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost);
/* `chk` leaves again. */
void cmt_spurious_on_resent(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
/* `chk`, whose last transmission was on the path, is acknowledged; and all of the SACK are. */
void cmt_spurious_on_acked(struct cmt_asoc *ca, struct cmt_path *path, const struct sctp_tmit_chunk *chk);
void cmt_spurious_on_sack_end(struct cmt_asoc *ca, struct cmt_path *path);
/* T3 of the path expired; the losses are not counted yet. True: the first time in a row. */
bool cmt_spurious_on_timeout(struct cmt_asoc *ca, struct cmt_path *path);
/* F-RTO sends new data before `chk`, which waits to be sent again. */
bool cmt_spurious_holds_back(struct cmt_asoc *ca, const struct sctp_tmit_chunk *chk);
/* Output is over: where no new data went after all, nothing would come back that decides, and retransmissions
 * do not wait. */
void cmt_spurious_on_output_end(struct cmt_asoc *ca);
/* The echo behind the SACK says that packet `number` is the newest heard on the path. */
void cmt_spurious_on_echo(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number);
/* What the SACK acknowledged and the echo behind it tell together. `built_us`: when the SACK was built,
 * receiver time; CMT_UNKNOWN_US: no echo says so. */
void cmt_spurious_judge(struct cmt_asoc *ca, int64_t built_us);

#endif
