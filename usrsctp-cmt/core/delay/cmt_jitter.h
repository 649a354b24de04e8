/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_jitter.h - by how much the lateness of a path's arrivals varies that no queue explains.
 *
 * Pure: all times are arguments. Lateness is against what the queue model expected; half its range in a group
 * of CMT_GROUP_PKTS packets is a sample. A rate that has changed makes all packets late alike; while it
 * changes nothing can be said. Jitter that keeps the order delays many packets alike, so a group lasts half a
 * round trip there. */
#ifndef CMT_JITTER_H
#define CMT_JITTER_H

#include <stdint.h>

struct cmt_jitter {
	int64_t most_us, least_us; /* of the group under way */
	uint32_t n;
	int64_t since_us;    /* arrival of the group's first packet */
	uint64_t bps;        /* rate when the group began */
	int64_t smoothed_us; /* half the range */
};

/* A packet arrived late by late_us, early if negative, while the rate is `bps`. `least_group_us`: the group
 * lasts so long at least; INT64_MIN = however short it is. */
void cmt_jitter_on_arrival(struct cmt_jitter *j, int64_t arrival_us, int64_t late_us, uint64_t bps,
                           int64_t least_group_us);

#endif
