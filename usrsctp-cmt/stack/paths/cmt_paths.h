/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_paths.h - the peer's addresses as paths of ours: slots, and what all rooms ask of a path.
 *
 * The association's lock is held. A path stays where it is until cmt_asoc_forget_path(). */
#ifndef CMT_PATHS_H
#define CMT_PATHS_H

#include "association/cmt_asoc.h"

/* Gives every peer address a slot while there are any. */
void cmt_asoc_sync_paths(struct cmt_asoc *ca);
/* Frees the slot of an address that goes; its structure may be freed afterwards. */
void cmt_asoc_forget_path(struct cmt_asoc *ca, const struct sctp_nets *net);
/* All of them: they are as before the first cmt_asoc_sync_paths(). */
void cmt_asoc_forget_paths(struct cmt_asoc *ca);

/* The path of an address, NULL when it has no slot. */
struct cmt_path *cmt_asoc_path(struct cmt_asoc *ca, const struct sctp_nets *net);
struct cmt_path *cmt_asoc_path_of_slot(struct cmt_asoc *ca, uint8_t slot); /* from 1; 0 = none */
struct cmt_path *cmt_asoc_path_by_wire_id(struct cmt_asoc *ca, uint16_t wire_id);

/* The application said something new of the path's address (net->cmt_use). */
void cmt_path_heed_use(struct cmt_path *path);

static inline uint8_t cmt_path_id(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return (uint8_t)(path - ca->paths);
}

/* Bytes under way on the path, copies included. */
static inline uint32_t cmt_flight_bytes(const struct cmt_path *path)
{
	return path->net->flight_size + path->copy.out.bytes;
}

/* `*to` becomes `net`: takes a reference to that, and gives back the one to what it was. Both may be NULL. */
void cmt_refer(struct sctp_nets **to, struct sctp_nets *net);

/* Smoothed round trip; 0 = not measured. */
uint32_t cmt_srtt_us(const struct sctp_nets *net);
/* No round trip takes less than `rtt_us` any more: where those before did, it stands as a first measurement
 * (RFC 9260, section 6.3.1, C2), in place of ten round trips of smoothing. */
void cmt_srtt_restart(struct sctp_nets *net, int64_t rtt_us);

/* The rate that the application allows on the path, by cap or weight; 0 = any. */
uint64_t cmt_limit_bps(const struct cmt_path *path);

/* What stands in front of the chunks of a packet to this address and counts in its path's MTU: IP header, if
 * the stack writes one, and common header. */
uint32_t cmt_header_bytes(const struct sctp_nets *net);

#endif
