/* SPDX-License-Identifier: BSD-3-Clause
 *
 * law.h - window laws of those who compete on a link: what a sender may have in flight, and how fast.
 *
 * Pure: no clock, no memory of their own. Windows are in packets, and fractions of them count. They are what
 * RFCs and drafts say, not this library's congestion controls, so that we are measured beside others. */
#ifndef LAB_LAW_H
#define LAB_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "scenario/scenario.h"

#define LAB_LAW_PACKET_BYTES 1500u /* with its IP header */
#define LAB_LAW_INITIAL_PKTS 10.0  /* RFC 6928 */
#define LAB_LAW_LEAST_PKTS   2.0
#define LAB_LAW_UNKNOWN_US   UINT64_MAX
#define LAB_BBR_BANDWIDTHS   10 /* rounds that the maximum is of */

enum lab_bbr_phase { LAB_BBR_STARTUP, LAB_BBR_DRAIN, LAB_BBR_PROBE_BW, LAB_BBR_PROBE_RTT };

struct lab_law_state {
	double cwnd_pkts, ssthresh_pkts;
	double pacing_bps; /* of packets; 0 = as the window allows */
	union {
		struct {
			double w_max_pkts, prior_pkts, k_s, w_est_pkts;
			uint64_t epoch_us; /* LAB_LAW_UNKNOWN_US: begins with the next acknowledgment */
		} cubic;
		struct {
			enum lab_bbr_phase phase;
			double bandwidths_bps[LAB_BBR_BANDWIDTHS]; /* of the last rounds, the current one at
			                                              [round % n] */
			uint64_t round;
			double full_bps; /* that startup has reached */
			unsigned full_rounds;
			uint64_t min_rtt_us, min_rtt_at_us,
			    phase_us;  /* of PROBE_RTT its end, of PROBE_BW when its part began */
			unsigned part; /* of the cycle of gains */
		} bbr;
	};
};

/* An acknowledgment of packets not known to have arrived before. */
struct lab_law_ack {
	uint64_t now_us, rtt_us;
	double acked_pkts, in_flight_pkts; /* what is still under way */
	double delivery_bps;               /* measured over the acknowledged packet's flight */
	bool new_round;                    /* the first packet of the round before is acknowledged */
};

struct lab_law {
	const char *name;
	void (*start)(struct lab_law_state *s, uint64_t now_us);
	void (*acked)(struct lab_law_state *s, const struct lab_law_ack *ack);
	void (*lost)(struct lab_law_state *s, uint64_t now_us); /* once in a window */
	void (*timed_out)(struct lab_law_state *s, uint64_t now_us);
};

/* Of a scenario's kind; not of LAB_LAW_NONE. */
const struct lab_law *lab_law(enum lab_law_kind kind);

extern const struct lab_law lab_law_newreno; /* RFC 5681, 6582, 6928 */
extern const struct lab_law lab_law_cubic;   /* RFC 9438; slow start as above */
extern const struct lab_law lab_law_bbr;     /* the model of draft-cardwell-iccrg-bbr-congestion-control-00 */

#endif
