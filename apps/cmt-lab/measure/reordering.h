/* SPDX-License-Identifier: BSD-3-Clause
 *
 * reordering.h - reordering metrics of RFC 4737 over the first arrivals of a sequence.
 *
 * Pure but for memory (samples.h). Numbers count from 0 without wrapping; each arrives once. */
#ifndef LAB_REORDERING_H
#define LAB_REORDERING_H

#include <stddef.h>
#include <stdint.h>

#define LAB_DUPACK_THRESHOLD 3

struct lab_reordering {
	uint64_t arrivals;
	uint64_t reordered;   /* section 3.3: smaller than a number that arrived before */
	uint64_t n_reordered; /* section 5.4: the LAB_DUPACK_THRESHOLD arrivals before were all larger */
	uint64_t extent_max;  /* section 4.2, packets */
	uint64_t last[LAB_DUPACK_THRESHOLD];
	struct lab_reordering_record {
		uint64_t number, arrival; /* an arrival larger than all before, and its place */
	} * records;
	size_t n_records, room;
};

void lab_reordering_arrival(struct lab_reordering *r, uint64_t number);
void lab_reordering_free(struct lab_reordering *r);

#endif
