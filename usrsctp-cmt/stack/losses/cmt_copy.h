/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_copy.h - redundant transmissions, once they are under way: which transmission of a chunk arrived, which
 * was lost (core/recovery/cmt_copies.h). send/cmt_copy_send.h sends them.
 *
 * The association's lock is held; a scheduler is in force. */
#ifndef CMT_COPY_H
#define CMT_COPY_H

#include "association/cmt_asoc.h"

struct cmt_echo;

/* Of cmt_chunk_tag.copied. */
static inline uint8_t cmt_copy_bit(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return (uint8_t)(1u << (unsigned)(path - ca->paths));
}

/* Room for so many more copies on the path; false without memory. */
bool cmt_copy_reserve(struct cmt_path *path, uint32_t n);
/* A SACK comes in, before upstream looks at it. `echo`: what stands behind it, NULL = nothing. Of chunks with
 * several transmissions the one that arrived becomes the chunk's own. `duplicates`: `n` TSNs that the peer
 * reports; those that no copy explains stay, and are counted in what is returned. */
unsigned cmt_copy_on_sack(struct cmt_asoc *ca, const struct cmt_echo *echo, uint32_t *duplicates, unsigned n);
/* The chunk's own transmission is lost. True when a copy that is still under way takes its place. */
bool cmt_copy_take_over(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk);
/* A probe was acknowledged, not the transmission of its chunk before it on the path, `before`: that is a copy
 * now. False when nothing would tell what becomes of it. */
bool cmt_copy_of_probed(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_resent_chunk *before);
/* SACK and echo are taken in, or time has passed: what arrived and what was lost. */
void cmt_copy_settle(struct cmt_asoc *ca, uint64_t now_us);

#endif
