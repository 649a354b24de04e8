/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Redundant transmissions (the copy slot of cmt_sched.h): a chunk that is under way on one path goes out on
 * another one as well. A copy is no retransmission: nothing was lost, the chunk stays where it is, and the
 * peer's window is charged once, as the peer keeps one of them. It takes part in congestion control all the
 * same: it fills its path's window, its delivery opens that, and its loss is a loss.
 *
 * Upstream knows one transmission of a chunk, its own, on the path `whoTo`. All others are in the path's
 * cmt_copies. What a chunk's acknowledgement says belongs to the transmission that arrived:
 *  - before upstream takes in a SACK, the echo behind it tells which packets were heard. A copy of which that
 *    is true changes places with the chunk's own transmission, if that is not heard with it;
 *  - a packet that the echo names, or all up to it when as many were heard as were sent, and a chunk that the
 *    SACK calls a duplicate: that copy arrived too;
 *  - what packets of its path overtook is lost (core/recovery/cmt_rack.h), once an echo has passed it. The
 *    chunk is not retransmitted when another transmission will be there sooner;
 *  - what nothing was heard of for as long as T3 takes is lost. Two packets in a row: the path has failed.
 * What a probe overtook, as its acknowledgement says, is a copy from then on: it may be on its way still.
 * A SACK that is lost takes with it what it said about copies, which are then taken for lost. */
#include "losses/cmt_copy.h"
#include "association/cmt_asoc.h"
#include "association/cmt_wake.h"
#include "cmt_sched.h"
#include "delay/cmt_path_est.h"
#include "delay/cmt_sentlog.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_recovery.h"
#include "losses/cmt_spurious.h"
#include "paths/cmt_control.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_paths.h"
#include "recovery/cmt_copies.h"
#include "recovery/cmt_rack.h"
#include "recovery/cmt_resent.h"
#include "seams/cmt_seams.h"
#include "util/cmt_serial.h"
#include "util/cmt_time.h"
#include "util/cmt_winfilter.h"
#include "watch/cmt_trace.h"
#include "wire/cmt_wire.h"

enum { COPIES_START = 64, COPIES_MAX = 8192 };

static struct cmt_rack_packet packet_of(const struct cmt_copy *copy)
{
	return (struct cmt_rack_packet){
	    .sent_us = copy->sent_us, .number = copy->number, .times_sent = 1, .told_late = true};
}

bool cmt_copy_reserve(struct cmt_path *path, uint32_t n)
{
	struct cmt_copies *c = &path->copy.out;
	uint32_t capacity = c->capacity > 0 ? c->capacity : COPIES_START;
	struct cmt_copy *list, *old = c->list;

	while (capacity - c->count < n)
		capacity *= 2;
	if (capacity == c->capacity)
		return true;
	list = capacity <= COPIES_MAX ? calloc(capacity, sizeof(*list)) : NULL;
	if (list == NULL)
		return false;
	cmt_copies_move(c, list, capacity);
	free(old);
	return true;
}

/* --- which transmission is the chunk's own --- */

/* The copy becomes the chunk's own transmission. Requires that the chunk counts in no flight. */
static void make_own(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk, struct cmt_path *path,
                     const struct cmt_copy *copy)
{
	if (chk->do_rtt) {
		chk->do_rtt = 0;
		chk->whoTo->rto_needed = 1;
	}
	chk->whoTo->find_pseudo_cumack = 1;
	cmt_refer(&chk->whoTo, path->net);
	chk->whoTo->find_pseudo_cumack = 1;
	chk->cmt.path_packet_number = copy->number;
	chk->cmt.slot = (uint8_t)(cmt_path_id(ca, path) + 1);
	chk->sent_rcv_time.tv_sec = (time_t)(copy->sent_us / 1000000u);
	chk->sent_rcv_time.tv_usec = (suseconds_t)(copy->sent_us % 1000000u);
	cmt_put_in_flight(ca->stcb, chk);
}

/* Copy `i` of the path and the own transmission of its chunk, which is out, change places. */
static void change_places(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk, struct cmt_path *path, uint32_t i)
{
	struct cmt_path *own = cmt_asoc_path_of_slot(ca, chk->cmt.slot);
	struct cmt_copy copy = *cmt_copies_at(&path->copy.out, i);
	struct cmt_copy before = {.sent_us = cmt_sent_us(chk),
	                          .number = chk->cmt.path_packet_number,
	                          .tsn = chk->rec.data.tsn,
	                          .bytes = chk->send_size};

	cmt_copies_remove(&path->copy.out, i);
	sctp_flight_size_decrease(chk);
	make_own(ca, chk, path, &copy);
	if (own != NULL && cmt_copy_reserve(own, 1)) {
		(void)cmt_copies_add(&own->copy.out, &before);
		chk->cmt.copied |= cmt_copy_bit(ca, own);
	}
}

