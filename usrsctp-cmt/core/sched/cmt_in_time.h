/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_in_time.h - for how long the paths that cost less can go on alone, where the application told by when
 * its peer needs what (SCTP_CMT_NEEDED; docs/adr/0046-least-metered-bytes.md).
 *
 * Pure. Who knew what the paths will carry would send over the costly one as late as possible: what went
 * there cannot be taken back, and the others may become faster. As late as possible is when what the peer has
 * lasts no longer than it takes to do without the others, and what may go wrong then:
 *
 *     left  = needed - now - F / R
 *     spare = left - (4 round trips + ramp + reserve)
 *
 * needed: when the lowest unsent byte is needed; F: what is under way on the cheap paths and would have to be
 * sent again; R: the rate at which the peer needs it; round trips: of the costly path, until what is missing
 * is known and there (cmt_late.h); ramp: those of slow start until it carries R; reserve: how far `left` went
 * down before while everything was in use, a part of the most that there was, or a part of what went over the
 * costly paths since they are in use, whichever is most. The last one costs no more than that part of what
 * had to be paid anyway, and grows with what it is for: the cheap paths being bad for long, and the costly
 * ones, too, some time. */
#ifndef CMT_IN_TIME_H
#define CMT_IN_TIME_H

#include "../cmt_sched.h"

/* What was seen of `left`. Zeroed at first. */
struct cmt_in_time {
	int64_t most_us;       /* the most */
	bool is_short;         /* all paths are in use */
	uint64_t began_at_us;  /* since then */
	int64_t began_left_us; /* how much was left then */
	int64_t drop_us;       /* how far below that it went, at most */
	uint32_t costly;       /* paths that others cost less than, a bit for each id */
	uint64_t spent_bytes;  /* that went over them since more than twice the reserve was left */
};

/* Measurements changed. Requires v->needed_bps > 0. */
void cmt_in_time_look(struct cmt_in_time *t, const struct cmt_view *v);

/* A packet left. */
void cmt_in_time_on_sent(struct cmt_in_time *t, const struct cmt_sent *e);

/* For how long the peer can go on if nothing more of the paths that cost less than `path` arrives. Requires
 * v->needed_bps > 0. */
int64_t cmt_in_time_left_us(const struct cmt_view *v, const struct cmt_path_view *path);

/* How much later `path` is early enough; 0 or less: it is to be used now, as where no path costs less. A path
 * that costs less and failed counts: it may come back. Requires v->needed_bps > 0. */
int64_t cmt_in_time_spare_us(const struct cmt_in_time *t, const struct cmt_view *v,
                             const struct cmt_path_view *path);

/* Whether the path's next packet arrives so much before it is needed that a path that costs more could still
 * take over. Requires v->needed_bps > 0 and that the path's start is known. */
bool cmt_in_time_by(const struct cmt_view *v, const struct cmt_path_view *path);

#endif
