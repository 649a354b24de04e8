/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Events of an association, put together and handed to callbacks and USDT probes. */
#include "watch/cmt_trace.h"
#include "association/cmt_asoc.h"
#include "delay/cmt_clock.h"
#include "delay/cmt_rate.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_source.h"
#include "paths/cmt_tuple.h"
#include "pmtud/cmt_plpmtu.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"

#include <errno.h>

#ifdef CMT_USDT
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
#define DEFINE_SEMAPHORE(name)                                                                               \
	volatile unsigned short CMT_TRACE_SEMAPHORE(name)                                                    \
	    __attribute__((section(".probes"), visibility("hidden"))) = 0;
DEFINE_SEMAPHORE(association_started)
DEFINE_SEMAPHORE(association_ended)
DEFINE_SEMAPHORE(path_state)
DEFINE_SEMAPHORE(packet_sent)
DEFINE_SEMAPHORE(packet_received)
DEFINE_SEMAPHORE(chunk_acked)
DEFINE_SEMAPHORE(chunk_lost)
DEFINE_SEMAPHORE(chunk_spurious)
DEFINE_SEMAPHORE(metrics)
DEFINE_SEMAPHORE(mtu)
#define PROBE(n, ...) STAP_PROBE##n(usrsctp_cmt, __VA_ARGS__)
#else
#define PROBE(n, ...) ((void)0)
#endif

/* The values of enum sctp_cmt_path_state, whose header cannot be included here. */
enum { STATE_UNCONFIRMED, STATE_ACTIVE, STATE_FAILED, STATE_STANDBY };

enum { CALLBACKS_MAX = 4, RANGES_MAX = 256 };

static struct {
	usrsctp_cmt_trace_fn *fn;
	void *arg;
	uint32_t mask;
} callbacks[CALLBACKS_MAX];

uint32_t cmt_trace_mask;

static _Atomic uint64_t associations;

static void renew_mask(void)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < CALLBACKS_MAX; i++)
		mask |= callbacks[i].mask;
	cmt_trace_mask = mask;
}

int usrsctp_cmt_trace_add(usrsctp_cmt_trace_fn *fn, void *arg, uint32_t mask)
{
	if (fn == NULL || (mask & USRSCTP_CMT_TRACE_ALL) == 0)
		return EINVAL;
	for (unsigned i = 0; i < CALLBACKS_MAX; i++) {
		if (callbacks[i].mask != 0)
			continue;
		callbacks[i].fn = fn;
		callbacks[i].arg = arg;
		callbacks[i].mask = mask & USRSCTP_CMT_TRACE_ALL;
		renew_mask();
		return 0;
	}
	return ENOSPC;
}

void usrsctp_cmt_trace_remove(usrsctp_cmt_trace_fn *fn, void *arg)
{
	for (unsigned i = 0; i < CALLBACKS_MAX; i++) {
		if (callbacks[i].fn == fn && callbacks[i].arg == arg)
			callbacks[i].mask = 0;
	}
	renew_mask();
}

static void call_back(const struct usrsctp_cmt_trace *event)
{
	for (unsigned i = 0; i < CALLBACKS_MAX; i++) {
		if ((callbacks[i].mask & USRSCTP_CMT_TRACE_MASK(event->type)) != 0)
			callbacks[i].fn(event, callbacks[i].arg);
	}
}

/* What all events of the association have. */
static struct usrsctp_cmt_trace event_of(const struct cmt_asoc *ca, enum usrsctp_cmt_trace_type type,
                                         uint16_t path_id)
{
	return (struct usrsctp_cmt_trace){.size = sizeof(struct usrsctp_cmt_trace),
	                                  .type = type,
	                                  .at_us = cmt_seam_now_us(),
	                                  .assoc = ca->trace_id,
	                                  .local_port = ntohs(ca->stcb->sctp_ep->sctp_lport),
	                                  .remote_port = ntohs(ca->stcb->rport),
	                                  .path_id = path_id};
}

