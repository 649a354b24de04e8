/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_assocs.h - associations of a socket, by the ids of RFC 6458, section 7. */
#ifndef CMT_ASSOCS_H
#define CMT_ASSOCS_H

#include "association/cmt_asoc.h"

typedef int cmt_assoc_fn(struct cmt_asoc *ca, void *arg);

/* One-to-one style: one association, whatever the id. */
bool cmt_is_one_to_one(const struct sctp_inpcb *inp);

/* Calls `fn` for one association, locked. Its result, or an errno; ENOENT when there is no association. */
int cmt_with_assoc(struct sctp_inpcb *inp, uint32_t assoc_id, cmt_assoc_fn *fn, void *arg);

/* For all of them, until one fails. */
int cmt_with_all_assocs(struct sctp_inpcb *inp, cmt_assoc_fn *fn, void *arg);

#endif