/* What an echo says about one path. */
struct news {
	bool any, all; /* there is some; all packets up to the newest were heard */
	uint32_t old, newest;
};

static bool is_news(const struct news *n, uint32_t number)
{
	return n->any && cmt_serial_gt(number, n->old) && cmt_serial_ge(n->newest, number);
}

static struct news read_news(const struct cmt_path *path, const struct cmt_echo_entry *entry)
{
	uint32_t old = cmt_path_est_heard_number(&path->est);

	if (entry->path_packet_number != path->heard_number || path->heard_number == old)
		return (struct news){.any = false};
	return (struct news){.any = true,
	                     .all = cmt_path_est_newly_heard(&path->est, entry->packets) >=
	                            path->heard_number - old,
	                     .old = old,
	                     .newest = path->heard_number};
}

/* Copy `i` of the path arrived, beside another transmission of its chunk. */
static void deliver(struct cmt_path *path, uint32_t i, uint64_t now_us)
{
	struct cmt_copy copy = *cmt_copies_at(&path->copy.out, i);
	struct cmt_rack_path timing = cmt_recovery_timing(path);
	struct cmt_rack_packet packet = packet_of(&copy);

	cmt_rack_on_delivered(&path->recovery.rack, &timing, &packet, now_us);
	path->counts.acked_bytes += copy.bytes;
	path->copy.acked_bytes += copy.bytes;
	cmt_copies_on_heard(&path->copy.out);
	cmt_copies_remove(&path->copy.out, i);
}

/* The chunk with this TSN; `*at`: where the search before, for a lower one, ended. */
static struct sctp_tmit_chunk *find(const struct cmt_asoc *ca, uint32_t tsn, struct sctp_tmit_chunk **at)
{
	if (*at == NULL || cmt_serial_gt((*at)->rec.data.tsn, tsn))
		*at = TAILQ_FIRST(&ca->stcb->asoc.sent_queue);
	while (*at != NULL && cmt_serial_gt(tsn, (*at)->rec.data.tsn))
		*at = TAILQ_NEXT(*at, sctp_next);
	return *at != NULL && (*at)->rec.data.tsn == tsn ? *at : NULL;
}

static void take_news(struct cmt_asoc *ca, struct cmt_path *path, const struct news *news, uint64_t now_us)
{
	const struct news *own = &news[cmt_path_id(ca, path)];
	struct sctp_tmit_chunk *at = NULL;

	for (uint32_t i = 0; own->any && i < path->copy.out.count;) {
		const struct cmt_copy *copy = cmt_copies_at(&path->copy.out, i);
		struct sctp_tmit_chunk *chk;

		if (cmt_serial_gt(copy->number, own->newest))
			return;
		chk = find(ca, copy->tsn, &at);
		if (is_news(own, copy->number) && chk != NULL && cmt_is_out(chk) && chk->cmt.slot != 0 &&
		    chk->rec.data.chunk_was_revoked == 0 &&
		    !is_news(&news[chk->cmt.slot - 1], chk->cmt.path_packet_number)) {
			change_places(ca, chk, path, i);
		} else if (copy->number == own->newest || (own->all && is_news(own, copy->number))) {
			/* The SACK that reports it was overtaken, or lost. */
			cmt_resent_expect_report(ca->spurious.resent, copy->tsn);
			deliver(path, i, now_us);
		} else {
			i++;
		}
	}
}

/* No acknowledgement comes sooner than the path's min RTT. */
static bool is_too_soon(const struct cmt_path *path, const struct cmt_copy *copy, uint64_t now_us)
{
	int64_t min_rtt_us = cmt_winfilter_min(&path->min_rtt);

	return min_rtt_us != CMT_UNKNOWN_US && (int64_t)(now_us - copy->sent_us) < min_rtt_us;
}

/* Whether a duplicate that the peer reports can be this copy. `news`: of its path, NULL = what arrived before
 * and was not said then, or without an echo. */
static bool may_be_duplicate(const struct cmt_path *path, const struct cmt_copy *copy,
                             const struct news *news, bool echoed, uint64_t now_us)
{
	if (news != NULL)
		return is_news(news, copy->number);
	return !is_too_soon(path, copy, now_us) &&
	       (!echoed || cmt_serial_ge(path->heard_number, copy->number));
}

