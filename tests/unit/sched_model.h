/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sched_model.h - a sender, paths and a receiver in virtual time, to run a scheduler in a closed loop.
 *
 * The sender knows the paths exactly, as if all estimates were perfect: what goes wrong is the scheduler's
 * fault. Paths are queues that drain at a fixed rate with a fixed delay behind them. Each packet is
 * acknowledged alone, on its path, for everything that has arrived till then. A path that goes down loses
 * what is under way on it; the sender is told at once and sends it again, in front of new data. */
#ifndef SCHED_MODEL_H
#define SCHED_MODEL_H

#include "cmt_sched.h"

enum { MODEL_UNIT_BYTES = 1000, MODEL_HEADER_BYTES = 64, MODEL_UNITS_MAX = 20000, MODEL_CHANGES_MAX = 16 };

struct model_path {
	uint64_t rate_bps;
	uint32_t delay_us, return_us;
	uint32_t cwnd_pkts; /* at most 1000 */
};

/* A path goes down or comes back. */
struct model_change {
	uint64_t at_us;
	uint8_t path;
	bool up;
};

struct model_config {
	const struct cmt_sched_ops *ops;
	const char *options;
	unsigned n_paths;
	struct model_path paths[CMT_SCHED_MAX_PATHS];
	unsigned n_changes;
	struct model_change changes[MODEL_CHANGES_MAX]; /* by time */
	uint32_t units;
	uint32_t units_per_packet;
	uint32_t window_bytes;  /* of the receiver */
	uint32_t source_gap_us; /* between units from the application; 0 = all at once */
	int64_t offset_us;      /* receiver's clock */
	uint32_t warmup_pkts;   /* arrivals before order counts */
	uint64_t limit_us;      /* give up then */
};

struct model_result {
	const char *failure; /* NULL: all delivered; else what went wrong first */
	uint64_t end_us;
	uint64_t longest_wait_us;              /* from a unit's entry into the index until it is sent */
	uint32_t sent_on[CMT_SCHED_MAX_PATHS]; /* packets, retransmissions excluded */
	uint32_t early_pkts;                   /* arrivals behind a hole */
	uint32_t held_bytes;                   /* most that waited for a hole */
};

/* Runs until all units are delivered or something fails. Not re-entrant: uses static memory. */
struct model_result model_run(const struct model_config *config);

#endif
