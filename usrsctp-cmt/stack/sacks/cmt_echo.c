/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The two chunks on their way in and out (docs/wire-format.md): as a receiver, note the time stamps heard and
 * echo them behind SACKs; as a sender, take the echoes as measurements. Peer input: every field is checked,
 * nothing is trusted. */
#include "sacks/cmt_echo.h"
#include "association/cmt_asoc.h"
#include "association/cmt_life.h"
#include "cmt_hooks.h"
#include "delay/cmt_clock.h"
#include "delay/cmt_heard.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_return_delay.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_copy.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_control.h"
#include "paths/cmt_paths.h"
#include "paths/cmt_pmtud.h"
#include "paths/cmt_silent.h"
#include "sacks/cmt_sack_path.h"
#include "sacks/cmt_tracked.h"
#include "seams/cmt_seams.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_hint.h"
#include "watch/cmt_trace.h"
#include "wire/cmt_wire.h"

#include <netinet/sctp_output.h>

uint32_t cmt_asoc_stamp(const struct cmt_asoc *ca, uint64_t now_us)
{
	uint16_t port = ntohs(ca->stcb->sctp_ep->sctp_lport);

	return (uint32_t)cmt_seam_stamp_us(port, now_us) + ca->stamp_offset_us;
}

static void on_timestamp(struct cmt_asoc *ca, const struct cmt_timestamp *ts, struct sctp_nets *from)
{
	uint64_t at_us = cmt_seam_arrival_us();

	cmt_silent_on_data(ca, from, at_us);
	if (!cmt_heard_on_timestamp(&ca->heard, ts, from != NULL ? from->cmt_slot : 0, at_us))
		return;
	CMT_TRACE(RECEIVED,
	          cmt_trace_received(ca, ts->path_id, ts->path_packet_number, cmt_asoc_stamp(ca, at_us)));
}

/* What was learnt about the clocks changes what was learnt in receiver time. */
static void follow_clock(struct cmt_asoc *ca, const struct cmt_clock_reading *reading, uint64_t now_us)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL)
			continue;
		switch (reading->news) {
		case CMT_CLOCK_STEADY: break;
		case CMT_CLOCK_STEPPED:
			cmt_path_est_clock_step(&path->est);
			cmt_control_forget_path(ca, path);
			cmt_hint_clock_step(path);
			cmt_return_delay_init(&path->back);
			break;
		case CMT_CLOCK_TILTED:
			cmt_path_est_tilt(&path->est, now_us, reading->tilt_ppb);
			cmt_return_delay_tilt(&path->back, now_us, -reading->tilt_ppb);
			break;
		}
	}
}

static void on_longer_route(struct cmt_asoc *ca, struct cmt_path *path, int64_t longer_us, int64_t rtt_us)
{
	cmt_winfilter_raise(&path->min_rtt, longer_us);
	cmt_srtt_restart(path->net, rtt_us);
	if (ca->sched != NULL)
		cmt_control_on_longer_route(ca, path, rtt_us);
}

/* One measurement of one path. */
static void on_echo_entry(struct cmt_asoc *ca, const struct cmt_echo_entry *entry, uint32_t tr_us,
                          struct cmt_path *back, uint64_t now_us)
{
	struct cmt_path *path = cmt_asoc_path_by_wire_id(ca, entry->path_id);
	struct cmt_clock_reading reading;
	uint64_t sent_us;
	int64_t rtt_us, longer_us;
	uint32_t heard;
	bool behind_loss;

	if (path == NULL) {
		ca->counts.samples_of_no_path++;
		return;
	}
	if (!cmt_path_est_accepts(&path->est, entry->path_packet_number, entry->ts_us, entry->elapsed_us,
	                          cmt_asoc_stamp(ca, now_us)))
		return;
	sent_us = cmt_sentlog_find(&path->est.log, entry->path_packet_number)->sent_us;
	reading = cmt_clock_on_echo(
	    &ca->clock, &(struct cmt_clock_echo){.sent_us = sent_us,
	                                         .now_us = now_us,
	                                         .tr_us = tr_us,
	                                         .elapsed_us = entry->elapsed_us,
	                                         .return_path_id = back != NULL ? back->wire_id : 0});
	follow_clock(ca, &reading, now_us);
	rtt_us = (int64_t)(now_us - sent_us) - entry->elapsed_us;
	cmt_winfilter_add(&path->min_rtt, now_us, rtt_us);
	if (back != NULL)
		cmt_return_delay_add(&back->back, now_us, (int64_t)now_us - reading.built_us);
	heard = cmt_path_est_newly_heard(&path->est, entry->packets);
	behind_loss = cmt_path_est_is_behind_loss(&path->est, entry->path_packet_number, entry->packets);
	longer_us = cmt_path_est_on_echo(&path->est, now_us, entry->path_packet_number, reading.arrival_us,
	                                 entry->packets);
	cmt_hint_on_echo(path, now_us, entry->path_packet_number, reading.arrival_us, heard);
	if (longer_us > 0)
		on_longer_route(ca, path, longer_us, rtt_us);
	cmt_pmtud_on_echo(ca, path, entry->path_packet_number, entry->packets);
	if (ca->sched != NULL) {
		cmt_control_on_echo(ca, path, sent_us, behind_loss, now_us);
		cmt_spurious_on_echo(ca, path, entry->path_packet_number);
	}
	ca->replan = true;
}

