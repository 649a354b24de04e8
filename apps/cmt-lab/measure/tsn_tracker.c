/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/tsn_tracker.h"

#include <stdlib.h>
#include <string.h>

#include "base/samples.h"

/* No association of the lab is longer; a damaged TSN may be anywhere. */
#define MAX_CHUNKS (UINT32_C(1) << 28)

void lab_tsn_tracker_start(struct lab_tsn_tracker *t, uint32_t initial_tsn)
{
	if (!t->started) {
		t->started = true;
		t->initial_tsn = initial_tsn;
	}
}

/* The chunk's record, made when `make`; NULL for a TSN that was never sent. */
static struct lab_tsn_fate *fate(struct lab_tsn_tracker *t, uint32_t tsn, bool make)
{
	uint32_t number = tsn - t->initial_tsn;
	size_t room = t->n == 0 ? 1024 : 2 * t->n;

	if (!t->started || number >= MAX_CHUNKS || (number >= t->n && !make)) {
		return NULL;
	}
	if (number >= t->n) {
		room = room > number ? room : (size_t)number + 1;
		t->fates = lab_grow(t->fates, room, sizeof(*t->fates));
		memset(t->fates + t->n, 0, (room - t->n) * sizeof(*t->fates));
		t->n = room;
	}
	return &t->fates[number];
}

bool lab_tsn_tracker_sent(struct lab_tsn_tracker *t, const struct lab_data_chunk *chunk)
{
	struct lab_tsn_fate *f = fate(t, chunk->tsn, true);
	bool again;

	if (f == NULL) {
		return false;
	}
	again = f->sends > 0;
	t->retransmits += again;
	t->spurious_retransmits += again && f->sends > f->lost;
	f->sends++;
	return again;
}

void lab_tsn_tracker_lost(struct lab_tsn_tracker *t, const struct lab_data_chunk *chunk)
{
	struct lab_tsn_fate *f = fate(t, chunk->tsn, false);

	if (f != NULL && f->lost < f->sends) {
		f->lost++;
	}
}

bool lab_tsn_tracker_arrived(struct lab_tsn_tracker *t, const struct lab_data_chunk *chunk)
{
	struct lab_tsn_fate *f = fate(t, chunk->tsn, false);

	if (f == NULL || f->sends == 0) {
		return false;
	}
	if (f->arrivals++ > 0) {
		t->duplicates++;
		return false;
	}
	t->arrived_bytes += chunk->payload_bytes;
	lab_reordering_arrival(&t->reordering, chunk->tsn - t->initial_tsn);
	return true;
}

void lab_tsn_tracker_free(struct lab_tsn_tracker *t)
{
	free(t->fates);
	lab_reordering_free(&t->reordering);
	*t = (struct lab_tsn_tracker){.started = false};
}
