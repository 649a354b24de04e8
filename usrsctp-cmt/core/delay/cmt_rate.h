/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_rate.h - delivery rate of one path from the receiver's arrival times.
 *
 * Pure: all times are arguments, in the receiver's clock. Bytes that the sender put between two echoed
 * packets, divided by the difference of their arrivals: exact while the path is backlogged, whatever the
 * SACKs do on their return path.
 *
 * Samples span at least CMT_GROUP_PKTS packets, CMT_RATE_SPAN_US and half a min RTT, so that jitter
 * weighs little: it grows with the path's delay. The estimate is the largest of the last CMT_RATE_SAMPLES
 * samples, as in BBR (draft-cardwell-iccrg-bbr-congestion-control, section 4.1). A sample for which the
 * application or a scheduler left the path idle only raises the estimate; one that was held by the congestion
 * window counts. A span's clock stands still while the sender knows that nothing is under way. While the path
 * grows and for CMT_RATE_SAMPLES spans after that shorter ones count too, for a quick start, but no longer
 * when each packet of a span was there before the one before had left, so that the link set the pace: trains
 * of CMT_RATE_QUICK_PKTS. On a path with jitter that keeps the order trains arrive in clumps, which tell
 * nothing: half a min RTT with CMT_GROUP_PKTS is the shortest sample there. None of these counts as
 * faster than it was sent (draft-cheng-iccrg-delivery-rate-estimation): a first packet that was held up is
 * soon followed by the others. Before the first train, packets that left together and arrived
 * CMT_RATE_SPREAD_US and more apart show a thin link, unless the first was back sooner than that would take
 * to send it. Packets that were not heard do not count as delivered.
 *
 * A train that left faster than it arrived, and that arrived evenly, shows the link's rate, however small the
 * window that let it through: the longest such train counts at once, from CMT_RATE_EVEN_PKTS packets behind
 * its first on. Jitter makes trains uneven. */
#ifndef CMT_RATE_H
#define CMT_RATE_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/cmt_tuned.h"

#define CMT_RATE_EVEN_PKTS  (CMT_SURE_SAMPLES - 1)
#define CMT_RATE_QUICK_PKTS (2 * CMT_RATE_EVEN_PKTS)
#define CMT_RATE_SAMPLES    CMT_SURE_SAMPLES
#define CMT_RATE_MAX_BPS    UINT64_C(100000000000)

/* An echoed packet. */
struct cmt_rate_mark {
	uint64_t sent_us;   /* sender's clock */
	int64_t arrival_us; /* receiver's clock */
	int64_t rtt_us;     /* from sending to the echo */
	uint64_t end_bytes; /* wire bytes sent on the path up to and with it */
	uint32_t bytes;     /* its own */
	uint32_t number;    /* Path Packet Number */
	bool busy;       /* the path had a queue for it: predicted when it was sent, or seen in its delay */
	bool queued;     /* surely: it was there before the mark before it left */
	bool doubted;    /* which may have been no queue of ours after all */
	bool limited;    /* it filled the congestion window */
	bool growing;    /* round trips of the path deliver more and more */
	int64_t idle_us; /* for so long before it came to the queue nothing was under way, by choice */
	uint32_t heard;  /* packets heard with it since the mark before */
};

struct cmt_rate {
	struct cmt_rate_mark start; /* of the span under way */
	bool started;
	bool starved;   /* some packet of the span found the path idle */
	bool idle;      /* surely */
	bool hollow;    /* some packet of the span may have found no queue */
	bool limited;   /* some packet of the span filled the congestion window */
	bool steady;    /* the short samples are those of half a min RTT */
	bool trained;   /* so are those of trains; before, of packets that a thin link spread */
	uint32_t heard; /* packets heard in the span */
	uint32_t spans; /* complete since the path stopped growing; up to CMT_RATE_SAMPLES */
	uint64_t samples_bps[CMT_RATE_SAMPLES]; /* newest first; 0 = none */
	uint64_t
	    backlogged_bps[CMT_RATE_SAMPLES]; /* those during which the path was never idle; 0 = others */
	struct cmt_rate_clumps {
		int64_t arrival_us;   /* newest */
		uint32_t marks, held; /* echoed packets; those that arrived with the one before. Halved by and
		                         by */
	} clumps;
	uint64_t quick_bps;   /* the largest short sample; 0 = none, or no longer used */
	uint64_t starved_bps; /* the largest starved sample, until quick_bps ends */
	struct cmt_rate_train {
		struct cmt_rate_mark start; /* newest packet that did not leave faster than it arrived */
		uint32_t heard;             /* packets heard since */
		uint32_t pkts;              /* of the longest even train so far */
		uint64_t low_bps, high_bps; /* of the rates from `start` to each packet since */
		uint64_t bps;               /* the rate of that; 0 = none, or no longer used */
	} train;
	uint64_t bps; /* the estimate from all that */
};

void cmt_rate_reset(struct cmt_rate *r);

/* Takes the next echoed packet. Arrivals that do not advance are ignored. */
void cmt_rate_on_echo(struct cmt_rate *r, const struct cmt_rate_mark *mark);

/* Whether many packets arrive together with others: jitter holds them up and keeps their order. */
bool cmt_rate_is_clumped(const struct cmt_rate *r);

/* Whether an even train showed what the link carries, and not only what the window let through. */
bool cmt_rate_is_exact(const struct cmt_rate *r);

/* The doubt was refuted: what was delivered meanwhile counts. */
void cmt_rate_settle_doubt(struct cmt_rate *r);

/* The lowest of the samples during which the path was never idle, at most the estimate; 0 = not measured. */
uint64_t cmt_rate_low_bps(const struct cmt_rate *r);

/* The estimate; 0 = not measured. */
uint64_t cmt_rate_bps(const struct cmt_rate *r);

#endif
