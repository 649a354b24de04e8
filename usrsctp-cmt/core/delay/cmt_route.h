/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_route.h - whether the base delay of a path still holds: a state that packets confirm, not a minimum for
 * ever.
 *
 * Pure: all times are arguments. What delays a packet is the route, what we sent before it, and what others
 * send through the same queue. Of these only the second is a reason to send less. Our own queue is known
 * without a base delay: the bytes sent, against the delivery rate, as well as that is known. So
 * - a delay that the base, our own queue and jitter explain confirms the base;
 * - when none does for a round trip the base is in doubt, and the path rests until a train has left that
 * meets nothing of ours, whatever the base is;
 * - packets in a row that met nothing of ours and still took longer show what the base is now;
 * - a doubt that such a packet refutes was dear: the next one has to last twice as long.
 *
 * A base that has grown once is a longer route; one that grows again soon has a queue in it that others keep.
 * That comes and goes whether we send or not, so bounds on our own queue need not be tighter (Copa, NSDI
 * 2018, section 4, and Nimbus, SIGCOMM 2022, change to another mode there). */
#ifndef CMT_ROUTE_H
#define CMT_ROUTE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmt_sentlog.h"

struct cmt_route {
	uint64_t own_until_us; /* our clock: what was sent has left the queue then, at the rate of its time */
	uint64_t since_us; /* our clock: no delay confirmed the base from this one on; 0 = the newest did */
	uint64_t asked_us; /* our clock: the last packet to answer left */
	uint64_t raised_at_us;   /* our clock: the base last grew */
	int64_t grown_us;        /* by how much it did lately, less what it fell by */
	int64_t least_us;        /* by how much the quickest of `longer_pkts` was above the base */
	int64_t extra_us;        /* the least extra delay of up to CMT_MEMORY_SAMPLES newest packets */
	int64_t extra_before_us; /* and of those before */
	uint32_t extra_pkts;     /* how many so far */
	uint8_t longer_pkts;     /* in a row, that met nothing of ours and took longer */
	uint8_t refuted;         /* doubts in a row */
	bool varies;             /* it grew more than once lately */
	uint8_t asking_pkts;     /* the path rests until so many have left that meet nothing of ours */
};

/* A packet leaves at now_us, which takes tx_us at the delivery rate. `free_in_us`: how long until it would
 * meet nothing of ours if all that delayed the newest echo was ours; INT64_MAX = unknown. Fills own_us, alone
 * and asked of the record. */
void cmt_route_on_sent(struct cmt_route *r, uint64_t now_us, int64_t tx_us, int64_t free_in_us,
                       struct cmt_sent_record *record);

/* The packet of the record took `above_us` more than the base. */
void cmt_route_watch_extra(struct cmt_route *r, const struct cmt_sent_record *record, int64_t above_us);

/* Whether packets are to leave that meet nothing of ours. */
static inline bool cmt_route_is_asking(const struct cmt_route *r)
{
	return r->asking_pkts > 0;
}

/* By how much all packets of late took longer than base and own queue explain; 0 = one did not, or not known.
 * What is never absent is no jitter. */
int64_t cmt_route_extra_us(const struct cmt_route *r);

/* The packet of the record took `above_us` more than the base, less if negative; of that `slack_us` need no
 * queue. Returns by how much the base is longer than believed; 0 = not known to be. Not for start-up, in
 * which the rate is not known. */
int64_t cmt_route_on_echo(struct cmt_route *r, uint64_t now_us, const struct cmt_sent_record *record,
                          int64_t above_us, int64_t slack_us, int64_t rtt_us);

/* Whether the newest delay is none that the base and our own queue explain. */
static inline bool cmt_route_is_unconfirmed(const struct cmt_route *r)
{
	return r->since_us != 0;
}

/* Whether delays are no longer what the base and our own queue explain. It ends when nothing has been found
 * out for many round trips, because the path does not rest: then the rate may be what has changed. */
bool cmt_route_is_in_doubt(const struct cmt_route *r, uint64_t now_us, int64_t rtt_us);

/* How much of the base may be a queue of others. */
int64_t cmt_route_others_us(const struct cmt_route *r, uint64_t now_us);

#endif
