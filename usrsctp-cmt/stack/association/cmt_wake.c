/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One timer per association: for output when a scheduler wanted to wait, and for what recovery waits for.
 *
 * The timer's callback runs without a lock while the association may go away in another thread. So the timer
 * lives in a block of its own that outlasts the association: whoever comes last, the callback or the end of
 * the association, frees it. The callback takes a reference before it waits for the association's lock, and
 * SCTP_CMT_CLOSING stops that before upstream counts references. */
#include "association/cmt_wake.h"
#include "association/cmt_asoc.h"
#include "losses/cmt_recovery.h"
#include "paths/cmt_failover.h"
#include "paths/cmt_keep_alive.h"
#include "paths/cmt_silent.h"
#include "paths/cmt_paths.h"
#include "sacks/cmt_sack_hold.h"
#include "seams/cmt_seams.h"
#include "util/cmt_time.h"

#include <pthread.h>
#include <netinet/sctp_output.h>
#include <netinet/sctp_callout.h>

struct cmt_wake {
	sctp_os_timer_t timer;
	struct cmt_asoc *ca; /* NULL: the association is gone */
	uint64_t at_us;      /* when it is set to fire; CMT_NEVER_US = not set */
	uint64_t wanted_us[CMT_WAKE_KINDS];
};

static pthread_mutex_t wake_lock = PTHREAD_MUTEX_INITIALIZER;

/* Timers tick, so they fire up to a tick too soon. */
static bool take_due(struct cmt_wake *wake, enum cmt_wake_kind kind, uint64_t now_us)
{
	if (wake->wanted_us[kind] > now_us + CMT_TICK_US - 1)
		return false;
	wake->wanted_us[kind] = CMT_NEVER_US;
	return true;
}

static void set(struct cmt_wake *wake, uint64_t now_us);
static void fire(void *arg);

/* The association is locked and alive. */
static void serve(struct sctp_tcb *stcb)
{
	struct cmt_asoc *ca = stcb->asoc.cmt;
	uint64_t now_us = cmt_seam_now_us();
	bool output;

	if (ca == NULL || ca->wake == NULL)
		return;
	output = take_due(ca->wake, CMT_WAKE_OUTPUT, now_us);
	if (take_due(ca->wake, CMT_WAKE_RECOVERY, now_us) && ca->sched != NULL) {
		cmt_asoc_sync_paths(ca);
		output = cmt_recovery_on_timer(ca) || output;
	}
	if (take_due(ca->wake, CMT_WAKE_HEARTBEAT, now_us)) {
		output = (ca->sched != NULL && cmt_failover_on_timer(ca, now_us)) || output;
		output = cmt_keep_alive_on_timer(ca) || output;
		output = cmt_silent_on_timer(ca, now_us) || output;
	}
	if (take_due(ca->wake, CMT_WAKE_SACK, now_us))
		output = cmt_sack_release(ca) || output;
	if (output)
		sctp_chunk_output(stcb->sctp_ep, stcb, SCTP_OUTPUT_FROM_SOCKOPT, SCTP_SO_NOT_LOCKED);
	/* Output may end the association. */
	ca = stcb->asoc.cmt;
	if (ca != NULL && ca->wake != NULL && !ca->closing)
		set(ca->wake, now_us);
}

static void fire(void *arg)
{
	struct cmt_wake *wake = arg;
	struct sctp_tcb *stcb;

	pthread_mutex_lock(&wake_lock);
	if (wake->ca == NULL) {
		pthread_mutex_unlock(&wake_lock);
		free(wake);
		return;
	}
	wake->at_us = CMT_NEVER_US;
	stcb = wake->ca->stcb;
	atomic_add_int(&stcb->asoc.refcnt, 1);
	pthread_mutex_unlock(&wake_lock);
	SCTP_TCB_LOCK(stcb);
	atomic_subtract_int(&stcb->asoc.refcnt, 1);
	if ((stcb->asoc.state & SCTP_STATE_ABOUT_TO_BE_FREED) == 0 && stcb->sctp_ep != NULL)
		serve(stcb);
	SCTP_TCB_UNLOCK(stcb);
}

/* Sets the timer for the earliest of what is wanted, if it is not set for that or sooner. */
static void set(struct cmt_wake *wake, uint64_t now_us)
{
	uint64_t at_us = CMT_NEVER_US, wait_ms;

	for (unsigned kind = 0; kind < CMT_WAKE_KINDS; kind++)
		at_us = wake->wanted_us[kind] < at_us ? wake->wanted_us[kind] : at_us;
	pthread_mutex_lock(&wake_lock);
	/* A callback that has left the queue but waits for our lock is sooner still, and must stay the only
	 * one: cmt_wake_cancel() could not tell that it is under way if the timer were queued anew. */
	if (at_us < wake->at_us && (wake->at_us == CMT_NEVER_US || sctp_os_timer_stop(&wake->timer) != 0)) {
		wait_ms = at_us > now_us ? (at_us - now_us + CMT_TICK_US - 1) / CMT_TICK_US : 1;
		wake->at_us = at_us;
		sctp_os_timer_start(&wake->timer, (uint32_t)sctp_msecs_to_ticks((uint32_t)wait_ms), fire,
		                    wake);
	}
	pthread_mutex_unlock(&wake_lock);
}

static bool open_wake(struct cmt_asoc *ca)
{
	if (ca->wake != NULL)
		return true;
	ca->wake = calloc(1, sizeof(*ca->wake));
	if (ca->wake == NULL)
		return false;
	ca->wake->ca = ca;
	ca->wake->at_us = CMT_NEVER_US;
	for (unsigned kind = 0; kind < CMT_WAKE_KINDS; kind++)
		ca->wake->wanted_us[kind] = CMT_NEVER_US;
	sctp_os_timer_init(&ca->wake->timer);
	return true;
}

void cmt_wake_at(struct cmt_asoc *ca, enum cmt_wake_kind kind, uint64_t at_us, uint64_t now_us)
{
	if (ca->closing || at_us == CMT_NEVER_US || !open_wake(ca) || at_us >= ca->wake->wanted_us[kind])
		return;
	ca->wake->wanted_us[kind] = at_us;
	set(ca->wake, now_us);
}

void cmt_wake_output(struct cmt_asoc *ca)
{
	const uint64_t now_us = cmt_seam_now_us();

	cmt_wake_at(ca, CMT_WAKE_OUTPUT, now_us, now_us);
}

uint64_t cmt_wakes_at_us(const struct cmt_asoc *ca, enum cmt_wake_kind kind)
{
	return ca->wake != NULL && ca->wake->at_us != CMT_NEVER_US ? ca->wake->wanted_us[kind] : CMT_NEVER_US;
}

void cmt_wake_cancel(struct cmt_asoc *ca)
{
	struct cmt_wake *wake = ca->wake;

	if (wake == NULL)
		return;
	ca->wake = NULL;
	pthread_mutex_lock(&wake_lock);
	wake->ca = NULL;
	if (wake->at_us == CMT_NEVER_US || sctp_os_timer_stop(&wake->timer) != 0) {
		pthread_mutex_unlock(&wake_lock);
		free(wake);
		return;
	}
	pthread_mutex_unlock(&wake_lock);
}
