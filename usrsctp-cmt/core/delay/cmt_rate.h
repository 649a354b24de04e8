/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cmt_rate.h - delivery rate of one path from the receiver's arrival times.
 *
 * Pure: all times are arguments, in the receiver's clock. Bytes that the sender put between two echoed
 * packets, divided by the difference of their arrivals: exact while the path is backlogged, whatever the
 * SACKs do on their way back.
 *
 * Samples span at least CMT_RATE_SPAN_PKTS packets and CMT_RATE_SPAN_US, so that jitter weighs little; the
 * estimate is the largest of the last CMT_RATE_SAMPLES samples, as in BBR
 * (draft-cardwell-iccrg-bbr-congestion-control, section 4.1). A sample for which the application
 * or a scheduler left the path idle only raises the estimate; one that was held by the congestion window
 * counts. While the path grows and for CMT_RATE_SAMPLES spans after that shorter ones count too, for a quick
 * start. Packets that were not heard do not count as delivered. */
#ifndef CMT_RATE_H
#define CMT_RATE_H

#include <stdbool.h>
#include <stdint.h>

#define CMT_RATE_SPAN_PKTS  8
#define CMT_RATE_SPAN_US    150000
#define CMT_RATE_QUICK_PKTS 6
#define CMT_RATE_SAMPLES    4
#define CMT_RATE_MAX_BPS    UINT64_C(100000000000)

/* An echoed packet. */
struct cmt_rate_mark {
	int64_t arrival_us; /* receiver's clock */
	uint64_t end_bytes; /* wire bytes sent on the path up to and with it */
	uint32_t number;    /* Path Packet Number */
	bool busy;      /* the path had a queue for it: predicted when it was sent, or seen in its delay */
	bool limited;   /* it filled the congestion window */
	bool growing;   /* round trips of the path deliver more and more */
	uint32_t heard; /* packets heard with it since the mark before */
};

struct cmt_rate {
	struct cmt_rate_mark start; /* of the span under way */
	bool started;
	bool starved;                           /* some packet of the span found the path idle */
	bool limited;                           /* some packet of the span filled the congestion window */
	uint32_t heard;                         /* packets heard in the span */
	uint64_t samples_bps[CMT_RATE_SAMPLES]; /* newest first; 0 = none */
	uint64_t quick_bps;                     /* the largest short sample; 0 = none, or no longer used */
	uint64_t starved_bps;                   /* the largest starved sample, until quick_bps ends */
	uint32_t spans; /* complete since the path stopped growing; up to CMT_RATE_SAMPLES */
};

void cmt_rate_reset(struct cmt_rate *r);

/* Takes the next echoed packet. Arrivals that do not advance are ignored. */
void cmt_rate_on_echo(struct cmt_rate *r, const struct cmt_rate_mark *mark);

/* The estimate; 0 = not measured. */
uint64_t cmt_rate_bps(const struct cmt_rate *r);

#endif
