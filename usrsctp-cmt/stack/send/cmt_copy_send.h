/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_copy_send.h - copies on their way out: what a path may carry, and packets of it (losses/cmt_copy.h has
 * what becomes of them).
 *
 * The association's lock is held. */
#ifndef CMT_COPY_SEND_H
#define CMT_COPY_SEND_H

#include "association/cmt_asoc.h"

/* Whether there may be copies, and copies on this path. */
bool cmt_copy_possible(const struct cmt_asoc *ca);
bool cmt_copy_may_go(const struct cmt_asoc *ca, const struct cmt_path *path);
/* What the path may carry a copy of: fills has_copy and copy_tsn. */
void cmt_copy_fill_view(const struct cmt_asoc *ca, const struct cmt_path *path, struct cmt_path_view *p);
/* Sends the copies that the scheduler wants now. */
void cmt_copy_output(struct cmt_asoc *ca);

#endif
