/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_capacity.h - what one path could carry, seen from a sender that does not always have something to send.
 *
 * Pure: all times are arguments, arrivals in the receiver's clock. A path is as fast as it delivers while it
 * is busy: bytes that arrived behind each other, divided by the time that took. Two kinds of time count as
 * busy. A packet that was in the queue when the one before it arrived waited there (its delay says so); and
 * packets that left together, as those of a frame do, are spread by the link, however much it idles between
 * frames. The second kind says nothing where packets arrive in clumps.
 *
 * Sums of a window of CMT_CAPACITY_WINDOW_US are divided, no single samples: jitter takes away what it adds.
 * What a queue says of the last CMT_CAPACITY_SHORT_US counts sooner where that is much less. What is measured
 * raises the capacity to no more than CMT_CAPACITY_GAIN times what is delivered: short trains may be wrong,
 * and a sender that follows doubles within a window. Where the path delivers what it is believed to carry
 * and nothing waits it can do more, and is believed to do a quarter more, twice as much as long as nothing
 * was measured. */
#ifndef CMT_CAPACITY_H
#define CMT_CAPACITY_H

#include <stdbool.h>
#include <stdint.h>

#include "cmt_sentlog.h"

#define CMT_CAPACITY_SLICE_US  25000
#define CMT_CAPACITY_SLICES    16
#define CMT_CAPACITY_WINDOW_US (CMT_CAPACITY_SLICE_US * CMT_CAPACITY_SLICES)
#define CMT_CAPACITY_SHORT_US  (CMT_CAPACITY_SLICE_US * 3)
#define CMT_CAPACITY_GAIN      2

/* What happened in one part of the window, by our clock when it was heard of. */
struct cmt_capacity_slice {
	uint64_t number; /* time / CMT_CAPACITY_SLICE_US */
	uint32_t bytes;  /* delivered */
	uint32_t queued_bytes, queued_us;
	uint32_t train_bytes, train_us;
};

/* Zeroed: nothing is known. */
struct cmt_capacity {
	struct cmt_capacity_slice slices[CMT_CAPACITY_SLICES]; /* by number modulo CMT_CAPACITY_SLICES */
	bool started;
	uint64_t started_us;
	/* The newest packet heard of. */
	uint32_t number;
	uint64_t sent_us, end_bytes, heard_us;
	int64_t arrival_us, queue_us;
	uint64_t bps;         /* IP packets; 0 = not known */
	uint64_t measured_us; /* when the path was last busy enough to tell; 0 = never */
	bool bounded;         /* what it told was more than is believed */
};

/* An echoed packet. */
struct cmt_capacity_echo {
	uint64_t now_us;
	uint32_t number; /* Path Packet Number, newer than that of the last one */
	int64_t arrival_us;
	int64_t base_us;  /* arrival - sent of an empty packet that waits for nothing */
	int64_t slack_us; /* what jitter may add to that */
	uint32_t heard;   /* packets heard with it since the last one */
	bool clumped;     /* many packets arrive together with others */
};

/* `log`: what was sent on the path. A packet that it has forgotten is ignored. */
void cmt_capacity_on_echo(struct cmt_capacity *c, const struct cmt_sentlog *log,
                          const struct cmt_capacity_echo *echo);

/* The arrivals so far are in another clock. */
void cmt_capacity_clock_step(struct cmt_capacity *c);

/* What the path carries, if nothing was heard for so long although something should have been; 0: it was. */
uint64_t cmt_capacity_bps(const struct cmt_capacity *c, int64_t overdue_us);

/* What it delivered in the window. */
uint64_t cmt_capacity_carried_bps(const struct cmt_capacity *c, uint64_t now_us);

#endif