/* `news`: of all paths, NULL as above. True when a copy's arrival explains the duplicate. */
static bool take_duplicate(struct cmt_asoc *ca, uint32_t tsn, const struct news *news, bool echoed,
                           uint64_t now_us)
{
	for (unsigned slot = 0; slot < ca->n_slots; slot++) {
		struct cmt_path *path = &ca->paths[slot];

		for (uint32_t i = 0; path->net != NULL && i < path->copy.out.count; i++) {
			const struct cmt_copy *copy = cmt_copies_at(&path->copy.out, i);

			if (copy->tsn != tsn ||
			    !may_be_duplicate(path, copy, news != NULL ? &news[slot] : NULL, echoed, now_us))
				continue;
			deliver(path, i, now_us);
			return true;
		}
	}
	return false;
}

unsigned cmt_copy_on_sack(struct cmt_asoc *ca, const struct cmt_echo *echo, uint32_t *duplicates, unsigned n)
{
	struct news news[CMT_SCHED_MAX_PATHS] = {{.any = false}};
	uint64_t now_us = cmt_seam_now_us();
	unsigned n_left = 0;

	for (uint32_t i = 0; echo != NULL && i < echo->n_entries; i++) {
		const struct cmt_path *path = cmt_asoc_path_by_wire_id(ca, echo->entries[i].path_id);

		if (path != NULL)
			news[cmt_path_id(ca, path)] = read_news(path, &echo->entries[i]);
	}
	/* First of all: once the echo has settled a copy, its duplicate would pass for another one's. */
	for (unsigned i = 0; i < n; i++) {
		if (!take_duplicate(ca, duplicates[i], news, echo != NULL, now_us) &&
		    !take_duplicate(ca, duplicates[i], NULL, echo != NULL, now_us))
			duplicates[n_left++] = duplicates[i];
	}
	for (unsigned i = 0; i < ca->n_slots; i++) {
		if (ca->paths[i].net != NULL)
			take_news(ca, &ca->paths[i], news, now_us);
	}
	return n_left;
}

/* --- losses --- */

/* When it counts as overtaken. Only an echo of a later packet tells whether a copy arrived: a SACK tells of
 * the chunks of later packets, and may come before. */
static uint64_t overtaken_us(const struct cmt_path *path, const struct cmt_rack_path *timing,
                             const struct cmt_copy *copy)
{
	struct cmt_rack_packet packet = packet_of(copy);

	return cmt_serial_gt(copy->number, cmt_path_est_heard_number(&path->est))
	           ? CMT_NEVER_US
	           : cmt_rack_deadline_us(&path->recovery.rack, timing, &packet);
}

/* When a retransmission would start to arrive, on the best path; all in receiver time. */
static int64_t retransmission_us(struct cmt_asoc *ca, uint64_t now_us)
{
	int64_t best_us = INT64_MAX;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];
		int64_t start_us = path->net != NULL && cmt_path_usable(ca, path->net)
		                       ? cmt_path_est_start_us(&path->est, now_us)
		                       : CMT_UNKNOWN_US;

		if (start_us != CMT_UNKNOWN_US)
			best_us = cmt_min_us(best_us, start_us);
	}
	return best_us;
}

/* Whether the copy is under way and will be there before a retransmission is. */
static bool is_in_time(struct cmt_asoc *ca, const struct cmt_path *path, const struct cmt_copy *copy,
                       uint64_t now_us)
{
	struct cmt_rack_path timing = cmt_recovery_timing(path);
	int64_t base_us = cmt_path_est_base_us(&path->est);

	return cmt_path_usable(ca, path->net) && overtaken_us(path, &timing, copy) > now_us &&
	       (base_us == CMT_UNKNOWN_US ||
	        (int64_t)copy->sent_us + base_us <= retransmission_us(ca, now_us));
}

bool cmt_copy_take_over(struct cmt_asoc *ca, struct sctp_tmit_chunk *chk)
{
	const struct cmt_resent_chunk lost = {.tsn = chk->rec.data.tsn,
	                                      .lost_number = chk->cmt.path_packet_number,
	                                      .lost_path = chk->cmt.slot,
	                                      .bytes = chk->send_size};
	uint64_t now_us = cmt_seam_now_us();

	for (unsigned i = 0; i < ca->n_slots && chk->cmt.copied != 0; i++) {
		struct cmt_path *path = &ca->paths[i];
		const struct cmt_copy *copy =
		    path->net != NULL ? cmt_copies_find(&path->copy.out, chk->rec.data.tsn) : NULL;
		struct cmt_copy taken;

		if (copy == NULL || i + 1u == chk->cmt.slot || !is_in_time(ca, path, copy, now_us))
			continue;
		taken = *copy;
		cmt_copies_remove(&path->copy.out, (uint32_t)(copy - cmt_copies_at(&path->copy.out, 0)));
		if (chk->sent == SCTP_DATAGRAM_RESEND) {
			cmt_unmark_for_resend(ca->stcb, chk);
			cmt_take_window(ca->stcb, chk);
		} else {
			sctp_flight_size_decrease(chk);
		}
		make_own(ca, chk, path, &taken);
		cmt_spurious_on_copied(ca, &lost);
		return true;
	}
	return false;
}

