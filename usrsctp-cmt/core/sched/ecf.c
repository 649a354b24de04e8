/* SPDX-License-Identifier: BSD-3-Clause
 *
 * ecf - earliest completion first (Lim, Nahum, Towsley, Gibbens: "ECF: An MPTCP Path Scheduler to Manage
 * Heterogeneous Paths", CoNEXT 2017, Algorithm 1). The path f with the smallest round trip sends while it has
 * congestion window left. Else s, the next one with window, with k packets waiting:
 *
 *     n = 1 + k / CWND_f,  delta = max(sigma_f, sigma_s)
 *     n RTT_f < (1 + waiting * beta) (RTT_s + delta)     and
 *     k / CWND_s * RTT_s >= 2 RTT_f + delta              : wait for f (waiting = 1), else s sends
 *
 * and waiting = 0 once the first line fails. sigma, the deviation of the round trip, is here the scatter of
 * arrivals. */
#include "cmt_rtt_order.h"
#include "../util/cmt_options.h"

struct ecf {
	uint64_t beta_pct;
	bool waiting;
};

enum verdict { ECF_SEND, ECF_SEND_KEEP, ECF_WAIT }; /* KEEP: `waiting` stays */

static int ecf_init(void *st, const char *text)
{
	struct ecf *e = st;
	uint64_t beta_pct = 25;
	const struct cmt_option options[] = {{"beta_pct", &beta_pct, 0, 1000}};
	int error = cmt_options_parse(text, options, 1);

	if (error == 0)
		e->beta_pct = beta_pct;
	return error;
}

static enum verdict judge(const struct ecf *e, const struct cmt_view *v, const struct cmt_path_view *f,
                          const struct cmt_path_view *s)
{
	double k = (double)cmt_units_total_bytes(v->units) / v->packet_bytes;
	double delta_us = (double)(f->jitter_us > s->jitter_us ? f->jitter_us : s->jitter_us);
	double n = 1 + k / (double)cmt_rtt_cwnd_pkts(v, f);
	double factor = 1 + (e->waiting ? (double)e->beta_pct / 100 : 0);

	if (f->srtt_us == 0 || s->srtt_us == 0 || n * f->srtt_us >= factor * (s->srtt_us + delta_us))
		return ECF_SEND;
	return k / (double)cmt_rtt_cwnd_pkts(v, s) * s->srtt_us >= 2 * (double)f->srtt_us + delta_us
	           ? ECF_WAIT
	           : ECF_SEND_KEEP;
}

/* The slower path that the decision is about; NULL when the fastest has room, or none has. */
static const struct cmt_path_view *slower(const struct cmt_view *v, const struct cmt_path_view **fast)
{
	const struct cmt_path_view *with_room = cmt_rtt_first(v, true);

	*fast = cmt_rtt_first(v, false);
	return with_room == *fast ? NULL : with_room;
}

static void ecf_plan(void *st, const struct cmt_view *v)
{
	struct ecf *e = st;
	const struct cmt_path_view *fast, *slow = slower(v, &fast);

	if (slow == NULL)
		return;
	switch (judge(e, v, fast, slow)) {
	case ECF_SEND: e->waiting = false; break;
	case ECF_SEND_KEEP: break;
	case ECF_WAIT: e->waiting = true; break;
	}
}

static struct cmt_decision ecf_next(const void *st, const struct cmt_view *v)
{
	const struct cmt_path_view *fast, *slow = slower(v, &fast);

	if (slow != NULL && v->total_flight_bytes > 0 && judge(st, v, fast, slow) == ECF_WAIT)
		return cmt_rtt_send(v, NULL);
	return cmt_rtt_send(v, cmt_rtt_first(v, true));
}

/* As much as can make the first line fail for any path. */
static uint64_t ecf_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct cmt_path_view *fast = cmt_rtt_first(v, false);
	uint64_t most_pkts = 0;

	(void)st;
	for (unsigned i = 0; i < v->n_paths && fast != NULL && fast->srtt_us > 0; i++) {
		uint64_t rounds = 2 * (uint64_t)v->paths[i].srtt_us / fast->srtt_us + 1;

		if (rounds * cmt_rtt_cwnd_pkts(v, fast) > most_pkts)
			most_pkts = rounds * cmt_rtt_cwnd_pkts(v, fast);
	}
	return (most_pkts + 1) * v->packet_bytes;
}

const struct cmt_sched_ops cmt_sched_ecf = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "ecf",
    .summary = "as minrtt, but waits for the fast path where that completes earlier (Lim et al.)",
    .option_help = "beta_pct=25 [0..1000]: hysteresis of waiting",
    .state_bytes = sizeof(struct ecf),
    .init = ecf_init,
    .plan = ecf_plan,
    .next = ecf_next,
    .look_ahead = ecf_look_ahead,
};
