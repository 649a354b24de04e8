/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_probing.h - a path's rate is measured with copies (docs/adr/0019-order-in-start-up.md).
 *
 * Pure. Between the first packets of a path and their echo nothing is known of its rate, and no place in the
 * flow is right for a train of them. So a path whose rate is not measured is probed: it carries copies of
 * what others have under way, which overtake nothing, in trains as large as its window. One path is never
 * probed: of those whose rate is measured, or of all, the one that has carried most, and before any has the
 * one with the shortest min RTT. Nor is one after 32 packets. */
#ifndef CMT_PROBING_H
#define CMT_PROBING_H

#include "cmt_ahead.h"

/* Sets probing of all paths; their timing is known. Nobody is while there are no copies. */
void cmt_probing_mark(const struct cmt_view *v, struct cmt_ahead_path *paths);

/* Bytes that the other paths deliver before a packet of the path at `index` would arrive that meets no queue.
 * Changes its arrival_us to that. */
uint64_t cmt_probing_ahead(const struct cmt_view *v, struct cmt_ahead_path *paths, unsigned index);

/* The copy slot of states that begin with struct cmt_ahead_options: copies for probed paths that could help
 * with what waits. */
struct cmt_decision cmt_probing_copy(const void *st, const struct cmt_view *v);

#endif
