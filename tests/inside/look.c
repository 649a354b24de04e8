/* SPDX-License-Identifier: BSD-3-Clause */
#include "look.h"

#include "association/cmt_asoc.h"
#include "association/cmt_life.h"
#include "losses/cmt_chunk.h"
#include "losses/cmt_outstanding.h"
#include "paths/cmt_paths.h"
#include "util/cmt_serial.h"

/* Valid for a bool, too. */
enum { PATTERN = 1 };

static struct sctp_tcb *association(struct socket *so)
{
	return LIST_FIRST(&((struct sctp_inpcb *)so->so_pcb)->sctp_asoc_list);
}

/* What refers to memory or to code is kept, and what the application chose. */
static void write_pattern(struct cmt_asoc *ca)
{
	struct cmt_asoc *kept = malloc(sizeof(*kept));

	memcpy(kept, ca, sizeof(*ca));
	memset(ca, PATTERN, sizeof(*ca));
	ca->stcb = kept->stcb;
	ca->config = kept->config;
	ca->counts = kept->counts;
	ca->trace_id = kept->trace_id;
	ca->sched = kept->sched;
	ca->sched_state = kept->sched_state;
	ca->saved.max_burst = kept->saved.max_burst;
	ca->saved.min_rto_ms = kept->saved.min_rto_ms;
	ca->wake = kept->wake;
	ca->held = kept->held;
	ca->n_slots = kept->n_slots;
	memcpy(ca->paths, kept->paths, sizeof(kept->paths));
	memcpy(&ca->index, &kept->index, sizeof(kept->index));
	memcpy(&ca->cc, &kept->cc, sizeof(kept->cc));
	ca->bottlenecks = kept->bottlenecks;
	ca->packet.selected = kept->packet.selected;
	ca->send_packet = kept->send_packet;
	ca->outstanding = kept->outstanding;
	ca->gaps = kept->gaps;
	memcpy(&ca->spurious, &kept->spurious, sizeof(kept->spurious));
	free(kept);
}

static struct look_difference compare(const void *one, const void *other, size_t bytes)
{
	const unsigned char *a = one, *b = other;
	struct look_difference d = {.bytes = 0};

	for (size_t i = 0; i < bytes; i++) {
		if (a[i] == b[i])
			continue;
		if (d.bytes++ == 0)
			d.first = i;
	}
	return d;
}

struct look_difference look_after_restart(struct socket *so)
{
	struct sctp_tcb *stcb = association(so);
	struct cmt_asoc *ca = stcb->asoc.cmt, *fresh;
	struct look_difference d, sched = {.bytes = 0};

	SCTP_TCB_LOCK(stcb);
	write_pattern(ca);
	cmt_on_restart(stcb);
	/* As they were before a scheduler came into force. */
	stcb->asoc.max_burst = ca->saved.max_burst;
	stcb->asoc.minrto = ca->saved.min_rto_ms;
	stcb->asoc.cmt = NULL;
	fresh = cmt_asoc_get(stcb);
	fresh->counts = ca->counts;
	fresh->trace_id = ca->trace_id;
	fresh->stamp_offset_us = ca->stamp_offset_us;
	if (ca->config.sched != NULL)
		sched = compare(ca->sched_state, fresh->sched_state, ca->config.sched->state_bytes);
	free(fresh->sched_state);
	fresh->sched_state = ca->sched_state;
	d = compare(ca, fresh, sizeof(*ca));
	free(fresh);
	stcb->asoc.cmt = ca;
	SCTP_TCB_UNLOCK(stcb);
	return d.bytes > 0 ? d : sched;
}

void look_make_all_backup(struct socket *so)
{
	struct sctp_tcb *stcb = association(so);
	struct sctp_nets *net;

	TAILQ_FOREACH(net, &stcb->asoc.nets, sctp_next)
	net->cmt_use = (struct cmt_use){.backup = true, .weight_pct = 50, .cost = 3, .cap_bps = 1000000};
}

bool look_all_are_backup(struct socket *so)
{
	struct cmt_asoc *ca = association(so)->asoc.cmt;
	unsigned n = 0;

	cmt_asoc_sync_paths(ca);
	for (unsigned i = 0; i < ca->n_slots; i++) {
		const struct cmt_path *path = &ca->paths[i];

		n += path->net != NULL && path->net->cmt_use.backup && path->pace.weight_pct == 50 &&
		     path->pace.cap_bps == 1000000;
	}
	return n > 0 && n == ca->n_slots;
}

static bool is_on_list(const struct cmt_asoc *ca, const struct cmt_path *path,
                       const struct sctp_tmit_chunk *chk)
{
	const struct sctp_tmit_chunk *at = cmt_outstanding_oldest(ca, path);

	while (at != NULL && at != chk)
		at = at->cmt.newer;
	return at == chk;
}

static bool is_in_sent_queue(const struct sctp_association *asoc, const struct sctp_tmit_chunk *chk)
{
	const struct sctp_tmit_chunk *at;

	TAILQ_FOREACH(at, &asoc->sent_queue, sctp_next)
	{
		if (at == chk)
			return true;
	}
	return false;
}

/* From the oldest to the newest and back. */
static bool list_is_ordered(const struct cmt_asoc *ca, const struct cmt_path *path)
{
	const struct sctp_tmit_chunk *at, *older = NULL;

	for (at = cmt_outstanding_oldest(ca, path); at != NULL; older = at, at = at->cmt.newer) {
		if (at->cmt.older != older || !is_in_sent_queue(&ca->stcb->asoc, at) ||
		    at->cmt.listed != cmt_path_id(ca, path) + 1)
			return false;
		if (older != NULL && cmt_serial_gt(older->cmt.path_packet_number, at->cmt.path_packet_number))
			return false;
	}
	return cmt_outstanding_newest(ca, path) == older;
}

struct look_outstanding look_outstanding(struct socket *so)
{
	struct cmt_asoc *ca = association(so)->asoc.cmt;
	struct look_outstanding l = {.is_listed = true, .is_ordered = true};
	const struct sctp_tmit_chunk *chk;

	/* There is none before the handshake is over. */
	if (ca == NULL)
		return l;
	TAILQ_FOREACH(chk, &ca->stcb->asoc.sent_queue, sctp_next)
	{
		const struct cmt_path *path = cmt_asoc_path_of_slot(ca, chk->cmt.slot);
		const struct sctp_tmit_chunk *next = TAILQ_NEXT(chk, sctp_next);

		l.is_ordered &= next == NULL || cmt_serial_gt(next->rec.data.tsn, chk->rec.data.tsn);
		if (path == NULL || !cmt_is_out(chk))
			continue;
		l.chunks++;
		l.is_listed &= is_on_list(ca, path, chk);
	}
	for (unsigned i = 0; i < ca->n_slots; i++)
		l.is_ordered &= ca->paths[i].net == NULL || list_is_ordered(ca, &ca->paths[i]);
	return l;
}

unsigned look_reordering_paths(struct socket *so)
{
	const struct cmt_asoc *ca = association(so)->asoc.cmt;
	unsigned n = 0;

	for (unsigned i = 0; i < ca->n_slots; i++)
		n += ca->paths[i].recovery.rack.reordering;
	return n;
}

static struct sctp_ifa *held;

void look_hold_address(struct socket *so)
{
	held = LIST_FIRST(&((struct sctp_inpcb *)so->so_pcb)->sctp_addr_list)->ifa;
	atomic_add_int(&held->refcount, 1);
}

unsigned look_others_that_hold(void)
{
	return held->refcount - 1;
}

void look_let_go(void)
{
	sctp_free_ifa(held);
}
