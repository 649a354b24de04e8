/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_tuned.h - the tuned numbers between `auto` and the wire: all of them.
 *
 * Pure. These are what we chose. What a standard or a paper gives stands where it is used, with its source.
 * By how much half and twice of each change the benchmarks is in docs/lab-notes/ablation.md, measured by
 * tests/flatness/measure. A new one needs a reason that none of these covers. */
#ifndef CMT_TUNED_H
#define CMT_TUNED_H

/* --- how much is more than chance --- */

/* Packets whose mean, rate or absence says something. */
#define CMT_GROUP_PKTS 8
/* Samples in a row that are no accident. */
#define CMT_SURE_SAMPLES 4
/* Samples over which means and deviations are formed. */
#define CMT_MEMORY_SAMPLES 32
/* One in so many: a rate, time or window that differs by less is the same. */
#define CMT_LITTLE_SHARE 8
/* One in so many: what is more than that is a large part. */
#define CMT_LARGE_SHARE 4
/* Delays within so many times the jitter of what is usual are jitter. */
#define CMT_JITTERS 3
/* What jitter held up together has passed after so many times the jitter. */
#define CMT_JITTER_SPANS 8

/* --- times --- */

/* Timers and schedulers of hosts are late by up to that. So long may our own queue be, too: a shorter one
 * leaves the link idle. */
#define CMT_HOST_LATE_US 10000
/* Mean delays of paths are compared over that: jitter is gone, queues still change. */
#define CMT_DELAY_SPAN_US 50000
/* .. and between spans that lie so far apart. */
#define CMT_DELAY_CHANGE_SPANS 2
/* A rate is measured over that, and half a min RTT. */
#define CMT_RATE_SPAN_US 150000
/* By so much a thin link spreads packets that left together; jitter seldom does. */
#define CMT_RATE_SPREAD_US 30000
/* What waits less than that needs no path that costs more. */
#define CMT_SUFFICE_US 100000
/* A path that has failed, or whose return path was bad, is left alone for so long at first. */
#define CMT_PENALTY_US 500000
/* What changes slowly is looked at that often: whether a path is back that was gone for long, how fast clocks
 * drift. */
#define CMT_SELDOM_US 5000000
/* What is longer ago says nothing of now, what takes longer is not waited for. */
#define CMT_LONG_US 10000000

/* --- own queue and others --- */

/* Packets that make a queue. */
#define CMT_QUEUE_PKTS 3
/* A change of the base delay is asked about after so many doublings of a round trip at the latest. */
#define CMT_DOUBT_DOUBLINGS 5

/* --- losses --- */

/* Evidence that losses are random: with how much a path begins; twice that is belief, four times the most. */
#define CMT_LOSS_EVIDENCE 3
/* Of the last so many packets .. */
#define CMT_LOAD_PKTS 400
/* .. one in so many was lost: by load, whatever else is believed. */
#define CMT_LOAD_SHARE 10
/* A chunk that its path has lost so often goes over another one. */
#define CMT_LOST_TIMES 3
/* Of the window, added in a round trip that shows no queue. */
#define CMT_GROWTH_SHARE 16

/* --- which paths --- */

/* So many times more than its part of the rate a path's jitter may cost. */
#define CMT_LEAVE_TIMES 8
/* Of the time that a path is gone, between questions whether it is back. */
#define CMT_ASK_SHARE 16

/* --- what standards give, and more than one file uses --- */

/* Smoothing: one in so many of what is new (RFC 6298, section 2). */
#define CMT_SMOOTHING 8
/* Delay from which on a queue shows (RFC 9406, section 4.3: MIN_RTT_THRESH). */
#define CMT_MIN_RTT_THRESH_US 4000

#endif
