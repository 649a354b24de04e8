/* SPDX-License-Identifier: BSD-3-Clause
 *
 * run.h - a test at one end: its connections, what they measured together, and the result as JSON. */
#ifndef PERF_RUN_H
#define PERF_RUN_H

#include "flow.h"
#include "net/path_stats.h"
#include "secure/encryption.h"

struct run_cpu {
	uint64_t user_us, system_us;
};

struct run {
	struct perf_test test;
	struct flow *flows[PERF_MAX_PARALLEL]; /* by index; NULL = not there */
	struct samples latency, rtt;
	struct run_cpu cpu;                                   /* of the process, at the start */
	uint64_t started_us, ended_us;                        /* 0 = not yet */
	struct app_assoc_stats assocs[PERF_MAX_PARALLEL];     /* as read last */
	struct app_encryption encryptions[PERF_MAX_PARALLEL]; /* likewise */
};

/* Notes the time and the processor time. */
void run_begin(struct run *run);
void run_free(struct run *run, bool abort);

bool run_is_complete(const struct run *run); /* all flows are there */
bool run_has_ended(const struct run *run);   /* the peer's end came on all of them */
bool run_was_sent(const struct run *run);    /* the own end went out on all of them */

/* Reads the statistics of the associations that are still there. */
void run_read_paths(struct run *run);

/* {"sent_bytes", "sent_messages", "received_bytes", "received_messages", "duration_us", "latency_clock",
 *  "latency", "rtt", "cpu": {"user_us", "system_us"}, "streams": [..], "paths" of all associations}.
 * `same_host`: latencies are absolute ("common"), else "above_minimum". */
json_t *run_result(struct run *run, bool same_host);

#endif
