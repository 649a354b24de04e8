/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One timer per association that asks for output again when a scheduler wanted to wait.
 *
 * The timer's callback runs without a lock while the association may go away in another thread. So the timer
 * lives in a block of its own that outlasts the association: whoever comes last, the callback or the end of
 * the association, frees it. The callback takes a reference before it waits for the association's lock, and
 * SCTP_CMT_CLOSING stops that before upstream counts references. */
#include "cmt_asoc.h"

#include <pthread.h>
#include <netinet/sctp_output.h>
#include <netinet/sctp_callout.h>

struct cmt_wake {
	sctp_os_timer_t timer;
	struct cmt_asoc *ca; /* NULL: the association is gone */
	uint64_t at_us;      /* when it is set to fire; CMT_NEVER_US = not set */
};

static pthread_mutex_t wake_lock = PTHREAD_MUTEX_INITIALIZER;

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
		sctp_chunk_output(stcb->sctp_ep, stcb, SCTP_OUTPUT_FROM_SOCKOPT, SCTP_SO_NOT_LOCKED);
	SCTP_TCB_UNLOCK(stcb);
}

void cmt_wake_at(struct cmt_asoc *ca, uint64_t at_us, uint64_t now_us)
{
	uint64_t wait_ms;

	if (ca->closing)
		return;
	if (ca->wake == NULL) {
		ca->wake = calloc(1, sizeof(*ca->wake));
		if (ca->wake == NULL)
			return;
		ca->wake->ca = ca;
		ca->wake->at_us = CMT_NEVER_US;
		sctp_os_timer_init(&ca->wake->timer);
	}
	pthread_mutex_lock(&wake_lock);
	/* A callback that has left the queue but waits for our lock is sooner still, and must stay the only
	 * one: cmt_wake_cancel() could not tell that it is under way if the timer were queued anew. */
	if (at_us < ca->wake->at_us &&
	    (ca->wake->at_us == CMT_NEVER_US || sctp_os_timer_stop(&ca->wake->timer) != 0)) {
		wait_ms = at_us > now_us ? (at_us - now_us + 999) / 1000 : 1;
		ca->wake->at_us = at_us;
		sctp_os_timer_start(&ca->wake->timer, (uint32_t)sctp_msecs_to_ticks((uint32_t)wait_ms), fire,
		                    ca->wake);
	}
	pthread_mutex_unlock(&wake_lock);
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
