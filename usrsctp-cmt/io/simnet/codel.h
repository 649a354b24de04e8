/* SPDX-License-Identifier: BSD-3-Clause
 *
 * codel.h - the control of one queue by the time that packets stay in it (RFC 8289, section 5).
 *
 * Pure, as qdisc.h. */
#ifndef SIMNET_CODEL_H
#define SIMNET_CODEL_H

#include "qdisc.h"

#define SIMNET_CODEL_TARGET_US   5000
#define SIMNET_CODEL_INTERVAL_US 100000

struct simnet_codel {
	uint64_t target_us, interval_us;
	uint64_t above_since_us; /* when it has been above the target for an interval; 0 = it is below */
	uint64_t next_us;        /* the next drop */
	uint64_t count, last_count;
	bool dropping;
};

/* The next packet of the queue, after those that it drops or marks on the way. Before the first call the
 * target and the interval are set, and the rest is zero. */
struct simnet_queued *simnet_codel_dequeue(struct simnet_codel *codel, struct simnet_qdisc *q,
                                           struct simnet_fifo *fifo, uint64_t now_us);

#endif
