/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/reordering.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/samples.h"

/* The earliest arrival larger than `number` is a record, and records rise: search by halves. */
static uint64_t first_larger(const struct lab_reordering *r, uint64_t number)
{
	size_t low = 0, high = r->n_records;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (r->records[mid].number > number) {
			high = mid;
		} else {
			low = mid + 1;
		}
	}
	return r->records[low].arrival;
}

static void add_record(struct lab_reordering *r, uint64_t number)
{
	if (r->n_records == r->room) {
		r->room = r->room == 0 ? 256 : 2 * r->room;
		r->records = lab_grow(r->records, r->room, sizeof(*r->records));
	}
	r->records[r->n_records].number = number;
	r->records[r->n_records++].arrival = r->arrivals;
}

void lab_reordering_arrival(struct lab_reordering *r, uint64_t number)
{
	bool all_larger = r->arrivals >= LAB_DUPACK_THRESHOLD;

	if (r->n_records == 0 || number > r->records[r->n_records - 1].number) {
		add_record(r, number);
	} else {
		uint64_t extent = r->arrivals - first_larger(r, number);

		r->reordered++;
		if (extent > r->extent_max) {
			r->extent_max = extent;
		}
	}
	for (size_t i = 0; i < LAB_DUPACK_THRESHOLD; i++) {
		all_larger = all_larger && r->last[i] > number;
	}
	r->n_reordered += all_larger;
	r->last[r->arrivals % LAB_DUPACK_THRESHOLD] = number;
	r->arrivals++;
}

void lab_reordering_free(struct lab_reordering *r)
{
	free(r->records);
	r->records = NULL;
	r->n_records = 0;
	r->room = 0;
}
