/* SPDX-License-Identifier: BSD-3-Clause */
#include "cmt_growth.h"
#include "cmt_probing.h"

#include "../util/cmt_options.h"
#include "../util/cmt_serial.h"
#include "../util/cmt_tuned.h"

enum {
	/* Beyond its min RTT a path needs room for the packet whose SACK waits for the next one (RFC 9260,
	 * section 6.2), the one being received and the one being sent. */
	SPARE_PKTS = 2,
	LOOK_AHEAD_SPARE_PKTS = 2 * SPARE_PKTS,
	/* A queue that is still one when a late timer fires keeps the link busy. */
	PKTS_MAX_US = CMT_HOST_LATE_US + CMT_MIN_RTT_THRESH_US,
};

int cmt_ahead_init(void *st, const char *text)
{
	struct cmt_ahead_options o = CMT_AHEAD_OPTIONS_DEFAULT;
	const struct cmt_option options[] = {CMT_AHEAD_OPTIONS(o)};
	int error = cmt_options_parse(text, options, sizeof(options) / sizeof(options[0]));

	if (error == 0)
		*(struct cmt_ahead_options *)st = o;
	return error;
}

/* Packets that keep the path busy for one min RTT. */
static uint64_t loop_pkts(const struct cmt_ahead_path *p)
{
	return ((uint64_t)p->path->min_rtt_us + (uint64_t)p->tx_time_us - 1) / (uint64_t)p->tx_time_us +
	       SPARE_PKTS;
}

static bool served_before(const struct cmt_path_view *a, const struct cmt_path_view *b)
{
	return a->min_rtt_us != b->min_rtt_us ? a->min_rtt_us < b->min_rtt_us : a->id < b->id;
}

static uint64_t needed_window(const struct cmt_view *v, const struct cmt_ahead_path *paths)
{
	uint64_t pkts = 0;

	for (unsigned i = 0; i < v->n_paths; i++)
		pkts += paths[i].loop_pkts;
	return pkts * v->window_packet_bytes;
}

/* Window that the path at `index` may use; all need `all`. */
static uint64_t window_share(const struct cmt_view *v, const struct cmt_ahead_path *paths, uint64_t all,
                             unsigned index)
{
	uint64_t window = (uint64_t)v->peer_rwnd_bytes + v->total_flight_bytes;
	uint64_t own = paths[index].loop_pkts * v->window_packet_bytes;
	uint64_t before = 0;

	if (window >= all)
		return window - all + own;
	for (unsigned j = 0; j < v->n_paths; j++) {
		if (j != index && served_before(paths[j].path, paths[index].path))
			before += paths[j].loop_pkts * v->window_packet_bytes;
	}
	if (window <= before)
		return 0;
	return window - before < own ? window - before : own;
}

static uint64_t charged_flight(const struct cmt_view *v, const struct cmt_path_view *p)
{
	return (uint64_t)p->flight_bytes * v->window_packet_bytes / v->packet_bytes;
}

static unsigned doublings(int64_t n)
{
	unsigned d = 0;

	for (; n > 1; n /= 2)
		d++;
	return d;
}

/* What jitter looks like, as a queue. The base is a delay without it. Where it keeps the order, a packet is
 * as late as the latest of those before it, by the more the more of them are near: a third of the scatter for
 * each doubling of what the link carries meanwhile, for normal scatter. Real queues are not always deep: it
 * may look like a min RTT, not more. */
static int64_t jitter_queue_us(const struct cmt_ahead_path *p)
{
	int64_t scatter_us = p->path->jitter_us / 2;
	int64_t in_order_us = scatter_us * 3 / 2 + scatter_us * doublings(scatter_us / p->tx_time_us) / 3;

	return cmt_min_us(p->path->min_rtt_us, cmt_max_us(p->path->jitter_us, in_order_us));
}

