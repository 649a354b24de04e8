/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_capacity_hint.h - how many bits a second an application may produce so that all of them arrive within
 * its latency budget: what the paths carry together, less what must drain first.
 *
 * Pure. Counts user data: of what paths carry, the part that user data had of the packets lately. */
#ifndef CMT_CAPACITY_HINT_H
#define CMT_CAPACITY_HINT_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_limits.h"

/* One usable path. */
struct cmt_capacity_of_path {
	uint64_t bps, carried_bps; /* cmt_capacity.h */
	bool bounded;              /* from below alone: it may be more */
	uint64_t measured_ago_us;  /* CMT_NEVER_US: not yet */
	int64_t base_us;           /* base forward delay, by one clock for all paths; CMT_UNKNOWN_US */
	int64_t queue_us;          /* what its delays show; not positive: nothing */
};

struct cmt_capacity_input {
	uint64_t budget_us;
	uint64_t backlog_bytes; /* user data that wait for a path */
	uint32_t user_ppm;      /* user data in all that is sent */
	unsigned n_paths;
	struct cmt_capacity_of_path paths[CMT_MAX_PATHS];
};

enum cmt_capacity_certainty {
	CMT_CAPACITY_UNKNOWN, /* nothing was delivered yet, or nothing gets through */
	CMT_CAPACITY_PROBING, /* the paths were not busy enough to tell the limit: a step towards it */
	CMT_CAPACITY_MEASURED /* the limit of the paths that matter */
};

struct cmt_capacity_hint {
	uint64_t bps;
	uint64_t carried_bps; /* delivered of late */
	uint64_t limit_bps;   /* what the paths carry, before anything has to drain */
	enum cmt_capacity_certainty certainty;
};

void cmt_capacity_hint(const struct cmt_capacity_input *in, struct cmt_capacity_hint *out);

#endif
