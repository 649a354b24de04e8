/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_unordered.h - which unit of an unordered message may leave before the lowest one (RFC 9260, section
 * 6.6; docs/adr/0047).
 *
 * Pure: no clock, no allocation. The lowest of them, and one only before each other unit, so that those move
 * on whatever comes. */
#ifndef CMT_UNORDERED_H
#define CMT_UNORDERED_H

#include "../util/cmt_serial.h"
#include "cmt_units.h"

/* To be embedded. */
struct cmt_unordered {
	uint32_t tsn;           /* no unordered unit is below; the caller moves it */
	uint32_t overtaken_tsn; /* the lowest unit that one went before */
};

static inline void cmt_unordered_init(struct cmt_unordered *o, uint32_t first_tsn)
{
	*o = (struct cmt_unordered){.tsn = first_tsn, .overtaken_tsn = first_tsn - 1};
}

/* What is below the lowest unit has left, or never was: TSNs jump to where the peer says when the application
 * asks for new ones (RFC 6525, section 5.2.4). */
static inline void cmt_unordered_pass(struct cmt_unordered *o, const struct cmt_units *units)
{
	if (cmt_units_count(units) > 0 && cmt_serial_gt(cmt_units_first(units), o->tsn))
		o->tsn = cmt_units_first(units);
}

/* Whether `o->tsn` may leave before the lowest unit. */
static inline bool cmt_unordered_may_go(const struct cmt_unordered *o, const struct cmt_units *units)
{
	return cmt_units_has(units, o->tsn) && o->overtaken_tsn != cmt_units_first(units);
}

/* A packet leaves that begins with `tsn`; its units are still in `units`. */
static inline void cmt_unordered_on_sent(struct cmt_unordered *o, const struct cmt_units *units, uint32_t tsn)
{
	if (tsn == o->tsn && cmt_units_has(units, tsn) && tsn != cmt_units_first(units))
		o->overtaken_tsn = cmt_units_first(units);
}

#endif
