/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_life.h - life of an association's state: it is created when first needed, a scheduler comes into force,
 * the peer restarts, it ends with the association (the last two are hooks, cmt_hooks.h).
 *
 * The association's lock is held. Nothing here may be called from a scheduler. */
#ifndef CMT_LIFE_H
#define CMT_LIFE_H

#include "association/cmt_asoc.h"

/* The association's state, created when missing; NULL without memory: then the association stays as
 * upstream's. */
struct cmt_asoc *cmt_asoc_get(struct sctp_tcb *stcb);

/* Chooses the scheduler (NULL: upstream's). 0, EINVAL (options), ENOMEM; on error nothing changed. */
int cmt_asoc_set_sched(struct cmt_asoc *ca, const struct cmt_sched_ops *sched, const char *options);

/* The scheduler comes into force, once there is something to schedule or measure. To the only address of a
 * peer without the extension upstream sends, as RFC 9260 says and as without a scheduler. */
void cmt_asoc_engage(struct cmt_asoc *ca);

#endif