static struct usrsctp_cmt_trace new_event(struct cmt_asoc *ca, enum usrsctp_cmt_trace_type type,
                                          uint16_t path_id)
{
	if (ca->trace_id == 0) {
		struct usrsctp_cmt_trace started;

		ca->trace_id = ++associations;
		started = event_of(ca, USRSCTP_CMT_TRACE_ASSOC_STARTED, 0);
		PROBE(3, association_started, started.assoc, started.local_port, started.remote_port);
		call_back(&started);
	}
	return event_of(ca, type, path_id);
}

void cmt_trace_ended(struct cmt_asoc *ca)
{
	struct usrsctp_cmt_trace e;

	if (ca->trace_id == 0)
		return;
	e = event_of(ca, USRSCTP_CMT_TRACE_ASSOC_ENDED, 0);
	PROBE(1, association_ended, e.assoc);
	call_back(&e);
}

/* TSNs of a packet's chunks, in their order; returns the number of runs. */
static size_t runs_of(const struct cmt_trace_packet *packet, struct usrsctp_cmt_trace_tsns runs[RANGES_MAX])
{
	size_t n = 0;

	for (uint32_t i = 0; i < packet->n; i++) {
		const uint32_t tsn = packet->chunks[i]->rec.data.tsn;

		if (n > 0 && tsn == runs[n - 1].last + 1)
			runs[n - 1].last = tsn;
		else if (n < RANGES_MAX)
			runs[n++] = (struct usrsctp_cmt_trace_tsns){.first = tsn, .last = tsn};
	}
	return n;
}

static int64_t stamp_or_unknown(int64_t arrival_us)
{
	return arrival_us == CMT_UNKNOWN_US ? USRSCTP_CMT_TRACE_UNKNOWN_US : (int64_t)(uint32_t)arrival_us;
}

void cmt_trace_sent(struct cmt_asoc *ca, const struct cmt_path *path, const struct cmt_trace_packet *packet)
{
	struct usrsctp_cmt_trace e = new_event(ca, USRSCTP_CMT_TRACE_SENT, path->wire_id);
	struct usrsctp_cmt_trace_tsns runs[RANGES_MAX];

	e.of.packet.numbered = packet->numbered;
	e.of.packet.number = packet->number;
	e.of.packet.retransmission = packet->retransmission;
	e.of.packet.chunks = packet->n;
	e.of.packet.bytes = packet->bytes;
	e.of.packet.ahead_tsns = packet->ahead_tsns;
	e.of.packet.tsns = runs;
	e.of.packet.n_tsns = runs_of(packet, runs);
	e.of.packet.arrival_us = stamp_or_unknown(packet->arrival_us);
	PROBE(7, packet_sent, e.assoc, e.path_id, packet->number, runs[0].first, packet->bytes,
	      packet->ahead_tsns, (uint8_t)packet->retransmission);
	call_back(&e);
}

void cmt_trace_received(struct cmt_asoc *ca, uint16_t path_id, uint32_t number, uint32_t arrival_us)
{
	struct usrsctp_cmt_trace e = new_event(ca, USRSCTP_CMT_TRACE_RECEIVED, path_id);

	e.of.packet.numbered = true;
	e.of.packet.number = number;
	e.of.packet.arrival_us = arrival_us;
	PROBE(3, packet_received, e.assoc, path_id, number);
	call_back(&e);
}

void cmt_trace_chunk(struct cmt_asoc *ca, enum usrsctp_cmt_trace_type type, const struct cmt_path *path,
                     uint32_t tsn, uint32_t bytes, uint32_t number)
{
	struct usrsctp_cmt_trace e = new_event(ca, type, path->wire_id);

	e.of.chunk.tsn = tsn;
	e.of.chunk.bytes = bytes;
	e.of.chunk.number = number;
	if (type == USRSCTP_CMT_TRACE_ACKED)
		PROBE(5, chunk_acked, e.assoc, e.path_id, tsn, bytes, number);
	else if (type == USRSCTP_CMT_TRACE_LOST)
		PROBE(5, chunk_lost, e.assoc, e.path_id, tsn, bytes, number);
	else
		PROBE(5, chunk_spurious, e.assoc, e.path_id, tsn, bytes, number);
	call_back(&e);
}

