/* SPDX-License-Identifier: BSD-3-Clause
 *
 * budget.h - how much may be queued for one client, so that all together stay within --memory. Pure. */
#ifndef STREAMD_BUDGET_H
#define STREAMD_BUDGET_H

#include <stddef.h>
#include <stdint.h>

#include <usrsctp_cmt.h>

#define BUDGET_LEAST_BYTES 65536u /* below that a path of some delay is not kept busy */
#define BUDGET_COST        2      /* bytes of memory that the stack takes for one that is queued, measured */

struct budget {
	uint64_t memory_bytes;
	uint64_t queued_bytes; /* for all clients */
	unsigned busy;         /* clients that are being served */
	uint32_t sndbuf_bytes; /* most for one client */
};

/* Of a client that has `own_bytes` queued: an equal share of the memory, no more than what the others leave
 * of it, but BUDGET_LEAST_BYTES always. So many clients that this is too much are what --max-clients is for.
 */
static inline uint32_t budget_share_bytes(const struct budget *b, uint64_t own_bytes)
{
	const uint64_t all_bytes = b->memory_bytes / BUDGET_COST, others_bytes = b->queued_bytes - own_bytes;
	const uint64_t left_bytes = others_bytes < all_bytes ? all_bytes - others_bytes : 0;
	uint64_t share_bytes = all_bytes / (b->busy > 0 ? b->busy : 1);

	share_bytes = share_bytes < left_bytes ? share_bytes : left_bytes;
	share_bytes = share_bytes < b->sndbuf_bytes ? share_bytes : b->sndbuf_bytes;
	return share_bytes > BUDGET_LEAST_BYTES ? (uint32_t)share_bytes : BUDGET_LEAST_BYTES;
}

/* What keeps these paths busy: twice what may be under way on all of them during the longest round trip, so
 * that a scheduler can look as far ahead. More would only delay what is asked for next: after a seek the rest
 * of the old answer is still sent. */
static inline uint64_t budget_need_bytes(const struct sctp_cmt_path_stats *paths, size_t n)
{
	uint64_t cwnd_bytes = 0, rate_bps = 0, srtt_us = 0, flight_bytes;

	for (size_t i = 0; i < n; i++) {
		cwnd_bytes += paths[i].cwnd_bytes;
		rate_bps += paths[i].rate_bps;
		srtt_us = paths[i].srtt_us > srtt_us ? paths[i].srtt_us : srtt_us;
	}
	flight_bytes = rate_bps / 8 * srtt_us / 1000000;
	return 2 * (flight_bytes > cwnd_bytes ? flight_bytes : cwnd_bytes) + BUDGET_LEAST_BYTES;
}

#endif
