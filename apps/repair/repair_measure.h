/* SPDX-License-Identifier: BSD-3-Clause
 *
 * repair_measure.h - what was lost in the last seconds: of datagrams, as the receiver counts them; of
 * packets, as the paths' statistics tell; and how much the paths' delays differ.
 *
 * Pure; `now_us` is a monotonic clock. */
#ifndef REPAIR_MEASURE_H
#define REPAIR_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <usrsctp_cmt.h>

#define REPAIR_MEASURE_BUCKET_US UINT64_C(100000) /* how often to look */
#define REPAIR_MEASURE_BUCKETS   40

/* Counted since the same moment, whichever. */
struct repair_seen {
	uint64_t sent;   /* datagrams on their way */
	uint64_t unsent; /* datagrams that have numbers and were never sent */
	bool told;       /* by the receiver: */
	uint64_t
	    missed; /* numbers that did not come themselves when they were due, whether restored or not */
	const struct sctp_cmt_path_stats *paths;
	size_t n_paths;
};

struct repair_measure {
	struct {
		uint16_t id; /* 0 = none */
		uint64_t sent_bytes, lost_bytes, spurious_bytes;
		uint64_t carried_us; /* when it was seen to carry data last */
	} paths[SCTP_CMT_MAX_PATHS];
	struct repair_seen last;
	struct {
		uint64_t sent, sent_bytes;
		uint64_t unsent;
		int64_t missed;     /* less those that were not sent */
		int64_t lost_bytes; /* less what was taken for lost and had arrived */
	} buckets[REPAIR_MEASURE_BUCKETS];
	unsigned next;
	uint64_t looked_us; /* 0 = not yet */
	uint64_t
	    spread_us; /* by how much the one-way delays of paths that carry data differ, queues included */
};

/* Zeroed: nothing is known. To be called every REPAIR_MEASURE_BUCKET_US; sooner it does nothing. */
void repair_measure_look(struct repair_measure *m, const struct repair_seen *seen, uint64_t now_us);

/* Of the last REPAIR_MEASURE_BUCKETS looks, 0 to 1: how many datagrams did not come in time, SCTP's
 * retransmissions included; and how many packets are lost, which is no less. */
double repair_measure_missed(const struct repair_measure *m);
double repair_measure_lost(const struct repair_measure *m);

/* Whether datagrams were not sent in the last REPAIR_MEASURE_OVERLOAD looks: the paths do not carry even
 * those. */
#define REPAIR_MEASURE_OVERLOAD 10
bool repair_measure_overloaded(const struct repair_measure *m);

#endif
