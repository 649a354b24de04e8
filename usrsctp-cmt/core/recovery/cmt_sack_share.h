/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sack_share.h - how often SACKs go out.
 *
 * Pure. RFC 9260, section 6.7, has every packet acknowledged at once while something is missing. With paths
 * that are used ahead of each other something always is, and hundreds of gap ack blocks make SACKs as large
 * as the data: 20 Mbit/s of them for 30 of data, in the queues of thin return paths. So SACK bytes stay <=
 * 1/8 of the bytes received, and small ones go at once as before.
 *
 * Of packets that arrived together one SACK says what several would say a moment before. */
#ifndef CMT_SACK_SHARE_H
#define CMT_SACK_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_time.h"
#include "../util/cmt_tuned.h"

/* A SACK that waits goes after this at the latest: a tick of the timers, short against round trips. */
#define CMT_SACK_WAIT_US CMT_TICK_US

/* A sender that waits for room goes on in bursts of so many packets at most. */
#define CMT_SACK_TOGETHER_PKTS (2 * CMT_GROUP_PKTS)

/* Whether the SACK waits for others that arrived together with the packet; `pkts` since the last SACK. */
static inline bool cmt_sack_waits_for_more(bool more_follow, uint32_t pkts)
{
	return more_follow && pkts < CMT_SACK_TOGETHER_PKTS;
}

/* Whether the next SACK waits for more packets. `sack_bytes`: size of the newest one; `arrived_bytes`: of
 * what arrived since. */
static inline bool cmt_sack_share_is_used(uint32_t sack_bytes, uint64_t arrived_bytes)
{
	return arrived_bytes < 8 * (uint64_t)sack_bytes;
}

#endif
