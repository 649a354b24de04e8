/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies on their way out (losses/cmt_copy.c says what they are): what a path may carry, and packets of it.
 */
#include "send/cmt_copy_send.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_hooks.h"
#include "cmt_sched.h"
#include "delay/cmt_rate.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_copy.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_paths.h"
#include "recovery/cmt_copies.h"
#include "sacks/cmt_sack_path.h"
#include "seams/cmt_seams.h"
#include "send/cmt_number.h"
#include "send/cmt_send.h"
#include "send/cmt_view.h"
#include "util/cmt_serial.h"
#include "watch/cmt_trace.h"

#include <netinet/sctp_auth.h>
#include <netinet/sctp_output.h>

enum { BUNDLE_MAX = 32 };

/* --- what may be copied --- */

static bool may_carry(const struct cmt_asoc *ca, const struct cmt_path *path,
                      const struct sctp_tmit_chunk *chk)
{
	return cmt_is_out(chk) && chk->data != NULL && chk->window_probe == 0 && chk->cmt.slot != 0 &&
	       chk->cmt.slot != cmt_path_id(ca, path) + 1 &&
	       (chk->cmt.copied & cmt_copy_bit(ca, path)) == 0 &&
	       (chk->flags & CHUNK_FLAGS_FRAGMENT_OK) == 0 &&
	       cmt_serial_ge(chk->rec.data.tsn, path->copy.from_tsn);
}

/* The lowest chunk that the path may carry a copy of. A path that keeps up has carried nearly all that is in
 * the queue, one that falls behind little of it: the walk starts at the nearer end. */
static struct sctp_tmit_chunk *lowest(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	struct sctp_tmit_chunk *chk = TAILQ_FIRST(&asoc->sent_queue), *last, *found = NULL;

	if (chk == NULL)
		return NULL;
	last = TAILQ_LAST(&asoc->sent_queue, sctpchunk_listhead);
	if (cmt_serial_diff(path->copy.from_tsn, chk->rec.data.tsn) <
	    cmt_serial_diff(last->rec.data.tsn, path->copy.from_tsn)) {
		while (chk != NULL && !may_carry(ca, path, chk))
			chk = TAILQ_NEXT(chk, sctp_next);
		return chk;
	}
	for (; last != NULL && cmt_serial_ge(last->rec.data.tsn, path->copy.from_tsn);
	     last = TAILQ_PREV(last, sctpchunk_listhead, sctp_next)) {
		if (may_carry(ca, path, last))
			found = last;
	}
	return found;
}

bool cmt_copy_possible(const struct cmt_asoc *ca)
{
	return ca->sched != NULL && ca->sched->copy != NULL && cmt_asoc_negotiated(ca);
}

bool cmt_copy_may_go(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	return cmt_copy_possible(ca) && (!ca->sched->copies_to_measure || cmt_rate_bps(&path->est.rate) == 0);
}

static bool may_go_anywhere(const struct cmt_asoc *ca)
{
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL && cmt_copy_may_go(ca, &ca->paths[i]))
			return true;
	}
	return false;
}

void cmt_copy_fill_view(const struct cmt_asoc *ca, const struct cmt_path *path, struct cmt_path_view *p)
{
	const struct sctp_tmit_chunk *chk = p->usable ? lowest(ca, path) : NULL;

	p->has_copy = chk != NULL;
	p->copy_tsn = chk != NULL ? chk->rec.data.tsn : 0;
}

/* --- sending --- */

/* A packet that is put together. */
struct bundle {
	struct sctp_tmit_chunk *chunks[BUNDLE_MAX];
	uint32_t n, bytes;
	struct mbuf *first, *last;
	struct sctp_auth_chunk *auth;
	uint32_t auth_offset;
};

static bool append(struct bundle *b, struct sctp_tmit_chunk *chk)
{
	struct mbuf *m = SCTP_M_COPYM(chk->data, 0, M_COPYALL, M_NOWAIT);

	if (m == NULL)
		return false;
	SCTP_BUF_NEXT(b->last) = m;
	while (SCTP_BUF_NEXT(m) != NULL)
		m = SCTP_BUF_NEXT(m);
	b->last = m;
	b->chunks[b->n++] = chk;
	b->bytes += chk->send_size;
	return true;
}

/* SACKs for copies come back where the copies went: the other path may be dead. Those that measure a path are
 * wanted soon, but for the last of its first window, which measures the return path. */
static uint16_t return_path(struct cmt_asoc *ca, struct cmt_path *path, uint32_t bytes)
{
	bool last = !path->est.echoed.known && cmt_flight_bytes(path) + bytes >= path->net->cwnd;

	return ca->sched->copies_to_measure && !last ? cmt_sack_path_soonest(ca) : path->wire_id;
}

/* The chunk and those behind it that the path may carry, as many as fit. False: none, nothing is allocated.
 */
