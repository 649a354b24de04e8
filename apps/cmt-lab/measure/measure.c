/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <usrsctp_cmt_trace.h>

#include "measure/packet.h"
#include "measure/recovery.h"
#include "scenario/ceiling.h"

/* One packet on its way through visit_data(). */
struct visit {
	struct lab_measure *m;
	int path;
	uint64_t new_bytes;
};

static uint64_t now_us(const struct lab_measure *m)
{
	return usrsctp_cmt_sim_now_us(m->sim);
}

static void write_state(struct lab_measure *m, uint64_t at_us)
{
	fprintf(m->trace, "%" PRIu64 ",%" PRIu64 ",%" PRId64 ",%" PRIu64, at_us - m->first_send_us,
	        m->read_bytes, m->buffer.level, m->sent_bytes - m->tsns.arrived_bytes);
	for (int p = 0; p < m->n_paths; p++) {
		fprintf(m->trace, ",%" PRIu64, m->paths[p].arrived_bytes);
	}
	fputc('\n', m->trace);
}

/* Before a change: writes the state that held since the last one, if that was not at this very moment. */
static void trace_state(struct lab_measure *m)
{
	if (m->trace == NULL || m->first_send_us == 0 || now_us(m) == m->traced_at_us) {
		return;
	}
	if (m->traced_at_us != 0) {
		write_state(m, m->traced_at_us);
	}
	m->traced_at_us = now_us(m);
}

static void change_buffer(struct lab_measure *m, int64_t change)
{
	trace_state(m);
	if (m->settled_buffer.from_us == 0 && now_us(m) >= m->first_send_us + m->warm_up_us) {
		lab_timed_level_start(&m->settled_buffer, now_us(m));
		lab_timed_level_add(&m->settled_buffer, now_us(m), m->buffer.level);
	}
	if (m->settled_buffer.from_us != 0) {
		lab_timed_level_add(&m->settled_buffer, now_us(m), change);
	}
	lab_timed_level_add(&m->buffer, now_us(m), change);
}

static void on_sent_chunk(void *arg, const struct lab_data_chunk *chunk)
{
	struct visit *v = arg;

	if (lab_tsn_tracker_sent(&v->m->tsns, chunk)) {
		v->m->paths[v->path].retransmits++;
	} else {
		v->m->sent_bytes += chunk->payload_bytes;
		lab_lag_sent(&v->m->lag, v->m->sent_bytes, now_us(v->m));
	}
}

static void on_lost_chunk(void *arg, const struct lab_data_chunk *chunk)
{
	struct visit *v = arg;

	lab_tsn_tracker_lost(&v->m->tsns, chunk);
}

static void on_arrived_chunk(void *arg, const struct lab_data_chunk *chunk)
{
	struct visit *v = arg;

	if (lab_tsn_tracker_arrived(&v->m->tsns, chunk)) {
		v->new_bytes += chunk->payload_bytes;
	}
}

/* What lab_packet_data() finds; of an encrypted packet what it found when that was sent. */
static unsigned visit_data(struct visit *v, const struct usrsctp_cmt_sim_packet *p,
                           void (*fn)(void *arg, const struct lab_data_chunk *chunk))
{
	return v->m->encrypted ? lab_opener_data(&v->m->opener, p->serial, fn, v)
	                       : lab_packet_data(p->packet, p->packet_bytes, fn, v);
}

static bool has_timestamp(const struct lab_measure *m, const struct usrsctp_cmt_sim_packet *p)
{
	return m->encrypted ? lab_opener_has_timestamp(&m->opener, p->serial)
	                    : lab_packet_has_timestamp(p->packet, p->packet_bytes);
}

static void on_delivered(struct visit *v, const struct usrsctp_cmt_sim_packet *p)
{
	struct lab_measure *m = v->m;

	trace_state(m);
	if (m->damaged_packets && !lab_packet_intact(p->packet, p->packet_bytes)) {
		visit_data(v, p, on_lost_chunk);
		return;
	}
	if (visit_data(v, p, on_arrived_chunk) == 0) {
		return;
	}
	if (v->new_bytes > 0) {
		change_buffer(m, (int64_t)v->new_bytes);
	}
	m->paths[p->path].arrived_bytes += v->new_bytes;
	m->paths[p->path].arrivals++;
	m->paths[p->path].delay_us_sum += p->at_us - m->flying[p->serial % LAB_FLYING_PKTS].sent_us;
}

