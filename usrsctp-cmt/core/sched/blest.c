/* SPDX-License-Identifier: BSD-3-Clause
 *
 * blest - blocking estimation (Ferlin, Alay, Mehani, Boreli: "BLEST: Blocking Estimation-based MPTCP
 * Scheduler for Heterogeneous Networks", IFIP Networking 2016, section III). The path f with the smallest
 * round trip sends while it has congestion window left. Else the next one with window, s, sends, unless the
 * send window would then block f within one round trip of s:
 *
 *     r = RTT_s / RTT_f
 *     X = MSS * (CWND_f + (r - 1) / 2) * r            what f sends during RTT_s
 *     s waits if  lambda * X > |M| - MSS * (inflight_s + 1)
 *
 * with |M| the send window: here what the peer's receive window holds in all. The paper adapts lambda by what
 * was blocked; here it is an option. */
#include "cmt_rtt_order.h"
#include "../util/cmt_options.h"

struct blest {
	uint64_t lambda_pct;
};

static int blest_init(void *st, const char *text)
{
	struct blest *b = st;
	uint64_t lambda_pct = 100;
	const struct cmt_option options[] = {{"lambda_pct", &lambda_pct, 1, 1000}};
	int error = cmt_options_parse(text, options, 1);

	if (error == 0)
		b->lambda_pct = lambda_pct;
	return error;
}

/* Whether a packet on `s` would leave too little window to `f`. X with r as a fraction of microseconds. */
static bool would_block(const struct blest *b, const struct cmt_view *v, const struct cmt_path_view *f,
                        const struct cmt_path_view *s)
{
	uint64_t window_pkts =
	    ((uint64_t)v->peer_rwnd_bytes + v->total_flight_bytes) / v->window_packet_bytes;
	uint64_t inflight_pkts = (s->flight_bytes + v->packet_bytes - 1) / v->packet_bytes;
	double ratio, sent_pkts;

	if (f->srtt_us == 0 || s->srtt_us == 0)
		return false;
	ratio = (double)s->srtt_us / f->srtt_us;
	sent_pkts = ((double)cmt_rtt_cwnd_pkts(v, f) + (ratio - 1) / 2) * ratio;
	return sent_pkts * (double)b->lambda_pct / 100 > (double)window_pkts - (double)(inflight_pkts + 1);
}

static struct cmt_decision blest_next(const void *st, const struct cmt_view *v)
{
	const struct cmt_path_view *fast = cmt_rtt_first(v, false), *with_room = cmt_rtt_first(v, true);

	if (with_room != NULL && with_room != fast && v->total_flight_bytes > 0 &&
	    would_block(st, v, fast, with_room))
		with_room = NULL;
	return cmt_rtt_send(v, with_room);
}

const struct cmt_sched_ops cmt_sched_blest = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "blest",
    .summary = "as minrtt, but a slow path waits when it would block the send window (Ferlin et al.)",
    .option_help = "lambda_pct=100 [1..1000]: scales the estimate of what the fast path sends meanwhile",
    .state_bytes = sizeof(struct blest),
    .init = blest_init,
    .next = blest_next,
};
