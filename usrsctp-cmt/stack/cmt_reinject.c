/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies of what holds up everything else (opportunistic retransmission: Raiciu et al., "How Hard Can It
 * Be?", NSDI 2012, section 4.2). A scheduler sends ahead because it knows when packets arrive. When one is
 * much later than that, because its path became slow, it blocks the receive window, and the other paths idle:
 * they carry copies of what is out on the late path. That costs nothing that could be used otherwise, and is
 * no loss. */
#include "cmt_asoc.h"
#include "cmt_hooks.h"

enum { LATE_MIN_US = 10000, LATE_JITTERS = 4 };

/* The chunk that everything above waits for, if something does. */
static struct sctp_tmit_chunk *blocking(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;
	struct sctp_tmit_chunk *head = TAILQ_FIRST(&asoc->sent_queue);

	if (head == NULL || !cmt_is_out(head) || head->cmt.again == CMT_AGAIN_COPY || head->cmt.copied != 0 ||
	    !cmt_recovery_may_send_again(ca, head) ||
	    (asoc->saw_sack_with_frags == 0 && asoc->saw_sack_with_nr_frags == 0))
		return NULL;
	return head;
}

/* The loop of the best other path: what a copy takes. */
static int64_t copy_takes_us(struct cmt_asoc *ca, const struct cmt_path *late)
{
	int64_t best_us = INT64_MAX;

	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];
		int64_t loop_us;

		if (path->net == NULL || path == late || !cmt_path_usable(ca, path->net))
			continue;
		loop_us = cmt_winfilter_min(&path->loop);
		if (loop_us != CMT_UNKNOWN_US)
			best_us = cmt_min_us(best_us, loop_us);
	}
	return best_us;
}

/* What is copied is out on its path no more, so T3 does not find out that the path delivers nothing at all: a
 * path that was silent for as long as T3 takes has failed. */
static bool fell_silent(const struct cmt_path *path, uint64_t now_us)
{
	return path->copied_at_us != 0 && now_us - path->copied_at_us > (uint64_t)path->net->RTO * 1000;
}

static void note_copy(struct cmt_asoc *ca, struct cmt_path *path, uint64_t now_us)
{
	if (path->copied_at_us == 0)
		path->copied_at_us = now_us;
	else if (fell_silent(path, now_us))
		cmt_failover_fail(ca, path);
}

/* From when on the blocking chunk is so late that it will likely be later than a copy: as long again as it is
 * late. CMT_NEVER_US: nothing blocks, or no other path would help. */
static uint64_t late_at_us(struct cmt_asoc *ca, const struct sctp_tmit_chunk *head)
{
	const struct cmt_path *path = head != NULL ? cmt_asoc_path_of_slot(ca, head->cmt.slot) : NULL;
	int64_t slack_us;

	if (path == NULL || head->cmt.due_us == 0)
		return CMT_NEVER_US;
	slack_us = copy_takes_us(ca, path);
	if (slack_us == INT64_MAX)
		return CMT_NEVER_US;
	slack_us =
	    cmt_max_us(cmt_max_us(slack_us, LATE_MIN_US), LATE_JITTERS * cmt_path_est_jitter_us(&path->est));
	return head->cmt.due_us + (uint64_t)slack_us;
}

static bool window_is_closed(const struct cmt_asoc *ca)
{
	const struct sctp_association *asoc = &ca->stcb->asoc;

	return asoc->peers_rwnd < asoc->smallest_mtu &&
	       (asoc->stream_queue_cnt > 0 || !TAILQ_EMPTY(&asoc->send_queue));
}

void cmt_reinject_watch(struct cmt_asoc *ca, uint64_t now_us)
{
	cmt_wake_at(ca, CMT_WAKE_RECOVERY, late_at_us(ca, blocking(ca)), now_us);
}

bool cmt_reinject_on_timer(struct cmt_asoc *ca, uint64_t now_us)
{
	struct sctp_tmit_chunk *head = blocking(ca), *chk;
	uint8_t slot = head != NULL ? head->cmt.slot : 0;
	uint64_t late_us = late_at_us(ca, head);
	bool any = false;

	if (late_us > now_us || !window_is_closed(ca)) {
		if (late_us != CMT_NEVER_US)
			cmt_wake_at(ca, CMT_WAKE_RECOVERY, late_us > now_us ? late_us : now_us + LATE_MIN_US,
			            now_us);
		return false;
	}
	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		if (cmt_serial_gt(chk->rec.data.tsn, ca->highest_tsn))
			break;
		if (!cmt_is_out(chk) || chk->cmt.slot != slot || chk->cmt.again == CMT_AGAIN_COPY ||
		    chk->cmt.copied != 0 || !cmt_recovery_may_send_again(ca, chk) ||
		    !cmt_recovery_send_again(ca, chk))
			continue;
		chk->cmt.again = CMT_AGAIN_COPY;
		cmt_resent_settle(ca->resent, chk->rec.data.tsn);
		ca->copies++;
		any = true;
	}
	if (any)
		note_copy(ca, cmt_asoc_path_of_slot(ca, slot), now_us);
	return any;
}
