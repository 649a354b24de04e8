/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_recovery.h - which chunks are lost, when to probe, what a timeout means (core/recovery/cmt_rack.h).
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_RECOVERY_H
#define CMT_RECOVERY_H

#include "association/cmt_asoc.h"

/* Round trips of the path as core/recovery wants them. */
struct cmt_rack_path cmt_recovery_timing(const struct cmt_path *path);
/* What T3 of the address waits; before the first measurement upstream has no value. */
uint64_t cmt_recovery_t3_us(const struct cmt_asoc *ca, const struct sctp_nets *net);
/* The transmission of the chunk in packet `number` of the path is acknowledged: statistics and trace. */
void cmt_recovery_count_acked(struct cmt_asoc *ca, struct cmt_path *path, const struct sctp_tmit_chunk *chk,
                              uint32_t number);
/* Upstream's notice of a newly acknowledged chunk. */
void cmt_recovery_on_acked(struct sctp_nets *net, struct sctp_tmit_chunk *chk);
/* The chunks of a SACK were all noticed: finds losses. */
void cmt_recovery_on_sack_end(struct cmt_asoc *ca);
/* T3 of the path expired, and upstream has marked what it retransmits. */
void cmt_recovery_on_timeout(struct cmt_asoc *ca, struct cmt_path *path);
/* Whatever is out on the path is lost and moves to the others. */
void cmt_recovery_give_up_path(struct cmt_asoc *ca, struct cmt_path *path);
/* The path goes on at another four-tuple, from which the peer has said what arrived: what is out in packets
 * before `number`, which went to the old one, is lost. No congestion. */
void cmt_recovery_on_moved(struct cmt_asoc *ca, struct cmt_path *path, uint32_t number);
/* Whether there is a path to carry data besides this one. */
bool cmt_another_carries(const struct cmt_asoc *ca, const struct cmt_path *path);
/* A probe did what it repaired: the chunk was lost. */
void cmt_recovery_on_probe_delivered(struct cmt_asoc *ca, const struct cmt_resent_chunk *lost);
/* A packet left on the path: when to probe if nothing comes back. */
void cmt_recovery_on_sent(struct cmt_asoc *ca, struct cmt_path *path);

/* Makes T3 of the path outlast the return path that SACKs are asked to take; and what runs already, when that
 * became longer. */
void cmt_recovery_leave_time(struct cmt_asoc *ca, struct cmt_path *path);
void cmt_recovery_on_longer_return(struct cmt_asoc *ca);
/* SACKs are overdue, and asked for on another path now, from where they come within `wait_ms`: T3 waits. */
void cmt_recovery_on_silent_return(struct cmt_asoc *ca, uint32_t wait_ms);
/* A time that this asked cmt_wake_at() for has come. True: there may be something to send. */
bool cmt_recovery_on_timer(struct cmt_asoc *ca);

/* Copies of one path that are lost at one time, at least one. */
struct cmt_lost_copies {
	uint32_t chunks, pkts, bytes;
	uint32_t oldest, newest; /* Path Packet Numbers */
};
void cmt_recovery_on_copies_lost(struct cmt_asoc *ca, struct cmt_path *path,
                                 const struct cmt_lost_copies *lost);

#endif
