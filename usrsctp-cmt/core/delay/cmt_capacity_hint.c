/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_capacity_hint.h"

#include "../util/cmt_time.h"

enum {
	PPM = 1000000,
	/* Part of the budget that may wait in queues; what is more drains in a half of it, no faster than in
	   DRAIN_US, and a quarter of the rate stays. */
	WAIT_SHARE = 8,
	DRAIN_SHARE = 2,
	DRAIN_US = 100000,
	LEAST_SHARE = 8,
	/* What was measured before is a bound. */
	MEASURED_FOR_US = 2000000,
	/* What was measured before, and not since although data wait, is not what the path carries now. */
	FRESH_US = 400000,
	/* What was measured so long ago is less than is to be found out. */
	STALE_US = 1000000,
	/* Of the largest path: what another one may carry that was not measured of late. */
	PROBE_SHARE = 4,
	/* Retransmissions, and the error of what is measured. */
	USED_PCT = 96,
	/* Paths that carry less of the sum do not make it uncertain. */
	MATTERS_SHARE = 8
};

static int64_t least_base_us(const struct cmt_capacity_input *in)
{
	int64_t least = CMT_UNKNOWN_US;

	for (unsigned i = 0; i < in->n_paths; i++) {
		if (in->paths[i].base_us != CMT_UNKNOWN_US && in->paths[i].bps != 0 &&
		    (least == CMT_UNKNOWN_US || in->paths[i].base_us < least))
			least = in->paths[i].base_us;
	}
	return least;
}

/* What travels longer than the budget behind the fastest path arrives too late. */
static bool contributes(const struct cmt_capacity_input *in, const struct cmt_capacity_of_path *p,
                        int64_t least_us)
{
	return p->base_us == CMT_UNKNOWN_US || least_us == CMT_UNKNOWN_US ||
	       p->base_us - least_us < (int64_t)in->budget_us;
}

static uint64_t bits(uint64_t bps, int64_t us)
{
	return us <= 0 ? 0 : bps / 1000 * (uint64_t)us / 1000;
}

/* User data of so much on the wire. */
static uint64_t user(const struct cmt_capacity_input *in, uint64_t bps)
{
	return bps / PPM * in->user_ppm + bps % PPM * in->user_ppm / PPM;
}

static uint64_t drained_bps(const struct cmt_capacity_input *in, uint64_t bps, uint64_t waiting_bits)
{
	const uint64_t us = in->budget_us / DRAIN_SHARE > DRAIN_US ? in->budget_us / DRAIN_SHARE : DRAIN_US;
	const uint64_t allowed_bits = bits(bps, (int64_t)in->budget_us / WAIT_SHARE);
	const uint64_t drain_bps =
	    waiting_bits > allowed_bits ? (waiting_bits - allowed_bits) * 1000 / us * 1000 : 0;
	const uint64_t least_bps = bps / LEAST_SHARE;

	return bps - least_bps > drain_bps ? bps - drain_bps : least_bps;
}

/* While data wait a path delivers what it can. While none do, one that little is known of gets little, and
 * little is learnt of it, unless there is more than the others carry. */
static uint64_t believed_bps(const struct cmt_capacity_of_path *p, bool waiting, uint64_t largest_bps)
{
	const uint64_t most_bps = p->carried_bps / 4 * 5, probe_bps = largest_bps / PROBE_SHARE;

	if (waiting)
		return p->measured_ago_us > FRESH_US && most_bps < p->bps ? most_bps : p->bps;
	return (p->bounded || p->measured_ago_us > STALE_US) && probe_bps > p->bps ? probe_bps : p->bps;
}

static uint64_t largest_bps(const struct cmt_capacity_input *in)
{
	uint64_t largest = 0;

	for (unsigned i = 0; i < in->n_paths; i++)
		largest = in->paths[i].bps > largest ? in->paths[i].bps : largest;
	return largest;
}

void cmt_capacity_hint(const struct cmt_capacity_input *in, struct cmt_capacity_hint *out)
{
	const int64_t least_us = least_base_us(in);
	const uint64_t largest = largest_bps(in);
	uint64_t sum_bps = 0, unsure_bps = 0, waiting_bits = 0, carried_bps = 0, usable_bps;
	bool waiting;

	for (unsigned i = 0; i < in->n_paths; i++)
		carried_bps += in->paths[i].carried_bps;
	waiting = in->backlog_bytes * 8 > bits(user(in, carried_bps), (int64_t)in->budget_us / WAIT_SHARE);
	for (unsigned i = 0; i < in->n_paths; i++) {
		const struct cmt_capacity_of_path *p = &in->paths[i];
		const uint64_t bps = believed_bps(p, waiting, largest);

		if (!contributes(in, p, least_us))
			continue;
		sum_bps += bps;
		unsure_bps += p->measured_ago_us < MEASURED_FOR_US && !p->bounded ? 0 : bps;
		waiting_bits += bits(bps, p->queue_us);
	}
	usable_bps = sum_bps / 100 * USED_PCT;
	*out = (struct cmt_capacity_hint){
	    .carried_bps = user(in, carried_bps),
	    .limit_bps = user(in, sum_bps),
	    .bps = drained_bps(in, user(in, usable_bps), user(in, waiting_bits) + in->backlog_bytes * 8),
	    .certainty = sum_bps == 0                           ? CMT_CAPACITY_UNKNOWN
	                 : unsure_bps > sum_bps / MATTERS_SHARE ? CMT_CAPACITY_PROBING
	                                                        : CMT_CAPACITY_MEASURED,
	};
}