int64_t cmt_ahead_queue_excess_us(const struct cmt_ahead_options *options, const struct cmt_ahead_path *p)
{
	int64_t by_loop =
	    cmt_min_us((int64_t)options->queue_bound_us, cmt_max_us(CMT_TICK_US, p->path->min_rtt_us / 4));
	int64_t by_pkts = cmt_min_us(PKTS_MAX_US, (int64_t)options->queue_bound_pkts * p->tx_time_us);

	return p->path->queue_us - cmt_max_us(by_pkts, by_loop) - jitter_queue_us(p) - p->path->others_us;
}

static void fill_timing(const struct cmt_view *v, struct cmt_ahead_path *p)
{
	p->usable = p->path->usable && p->path->start_us != CMT_UNKNOWN_US && p->path->rate_bps > 0;
	p->wake_us = CMT_NEVER_US;
	if (!p->usable)
		return;
	p->tx_time_us = cmt_transmission_us(v->wire_bytes, p->path->rate_bps);
	p->loop_pkts = loop_pkts(p);
	/* Without room it begins when its window opens. */
	p->arrival_us =
	    cmt_max_us(p->path->start_us, (int64_t)p->path->ready_at_us + p->path->base_us) + p->tx_time_us;
}

/* Between packets at the rate that the application allows. */
static int64_t limit_us(const struct cmt_view *v, const struct cmt_path_view *p)
{
	return p->limit_bps == 0 ? 0 : cmt_transmission_us(v->wire_bytes, p->limit_bps);
}

static void fill_permission(const struct cmt_ahead_options *options, const struct cmt_view *v,
                            struct cmt_ahead_path *paths, uint64_t all, unsigned index)
{
	struct cmt_ahead_path *p = &paths[index];
	uint64_t share = window_share(v, paths, all, index);
	uint64_t window_pkts = share / v->window_packet_bytes;
	uint64_t cwnd_pkts = (p->path->cwnd_bytes + v->packet_bytes - 1) / v->packet_bytes;
	uint64_t pkts_per_rtt = window_pkts < cwnd_pkts ? window_pkts : cwnd_pkts;
	int64_t excess_us = cmt_max_us(p->path->hold_us, cmt_ahead_queue_excess_us(options, p));

	p->interval_us = CMT_LONG_US;
	p->has_share = pkts_per_rtt > 0 && !p->probing;
	p->window_pkts = window_pkts;
	if (p->has_share)
		p->interval_us =
		    cmt_min_us(CMT_LONG_US, cmt_max_us(cmt_max_us(p->tx_time_us, limit_us(v, p->path)),
		                                       p->path->min_rtt_us / (int64_t)pkts_per_rtt));
	p->may_send = !p->probing && p->path->room_bytes > 0 &&
	              charged_flight(v, p->path) + v->window_unit_bytes <= share;
	/* A path that is measured with data needs no bound meanwhile: its queue cannot be told, and trains
	   show its rate. */
	if (p->may_send && excess_us > 0 && (p->path->rate_measured || !v->copies)) {
		p->may_send = false;
		p->wake_us = v->now_us + (uint64_t)excess_us;
	}
}

void cmt_ahead_paths(const struct cmt_ahead_options *options, const struct cmt_view *v,
                     struct cmt_ahead_path *out)
{
	uint64_t all;

	for (unsigned i = 0; i < v->n_paths; i++) {
		out[i] = (struct cmt_ahead_path){.path = &v->paths[i]};
		fill_timing(v, &out[i]);
	}
	if (!options->no_probing)
		cmt_probing_mark(v, out);
	all = needed_window(v, out);
	for (unsigned i = 0; i < v->n_paths; i++) {
		if (out[i].usable)
			fill_permission(options, v, out, all, i);
	}
}

uint64_t cmt_ahead_sum(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                       unsigned index, cmt_ahead_count_fn *count)
{
	uint64_t pkts = 0;

	for (unsigned j = 0; j < v->n_paths; j++) {
		int64_t lead_us = paths[index].arrival_us - paths[j].arrival_us;

		if (j != index && paths[j].has_share && (lead_us > 0 || (lead_us == 0 && j < index)))
			pkts += count(st, v, &paths[j], lead_us);
	}
	return pkts * v->packet_bytes;
}

