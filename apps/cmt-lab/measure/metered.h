/* SPDX-License-Identifier: BSD-3-Clause
 *
 * metered.h - how little of a stream that is played without a stall has to go over paths that cost something.
 *
 * Pure. Whoever knows what the links will carry sends the least that way: docs/lab.md says why it is what the
 * free paths alone deliver too late, if they skip it and go on with what comes after. Exact with one free
 * path; several deliver in order of arrival here, which may not be the best that they can do. Computed in
 * slots of LAB_METERED_SLOT_US, in which links carry their mean. */
#ifndef LAB_METERED_H
#define LAB_METERED_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/scenario.h"

#define LAB_METERED_SLOT_US 20000u

/* Payload. Its n-th byte is there n / made_bps after start_us of the simulation, and is played n / play_bps
 * after startup_us from then. */
struct lab_stream {
	uint64_t start_us, startup_us;
	double made_bps; /* 0 = all of it is there from the beginning */
	double play_bps;
	double bytes;
};

/* The stream that the scenario's source and player make. */
struct lab_stream lab_stream_of(const struct lab_scenario *s, uint64_t start_us, uint64_t startup_us,
                                double bytes);

/* Bytes that come too late over all paths, or over those without a cost, at best. 0 of all paths: it can be
 * played without a stall. */
double lab_stream_late_bytes(const struct lab_scenario *s, bool extension, const struct lab_stream *stream,
                             bool all_paths);

/* Whether the scenario has a player, and paths with and without a cost. */
bool lab_is_metered(const struct lab_scenario *s);

/* Bytes of packets for so much payload over the paths that cost something, the mean of these paths. */
double lab_metered_wire_bytes(const struct lab_scenario *s, bool extension, double payload_bytes);

#endif
