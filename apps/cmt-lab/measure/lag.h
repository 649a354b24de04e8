/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lag.h - by how much delivery in order lags behind sending: the longest time from "so many bytes are sent,
 * in whatever order and over whatever path" to "so many bytes are delivered in order". With a sender at the
 * links' rate that is the beginning pause time of Yabandeh et al., Definition 1, whatever came before.
 *
 * Pure but for memory (samples.h). */
#ifndef LAB_LAG_H
#define LAB_LAG_H

#include <stddef.h>
#include <stdint.h>

struct lab_lag {
	struct lab_lag_step {
		uint64_t bytes, at_us; /* so many were sent by then */
	} * steps;
	size_t n, room, next; /* the first step that is not delivered yet */
	uint64_t most_us;
};

/* `bytes` in all are sent by `now_us`; neither ever decreases. */
void lab_lag_sent(struct lab_lag *l, uint64_t bytes, uint64_t now_us);

/* `bytes` in all are delivered by `now_us`; what was sent before `from_us` does not count. */
void lab_lag_delivered(struct lab_lag *l, uint64_t bytes, uint64_t now_us, uint64_t from_us);

void lab_lag_free(struct lab_lag *l);

#endif
