/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tsn_tracker.h - the fate of every chunk of one direction, from the packets on the wire.
 *
 * Pure but for memory (samples.h). A retransmission is spurious when an earlier copy is neither lost by the
 * network nor damaged: the simulator knows. */
#ifndef LAB_TSN_TRACKER_H
#define LAB_TSN_TRACKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/packet.h"
#include "measure/reordering.h"

struct lab_tsn_fate {
	uint16_t sends, lost, arrivals;
};

struct lab_tsn_tracker {
	bool started;
	uint32_t initial_tsn;
	struct lab_tsn_fate *fates; /* by TSN - initial_tsn */
	size_t n;
	uint64_t retransmits, spurious_retransmits, duplicates;
	uint64_t arrived_bytes; /* payload, each chunk once */
	struct lab_reordering reordering;
};

/* With the initial TSN of the INIT chunk. Chunks before that are ignored. */
void lab_tsn_tracker_start(struct lab_tsn_tracker *t, uint32_t initial_tsn);

/* A copy was sent: true when it is a retransmission. */
bool lab_tsn_tracker_sent(struct lab_tsn_tracker *t, const struct lab_data_chunk *chunk);

/* The network lost a copy, or delivered it damaged. */
void lab_tsn_tracker_lost(struct lab_tsn_tracker *t, const struct lab_data_chunk *chunk);

/* A copy arrived: true when it is the first. */
bool lab_tsn_tracker_arrived(struct lab_tsn_tracker *t, const struct lab_data_chunk *chunk);

void lab_tsn_tracker_free(struct lab_tsn_tracker *t);

#endif
