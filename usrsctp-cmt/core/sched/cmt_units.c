/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_units.c - a Fenwick tree (Fenwick 1994) over a ring of slots.
 *
 * The tree adds up lengths in slot order, which starts somewhere inside the TSN order: the lowest TSN sits in
 * slot `first_tsn mod capacity`, and TSNs behind the last slot continue in slot 0. Positions are therefore
 * turned by the bytes in front of that slot before and after a search. A slot without a unit has length 0 and
 * can hold no byte, so a search never ends there. */
#include <errno.h>
#include <string.h>

#include "cmt_units.h"
#include "../util/cmt_serial.h"

static uint32_t slot_of(const struct cmt_units *u, uint32_t tsn)
{
	return tsn & (u->capacity - 1);
}

/* Element i, from 1, of the tree; it covers the lowest set bit of i many slots and ends with slot i - 1. The
 * difference is modulo 2^32: a removal adds the two's complement. */
static void tree_add(struct cmt_units *u, uint32_t slot, uint32_t difference_bytes)
{
	for (uint32_t i = slot + 1; i <= u->capacity; i += i & (0u - i))
		u->sums_bytes[i - 1] += difference_bytes;
}

/* Bytes in the slots below `slot`. */
static uint32_t tree_below(const struct cmt_units *u, uint32_t slot)
{
	uint32_t sum = 0;

	for (uint32_t i = slot; i > 0; i &= i - 1)
		sum += u->sums_bytes[i - 1];
	return sum;
}

/* The slot that holds byte `*offset_bytes` in slot order; leaves the position inside the slot there. Requires
 * an offset below the total. */
static uint32_t tree_find(const struct cmt_units *u, uint32_t *offset_bytes)
{
	uint32_t inside_bytes = *offset_bytes;
	uint32_t slot = 0;

	for (uint32_t step = u->capacity / 2; step > 0; step /= 2) {
		const uint32_t sum = u->sums_bytes[slot + step - 1];

		/* All ones to pass over the left half, else 0. Arithmetic, because the outcome is a coin
		 * toss: mispredicted branches would make a search dearer the more units there are. */
		const uint32_t pass = 0u - (uint32_t)(sum <= inside_bytes);

		inside_bytes -= sum & pass;
		slot += step & pass;
	}
	*offset_bytes = inside_bytes;
	return slot;
}

size_t cmt_units_bytes_needed(uint32_t capacity)
{
	if (capacity < CMT_UNITS_MIN_CAPACITY || capacity > CMT_UNITS_MAX_CAPACITY ||
	    (capacity & (capacity - 1)) != 0)
		return 0;
	return (size_t)capacity * (sizeof(uint32_t) + sizeof(uint16_t));
}

void cmt_units_init(struct cmt_units *u, uint32_t capacity, uint32_t first_tsn, void *mem)
{
	memset(mem, 0, cmt_units_bytes_needed(capacity));
	*u = (struct cmt_units){
	    .sums_bytes = mem,
	    .lens_bytes = (uint16_t *)(void *)((uint32_t *)mem + capacity),
	    .capacity = capacity,
	    .first_tsn = first_tsn,
	    .last_tsn = first_tsn,
	};
}

/* Whether `high` is not below `low` and both fit into one window. */
static bool fits(const struct cmt_units *u, uint32_t low, uint32_t high)
{
	const int32_t distance = cmt_serial_diff(high, low);

	return distance >= 0 && distance < (int32_t)u->capacity;
}

int cmt_units_add(struct cmt_units *u, uint32_t tsn, uint32_t len_bytes)
{
	if (len_bytes == 0 || len_bytes > CMT_UNITS_MAX_UNIT_BYTES)
		return -EINVAL;
	if (cmt_units_has(u, tsn))
		return -EEXIST;
	if (u->count == 0) {
		u->first_tsn = tsn;
		u->last_tsn = tsn;
	} else if (fits(u, u->first_tsn, tsn)) {
		if (cmt_serial_gt(tsn, u->last_tsn))
			u->last_tsn = tsn;
	} else if (fits(u, tsn, u->last_tsn)) {
		u->first_tsn = tsn;
	} else {
		return -ERANGE;
	}
	u->lens_bytes[slot_of(u, tsn)] = (uint16_t)len_bytes;
	tree_add(u, slot_of(u, tsn), len_bytes);
	u->count++;
	u->total_bytes += len_bytes;
	return 0;
}

int cmt_units_remove(struct cmt_units *u, uint32_t tsn)
{
	const uint32_t len_bytes = cmt_units_len(u, tsn);
	uint64_t before_bytes;
	uint32_t neighbour_tsn;

	if (len_bytes == 0)
		return -ENOENT;
	u->lens_bytes[slot_of(u, tsn)] = 0;
	tree_add(u, slot_of(u, tsn), 0u - len_bytes);
	u->count--;
	u->total_bytes -= len_bytes;
	if (u->count == 0)
		return 0;
	/* The search works in the old window, which still holds every unit left. */
	if (tsn == u->first_tsn) {
		if (cmt_units_at(u, 0, &neighbour_tsn, &before_bytes))
			u->first_tsn = neighbour_tsn;
	} else if (tsn == u->last_tsn) {
		if (cmt_units_at(u, u->total_bytes - 1u, &neighbour_tsn, &before_bytes))
			u->last_tsn = neighbour_tsn;
	}
	return 0;
}

uint32_t cmt_units_len(const struct cmt_units *u, uint32_t tsn)
{
	if (u->count == 0 || !fits(u, u->first_tsn, tsn) || cmt_serial_gt(tsn, u->last_tsn))
		return 0;
	return u->lens_bytes[slot_of(u, tsn)];
}

bool cmt_units_at(const struct cmt_units *u, uint64_t offset_bytes, uint32_t *tsn, uint64_t *before_bytes)
{
	const uint32_t start = slot_of(u, u->first_tsn);
	uint32_t inside_bytes;

	if (offset_bytes >= u->total_bytes)
		return false;
	inside_bytes = (uint32_t)offset_bytes + tree_below(u, start);
	if (inside_bytes >= u->total_bytes)
		inside_bytes -= u->total_bytes;
	*tsn = u->first_tsn + slot_of(u, tree_find(u, &inside_bytes) - start);
	*before_bytes = offset_bytes - inside_bytes;
	return true;
}
