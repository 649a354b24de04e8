/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_give_way.h - an association has CMT_SCHED_MAX_PATHS paths at most. Where another one begins, one that
 * is dead gives way: it has failed, or nothing was heard on it for long; of several the one that was heard
 * last longest ago. What is out on it moves. Should it live after all, it begins anew.
 *
 * The association's lock is held. Frees a path: not for hooks. */
#ifndef CMT_GIVE_WAY_H
#define CMT_GIVE_WAY_H

#include "association/cmt_asoc.h"

/* Makes room for a path that is about to be opened (NULL), or for `begun`, which is there already. */
void cmt_give_way(struct cmt_asoc *ca, const struct sctp_nets *begun);

#endif
