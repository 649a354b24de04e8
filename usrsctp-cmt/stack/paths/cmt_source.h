/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_source.h - which local address a path works from.
 *
 * The association's lock is held. */
#ifndef CMT_SOURCE_H
#define CMT_SOURCE_H

#include "association/cmt_asoc.h"

/* Where a path begins and ends, with UDP ports; 0: SCTP directly in IP, or not known. */
struct cmt_ends {
	union sctp_sockstore local; /* no family: none was chosen yet */
	union sctp_sockstore remote;
};

/* A packet with DATA has left. */
void cmt_source_on_sent(struct cmt_path *path, uint32_t number);
/* Looks what has arrived; while the path is fit. */
void cmt_source_watch(struct cmt_path *path);
/* The four-tuple of a path. The local address of one that has a remote address alone and is not fit is that
 * where it last worked. */
struct cmt_ends cmt_source_ends(const struct cmt_asoc *ca, const struct cmt_path *path);

#endif
