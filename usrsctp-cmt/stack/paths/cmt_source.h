/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_source.h - which local address a path works from.
 *
 * The association's lock is held. */
#ifndef CMT_SOURCE_H
#define CMT_SOURCE_H

#include "association/cmt_asoc.h"

/* A packet with DATA has left. */
void cmt_source_on_sent(struct cmt_path *path, uint32_t number);
/* Looks what has arrived; while the path is fit. */
void cmt_source_watch(struct cmt_path *path);
/* The local address of a path; of one that has a remote address alone and is not fit, that where it last
 * worked. False = none was chosen yet. */
bool cmt_source_of(const struct cmt_path *path, union sctp_sockstore *out);

#endif
