/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model alone: the greatest delivery rate of ten rounds, the smallest round trip of ten seconds, paced at
 * their product's rate and probing by a quarter in turn. Losses do not count. */
#include <math.h>

#include "rivals/law.h"

#define HIGH_GAIN       2.885 /* 2 / ln 2 */
#define CWND_GAIN       2.0
#define LEAST_CWND_PKTS 4.0
#define FULL_GROWTH     1.25
#define FULL_ROUNDS     3
#define MIN_RTT_US      10000000u
#define PROBE_RTT_US    200000u
#define PARTS           8

static const double gains[PARTS] = {1.25, 0.75, 1, 1, 1, 1, 1, 1};

static void start(struct lab_law_state *s, uint64_t now_us)
{
	*s = (struct lab_law_state){.cwnd_pkts = LAB_LAW_INITIAL_PKTS,
	                            .ssthresh_pkts = 1e9,
	                            .bbr = {.min_rtt_us = LAB_LAW_UNKNOWN_US, .min_rtt_at_us = now_us}};
}

static double bandwidth_bps(const struct lab_law_state *s)
{
	double most = 0;

	for (int i = 0; i < LAB_BBR_BANDWIDTHS; i++) {
		most = fmax(most, s->bbr.bandwidths_bps[i]);
	}
	return most;
}

static double bdp_pkts(const struct lab_law_state *s)
{
	return bandwidth_bps(s) * (double)s->bbr.min_rtt_us / 8e6 / LAB_LAW_PACKET_BYTES;
}

static void take_bandwidth(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	double *of_round;

	if (ack->new_round) {
		s->bbr.round++;
		s->bbr.bandwidths_bps[s->bbr.round % LAB_BBR_BANDWIDTHS] = 0;
	}
	of_round = &s->bbr.bandwidths_bps[s->bbr.round % LAB_BBR_BANDWIDTHS];
	*of_round = fmax(*of_round, ack->delivery_bps);
}

/* Startup is over when three rounds bring no more. */
static void see_whether_full(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	if (!ack->new_round || s->bbr.phase != LAB_BBR_STARTUP) {
		return;
	}
	if (bandwidth_bps(s) >= s->bbr.full_bps * FULL_GROWTH) {
		s->bbr.full_bps = bandwidth_bps(s);
		s->bbr.full_rounds = 0;
	} else if (++s->bbr.full_rounds >= FULL_ROUNDS) {
		s->bbr.phase = LAB_BBR_DRAIN;
	}
}

static void probe_bandwidth(struct lab_law_state *s, uint64_t now_us)
{
	s->bbr.phase = LAB_BBR_PROBE_BW;
	s->bbr.part = 2; /* neither more nor less at first */
	s->bbr.phase_us = now_us;
}

static void take_round_trip(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	const bool expired = ack->now_us > s->bbr.min_rtt_at_us + MIN_RTT_US;

	if (ack->rtt_us <= s->bbr.min_rtt_us || expired) {
		s->bbr.min_rtt_us = ack->rtt_us;
		s->bbr.min_rtt_at_us = ack->now_us;
	}
	if (expired && s->bbr.phase != LAB_BBR_PROBE_RTT) {
		s->bbr.phase = LAB_BBR_PROBE_RTT;
		s->bbr.phase_us = ack->now_us + PROBE_RTT_US + ack->rtt_us;
	}
}

static void change_phase(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	switch (s->bbr.phase) {
	case LAB_BBR_STARTUP: break;
	case LAB_BBR_DRAIN:
		if (ack->in_flight_pkts <= bdp_pkts(s)) {
			probe_bandwidth(s, ack->now_us);
		}
		break;
	case LAB_BBR_PROBE_BW:
		if (ack->now_us - s->bbr.phase_us > s->bbr.min_rtt_us) {
			s->bbr.part = (s->bbr.part + 1) % PARTS;
			s->bbr.phase_us = ack->now_us;
		}
		break;
	case LAB_BBR_PROBE_RTT:
		if (ack->now_us >= s->bbr.phase_us) {
			s->bbr.min_rtt_at_us = ack->now_us;
			probe_bandwidth(s, ack->now_us);
		}
		break;
	}
}

static void acked(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	double pacing_gain = 1, window_pkts;

	take_bandwidth(s, ack);
	see_whether_full(s, ack);
	take_round_trip(s, ack);
	change_phase(s, ack);
	switch (s->bbr.phase) {
	case LAB_BBR_STARTUP: pacing_gain = HIGH_GAIN; break;
	case LAB_BBR_DRAIN: pacing_gain = 1 / HIGH_GAIN; break;
	case LAB_BBR_PROBE_BW: pacing_gain = gains[s->bbr.part]; break;
	case LAB_BBR_PROBE_RTT: break;
	}
	s->pacing_bps = pacing_gain * bandwidth_bps(s);
	window_pkts =
	    (s->bbr.phase == LAB_BBR_STARTUP || s->bbr.phase == LAB_BBR_DRAIN ? HIGH_GAIN : CWND_GAIN) *
	    bdp_pkts(s);
	if (s->bbr.phase == LAB_BBR_PROBE_RTT) {
		s->cwnd_pkts = LEAST_CWND_PKTS;
	} else if (s->bbr.phase == LAB_BBR_STARTUP) {
		s->cwnd_pkts = fmax(s->cwnd_pkts + ack->acked_pkts, LEAST_CWND_PKTS);
		s->cwnd_pkts = fmin(s->cwnd_pkts, fmax(window_pkts, LAB_LAW_INITIAL_PKTS));
	} else {
		s->cwnd_pkts = fmax(window_pkts, LEAST_CWND_PKTS);
	}
}

static void lost(struct lab_law_state *s, uint64_t now_us)
{
	(void)s;
	(void)now_us;
}

static void timed_out(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	s->cwnd_pkts = LEAST_CWND_PKTS;
}

const struct lab_law lab_law_bbr = {
    .name = "bbr", .start = start, .acked = acked, .lost = lost, .timed_out = timed_out};
