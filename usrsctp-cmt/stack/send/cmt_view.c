/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The snapshot that schedulers read. */
#include "send/cmt_view.h"
#include "association/cmt_asoc.h"
#include "cc/cmt_pace.h"
#include "delay/cmt_clock.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_rate.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "sched/cmt_gap.h"
#include "sched/cmt_units.h"
#include "seams/cmt_seams.h"
#include "send/cmt_copy_send.h"
#include "send/cmt_index.h"
#include "send/cmt_needed.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"
#include "wire/cmt_wire.h"

#include <netinet/sctp_timer.h>

/* Of the TSNs that the receiver tracks, for what is under way. */
enum { TSNS_MARGIN = 96 };

uint32_t cmt_limit_tsn(const struct cmt_asoc *ca)
{
	uint32_t tsns = cmt_tracked_tsns(ca->peer_tsn_scale);

	if (ca->sched != NULL && ca->sched->window_tsns > 0)
		tsns = min(tsns, ca->sched->window_tsns);
	return ca->stcb->asoc.last_acked_seq + tsns - TSNS_MARGIN;
}

/* Payload of a packet when chunks like the ones waiting fill it. */
static void fill_packet_sizes(const struct cmt_asoc *ca, struct cmt_view *v)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	const struct sctp_nets *net = TAILQ_FIRST(&asoc->nets);
	uint32_t overhead = cmt_header_bytes(net) + (uint32_t)cmt_data_packet_overhead(ca->stcb);
	uint32_t room = asoc->smallest_mtu > overhead ? asoc->smallest_mtu - overhead : 1;
	uint32_t count = ca->index.valid ? cmt_units_count(&ca->index.units) : 0;
	uint32_t unit = count > 0 ? (uint32_t)(cmt_units_total_bytes(&ca->index.units) / count) : room;
	uint32_t chunks = unit < room ? room / unit : 1;

	v->packet_bytes = chunks * unit;
	v->wire_bytes = v->packet_bytes + overhead;
	v->window_unit_bytes = unit + SCTP_BASE_SYSCTL(sctp_peer_chunk_oh);
	v->window_packet_bytes = v->packet_bytes + chunks * SCTP_BASE_SYSCTL(sctp_peer_chunk_oh);
	/* Upstream takes less than its threshold against silly windows for no window at all. */
	v->window_reserve_bytes = max(v->window_packet_bytes, ca->stcb->sctp_ep->sctp_ep.sctp_sws_sender);
}

/* What is added to our time for the receiver's, as far as that is known. */
static int64_t reference_us(const struct cmt_asoc *ca)
{
	int64_t offset_us = cmt_clock_offset_us(&ca->clock, NULL);

	return offset_us == CMT_UNKNOWN_US ? 0 : offset_us;
}

/* From sending to the acknowledgement, without a queue; 0 = not measured. */
static uint32_t min_rtt_us(const struct cmt_path *path)
{
	int64_t us = cmt_winfilter_min(&path->min_rtt);

	return us == CMT_UNKNOWN_US ? cmt_srtt_us(path->net) : (uint32_t)us;
}

static void advance_path(const struct cmt_asoc *ca, struct cmt_path *path)
{
	uint32_t srtt_us = cmt_srtt_us(path->net);
	/* Copies are no sample of the round trip, but their echoes tell the loop. */
	uint32_t round_trip_us = srtt_us > 0 ? srtt_us : min_rtt_us(path);

	cmt_pace_on_rate(&path->pace, cmt_rate_bps(&path->est.rate));
	path->est.rate_hint_bps =
	    round_trip_us > 0 ? (uint64_t)path->net->cwnd * 8000000u / round_trip_us : 0;
	path->est.delay_hint_us = srtt_us > 0 ? reference_us(ca) + srtt_us / 2 : CMT_UNKNOWN_US;
}

void cmt_view_advance(struct cmt_asoc *ca)
{
	cmt_asoc_look_anew(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			advance_path(ca, &ca->paths[i]);
	}
}

/* What the estimators say of a path. During output time and the path's own packets alone change that. */
static void fill_estimates(const struct cmt_asoc *ca, const struct cmt_path *path, const struct cmt_view *v,
                           struct cmt_path_view *p)
{
	const int64_t reference = reference_us(ca);

