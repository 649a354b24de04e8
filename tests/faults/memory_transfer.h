/* SPDX-License-Identifier: BSD-3-Clause
 *
 * memory_transfer.h - a transfer in virtual time whose application bears with whatever call has no memory.
 *
 * An isolate_scenario: `job` is a struct memory_job, `outcome` a struct memory_outcome. */
#ifndef FAULTS_MEMORY_TRANSFER_H
#define FAULTS_MEMORY_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

enum { MEMORY_ASCONFS = 2 };

struct memory_job {
	uint64_t fail_at; /* scarce_begin() */
	bool again, tell;
	/* IPv6 and I-DATA, authenticated, without the extension; all events; under way an address leaves and
	 * comes back, streams are added and reset. */
	bool rich;
	bool protect; /* by the DTLS chunk; whoever has no memory for keys ends the association */
};

struct memory_outcome {
	uint64_t allocations, failures;
	bool refused;   /* socket(), an option, bind(), listen() or connect() failed: there is no transfer */
	bool accepted;  /* the server has got an association */
	bool delivered; /* every message of both ends */
	bool closed[2], told[2]; /* client, server: read an orderly end, or an error */
	uint32_t wrong;          /* messages altered, out of order, twice, or seen though protected */
	int64_t leaked_blocks;
	uint64_t asconf_at[MEMORY_ASCONFS]; /* allocations before each of the first ones came to the server */
	uint32_t unanswered;                /* how often the last one came, when it was never answered */
};

void memory_transfer(const void *job, void *outcome);

#endif
