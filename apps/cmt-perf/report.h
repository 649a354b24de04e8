/* SPDX-License-Identifier: BSD-3-Clause
 *
 * report.h - what a client prints: a line for each interval and a summary, or one JSON object
 * (docs/cmt-perf.md#json). */
#ifndef PERF_REPORT_H
#define PERF_REPORT_H

#include "net/addresses.h"
#include "options.h"
#include "run.h"

/* A path; with several associations, all those between the same two addresses together. */
struct report_path {
	uint16_t path_id; /* of one association: what it is known by, while its local address changes */
	struct sockaddr_storage local, remote;
	uint64_t sent_bytes, acked_bytes;
	uint64_t srtt_us, n_srtt; /* sum, and of how many */
	int64_t fwd_delay_us;     /* sum */
	int64_t n_fwd_delay;
};

struct report_paths {
	struct report_path list[APP_MAX_ADDRESSES];
	size_t n;
};

struct report {
	const struct perf_options *options;
	const struct app_addresses *peer;
	bool same_host;
	json_t *remote; /* the server's result; NULL = it did not come */

	json_t *intervals;     /* of the JSON report */
	uint64_t at_us, bytes; /* when, and how many, at the end of the last interval */
	struct report_paths paths;
};

/* The statistics of the associations have just been read. */
void report_interval(struct report *report, struct run *run);

/* `started`: the server was ready. `error`: "" or why the test is incomplete. */
void report_end(struct report *report, struct run *run, bool started, const char *error);

void report_free(struct report *report);

/* Sums the associations' paths. */
void report_paths_sum(const struct run *run, struct report_paths *out);

#endif