static void on_sent(struct visit *v, const struct usrsctp_cmt_sim_packet *p)
{
	struct lab_measure *m = v->m;
	uint64_t sent_bytes;
	uint32_t tsn;

	trace_state(m);
	if (lab_packet_init_tsn(p->packet, p->packet_bytes, &tsn)) {
		lab_tsn_tracker_start(&m->tsns, tsn);
	}
	if (m->encrypted) {
		lab_opener_sent(&m->opener, p->serial, p->packet, p->packet_bytes);
	}
	sent_bytes = m->sent_bytes;
	if (visit_data(v, p, on_sent_chunk) > 0) {
		lab_outages_used(&m->paths[p->path].outages, p->at_us);
	}
	lab_pause_sent(&m->pause, p->path, p->wire_bytes, m->sent_bytes - sent_bytes, p->at_us);
	m->timestamps = m->timestamps || has_timestamp(m, p);
	m->paths[p->path].sent_pkts++;
	m->paths[p->path].sent_bytes += p->wire_bytes;
}

/* With the first packet after the warm-up: an event of its own could change the run. */
static void settle(struct lab_measure *m)
{
	if (m->settled || m->first_send_us == 0 || now_us(m) < m->first_send_us + m->warm_up_us) {
		return;
	}
	for (int p = 0; p < USRSCTP_CMT_SIM_MAX_PATHS; p++) {
		struct lab_measure_queue queue = lab_measure_queue(m, p, false);

		m->paths[p].settled_wait_us = queue.wait_us;
		m->paths[p].settled_pkts = queue.pkts;
	}
	m->settled = true;
}

/* Ports tell, when the packet is sent; later they may be damaged. */
static bool is_ours(struct lab_measure *m, const struct usrsctp_cmt_sim_packet *p)
{
	uint16_t from = p->direction == 0 ? LAB_SENDER_PORT : LAB_RECEIVER_PORT;
	uint16_t to = p->direction == 0 ? LAB_RECEIVER_PORT : LAB_SENDER_PORT;
	uint64_t slot = p->serial % LAB_FLYING_PKTS;

	if (p->event == USRSCTP_CMT_SIM_SENT && lab_packet_is_between(p->packet, p->packet_bytes, from, to)) {
		m->flying[slot].serial = p->serial;
		m->flying[slot].sent_us = p->at_us;
	}
	return m->flying[slot].serial == p->serial;
}

static void on_packet(struct usrsctp_cmt_sim *sim, const struct usrsctp_cmt_sim_packet *p, void *arg)
{
	struct visit v = {.m = arg, .path = p->path};
	bool ours;

	settle(v.m);
	ours = is_ours(v.m, p);
	if (p->direction == 0) {
		lab_packet_log_event(&v.m->packets, sim, p, v.m->via[p->path], ours);
	}
	if (!ours) {
		if (v.m->others != NULL) {
			v.m->others(p, v.m->others_arg);
		}
		return;
	}
	if (v.m->encrypted && p->event == USRSCTP_CMT_SIM_SENT) {
		const bool is_protected = lab_packet_dtls_bytes(p->packet, p->packet_bytes) > 0;

		v.m->protected_pkts += is_protected;
		v.m->clear_pkts += !is_protected;
	}
	v.m->paths[p->path].dropped_pkts[p->direction] += p->event == USRSCTP_CMT_SIM_DROPPED;
	if (p->direction != 0) {
		return;
	}
	switch (p->event) {
	case USRSCTP_CMT_SIM_SENT: on_sent(&v, p); break;
	case USRSCTP_CMT_SIM_DROPPED: visit_data(&v, p, on_lost_chunk); break;
	case USRSCTP_CMT_SIM_DELIVERED: on_delivered(&v, p); break;
	}
}

