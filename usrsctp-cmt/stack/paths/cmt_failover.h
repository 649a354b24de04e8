/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_failover.h - which paths carry data (RFC 7829): when one counts as failed, when it is back, and what
 * carries data meanwhile.
 *
 * The association's lock is held. Asking changes nothing; with a scheduler in force cmt_failover_watch() is
 * what finds out and acts. */
#ifndef CMT_FAILOVER_H
#define CMT_FAILOVER_H

#include "association/cmt_asoc.h"

/* Whether it is confirmed, reachable and not failed. */
bool cmt_path_is_active(const struct sctp_nets *net);
/* Whether the path may carry data: it is fit, or the best of all while none is. */
bool cmt_path_usable(const struct cmt_asoc *ca, const struct sctp_nets *net);
/* The path delivers nothing: as if its T3 had expired. */
void cmt_failover_fail(struct cmt_asoc *ca, struct cmt_path *path);
/* Looks for paths that failed or came back: moves data, asks, tells scheduler and application. */
void cmt_failover_watch(struct cmt_asoc *ca);
/* The same during output, unless nothing can have changed since. */
void cmt_failover_watch_once(struct cmt_asoc *ca);
/* Upstream cuts messages for a path that is fit, or for the one that takes the place of the primary path:
 * which may have gone since. */
void cmt_failover_lead(struct cmt_asoc *ca);
/* Whether a path that failed was heard of since cmt_failover_watch(). */
bool cmt_failover_has_news(const struct cmt_asoc *ca);
/* Asks failed paths, and those of unknown delay, whose turn it is. True when a HEARTBEAT is to be sent. */
bool cmt_failover_on_timer(struct cmt_asoc *ca, uint64_t now_us);

#endif
