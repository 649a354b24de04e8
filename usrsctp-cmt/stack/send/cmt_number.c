/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A packet with DATA has left: it gets the path's next number, is remembered for its echo and paces the next
 * one; scheduler and statistics hear of it. Without a scheduler packets are counted, and nothing else. */
#include "send/cmt_number.h"
#include "association/cmt_asoc.h"
#include "cc/cmt_pace.h"
#include "cmt_hooks.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_outstanding.h"
#include "losses/cmt_recovery.h"
#include "losses/cmt_retransmit.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_source.h"
#include "seams/cmt_seams.h"
#include "send/cmt_index.h"
#include "send/cmt_needed.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_trace.h"
#include "wire/cmt_wire.h"

enum { RECORDS_ACTIVE = 256, RECORDS_MAX = 16384 };

/* More packets under way than the log holds would make their echoes useless. A path that carries more than a
 * few gets a log that remembers lost ones for a while. */
static void grow_log(struct cmt_path *path)
{
	struct cmt_sentlog *log = &path->est.log;
	uint32_t in_flight = log->next - cmt_path_est_heard_number(&path->est);
	uint32_t used = log->capacity < RECORDS_ACTIVE ? log->next : in_flight;
	uint32_t capacity = log->capacity < RECORDS_ACTIVE ? RECORDS_ACTIVE : log->capacity * 2;
	struct cmt_sent_record *records;

	if (used < log->capacity || log->capacity >= RECORDS_MAX)
		return;
	records = calloc(capacity, sizeof(*records));
	if (records == NULL)
		return;
	cmt_sentlog_grow(log, records, capacity);
	free(path->records);
	path->records = records;
}

/* For the statistics. */
static void count_packet(const struct cmt_asoc *ca, struct cmt_path *path,
                         const struct cmt_trace_packet *packet)
{
	const uint32_t header_bytes =
	    ca->stcb->asoc.idata_supported ? sizeof(struct sctp_idata_chunk) : sizeof(struct sctp_data_chunk);

	path->counts.sent_pkts++;
	path->counts.sent_bytes += packet->bytes;
	path->counts.user_bytes += packet->bytes - packet->n * header_bytes;
}

static uint32_t sum_bytes(struct sctp_tmit_chunk **chunks, int n)
{
	uint32_t bytes = 0;

	for (int i = 0; i < n; i++)
		bytes += chunks[i]->send_size;
	return bytes;
}

/* When the packet behind this one may leave. */
static void pace(const struct cmt_asoc *ca, struct cmt_path *path, uint32_t wire_bytes, bool limited,
                 uint64_t now_us)
{
	const struct cmt_cc_path *cc = &ca->cc.paths[cmt_path_id(ca, path)];

	cmt_pace_on_sent(&path->pace,
	                 &(struct cmt_pace_packet){.now_us = now_us,
	                                           .wire_bytes = wire_bytes,
	                                           .control_bps = ca->cc.ops != NULL ? cc->pacing_bps : 0,
	                                           .limit_bps = cmt_limit_bps(path),
	                                           .limited = limited});
}

static CMT_COLD void trace_numbered(struct cmt_asoc *ca, const struct cmt_path *path,
                                    const struct cmt_trace_packet *packet, uint32_t number)
{
	struct cmt_trace_packet told = *packet;

	told.numbered = true;
	told.number = number;
	told.arrival_us = cmt_sentlog_find(&path->est.log, number)->predicted_us;
	cmt_trace_sent(ca, path, &told);
}

uint32_t cmt_number_packet(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_trace_packet *packet)
{
	uint64_t now_us = cmt_seam_now_us();
	uint32_t flight_bytes = cmt_flight_bytes(path) + packet->bytes, wire_bytes, number;
	bool limited = flight_bytes >= path->net->cwnd, avoidance = path->net->cwnd >= path->net->ssthresh;

	count_packet(ca, path, packet);
	cmt_source_on_sent(path, path->est.log.next);
	wire_bytes = packet->bytes + cmt_header_bytes(path->net);
	if (ca->packet.stamped)
		wire_bytes += CMT_TIMESTAMP_BYTES;
	wire_bytes += ca->packet.probe_bytes;
	ca->packet.probe_bytes = 0;
	grow_log(path);
	number = cmt_path_est_on_sent(&path->est, &(struct cmt_path_packet){.now_us = now_us,
	                                                                    .stamp = ca->packet.stamp,
	                                                                    .wire_bytes = wire_bytes,
	                                                                    .limited = limited});
	CMT_TRACE(SENT, trace_numbered(ca, path, packet, number));
	ca->packet.stamped = false;
	cmt_sack_pace_add(&ca->sack.departures, now_us);
	ca->decided.watched = false;
	cmt_asoc_reconsider(ca);
	path->control.peak_flight_bytes = max(path->control.peak_flight_bytes, flight_bytes);
	cmt_recovery_on_sent(ca, path);
	pace(ca, path, wire_bytes, limited && avoidance, now_us);
	return number;
}

