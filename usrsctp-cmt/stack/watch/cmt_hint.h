/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_hint.h - what the paths of an association could carry (core/delay/cmt_capacity.h), from when somebody
 * asks for the first time: until then it costs a test of a pointer for each echo. */
#ifndef CMT_HINT_H
#define CMT_HINT_H

#include <stdint.h>

struct cmt_asoc;
struct cmt_capacity_hint;
struct cmt_path;

/* Packet `number` of the path was echoed, with `heard` since the echo before; the estimates of the path know
 * of it. */
void cmt_hint_on_echo(struct cmt_path *path, uint64_t now_us, uint32_t number, int64_t arrival_us,
                      uint32_t heard);

/* Arrivals so far are in another clock of the peer's. */
void cmt_hint_clock_step(struct cmt_path *path);

/* For data that may be under way for `budget_us` longer than the fastest path takes. Where there is no
 * memory, nothing is known. */
void cmt_hint_get(struct cmt_asoc *ca, uint64_t budget_us, struct cmt_capacity_hint *out);

#endif
