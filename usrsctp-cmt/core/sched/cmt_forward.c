/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_forward.h"

#include "../util/cmt_options.h"

enum {
	ROUNDS_MAX = 64,
	WHOLE_PPM = 1000000,
	/* Fractions of packets, and probabilities; products of windows and probabilities fit 64 bits. */
	ONE_PACKET = 1 << 10,
	CERTAIN = 1 << 30,
	WINDOW_MAX_PKTS = 1 << 22
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

int cmt_forward_init(void *st, const char *text)
{
	struct cmt_forward_options o = CMT_FORWARD_OPTIONS_DEFAULT;
	const struct cmt_option options[] = {CMT_FORWARD_OPTIONS(o)};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0)
		*(struct cmt_forward_options *)st = o;
	return error;
}

static uint32_t rtt_us(const struct cmt_path_view *p)
{
	return p->srtt_us > 0 ? p->srtt_us : p->min_rtt_us;
}

uint64_t cmt_forward_ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                           unsigned index, cmt_ahead_count_fn *count)
{
	const struct cmt_forward_options *o = st;
	struct cmt_ahead_path timed[CMT_SCHED_MAX_PATHS];

	if (o->rtt == 0)
		return cmt_ahead_sum(st, v, paths, index, count);
	for (unsigned i = 0; i < v->n_paths; i++) {
		timed[i] = paths[i];
		timed[i].arrival_us = rtt_us(&v->paths[i]) / 2;
	}
	return cmt_ahead_sum(st, v, timed, index, count);
}

struct cmt_forward_path cmt_forward_of(const struct cmt_forward_options *o, const struct cmt_view *v,
                                       const struct cmt_ahead_path *p)
{
	return (struct cmt_forward_path){
	    .round_us = o->rtt != 0 ? rtt_us(p->path) : p->path->min_rtt_us,
	    .tx_time_us = p->tx_time_us,
	    .cwnd_pkts = ((uint64_t)p->path->cwnd_bytes + v->packet_bytes - 1) / v->packet_bytes,
	    .ssthresh_pkts = p->path->ssthresh_bytes / v->packet_bytes,
	    .window_pkts = p->window_pkts,
	};
}

/* What a round can carry: beyond that a larger window changes nothing. */
static uint64_t most_per_round(const struct cmt_forward_path *p)
{
	uint64_t link_pkts =
	    ((uint64_t)p->round_us + (uint64_t)p->tx_time_us - 1) / (uint64_t)p->tx_time_us;

	return least(p->window_pkts, link_pkts > 0 ? link_pkts : 1);
}

/* Packets in `time_us` at a window of `window` / `unit` packets that no longer changes; the first one at
 * once. */
static uint64_t steady_pkts(const struct cmt_forward_path *p, uint64_t window, uint64_t unit, int64_t time_us)
{
	int64_t interval_us = (int64_t)((uint64_t)p->round_us * unit / window);

	return (uint64_t)(time_us / (interval_us > p->tx_time_us ? interval_us : p->tx_time_us)) + 1;
}

uint64_t cmt_forward_fps(const struct cmt_forward_path *p, int64_t lead_us)
{
	const uint64_t most = most_per_round(p);
	uint64_t w = p->cwnd_pkts, pkts = 0, rounds;

	for (; w < most && w < p->ssthresh_pkts && lead_us >= p->round_us; lead_us -= p->round_us) {
		pkts += w;
		w = least(2 * w, p->ssthresh_pkts);
	}
	if (w < most && lead_us >= p->round_us) {
		rounds = least((uint64_t)(lead_us / p->round_us), most - w);
		pkts += rounds * w + rounds * (rounds - 1) / 2;
		w += rounds;
		lead_us -= (int64_t)rounds * p->round_us;
	}
	return pkts + steady_pkts(p, least(w, most), 1, lead_us);
}

/* (1 - p)^w for w = n / ONE_PACKET, between whole numbers on a straight line. */
static uint64_t all_arrive(uint32_t loss_ppm, uint64_t n)
{
	const uint64_t rest_ppm = n % ONE_PACKET * loss_ppm / ONE_PACKET;
	uint64_t factor = (uint64_t)CERTAIN * (WHOLE_PPM - loss_ppm) / WHOLE_PPM, product = CERTAIN;

	for (n /= ONE_PACKET; n > 0; n /= 2) {
		if (n % 2 == 1)
			product = product * factor / CERTAIN;
		factor = factor * factor / CERTAIN;
	}
	return product * (WHOLE_PPM - rest_ppm) / WHOLE_PPM;
}

/* s x + (1 - s) y */
static uint64_t expected(uint64_t s, uint64_t x, uint64_t y)
{
	return (s * x + (CERTAIN - s) * y) / CERTAIN;
}

uint64_t cmt_forward_f2p(const struct cmt_forward_path *p, int64_t lead_us)
{
	const uint64_t most = most_per_round(p) * ONE_PACKET;
	const uint64_t top = (uint64_t)WINDOW_MAX_PKTS * ONE_PACKET;
	uint64_t w = least(p->cwnd_pkts, WINDOW_MAX_PKTS) * ONE_PACKET, sent = 0;
	uint64_t ssthresh = least(p->ssthresh_pkts, WINDOW_MAX_PKTS) * ONE_PACKET;
	int64_t full_us = 0; /* of rounds that carry the most; whole packets are counted over all of them */

	for (unsigned round = 0; round < ROUNDS_MAX && p->round_us > 0 && lead_us >= p->round_us;
	     round++) {
		const uint64_t now = least(w, most);
		const uint64_t s = all_arrive(p->loss_ppm, now);
		const uint64_t grown = w < ssthresh ? least(2 * w, ssthresh) : w + ONE_PACKET;

		if (w >= most && p->loss_ppm == 0)
			break;
		if (w >= most)
			full_us += p->round_us;
		else
			sent += now;
		ssthresh = expected(s, ssthresh, w / 2);
		w = expected(s, least(grown, top), w / 2);
		w = w > ONE_PACKET ? w : ONE_PACKET;
		lead_us -= p->round_us;
	}
	if (w < most && full_us > 0)
		sent += (steady_pkts(p, most, ONE_PACKET, full_us) - 1) * ONE_PACKET;
	else
		lead_us += full_us;
	sent += steady_pkts(p, least(w, most), ONE_PACKET, lead_us) * ONE_PACKET;
	sent = sent / WHOLE_PPM * (WHOLE_PPM - p->loss_ppm) +
	       sent % WHOLE_PPM * (WHOLE_PPM - p->loss_ppm) / WHOLE_PPM;
	return (sent + ONE_PACKET / 2) / ONE_PACKET;
}