bool cmt_copy_of_probed(struct cmt_asoc *ca, struct cmt_path *path, const struct cmt_resent_chunk *before)
{
	const struct cmt_sent_record *record = cmt_sentlog_find(&path->est.log, before->lost_number);

	return cmt_asoc_negotiated(ca) && record != NULL && cmt_copy_reserve(path, 1) &&
	       cmt_copies_add(&path->copy.out, &(struct cmt_copy){.sent_us = record->sent_us,
	                                                          .number = before->lost_number,
	                                                          .tsn = before->tsn,
	                                                          .bytes = before->bytes});
}

/* Removes the copies that were overtaken, or that T3 would have found by now; when the next one may be. */
static uint64_t take_lost(struct cmt_asoc *ca, struct cmt_path *path, struct cmt_lost_copies *overtaken,
                          struct cmt_lost_copies *silent, uint64_t now_us)
{
	struct cmt_rack_path timing = cmt_recovery_timing(path);
	uint64_t next_us = CMT_NEVER_US;

	for (uint32_t i = 0; i < path->copy.out.count;) {
		struct cmt_copy copy = *cmt_copies_at(&path->copy.out, i);
		uint64_t silent_us = copy.sent_us + cmt_recovery_t3_us(ca, path->net);
		uint64_t deadline_us = overtaken_us(path, &timing, &copy);
		struct cmt_lost_copies *lost = deadline_us <= now_us ? overtaken : silent;

		if (deadline_us > now_us && silent_us > now_us) {
			next_us = min(next_us, min(deadline_us, silent_us));
			/* Newer ones are due later. */
			if (deadline_us == CMT_NEVER_US)
				break;
			i++;
			continue;
		}
		if (lost->chunks == 0)
			lost->oldest = copy.number;
		if (lost->chunks == 0 || lost->newest != copy.number)
			lost->pkts++;
		lost->newest = copy.number;
		lost->chunks++;
		lost->bytes += copy.bytes;
		CMT_TRACE(LOST, cmt_trace_chunk(ca, USRSCTP_CMT_TRACE_LOST, path, copy.tsn, copy.bytes,
		                                copy.number));
		cmt_copies_remove(&path->copy.out, i);
		cmt_spurious_on_copied(
		    ca, &(struct cmt_resent_chunk){.tsn = copy.tsn,
		                                   .lost_number = copy.number,
		                                   .lost_path = (uint8_t)(cmt_path_id(ca, path) + 1),
		                                   .bytes = copy.bytes});
	}
	return next_us;
}

static uint64_t settle_path(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	struct cmt_lost_copies overtaken = {.chunks = 0}, silent = {.chunks = 0};
	uint64_t next_us;

	if (path->copy.acked_bytes > 0) {
		cmt_rack_on_sack_end(&path->recovery.rack);
		cmt_cc_copies_acked(ca, path);
		CMT_TRACE(METRICS, cmt_trace_metrics(ca, path));
	}
	next_us = take_lost(ca, path, &overtaken, &silent, now_us);
	if (overtaken.chunks > 0)
		cmt_recovery_on_copies_lost(ca, path, &overtaken);
	if (silent.chunks > 0) {
		cmt_recovery_on_copies_lost(ca, path, &silent);
		if (cmt_copies_on_silent(&path->copy.out, silent.pkts))
			cmt_failover_fail(ca, path);
	}
	return next_us;
}

void cmt_copy_settle(struct cmt_asoc *ca, uint64_t now_us)
{
	uint64_t next_us = CMT_NEVER_US;
	bool any = false;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		struct cmt_path *path = &ca->paths[i];

		if (path->net == NULL || (path->copy.out.count == 0 && path->copy.acked_bytes == 0))
			continue;
		any = true;
		next_us = min(next_us, settle_path(ca, path, now_us));
	}
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, next_us, now_us);
	/* Room may have come about without anything that makes upstream look. */
	if (any && ca->sched != NULL && ca->sched->copy != NULL && !TAILQ_EMPTY(&ca->stcb->asoc.sent_queue))
		cmt_wake_at(ca, CMT_WAKE_OUTPUT, now_us, now_us);
}
