/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_cubic.h - how a window grows that a loss has ended: CUBIC's function of the time since then (RFC 9438,
 * sections 4.2, 4.4, 4.5). One packet a round trip would take a path of 300 ms minutes to fill.
 *
 * Pure. The growth alone: what a loss takes, and what a path of short round trips has (section 4.3), the
 * control decides. */
#ifndef CMT_CUBIC_H
#define CMT_CUBIC_H

#include <stdbool.h>
#include <stdint.h>

#define CMT_CUBIC_SPEED_ONE 65536

/* Zeroed: no loss yet. */
struct cmt_cubic {
	uint32_t now_ms;   /* of the newest acknowledgement, modulo 2^32 */
	uint32_t began_ms; /* of the epoch, without times in which the window was not the limit; 0 = none */
	uint32_t origin_bytes; /* W_max: growth becomes less up to there, and more beyond */
	uint32_t k_ms;         /* K: from the beginning until it is reached */
};

/* In congestion avoidance. `limited`: the window was the limit and may grow, which begins the epoch; else the
 * time does not count. Requires mss_bytes > 0. */
void cmt_cubic_on_ack(struct cmt_cubic *c, uint64_t now_us, bool limited, uint32_t cwnd_bytes,
                      uint32_t mss_bytes);

/* The epoch ends, and the next one has this window as its origin: that of a loss event, or what an undo gives
 * back. */
void cmt_cubic_restart(struct cmt_cubic *c, uint32_t origin_bytes);

/* The window a round trip from now: cwnd_bytes to one and a half of it. `speed`: how fast its time passes, of
 * CMT_CUBIC_SPEED_ONE. */
uint32_t cmt_cubic_target_bytes(const struct cmt_cubic *c, uint32_t cwnd_bytes, uint32_t mss_bytes,
                                uint32_t rtt_us, uint32_t speed);

#endif
