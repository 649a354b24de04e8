/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repair_out.h - the sender's half of coded repair: gathers what was sent into blocks, decides how many
 * repair symbols each needs, and keeps their messages until they leave.
 *
 * A block ends when it is full, when its first datagram has waited for a part of the budget, or when what
 * follows does not fit in: a number was left out, or a datagram is too large. While nothing is missed, and
 * while datagrams are dropped before they are sent, there are no blocks. Pure, but that it allocates;
 * `now_us` is the clock of the datagrams' times. */
#ifndef REPAIR_OUT_H
#define REPAIR_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "repair_message.h"
#include "repair_measure.h"
#include "repair_rate.h"

struct repair_out;

/* NULL: no memory, or there is no code (repair_code_available()). */
struct repair_out *repair_out_new(void);
void repair_out_free(struct repair_out *o);

/* A connection begins, of which nothing is known, with this latency budget. */
void repair_out_begin(struct repair_out *o, uint64_t budget_us);

/* To be called ten times a second, with counts since the connection began or before. */
void repair_out_look(struct repair_out *o, const struct repair_seen *seen, uint64_t now_us);

/* A datagram is on its way. */
void repair_out_add(struct repair_out *o, const struct repair_datagram *datagram);

/* Ends the block if its time has come. */
void repair_out_run(struct repair_out *o, uint64_t now_us);
/* Ends it in any case. */
void repair_out_end(struct repair_out *o);
/* When to call repair_out_run() next; UINT64_MAX: there is no block. */
uint64_t repair_out_wake_us(const struct repair_out *o);

/* A message that is to leave, behind the four bytes that every message begins with: oldest first, NULL =
 * none. It is no longer of use when `dead_us` has come. */
struct repair_out_message {
	struct repair_out_message *next;
	uint64_t dead_us;
	size_t len;
	uint8_t bytes[];
};
const struct repair_out_message *repair_out_first(const struct repair_out *o);
/* The first one is gone: sent or not. */
void repair_out_take(struct repair_out *o, bool sent);

struct repair_out_counts {
	uint64_t messages, bytes; /* sent; bytes behind the first four */
	uint64_t dropped;         /* not sent: there was no room, or no memory */
	struct repair_loss loss;  /* as measured now */
};
struct repair_out_counts repair_out_counts(const struct repair_out *o);

#endif