/* With nothing in flight no SACK will come to ask again: send the head on the path that arrives first. */
static struct cmt_decision way_out(const struct cmt_view *v, uint64_t wake_us)
{
	int first = v->total_flight_bytes == 0 ? cmt_sched_first_arrival(v, true) : -1;

	if (first < 0)
		return (struct cmt_decision){.verdict = CMT_WAIT, .wake_us = wake_us};
	return (struct cmt_decision){.verdict = CMT_SEND,
	                             .path_id = (uint8_t)first,
	                             .tsn = cmt_units_first(v->units),
	                             .wake_us = CMT_NEVER_US};
}

/* An unordered chunk is of use as soon as it arrives, and may leave before those in front of it (RFC 9260,
 * section 6.6). It goes in place of the head: by the path that carries what is needed first. */
static uint32_t unordered_first(const struct cmt_view *v, uint32_t tsn)
{
	return v->has_unordered && tsn == cmt_units_first(v->units) && cmt_sched_window_ahead(v) &&
	               cmt_serial_ge(v->limit_tsn, v->unordered_tsn)
	           ? v->unordered_tsn
	           : tsn;
}

struct cmt_decision cmt_ahead_next(const void *st, const struct cmt_ahead_options *options,
                                   const struct cmt_view *v, cmt_ahead_fn *ahead)
{
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	uint64_t wake_us = CMT_NEVER_US;
	int64_t best_arrival_us = INT64_MAX;
	struct cmt_decision best = {.verdict = CMT_WAIT};

	cmt_ahead_paths(options, v, paths);
	for (unsigned i = 0; i < v->n_paths; i++) {
		uint64_t offset, before;
		uint32_t tsn;

		if (paths[i].wake_us < wake_us)
			wake_us = paths[i].wake_us;
		if (!paths[i].may_send || paths[i].arrival_us >= best_arrival_us)
			continue;
		offset = ahead(st, v, paths, i);
		if (!cmt_units_at(v->units, offset, &tsn, &before) || !cmt_serial_ge(v->limit_tsn, tsn) ||
		    (before > 0 && !cmt_sched_window_ahead(v)))
			continue;
		best_arrival_us = paths[i].arrival_us;
		best = (struct cmt_decision){.verdict = CMT_SEND,
		                             .path_id = paths[i].path->id,
		                             .tsn = unordered_first(v, tsn),
		                             .wake_us = CMT_NEVER_US};
	}
	return best.verdict == CMT_SEND ? best : way_out(v, wake_us);
}

uint64_t cmt_ahead_look_ahead(const void *st, const struct cmt_ahead_options *options,
                              const struct cmt_view *v, cmt_ahead_fn *ahead)
{
	struct cmt_ahead_path paths[CMT_SCHED_MAX_PATHS];
	uint64_t most = 0;

	cmt_ahead_paths(options, v, paths);
	for (unsigned i = 0; i < v->n_paths; i++) {
		uint64_t offset = 0;

		if (paths[i].probing)
			offset = cmt_probing_ahead(v, paths, i);
		else if (paths[i].usable)
			offset = ahead(st, v, paths, i);

		if (offset > most && offset != UINT64_MAX)
			most = offset;
	}
	return most + (uint64_t)LOOK_AHEAD_SPARE_PKTS * v->packet_bytes;
}

static uint64_t delivered(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *p,
                          int64_t lead_us)
{
	(void)st;
	if (cmt_growth_counts(v, p))
		return cmt_growth_pkts(v, p, lead_us);
	return (uint64_t)(lead_us / p->interval_us) + 1;
}

uint64_t cmt_ahead_by_arrival(const void *st, const struct cmt_view *v, const struct cmt_ahead_path *paths,
                              unsigned index)
{
	return cmt_ahead_sum(st, v, paths, index, delivered);
}
