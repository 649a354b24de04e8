/* SPDX-License-Identifier: BSD-3-Clause */
#include "rivals/law.h"

static void start(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	*s = (struct lab_law_state){.cwnd_pkts = LAB_LAW_INITIAL_PKTS, .ssthresh_pkts = 1e9};
}

static void acked(struct lab_law_state *s, const struct lab_law_ack *ack)
{
	s->cwnd_pkts += s->cwnd_pkts < s->ssthresh_pkts ? ack->acked_pkts : ack->acked_pkts / s->cwnd_pkts;
}

static void halve(struct lab_law_state *s)
{
	s->ssthresh_pkts = s->cwnd_pkts / 2 < LAB_LAW_LEAST_PKTS ? LAB_LAW_LEAST_PKTS : s->cwnd_pkts / 2;
}

static void lost(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	halve(s);
	s->cwnd_pkts = s->ssthresh_pkts;
}

static void timed_out(struct lab_law_state *s, uint64_t now_us)
{
	(void)now_us;
	halve(s);
	s->cwnd_pkts = 1;
}

const struct lab_law lab_law_newreno = {
    .name = "newreno", .start = start, .acked = acked, .lost = lost, .timed_out = timed_out};

const struct lab_law *lab_law(enum lab_law_kind kind)
{
	switch (kind) {
	case LAB_LAW_NONE:
	case LAB_LAW_NEWRENO: break;
	case LAB_LAW_CUBIC: return &lab_law_cubic;
	case LAB_LAW_BBR: return &lab_law_bbr;
	}
	return &lab_law_newreno;
}
