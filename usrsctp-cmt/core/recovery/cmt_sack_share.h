/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_sack_share.h - how often SACKs go out.
 *
 * Pure. RFC 9260, section 6.7, has every packet acknowledged at once while something is missing. With paths
 * that are used ahead of each other something always is, and hundreds of gap ack blocks make SACKs as large
 * as the data: 20 Mbit/s of them for 30 of data, in the queues of thin return paths. So SACK bytes stay <=
 * 1/8 of the bytes received, and small ones go at once as before.
 *
 * Of packets that arrived together one SACK says what several would say a moment before. It says nearly the
 * same of packets that come fast, and to take in a SACK costs a sender about as much as to send a packet. But
 * what it lets go leaves in one burst, so fewer share it. */
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
/* Of packets that come fast so many share a SACK, twice as many as of others (RFC 9260, section 6.2). */
#define CMT_SACK_FAST_PKTS (CMT_GROUP_PKTS / 2)

/* How fast packets arrive, or leave, in spans that are longer than bursts. Zeroed: none has. */
struct cmt_sack_pace {
	uint64_t since_us; /* the span under way */
	uint32_t pkts;     /* in it */
	bool fast;         /* in the one before CMT_SACK_TOGETHER_PKTS came within a tick */
};

/* One more. */
static inline void cmt_sack_pace_add(struct cmt_sack_pace *p, uint64_t now_us)
{
	const uint64_t span_us = now_us - p->since_us;

	if (span_us >= CMT_HOST_LATE_US) {
		p->fast = (uint64_t)p->pkts * CMT_TICK_US >= span_us * CMT_SACK_TOGETHER_PKTS;
		p->since_us = now_us;
		p->pkts = 0;
	}
	p->pkts++;
}

/* As the sender: whether packets that leave fast arrive so at that rate. */
static inline bool cmt_sack_rate_is_fast(uint64_t rate_bps, uint32_t packet_bytes)
{
	return rate_bps * CMT_TICK_US / CMT_BPS_PER_BYTE_PER_US >=
	       (uint64_t)CMT_SACK_TOGETHER_PKTS * packet_bytes;
}

/* As the sender, of a path with few bytes out: whether the peer could wait for what waits for its SACK, since
 * it was last asked for one at once `unasked_bytes` ago. */
static inline bool cmt_sack_could_stall(uint32_t flight_bytes, uint64_t unasked_bytes, uint32_t packet_bytes)
{
	return flight_bytes < CMT_LARGE_SHARE * CMT_SACK_FAST_PKTS * packet_bytes &&
	       unasked_bytes >= flight_bytes / CMT_LARGE_SHARE;
}

/* Whether the SACK waits for other packets: `more_follow`, that arrived together with the newest; `pkts`
 * since the last SACK. */
static inline bool cmt_sack_waits_for_more(const struct cmt_sack_pace *arrivals, bool more_follow,
                                           uint32_t pkts)
{
	return pkts < (more_follow ? CMT_SACK_TOGETHER_PKTS : arrivals->fast ? CMT_SACK_FAST_PKTS : 0);
}

/* Whether the next SACK waits for more packets. `sack_bytes`: size of the newest one; `arrived_bytes`: of
 * what arrived since. */
static inline bool cmt_sack_share_is_used(uint32_t sack_bytes, uint64_t arrived_bytes)
{
	return arrived_bytes < 8 * (uint64_t)sack_bytes;
}

#endif