static void on_trace(const struct usrsctp_cmt_trace *event, void *arg)
{
	struct lab_measure *m = arg;
	int64_t error_us;
	bool settled = m->first_send_us != 0 && now_us(m) >= m->first_send_us + m->warm_up_us;

	if (!event->of.packet.numbered) {
		return;
	}
	if (event->type == USRSCTP_CMT_TRACE_SENT && event->local_port == LAB_SENDER_PORT) {
		const int64_t predicted_us = event->of.packet.arrival_us;

		lab_prediction_sent(&m->prediction, event->path_id, event->of.packet.number,
		                    settled && predicted_us != USRSCTP_CMT_TRACE_UNKNOWN_US
		                        ? predicted_us
		                        : LAB_PREDICTION_UNKNOWN);
	} else if (event->type == USRSCTP_CMT_TRACE_RECEIVED && event->local_port == LAB_RECEIVER_PORT) {
		error_us = lab_prediction_arrived(&m->prediction, event->path_id, event->of.packet.number,
		                                  (uint32_t)event->of.packet.arrival_us);
		if (error_us != LAB_PREDICTION_NO_ERROR) {
			lab_packet_log_prediction(&m->packets, error_us);
		}
	}
}

void lab_measure_start(struct lab_measure *m, struct usrsctp_cmt_sim *sim, const struct lab_run *run,
                       const struct lab_measure_files *files)
{
	const struct lab_scenario *s = &run->scenario;

	*m = (struct lab_measure){.sim = sim,
	                          .msg_bytes = s->msg_bytes,
	                          .n_paths = s->n_paths,
	                          .via = s->via,
	                          .trace = files->trace};
	lab_packet_log_start(&m->packets, files->packets);
	m->encrypted = s->encrypted;
	if (m->encrypted) {
		lab_opener_start(&m->opener, files->keys);
	}
	m->warm_up_us = s->warm_up_us;
	m->sending_us = s->duration_us;
	m->windows.width_us = LAB_WINDOW_US;
	m->slices.width_us = LAB_RECOVERY_SLICE_US;
	lab_player_start(&m->player,
	                 s->play_bps != 0 ? (double)s->play_bps : lab_ceiling_bps(s, run->only_path, true),
	                 s->play_buffer_us);
	m->flying = lab_grow(NULL, LAB_FLYING_PKTS, sizeof(*m->flying));
	memset(m->flying, 0, LAB_FLYING_PKTS * sizeof(*m->flying));
	for (int link = 0; link < LAB_MAX_LINKS; link++) {
		m->damaged_packets = m->damaged_packets || s->links[link][0].corrupt > 0;
	}
	for (int p = 0; p < s->n_paths; p++) {
		lab_outages_start(&m->paths[p].outages, s, p);
		lab_pause_path(&m->pause, lab_capacity_bps(s, p));
	}
	if (m->trace != NULL) {
		fprintf(m->trace, "time_us,delivered_bytes,rcvbuf_bytes,flight_bytes");
		for (int p = 0; p < m->n_paths; p++) {
			fprintf(m->trace, ",path_%d_bytes", p + 1);
		}
		fputc('\n', m->trace);
	}
	usrsctp_cmt_sim_tap(sim, on_packet, m);
	(void)usrsctp_cmt_trace_add(on_trace, m,
	                            USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_SENT) |
	                                USRSCTP_CMT_TRACE_MASK(USRSCTP_CMT_TRACE_RECEIVED));
}

void lab_measure_handed(struct lab_measure *m, uint64_t due_us, uint64_t len_bytes)
{
	if (m->n_handed == m->room_handed) {
		m->room_handed = m->room_handed == 0 ? 1024 : 2 * m->room_handed;
		m->handed_us = lab_grow(m->handed_us, m->room_handed, sizeof(*m->handed_us));
	}
	if (m->first_send_us == 0) {
		m->first_send_us = due_us;
		m->last_read_us = due_us;
		lab_timed_level_start(&m->buffer, due_us);
	}
	m->handed_us[m->n_handed++] = due_us;
	m->total_bytes += len_bytes;
}

