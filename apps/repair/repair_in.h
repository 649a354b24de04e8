/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repair_in.h - the receiver's half of coded repair: keeps what came of late, and restores what is missing as
 * soon as a block has as many repair symbols as it has gaps.
 *
 * Nothing from the peer is trusted. It can make this hold REPAIR_IN_DATAGRAMS datagrams of at most
 * REPAIR_MAX_DATAGRAM_BYTES (8 MiB), and REPAIR_IN_BLOCKS blocks of at most REPAIR_MAX_SYMBOLS symbols (3
 * MiB); larger datagrams are not kept. Pure, but that it allocates; without memory something is not restored.
 * Callbacks must not call back. */
#ifndef REPAIR_IN_H
#define REPAIR_IN_H

#include <stdbool.h>
#include <stdint.h>

#include "repair_message.h"

#define REPAIR_IN_DATAGRAMS 4096u
#define REPAIR_IN_BLOCKS    16u

struct repair_in;

typedef void repair_restored_fn(const struct repair_datagram *datagram, void *arg);

/* NULL: no memory. `restored` gets what was missing, in order within a block. */
struct repair_in *repair_in_new(repair_restored_fn *restored, void *arg);
void repair_in_free(struct repair_in *in);

/* Another stream: everything is forgotten but the counts. */
void repair_in_forget(struct repair_in *in);

/* A datagram came. */
void repair_in_datagram(struct repair_in *in, const struct repair_datagram *datagram);
/* Whether it was restored and has not come itself. */
bool repair_in_is_restored(const struct repair_in *in, uint32_t seq);

/* Repair came. */
void repair_in_message(struct repair_in *in, const struct repair_message *message);

struct repair_in_counts {
	uint64_t messages;
	uint64_t restored;
	uint64_t needless; /* of those, came after all */
	uint64_t unusable; /* messages that are at odds with others of their block, and symbols that nothing
	                      is restored from */
};
struct repair_in_counts repair_in_counts(const struct repair_in *in);

#endif
