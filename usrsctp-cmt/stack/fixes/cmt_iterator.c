/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Upstream's iterator over endpoints and associations without its thread: work that waits runs from a timer,
 * one tick later, since whoever asks for it may hold locks that the work takes. */
#include <netinet/sctp_os.h>
#include <netinet/sctp_var.h>
#include <netinet/sctp_pcb.h>
#include <netinet/sctputil.h>
#include <netinet/sctp_bsd_addr.h>
#include <netinet/sctp_callout.h>

#include "cmt_hooks.h"

extern struct iterator_control sctp_it_ctl;

static int without_thread;
static sctp_os_timer_t work_timer;

static void run_work(void *arg)
{
	(void)arg;
	SCTP_IPI_ITERATOR_WQ_LOCK();
	sctp_iterator_worker();
	SCTP_IPI_ITERATOR_WQ_UNLOCK();
}

void cmt_iterator_startup(int start_threads)
{
	without_thread = !start_threads;
	sctp_it_ctl.iterator_flags = 0; /* usrsctp_finish() has told an earlier one to end */
	if (start_threads) {
		sctp_startup_iterator();
		return;
	}
	SCTP_ITERATOR_LOCK_INIT();
	SCTP_IPI_ITERATOR_WQ_INIT();
	TAILQ_INIT(&sctp_it_ctl.iteratorhead);
	sctp_os_timer_init(&work_timer);
}

int cmt_iterator_wakeup_without_thread(void)
{
	if (without_thread && (sctp_it_ctl.iterator_flags & SCTP_ITERATOR_MUST_EXIT) == 0)
		sctp_os_timer_start(&work_timer, 1, run_work, NULL);
	return without_thread;
}
