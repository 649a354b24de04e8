/* SPDX-License-Identifier: BSD-3-Clause */
#include "carry/room.h"

#define SLACK_US    3000u /* what timers of a busy machine are late by */
#define MOST_US     200000u
#define PACKET_BITS 12000u
#define LEAST_BYTES 32768u /* enough for a window that opens */

struct spread {
	uint64_t least_us, most_us, rate_bps, flight_bytes;
};

static uint64_t rate_bps(const struct sctp_cmt_path_stats *p)
{
	if (p->rate_bps != 0) {
		return p->rate_bps;
	}
	return p->srtt_us != 0 ? p->cwnd_bytes * UINT64_C(8000000) / p->srtt_us : 0;
}

/* One way, with the packet's own transmission: that is what the scheduler goes by. Half of the round trip
 * where the delay is not measured yet. */
static uint64_t delay_us(const struct sctp_cmt_path_stats *p)
{
	const uint64_t base_us = p->fwd_delay_base_us >= 0 ? (uint64_t)p->fwd_delay_base_us : p->srtt_us / 2;

	return rate_bps(p) != 0 ? base_us + PACKET_BITS * UINT64_C(1000000) / rate_bps(p) : base_us;
}

static struct spread look(const struct app_assoc_stats *stats)
{
	struct spread s = {.least_us = UINT64_MAX};

	for (size_t i = 0; i < stats->n_paths; i++) {
		const struct sctp_cmt_path_stats *const p = &stats->paths[i];
		const uint64_t us = delay_us(p);

		s.flight_bytes += p->flight_bytes;
		if (p->state == SCTP_CMT_PATH_ACTIVE) {
			s.least_us = us < s.least_us ? us : s.least_us;
			s.most_us = us > s.most_us ? us : s.most_us;
			s.rate_bps += rate_bps(p);
		}
	}
	s.least_us = s.least_us > s.most_us ? s.most_us : s.least_us;
	return s;
}

size_t tun_room(const struct app_assoc_stats *stats)
{
	const struct spread s = look(stats);
	const uint64_t differ_us = s.most_us - s.least_us;
	const uint64_t us = SLACK_US + (differ_us < MOST_US ? differ_us : MOST_US);
	const uint64_t wanted = s.rate_bps / 8 * us / 1000000,
	               target = wanted > LEAST_BYTES ? wanted : LEAST_BYTES;
	const uint64_t queued = stats->all.send_queue_bytes;
	const uint64_t unsent = queued > s.flight_bytes ? queued - s.flight_bytes : 0;

	return target > unsent ? (size_t)(target - unsent) : 0;
}
