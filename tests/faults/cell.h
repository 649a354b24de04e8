/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cell.h - one transfer with one fault, in a child process, judged. */
#ifndef FAULTS_CELL_H
#define FAULTS_CELL_H

#include "faults.h"

struct cell {
	const struct fault *fault;
	int n_paths;
	bool extension; /* both ends offer CMT-TIMESTAMP and CMT-ECHO */
	int family;     /* AF_INET, AF_INET6 */
	const char *scheduler;
	uint64_t seed;
};

struct cell_verdict {
	bool passed;
	char why[160];      /* not passed */
	uint64_t gap_us;    /* longest time in which the server's application got nothing */
	uint64_t finish_us; /* last message delivered; when the last survivor was told if the fault ends
	                       everything */
};

/* `FAULT/PATHS/on|off/4|6/SCHEDULER/SEED`, which the driver's --only takes. */
void cell_name(const struct cell *c, char *out, size_t out_bytes);

/* Nothing lost, duplicated, reordered within a stream or altered; no illegal decision; nobody reads an
 * orderly end where something is missing; and what the fault says of the end. Crashes, sanitizer reports,
 * leaks, and CELL_HANGS_SECONDS of real time fail too. */
enum { CELL_HANGS_SECONDS = 120 };
struct cell_verdict cell_run(const struct cell *c);

#endif