	p->delay_us = CMT_UNKNOWN_US;
	p->rate_bps = cmt_path_est_rate_bps(&path->est);
	p->jitter_us = 2 * cmt_path_est_jitter_us(&path->est);
	p->rate_measured = cmt_rate_bps(&path->est.rate) != 0;
	p->sent_pkts = path->est.log.next - 1;
	p->base_us = cmt_path_est_base_us(&path->est);
	p->start_us = cmt_path_est_start_us(&path->est, v->now_us);
	p->queue_us = cmt_path_est_queue_us(&path->est, v->now_us);
	p->hold_us = cmt_path_est_hold_us(&path->est, v->now_us);
	p->others_us = cmt_path_est_others_us(&path->est, v->now_us);
	if (p->start_us == CMT_UNKNOWN_US)
		return;
	p->delay_us = p->base_us - reference;
	if (ca->config.delay_error_pct != 0) {
		p->start_us +=
		    (p->start_us - (int64_t)v->now_us - reference) * ca->config.delay_error_pct / 100;
		p->delay_us += p->delay_us * ca->config.delay_error_pct / 100;
	}
}

/* A full window has room again when the SACK of the oldest packet in it comes. */
static uint64_t window_opens_us(const struct cmt_path *path, const struct cmt_path_view *p)
{
	return p->flight_bytes >= p->cwnd_bytes ? cmt_path_est_next_ack_us(&path->est, p->min_rtt_us) : 0;
}

/* `window`: whether the peer's lets a chunk go. */
static void fill_state(const struct cmt_asoc *ca, const struct cmt_path *path, const struct cmt_view *v,
                       bool window, struct cmt_path_view *p)
{
	const struct sctp_nets *net = path->net;

	p->id = cmt_path_id(ca, path);
	p->usable = cmt_path_usable(ca, net);
	p->cwnd_bytes = net->cwnd;
	p->flight_bytes = cmt_flight_bytes(path);
	p->ssthresh_bytes = net->ssthresh;
	p->srtt_us = cmt_srtt_us(net);
	p->min_rtt_us = min_rtt_us(path);
	p->limit_bps = cmt_limit_bps(path);
	p->cost = net->cmt_use.cost;
	p->weight_pct = path->pace.weight_pct;
	p->room_bytes = 0;
	p->room_at_us = CMT_NEVER_US;
	if (p->usable && window && p->flight_bytes < net->cwnd) {
		uint64_t opens_us = cmt_pace_opens_us(&path->pace, v->now_us);

		if (opens_us == 0)
			p->room_bytes = v->packet_bytes;
		else
			p->room_at_us = opens_us;
	}
	p->acked_at_us = cmt_path_est_next_ack_us(&path->est, p->min_rtt_us);
	p->ready_at_us = max(path->pace.at_us, window_opens_us(path, p));
	p->has_copy = false;
	p->copy_tsn = 0;
	if (cmt_copy_may_go(ca, path))
		cmt_copy_fill_view(ca, path, p);
}

/* `estimated`: `paths` have what the estimators say at this moment, but for paths that have sent since. */
static void fill(const struct cmt_asoc *ca, bool estimated, struct cmt_view *view,
                 struct cmt_path_view *paths)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	bool window;

	*view = (struct cmt_view){
	    .now_us = cmt_seam_now_us(),
	    .units = &ca->index.units,
	    .paths = paths,
	    .limit_tsn = cmt_limit_tsn(ca),
	    .peer_rwnd_bytes = asoc->peers_rwnd,
	    .total_flight_bytes =
	        asoc->total_flight + asoc->total_flight_count * SCTP_BASE_SYSCTL(sctp_peer_chunk_oh),
	    .copies = cmt_copy_possible(ca),
	    .more_follows = asoc->stream_queue_cnt > 0,
	};
	view->has_unordered = cmt_index_unordered(ca, &view->unordered_tsn);
	fill_packet_sizes(ca, view);
	if (ca->needed.bps > 0) {
		view->needed_bps = ca->needed.bps;
		view->needed_us = cmt_needed_unsent_us(ca);
	}
	window = cmt_gap_window_is_open(view, cmt_gap_first(ca->stcb));
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];
		struct cmt_path_view *p = &paths[view->n_paths];

		if (path->net == NULL)
			continue;
		if (!estimated || p->sent_pkts != path->est.log.next - 1)
			fill_estimates(ca, path, view, p);
		fill_state(ca, path, view, window, p);
		view->n_paths++;
	}
}

void cmt_view_fill(const struct cmt_asoc *ca, struct cmt_view *view, struct cmt_path_view *paths)
{
	fill(ca, false, view, paths);
}

/* One output runs on a thread at a time; one that begins within another, of another association, takes the
 * memory over. */
static _Thread_local struct {
	const struct cmt_asoc *of;
	struct cmt_view view;
	struct cmt_path_view paths[CMT_SCHED_MAX_PATHS];
} newest;

const struct cmt_view *cmt_view(struct cmt_asoc *ca)
{
	if (newest.of != ca || !ca->decided.has_view) {
		fill(ca,
		     newest.of == ca && ca->decided.has_estimates && newest.view.now_us == cmt_seam_now_us(),
		     &newest.view, newest.paths);
		newest.of = ca;
		ca->decided.has_view = ca->decided.has_estimates = true;
	}
	return &newest.view;
}