void lab_measure_read(struct lab_measure *m, uint64_t len_bytes)
{
	uint64_t now = now_us(m);

	lab_player_read(&m->player, len_bytes, now - m->first_send_us);
	change_buffer(m, -(int64_t)len_bytes);
	m->read_bytes += len_bytes;
	if (lab_measure_is_in_time(m, now)) {
		m->in_time_bytes = m->read_bytes;
	}
	lab_lag_delivered(&m->lag, m->read_bytes, now, m->first_send_us + m->warm_up_us);
	lab_pause_delivered(&m->pause, m->read_bytes, now, m->first_send_us + m->warm_up_us);
	lab_windows_add(&m->windows, now - m->first_send_us, len_bytes);
	lab_windows_add(&m->slices, now - m->first_send_us, len_bytes);
	if (m->first_read_us == 0) {
		m->first_read_us = now;
	} else if (now - m->last_read_us > m->max_gap_us) {
		m->max_gap_us = now - m->last_read_us;
	}
	m->last_read_us = now;
	/* All messages but the last have the same length. */
	while (
	    m->n_messages_read < m->n_handed &&
	    (m->read_bytes >= (m->n_messages_read + 1) * m->msg_bytes || m->read_bytes == m->total_bytes)) {
		lab_samples_add(&m->latency_us, now - m->handed_us[m->n_messages_read++]);
	}
}

struct lab_measure_queue lab_measure_queue(const struct lab_measure *m, int path, bool settled)
{
	struct usrsctp_cmt_sim_link_stats s = {0};
	struct lab_measure_queue queue = {.pkts = 0};
	uint64_t dropped;

	if (usrsctp_cmt_sim_link_stats(m->sim, path, 0, &s) != 0) {
		return queue;
	}
	dropped = s.dropped_queue_pkts + s.dropped_loss_pkts + s.dropped_down_pkts + s.dropped_mtu_pkts +
	          s.dropped_bit_error_pkts + s.dropped_policer_pkts + s.dropped_aqm_pkts +
	          s.shared_dropped_pkts;
	queue.pkts = s.sent_pkts > dropped ? s.sent_pkts - dropped : 0;
	queue.wait_us = s.queue_wait_us_sum + s.shared_wait_us_sum;
	if (settled) {
		queue.pkts = m->settled ? queue.pkts - m->paths[path].settled_pkts : 0;
		queue.wait_us -= m->paths[path].settled_wait_us;
	}
	return queue;
}

void lab_measure_stop(struct lab_measure *m)
{
	trace_state(m);
	lab_timed_level_settle(&m->buffer, now_us(m));
	lab_player_end(&m->player);
	if (m->trace != NULL && m->first_send_us != 0) {
		write_state(m, now_us(m));
	}
	lab_packet_log_stop(&m->packets);
	usrsctp_cmt_sim_tap(m->sim, NULL, NULL);
	usrsctp_cmt_trace_remove(on_trace, m);
}

void lab_measure_free(struct lab_measure *m)
{
	free(m->handed_us);
	free(m->flying);
	if (m->encrypted) {
		lab_opener_stop(&m->opener);
	}
	lab_samples_free(&m->latency_us);
	lab_windows_free(&m->windows);
	lab_windows_free(&m->slices);
	lab_tsn_tracker_free(&m->tsns);
	lab_prediction_free(&m->prediction);
	lab_lag_free(&m->lag);
	lab_pause_free(&m->pause);
	for (int p = 0; p < m->n_paths; p++) {
		lab_outages_free(&m->paths[p].outages);
	}
}

bool lab_measure_is_in_time(const struct lab_measure *m, uint64_t at_us)
{
	return m->sending_us == 0 || at_us <= m->first_send_us + m->sending_us;
}

struct lab_span lab_measure_span(const struct lab_measure *m)
{
	const uint64_t end_us = m->first_send_us + m->sending_us;
	const bool drained = m->in_time_bytes == m->total_bytes;

	return (struct lab_span){.from_us = m->first_send_us,
	                         .until_us = m->sending_us == 0 || drained ? m->last_read_us : end_us};
}

double lab_measure_goodput_bps(const struct lab_measure *m)
{
	const struct lab_span span = lab_measure_span(m);

	return span.until_us <= span.from_us
	           ? 0
	           : (double)m->in_time_bytes * 8e6 / (double)(span.until_us - span.from_us);
}

uint64_t lab_measure_duration_us(const struct lab_measure *m)
{
	return m->first_read_us == 0 ? 0 : m->last_read_us - m->first_send_us;
}