void cmt_trace_metrics(struct cmt_asoc *ca, const struct cmt_path *path)
{
	struct usrsctp_cmt_trace e = new_event(ca, USRSCTP_CMT_TRACE_METRICS, path->wire_id);
	const struct sctp_nets *net = path->net;
	int64_t uncertainty_us, offset_us = cmt_clock_offset_us(&ca->clock, &uncertainty_us);
	int64_t base_us = cmt_winfilter_min(&path->est.base), newest_us = path->est.newest_sample_us;

	e.of.metrics.cwnd_bytes = net->cwnd;
	e.of.metrics.ssthresh_bytes = net->ssthresh;
	e.of.metrics.flight_bytes = cmt_flight_bytes(path);
	e.of.metrics.srtt_us = cmt_srtt_us(net);
	e.of.metrics.rate_bps = cmt_rate_bps(&path->est.rate);
	e.of.metrics.fwd_delay_us = e.of.metrics.fwd_delay_base_us = USRSCTP_CMT_TRACE_UNKNOWN_US;
	if (offset_us != CMT_UNKNOWN_US && newest_us != CMT_UNKNOWN_US)
		e.of.metrics.fwd_delay_us = newest_us - offset_us;
	if (offset_us != CMT_UNKNOWN_US && base_us != CMT_UNKNOWN_US)
		e.of.metrics.fwd_delay_base_us = base_us - offset_us;
	e.of.metrics.loss_detected = (uint32_t)path->counts.lost_chunks;
	PROBE(8, metrics, e.assoc, e.path_id, e.of.metrics.cwnd_bytes, e.of.metrics.flight_bytes,
	      e.of.metrics.srtt_us, e.of.metrics.rate_bps, e.of.metrics.fwd_delay_us,
	      e.of.metrics.fwd_delay_base_us);
	call_back(&e);
}

void cmt_trace_mtu(struct cmt_asoc *ca, const struct cmt_path *path, uint32_t old_bytes)
{
	struct usrsctp_cmt_trace e = new_event(ca, USRSCTP_CMT_TRACE_MTU, path->wire_id);

	e.of.mtu.old_bytes = old_bytes;
	e.of.mtu.new_bytes = path->pmtud.plpmtu.plpmtu_bytes;
	e.of.mtu.done = path->pmtud.plpmtu.state == CMT_PLPMTU_COMPLETE;
	PROBE(4, mtu, e.assoc, e.path_id, e.of.mtu.old_bytes, e.of.mtu.new_bytes);
	call_back(&e);
}

static uint16_t state_of(struct cmt_asoc *ca, const struct sctp_nets *net)
{
	if (!cmt_tuple_is_confirmed(net))
		return STATE_UNCONFIRMED;
	if (!cmt_path_is_active(net))
		return STATE_FAILED;
	return cmt_path_usable(ca, net) ? STATE_ACTIVE : STATE_STANDBY;
}

/* What was told of a path that has moved is no state: it is told anew. */
enum { TOLD_OF_ELSEWHERE = UINT16_MAX };

void cmt_trace_path_moved(struct cmt_asoc *ca, const struct sctp_nets *net)
{
	struct cmt_path *path = cmt_asoc_path(ca, net);

	if (path == NULL || path->traced_state == 0)
		return;
	path->traced_state = TOLD_OF_ELSEWHERE;
	cmt_trace_path(ca, path, false);
}

void cmt_trace_path(struct cmt_asoc *ca, struct cmt_path *path, bool gone)
{
	const uint16_t state =
	    gone || path->net == NULL ? USRSCTP_CMT_TRACE_PATH_GONE : state_of(ca, path->net);
	struct usrsctp_cmt_trace e;
	struct cmt_ends ends;

	/* What was never told of needs no end. */
	if (path->traced_state == state + 1 || (gone && path->traced_state == 0))
		return;
	path->traced_state = (uint16_t)(state + 1);
	e = new_event(ca, USRSCTP_CMT_TRACE_PATH, path->wire_id);
	e.of.path.state = state;
	if (!gone && path->net != NULL) {
		ends = cmt_source_ends(ca, path);
		e.of.path.remote = &ends.remote.sa;
		e.of.path.local = ends.local.sa.sa_family != 0 ? &ends.local.sa : NULL;
	}
	PROBE(3, path_state, e.assoc, e.path_id, state);
	call_back(&e);
}
