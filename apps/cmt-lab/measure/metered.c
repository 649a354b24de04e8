/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/metered.h"

#include <math.h>

#include "scenario/ceiling.h"

struct lab_stream lab_stream_of(const struct lab_scenario *s, uint64_t start_us, uint64_t startup_us,
                                double bytes)
{
	return (struct lab_stream){.start_us = start_us,
	                           .startup_us = startup_us,
	                           .made_bps =
	                               s->source.kind == LAB_SOURCE_CBR ? (double)s->source.cbr_bps : 0,
	                           .play_bps = (double)s->play_bps,
	                           .bytes = bytes};
}

/* At `us` after the start; that may be before it. */
static double made_bytes(const struct lab_stream *t, double us)
{
	if (us < 0) {
		return 0;
	}
	return t->made_bps == 0 ? t->bytes : fmin(t->bytes, us * t->made_bps / 8e6);
}

static double played_bytes(const struct lab_stream *t, double us)
{
	return fmax(0, fmin(t->bytes, (us - (double)t->startup_us) * t->play_bps / 8e6));
}

/* Payload that arrives over the path in the slot which ends at `end_us` of the simulation. */
static double arriving_bytes(const struct lab_scenario *s, bool extension, int path, uint64_t end_us)
{
	const uint64_t delay = lab_path_delay_us(s, path, 0);

	if (end_us < delay + LAB_METERED_SLOT_US) {
		return 0;
	}
	return lab_ceiling_over_bps(s, path, extension,
	                            (struct lab_span){end_us - delay - LAB_METERED_SLOT_US, end_us - delay}) *
	       LAB_METERED_SLOT_US / 8e6;
}

double lab_stream_late_bytes(const struct lab_scenario *s, bool extension, const struct lab_stream *stream,
                             bool all_paths)
{
	double at = 0, late = 0; /* what is before `at` has arrived, or is late */

	for (uint64_t us = LAB_METERED_SLOT_US; at < stream->bytes; us += LAB_METERED_SLOT_US) {
		const double due = played_bytes(stream, (double)us);

		late += fmax(0, due - at);
		at = fmax(at, due);
		for (int p = 0; p < s->n_paths; p++) {
			double there;

			if (!all_paths && s->use[p].cost > 0) {
				continue;
			}
			there = made_bytes(stream, (double)us - (double)lab_path_delay_us(s, p, 0));
			at = fmax(at,
			          fmin(there, at + arriving_bytes(s, extension, p, stream->start_us + us)));
		}
	}
	return late;
}

bool lab_is_metered(const struct lab_scenario *s)
{
	int metered = 0;

	for (int p = 0; p < s->n_paths; p++) {
		metered += s->use[p].cost > 0;
	}
	return s->play_bps != 0 && metered > 0 && metered < s->n_paths;
}

double lab_metered_wire_bytes(const struct lab_scenario *s, bool extension, double payload_bytes)
{
	double wire_bps = 0, payload_bps = 0;

	for (int p = 0; p < s->n_paths; p++) {
		if (s->use[p].cost > 0) {
			wire_bps += lab_capacity_bps(s, p);
			payload_bps += lab_path_ceiling_bps(s, p, extension);
		}
	}
	return payload_bps == 0 ? 0 : payload_bytes * wire_bps / payload_bps;
}