static bool fill(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_tmit_chunk *chk, struct bundle *b)
{
	struct sctp_tcb *stcb = ca->stcb;
	unsigned int room = path->net->mtu - cmt_header_bytes(path->net);
	uint16_t key = chk->auth_keyid;

	cmt_reserve_stamp(stcb, path->net, chk, &room);
	if (cmt_auth_is_required_chunk(SCTP_CMT_DATA_TYPE(stcb), stcb->asoc.peer_auth_chunks)) {
		b->first = sctp_add_auth_chunk(NULL, &b->last, &b->auth, &b->auth_offset, stcb,
		                               SCTP_CMT_DATA_TYPE(stcb));
		room -= (unsigned int)sctp_get_auth_chunk_len(stcb->asoc.peer_hmac_id);
	}
	cmt_stamp_packet(ca, path, return_path(ca, path, chk->send_size), &b->first, &b->last);
	for (; ca->packet.stamped && chk != NULL && b->n < BUNDLE_MAX && may_carry(ca, path, chk) &&
	       chk->auth_keyid == key && b->bytes + chk->send_size <= room;
	     chk = TAILQ_NEXT(chk, sctp_next)) {
		if (!append(b, chk))
			break;
	}
	if (b->n == 0)
		sctp_m_freem(b->first);
	return b->n > 0;
}

static void note_copies(struct cmt_asoc *ca, struct cmt_path *path, const struct bundle *b)
{
	uint64_t now_us = cmt_seam_now_us();
	uint32_t number =
	    cmt_number_packet(ca, path,
	                      &(struct cmt_trace_packet){
	                          .chunks = b->chunks, .n = b->n, .bytes = b->bytes, .retransmission = true});

	for (uint32_t i = 0; i < b->n; i++) {
		struct sctp_tmit_chunk *chk = b->chunks[i];

		(void)cmt_copies_add(&path->copy.out, &(struct cmt_copy){.sent_us = now_us,
		                                                         .number = number,
		                                                         .tsn = chk->rec.data.tsn,
		                                                         .bytes = chk->send_size});
		chk->cmt.copied |= cmt_copy_bit(ca, path);
		path->copy.from_tsn = chk->rec.data.tsn + 1;
	}
	ca->counts.copies += b->n;
	ca->counts.planned_copies += b->n;
	(void)SCTP_GETTIME_TIMEVAL(&path->net->last_sent_time);
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, now_us + cmt_recovery_t3_us(ca, path->net), now_us);
	if (ca->sched->on_sent != NULL)
		ca->sched->on_sent(ca->sched_state,
		                   &(struct cmt_sent){.now_us = now_us,
		                                      .path_id = cmt_path_id(ca, path),
		                                      .first_tsn = b->chunks[0]->rec.data.tsn,
		                                      .chunks = b->n,
		                                      .bytes = b->bytes,
		                                      .copy = true});
}

/* One packet of copies, from `chk` on; false when it could not be sent. */
static bool send_copies(struct cmt_asoc *ca, struct cmt_path *path, struct sctp_tmit_chunk *chk)
{
	struct sctp_tcb *stcb = ca->stcb;
	struct sctp_nets *net = path->net;
	struct bundle b = {.n = 0};
	int error;

	if (!cmt_copy_reserve(path, BUNDLE_MAX) || !fill(ca, path, chk, &b))
		return false;
	cmt_pmtud_on_packet(stcb, net, (int)b.n, &b.first);
	error = ca->send_packet(stcb->sctp_ep, stcb, net, &net->ro._l_addr.sa, b.first, b.auth_offset, b.auth,
	                        chk->auth_keyid, 1, 0, 0, stcb->sctp_ep->sctp_lport, stcb->rport,
	                        htonl(stcb->asoc.peer_vtag), net->port, NULL, SCTP_SO_NOT_LOCKED);
	if (error == 0)
		note_copies(ca, path, &b);
	ca->packet.stamped = false;
	return error == 0;
}

static bool is_open(const struct cmt_asoc *ca)
{
	return SCTP_GET_STATE(ca->stcb) == SCTP_STATE_OPEN ||
	       SCTP_GET_STATE(ca->stcb) == SCTP_STATE_SHUTDOWN_RECEIVED;
}

void cmt_copy_output(struct cmt_asoc *ca)
{
	while (may_go_anywhere(ca) && ca->send_packet != NULL && is_open(ca) &&
	       !TAILQ_EMPTY(&ca->stcb->asoc.sent_queue)) {
		const struct cmt_view *view = cmt_view(ca);
		const struct cmt_decision d = ca->sched->copy(ca->sched_state, view);
		struct sctp_tmit_chunk *chk;

		ca->counts.decisions++;
		if (!cmt_sched_copy_legal(view, &d)) {
			ca->counts.illegal_decisions++;
			return;
		}
		if (d.verdict == CMT_WAIT) {
			for (unsigned i = 0; i < view->n_paths; i++) {
				if (view->paths[i].has_copy)
					cmt_wait_for_pacing(ca, &view->paths[i], view->now_us);
			}
			cmt_wake_at(ca, CMT_WAKE_OUTPUT, d.wake_us, view->now_us);
			return;
		}
		chk = lowest(ca, &ca->paths[d.path_id]);
		if (chk == NULL || !send_copies(ca, &ca->paths[d.path_id], chk))
			return;
	}
}
