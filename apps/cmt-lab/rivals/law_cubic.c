/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Names are those of RFC 9438, sections 4.1 to 4.8. */
#include <math.h>

#include "rivals/law.h"

#define C    0.4 /* packets / s^3 */
#define BETA 0.7

static void start(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	*s = (struct lab_law_state){.cwnd_pkts = LAB_LAW_INITIAL_PKTS,
	                            .ssthresh_pkts = 1e9,
	                            .cubic = {.epoch_us = LAB_LAW_UNKNOWN_US}};
}

static void begin_epoch(struct lab_law_state *s, uint64_t now_us)
{
	s->cubic.epoch_us = now_us;
	s->cubic.k_s =
	    s->cubic.w_max_pkts > s->cwnd_pkts ? cbrt((s->cubic.w_max_pkts - s->cwnd_pkts) / C) : 0;
	s->cubic.w_max_pkts = s->cubic.w_max_pkts > s->cwnd_pkts ? s->cubic.w_max_pkts : s->cwnd_pkts;
	s->cubic.w_est_pkts = s->cwnd_pkts;
}

static double w_cubic_pkts(const struct lab_law_state *s, double t_s)
{
	return C * pow(t_s - s->cubic.k_s, 3) + s->cubic.w_max_pkts;
}

static void avoid_congestion(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	const double alpha = s->cubic.w_est_pkts >= s->cubic.prior_pkts ? 1 : 3 * (1 - BETA) / (1 + BETA);
	double t_s, target_pkts;

	if (s->cubic.epoch_us == LAB_LAW_UNKNOWN_US) {
		begin_epoch(s, ack->now_us);
	}
	t_s = (double)(ack->now_us - s->cubic.epoch_us) / 1e6;
	s->cubic.w_est_pkts += alpha * ack->acked_pkts / s->cwnd_pkts;
	if (w_cubic_pkts(s, t_s) < s->cubic.w_est_pkts) {
		s->cwnd_pkts = s->cubic.w_est_pkts;
		return;
	}
	target_pkts = w_cubic_pkts(s, t_s + (double)ack->rtt_us / 1e6);
	target_pkts = fmin(fmax(target_pkts, s->cwnd_pkts), 1.5 * s->cwnd_pkts);
	s->cwnd_pkts += (target_pkts - s->cwnd_pkts) / s->cwnd_pkts * ack->acked_pkts;
}

static void acked(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	if (s->cwnd_pkts < s->ssthresh_pkts) {
		s->cwnd_pkts += ack->acked_pkts;
	} else {
		avoid_congestion(s, ack);
	}
}

static void reduce(struct lab_law_state *s)
{
	/* Fast convergence: who had more before leaves some to others. */
	s->cubic.w_max_pkts =
	    s->cwnd_pkts < s->cubic.w_max_pkts ? s->cwnd_pkts * (1 + BETA) / 2 : s->cwnd_pkts;
	s->cubic.prior_pkts = s->cwnd_pkts;
	s->cubic.epoch_us = LAB_LAW_UNKNOWN_US;
	s->ssthresh_pkts = fmax(s->cwnd_pkts * BETA, LAB_LAW_LEAST_PKTS);
}

static void lost(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	reduce(s);
	s->cwnd_pkts = s->ssthresh_pkts;
}

static void timed_out(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	reduce(s);
	s->cwnd_pkts = 1;
}

const struct lab_law lab_law_cubic = {
    .name = "cubic", .start = start, .acked = acked, .lost = lost, .timed_out = timed_out};