/* A packet with these chunks' own transmission is gone; tells the scheduler. */
static void note_packet(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_tmit_chunk **chunks, int n,
                        bool retransmission)
{
	const struct cmt_trace_packet packet = {.chunks = chunks,
	                                        .n = (uint32_t)n,
	                                        .bytes = sum_bytes(chunks, n),
	                                        .ahead_tsns = retransmission ? 0 : ca->packet.ahead_tsns,
	                                        .retransmission = retransmission};
	uint32_t number = cmt_number_packet(ca, path, &packet);
	uint32_t last_tsn = chunks[n - 1]->rec.data.tsn;

	path->counts.retransmits += retransmission ? packet.n : 0;
	if (cmt_serial_ge(last_tsn, path->copy.from_tsn))
		path->copy.from_tsn = last_tsn + 1;
	for (int i = 0; i < n; i++) {
		chunks[i]->cmt.path_packet_number = number;
		chunks[i]->cmt.slot = (uint8_t)(cmt_path_id(ca, path) + 1);
		cmt_outstanding_add(ca, chunks[i]);
		if (chunks[i]->cmt.again == CMT_AGAIN_LOST)
			chunks[i]->cmt.due_us =
			    cmt_path_est_ack_due_us(&path->est, number, cmt_winfilter_min(&path->min_rtt));
	}
	if (ca->sched->on_sent != NULL)
		ca->sched->on_sent(ca->sched_state, &(struct cmt_sent){.now_us = cmt_seam_now_us(),
		                                                       .path_id = cmt_path_id(ca, path),
		                                                       .first_tsn = chunks[0]->rec.data.tsn,
		                                                       .chunks = packet.n,
		                                                       .bytes = packet.bytes,
		                                                       .retransmission = retransmission});
}

static void count_unscheduled(struct sctp_tcb *stcb, const struct sctp_nets *net,
                              struct sctp_tmit_chunk **chunks, int n, bool retransmission)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	struct cmt_trace_packet packet;
	struct cmt_path *path;

	if (ca == NULL || n == 0)
		return;
	cmt_asoc_sync_paths(ca);
	path = cmt_asoc_path(ca, net);
	if (path == NULL)
		return;
	packet = (struct cmt_trace_packet){.chunks = chunks,
	                                   .n = (uint32_t)n,
	                                   .bytes = sum_bytes(chunks, n),
	                                   .retransmission = retransmission,
	                                   .arrival_us = CMT_UNKNOWN_US};
	count_packet(ca, path, &packet);
	path->counts.retransmits += retransmission ? packet.n : 0;
	CMT_TRACE(SENT, cmt_trace_sent(ca, path, &packet));
}

void cmt_on_sent(struct sctp_tcb *stcb, struct sctp_nets *net, struct sctp_tmit_chunk **chunks, int n)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_path *path;

	if (ca == NULL || n == 0) {
		count_unscheduled(stcb, net, chunks, n, false);
		return;
	}
	cmt_needed_take(ca, chunks, n);
	ca->packet.ahead_tsns = cmt_index_sent(ca, chunks, n);
	if (ca->packet.ahead_tsns != 0)
		ca->counts.sent_ahead_units += (uint64_t)n;
	path = cmt_asoc_path(ca, net);
	if (path != NULL)
		note_packet(ca, path, chunks, n, false);
}

void cmt_on_resent(struct sctp_tcb *stcb, struct sctp_nets *net, struct sctp_tmit_chunk **chunks, int n)
{
	struct cmt_asoc *ca = cmt_asoc_scheduled(stcb);
	struct cmt_path *path = ca != NULL && n > 0 ? cmt_asoc_path(ca, net) : NULL;

	if (ca == NULL)
		count_unscheduled(stcb, net, chunks, n, true);
	else
		cmt_retransmit_begin(ca);
	if (path == NULL)
		return;
	for (int i = 0; i < n; i++) {
		chunks[i]->no_fr_allowed = 0;
		cmt_spurious_on_resent(ca, chunks[i]);
	}
	note_packet(ca, path, chunks, n, true);
}
