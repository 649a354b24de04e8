/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_units.h - the unsent units (DATA chunks) of an association in TSN order, found by TSN or by position in
 * bytes.
 *
 * Pure: no clock, no allocation; the caller supplies the memory. Not thread safe; the caller holds the
 * association lock. add, remove and at take at most 3 * log2(capacity) + 2 steps each, however many units
 * there are; everything else is constant.
 *
 * Holes between TSNs are allowed: units sent ahead leave them. TSNs wrap at 2^32. */
#ifndef CMT_UNITS_H
#define CMT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../cmt_exported.h"

#define CMT_UNITS_MIN_CAPACITY   16u
#define CMT_UNITS_MAX_CAPACITY   8192u
#define CMT_UNITS_MAX_UNIT_BYTES 65535u

/* To be embedded; the fields are private. */
struct cmt_units {
	uint32_t *sums_bytes; /* Fenwick tree over the ring of slots; slot = TSN modulo capacity */
	uint16_t *lens_bytes; /* by slot; 0 = no unit */
	uint32_t capacity;    /* slots, a power of two */
	uint32_t first_tsn;   /* lowest and highest TSN present; less than `capacity` apart */
	uint32_t last_tsn;
	uint32_t count;
	uint32_t total_bytes; /* at most 8192 * 65535 */
};

/* Memory that cmt_units_init() wants for `capacity`; 0 when that is no power of two from
 * CMT_UNITS_MIN_CAPACITY to CMT_UNITS_MAX_CAPACITY. */
size_t cmt_units_bytes_needed(uint32_t capacity);

/* Makes `u` empty. `mem` has cmt_units_bytes_needed(capacity) > 0 bytes, aligned for uint32_t, and stays the
 * caller's; it must outlive the use of `u`. */
void cmt_units_init(struct cmt_units *u, uint32_t capacity, uint32_t first_tsn, void *mem);

/* Adds a unit. The units present must lie within `capacity` TSNs: a higher TSN is refused until the lowest
 * ones are gone, a lower one (a unit taken back for the window probe) as soon as it is too far from the
 * highest. An empty index takes any TSN. 0; -EINVAL: length not 1 .. CMT_UNITS_MAX_UNIT_BYTES; -ERANGE: too
 * far away; -EEXIST. Nothing changes on error. */
int cmt_units_add(struct cmt_units *u, uint32_t tsn, uint32_t len_bytes);

/* 0, or -ENOENT. */
int cmt_units_remove(struct cmt_units *u, uint32_t tsn);

/* 0 when there is no such unit. */
uint32_t cmt_units_len(const struct cmt_units *u, uint32_t tsn);

/* The unit that holds byte `offset_bytes` of all units laid end to end in TSN order: true, its TSN in `*tsn`
 * and the bytes of the units before it in `*before_bytes`. False when the offset is not below the total;
 * nothing is written then. */
bool cmt_units_at(const struct cmt_units *u, uint64_t offset_bytes, uint32_t *tsn, uint64_t *before_bytes);

static inline bool cmt_units_has(const struct cmt_units *u, uint32_t tsn)
{
	return cmt_units_len(u, tsn) != 0;
}

static inline uint32_t cmt_units_count(const struct cmt_units *u)
{
	return u->count;
}

static inline uint64_t cmt_units_total_bytes(const struct cmt_units *u)
{
	return u->total_bytes;
}

/* Lowest and highest TSN present. Without units: the TSN removed last, before that the one given to
 * cmt_units_init(). */
static inline uint32_t cmt_units_first(const struct cmt_units *u)
{
	return u->first_tsn;
}

static inline uint32_t cmt_units_last(const struct cmt_units *u)
{
	return u->last_tsn;
}

#endif
