/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sack_share.h - how often SACKs go out while something is missing.
 *
 * Pure. RFC 9260, section 6.7, has every packet acknowledged at once then. With paths that are used ahead of
 * each other something always is, and hundreds of gap ack blocks make SACKs as large as the data: 20 Mbit/s
 * of them for 30 of data, in the queues of thin return paths. So SACK bytes stay <= 1/8 of the bytes
 * received, and small ones go at once as before. */
#ifndef CMT_SACK_SHARE_H
#define CMT_SACK_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_time.h"

/* A SACK that waits goes after this at the latest: a tick of the timers, short against round trips. */
#define CMT_SACK_WAIT_US CMT_TICK_US

/* Whether the next SACK waits for more packets. `sack_bytes`: size of the newest one; `arrived_bytes`: of
 * what arrived since. */
static inline bool cmt_sack_share_is_used(uint32_t sack_bytes, uint64_t arrived_bytes)
{
	return arrived_bytes < 8 * (uint64_t)sack_bytes;
}

#endif
