/* SPDX-License-Identifier: BSD-3-Clause
 *
 * liar.h - a receiver that lies in its SACKs, with correct checksums: duplicates that never came, echoes of
 * older packets than it heard last, acknowledgements of what was never sent. 4 MB over two paths of 20 Mbit/s
 * and 20 ms. */
#ifndef SIM_LIAR_H
#define SIM_LIAR_H

#include <stdbool.h>
#include <stdint.h>

enum lie {
	HONEST,
	LIE_DUPLICATES,      /* every TSN that arrived lately came twice */
	LIE_MANY_DUPLICATES, /* 1000 in each SACK */
	LIE_STALE,           /* echoes of the SACK before: retransmissions seem not to have arrived */
	LIE_OLD,             /* echoes of `RECENT_ECHOES` SACKs before */
	LIE_SILENT,          /* no echo while something is missing */
	LIE_BOTH,            /* stale echoes, and duplicates */
	LIE_UNSENT,          /* the cumulative TSN runs ahead of what was sent */
	LIE_UNSENT_BLOCKS    /* so do the gap ack blocks */
};

struct liar_job {
	enum lie lie;
	const char *cc, *recovery;
	uint64_t seed;
	double loss;
	uint32_t ahead; /* LIE_UNSENT: of what was sent */
	bool unequal;   /* the second path is slow */
};

struct liar_outcome {
	uint32_t forged, aborts, illegal;
	uint64_t done_us, spurious, undone;
	uint32_t received_bytes;
	bool delivered, intact, ended;
};

/* Runs the job and fails the test when the child does not end well, bytes are altered or a decision is
 * illegal. */
struct liar_outcome liar_run(struct liar_job job);

#endif
