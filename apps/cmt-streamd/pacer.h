/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pacer.h - a token bucket: how fast the body of one answer leaves.
 *
 * Pure: the caller passes `now_us` from one monotonic clock, never decreasing. */
#ifndef STREAMD_PACER_H
#define STREAMD_PACER_H

#include <stdint.h>

#define PACER_BURST_MAX_BYTES (UINT64_C(1) << 40)

struct pacer {
	uint64_t rate_bps;    /* 0 = no limit */
	uint64_t level_bytes; /* what may leave at `at_us` */
	uint64_t cap_bytes;
	uint64_t at_us;
	uint64_t carry; /* remainder of the last division, in bits times 1e-6, so that no byte leaks away */
};

/* `burst_bytes` may leave at once, later as much as the rate brings, of which up to `burst_bytes` are saved
 * up while nothing leaves. A burst smaller than `least_bytes`, the largest that is spent at once, counts as
 * that. `rate_bps` up to 10^12. */
void pacer_start(struct pacer *p, uint64_t rate_bps, uint64_t burst_bytes, uint64_t least_bytes,
                 uint64_t now_us);

/* What may leave at once; UINT64_MAX without a limit. */
uint64_t pacer_level_bytes(const struct pacer *p, uint64_t now_us);

/* For how long whoever takes it at this rate from the beginning on has enough of what left; 0 without a
 * limit, too. */
uint64_t pacer_lead_us(const struct pacer *p, uint64_t now_us);

/* When `bytes`, at most `least_bytes`, may leave: `now_us` if at once. Changes nothing. */
uint64_t pacer_ready_us(const struct pacer *p, uint64_t bytes, uint64_t now_us);

/* Takes `bytes` out. Requires pacer_ready_us() <= now_us. */
void pacer_spend(struct pacer *p, uint64_t bytes, uint64_t now_us);

#endif