static void on_echo(struct cmt_asoc *ca, const struct cmt_echo *echo, struct sctp_nets *from)
{
	uint64_t now_us = cmt_seam_now_us();

	for (uint32_t i = 0; i < echo->n_entries; i++)
		on_echo_entry(ca, &echo->entries[i], echo->tr_us, cmt_asoc_path(ca, from), now_us);
	cmt_tracked_on_told(ca, echo->tsn_scale);
	if (ca->sched != NULL) {
		cmt_spurious_judge(ca, cmt_clock_receiver_us(&ca->clock, echo->tr_us));
		cmt_copy_settle(ca, now_us);
	}
}

void cmt_on_chunk(struct sctp_tcb *stcb, struct sctp_nets **netp, struct sctp_chunkhdr *ch, struct mbuf *m,
                  int offset, unsigned int len)
{
	uint8_t buffer[CMT_ECHO_MAX_BYTES];
	unsigned int readable = min(len, (unsigned int)sizeof(buffer));
	struct cmt_asoc *ca;
	const uint8_t *bytes;
	struct cmt_timestamp ts;
	struct cmt_echo echo;

	if (stcb == NULL || (ch->chunk_type != CHUNK_TIMESTAMP && ch->chunk_type != CHUNK_ECHO))
		return;
	ca = cmt_asoc_get(stcb);
	if (ca == NULL || !cmt_asoc_negotiated(ca))
		return;
	bytes = (const uint8_t *)sctp_m_getptr(m, offset, (int)readable, buffer);
	cmt_asoc_sync_paths(ca);
	if (bytes != NULL && ch->chunk_type == CHUNK_TIMESTAMP &&
	    cmt_timestamp_decode(bytes, readable, &ts) == 0)
		on_timestamp(ca, &ts, netp != NULL ? *netp : NULL);
	else if (bytes != NULL && ch->chunk_type == CHUNK_ECHO &&
	         cmt_echo_decode(bytes, readable, &echo) == 0)
		on_echo(ca, &echo, netp != NULL ? *netp : NULL);
	else
		ca->counts.malformed_chunks++;
}

/* What gap ack blocks leave free of a SACK. Without echoes the sender would plan blindly, and the disorder
 * that makes the blocks many would stay. */
unsigned int cmt_echo_room(const struct sctp_tcb *stcb)
{
	const struct cmt_asoc *ca = stcb->asoc.cmt;

	return ca != NULL && cmt_asoc_is_stamped(ca) ? CMT_ECHO_MAX_BYTES : 0;
}

void cmt_on_sack_built(struct sctp_tcb *stcb, struct sctp_tmit_chunk *sack)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	uint64_t now_us = cmt_seam_now_us(), echo_us;
	struct cmt_echo echo = {.n_entries = 0};
	struct mbuf *m, *last;
	uint32_t bytes;

	if (ca == NULL || !cmt_asoc_is_stamped(ca))
		return;
	cmt_asoc_sync_paths(ca);
	cmt_sack_path_follow(ca, sack, now_us);
	echo_us = cmt_heard_echo_us(&ca->heard, now_us);
	for (unsigned i = 0; i < CMT_ECHO_MAX_ENTRIES; i++) {
		const struct cmt_heard_path *h = &ca->heard.paths[i];

		if (h->fresh)
			echo.entries[echo.n_entries++] = (struct cmt_echo_entry){
			    .path_id = h->path_id,
			    .packets = h->packets,
			    .ts_us = h->ts_us,
			    .elapsed_us = cmt_asoc_stamp(ca, echo_us) - cmt_asoc_stamp(ca, h->arrival_us),
			    .path_packet_number = h->path_packet_number};
	}
	bytes = CMT_ECHO_FIXED_BYTES + echo.n_entries * CMT_ECHO_ENTRY_BYTES;
	ca->own_sack.held = false;
	ca->own_sack.bytes = sack->send_size + bytes + SCTP_MIN_OVERHEAD;
	cmt_pmtud_on_control(ca, ca->own_sack.bytes);
	if (ca->own_sack.bytes > sack->whoTo->mtu)
		return;
	m = sctp_get_mbuf_for_msg(bytes, 0, M_NOWAIT, 1, MT_DATA);
	if (m == NULL)
		return;
	echo.tr_us = cmt_asoc_stamp(ca, echo_us);
	echo.tsn_scale = cmt_tracked_tell(ca);
	SCTP_BUF_LEN(m) = (int)cmt_echo_encode(&echo, mtod(m, uint8_t *));
	for (last = sack->data; SCTP_BUF_NEXT(last) != NULL; last = SCTP_BUF_NEXT(last))
		;
	SCTP_BUF_NEXT(last) = m;
	sack->send_size = (uint16_t)(sack->send_size + bytes);
	cmt_heard_on_echoed(&ca->heard, echo_us);
}
