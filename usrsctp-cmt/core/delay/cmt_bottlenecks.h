/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_bottlenecks.h - which paths of an association wait in the same queue.
 *
 * Pure: all times are arguments. For the purpose of RFC 8382, by other means, since every packet tells its
 * forward delay here: of paths through one queue delays rise and fall by the same, at the same time, whoever
 * fills it. So by how much the mean delay of 50 ms has changed within 100 ms is compared with the other
 * path's change in the same time: of two that vary on their own the difference varies by as much as both
 * together; of one queue's it is what jitter and other queues add. Changes, not delays: two delays that drift
 * look alike by chance, as long as one remembers. */
#ifndef CMT_BOTTLENECKS_H
#define CMT_BOTTLENECKS_H

#include <stdint.h>

#include "../util/cmt_limits.h"

/* Echoes of one path may come by so many spans later than those of another. */
#define CMT_BOTTLENECK_SPANS 16

/* Zeroed: nothing is known. */
struct cmt_bottlenecks {
	struct cmt_delay_track {
		/* The other paths through its bottleneck, a bit for each: at least three quarters of what the
		 * delays of both vary by is common. Those that fell silent are none. */
		uint8_t shared_with;
		uint32_t n;     /* delays in the span under way, 0 = no span is */
		int64_t sum_us; /* of them */
		int64_t span;   /* which one it is */
		struct cmt_delay_span {
			int64_t number; /* 0 = none */
			int64_t mean_us;
		} ended[CMT_BOTTLENECK_SPANS]; /* by number, modulo */
	} paths[CMT_MAX_PATHS];
	struct cmt_delay_pair {
		int64_t apart_us2;             /* mean of the squares of both changes, added */
		int64_t difference_us2;        /* mean square of their difference */
		uint32_t n;                    /* changes known of both, up to those that are remembered */
	} pairs[CMT_MAX_PATHS][CMT_MAX_PATHS]; /* [i][k], i < k */
};

/* A packet of path `i` left at `sent_us` and took `delay_us` forward, with any offset that all paths share.
 * In the order of their leaving; others are not taken. */
void cmt_bottlenecks_on_echo(struct cmt_bottlenecks *b, unsigned i, uint64_t sent_us, int64_t delay_us);

/* Path `i` is another one from now on. */
void cmt_bottlenecks_forget(struct cmt_bottlenecks *b, unsigned i);

#endif
