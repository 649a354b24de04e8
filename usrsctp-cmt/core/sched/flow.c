/* SPDX-License-Identifier: BSD-3-Clause
 *
 * flow - flow-level splitting, the baseline of OSIA (section 5.1): "stripes the flow adaptively based on the
 * path bandwidth". In each period the flow is cut into one piece per path, as long as the path's share of the
 * bandwidth, and a path sends its pieces and nothing else:
 *
 *     period k:  [ piece of path 1 | piece of path 2 | .. ]      piece_i = b_i * period
 *     ahead_i  = sum over j of what path j has not sent yet of its pieces in front of path i's place
 *
 * The paper's load is one flow, and so is a stream of ours; streams are no smaller unit than the flow here.
 * Paths are in view order. A path that has sent its piece goes on with its next one; after a period, shares
 * are taken from the measured rates again and the pieces begin at the lowest unsent TSN. A period carries
 * half of the receive window at most, since all pieces but the first wait at the receiver. */
#include "cmt_ahead.h"
#include "../util/cmt_options.h"
#include "../util/cmt_serial.h"

struct flow {
	struct cmt_ahead_options options;
	uint64_t period_us;
	uint64_t ends_at_us; /* 0 = no period yet */
	struct flow_path {
		uint64_t piece_bytes; /* 0 = the path takes no part */
		uint64_t sent_bytes;  /* in this period */
	} paths[CMT_SCHED_MAX_PATHS];
};

static int flow_init(void *st, const char *text)
{
	struct flow *f = st;
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	uint64_t period_us = 1000000;
	const struct cmt_option options[] = {CMT_AHEAD_OPTIONS(o), {"period_us", &period_us, 100, 60000000}};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0) {
		f->options = o;
		f->period_us = period_us;
	}
	return error;
}

/* Most that the pieces of a period may hold: half the window, half of the TSNs that the peer tracks. */
static uint64_t most_bytes(const struct cmt_view *v)
{
	uint64_t window_bytes = ((uint64_t)v->peer_rwnd_bytes + v->total_flight_bytes) / 2;
	uint64_t unit_bytes = cmt_units_total_bytes(v->units) / cmt_units_count(v->units);
	int64_t tsns = cmt_serial_diff(v->limit_tsn, cmt_units_first(v->units)) / 2;
	uint64_t tracked_bytes = tsns > 0 ? (uint64_t)tsns * unit_bytes : 0;

	return window_bytes < tracked_bytes ? window_bytes : tracked_bytes;
}

static bool takes_part(const struct cmt_ahead_path *p)
{
	return p->usable && p->has_share;
}

static void flow_plan(void *st, const struct cmt_view *v)
{
	struct flow *f = st;
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	uint64_t sum_bps = 0, period_bytes, most = most_bytes(v);
	bool same = true;

	cmt_ahead_paths(&f->options, v, paths);
	for (unsigned i = 0; i < v->n_paths; i++) {
		same = same && takes_part(&paths[i]) == (f->paths[v->paths[i].id].piece_bytes > 0);
		sum_bps += takes_part(&paths[i]) ? v->paths[i].rate_bps : 0;
	}
	if (same && v->now_us < f->ends_at_us)
		return;
	f->ends_at_us = v->now_us + f->period_us;
	for (unsigned i = 0; i < CMT_SCHED_MAX_PATHS; i++)
		f->paths[i] = (struct flow_path){.piece_bytes = 0};
	period_bytes = sum_bps / 8 * f->period_us / 1000000;
	if (period_bytes > most)
		period_bytes = most;
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (takes_part(&paths[i]))
			f->paths[v->paths[i].id].piece_bytes =
			    v->packet_bytes +
			    period_bytes * (v->paths[i].rate_bps / 1000) / (sum_bps / 1000 + 1);
	}
}

static uint64_t ahead(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                      unsigned index)
{
	const struct flow *f = st;
	const struct flow_path *own = &f->paths[v->paths[index].id];
	uint64_t round, sum = 0;

	(void)paths;
	if (own->piece_bytes == 0)
		return UINT64_MAX;
	round = own->sent_bytes / own->piece_bytes;
	for (unsigned j = 0; j < v->n_paths; j++) {
		const struct flow_path *other = &f->paths[v->paths[j].id];
		uint64_t before = other->piece_bytes * (j < index ? round + 1 : round);

		if (j != index && before > other->sent_bytes)
			sum += before - other->sent_bytes;
	}
	return sum;
}

static struct cmt_decision flow_next(const void *st, const struct cmt_view *v)
{
	const struct flow *f = st;

	return cmt_ahead_next(st, &f->options, v, ahead);
}

static uint64_t flow_look_ahead(const void *st, const struct cmt_view *v)
{
	const struct flow *f = st;

	return cmt_ahead_look_ahead(st, &f->options, v, ahead);
}

static void flow_on_sent(void *st, const struct cmt_sent *e)
{
	struct flow *f = st;

	if (!e->retransmission)
		f->paths[e->path_id].sent_bytes += e->bytes;
}

const struct cmt_sched_ops cmt_sched_flow = {
    .size = CMT_SCHED_CONTRACT_BYTES,
    .name = "flow",
    .summary = "flow-level splitting: each period one piece per path, by bandwidth (baseline of OSIA)",
    .option_help =
        "period_us=1000000 [100..60000000]: shares are taken anew after this; " CMT_AHEAD_OPTION_HELP,
    .state_bytes = sizeof(struct flow),
    .init = flow_init,
    .plan = flow_plan,
    .next = flow_next,
    .look_ahead = flow_look_ahead,
    .on_sent = flow_on_sent,
};
