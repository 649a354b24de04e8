/* SPDX-License-Identifier: BSD-3-Clause
 *
 * sctp_callout.h - found before upstream's header of the same name: timers for the heap of
 * stack/seams/callout.c. Builds without SCTP_CMT see upstream's header, because they use upstream's timers.
 */
#ifndef SCTP_CMT
#include_next <netinet/sctp_callout.h>
#else
#ifndef CMT_SCTP_CALLOUT_H
#define CMT_SCTP_CALLOUT_H

#include <pthread.h>
#include <stdint.h>

#include "../../../core/util/cmt_timer_heap.h"

/* Makes upstream's sctp_pcb.c prepare the lock and the queue. */
#define _SCTP_NEEDS_CALLOUT_ 1

#define SCTP_TICKS_PER_FASTTIMO    20

/* Guards the queue, the tick count and the nodes. Recursive if the process wide mutex attribute says so;
 * never held while a callback runs. */
#define SCTP_TIMERQ_LOCK()         (void)pthread_mutex_lock(&SCTP_BASE_VAR(timer_mtx))
#define SCTP_TIMERQ_UNLOCK()       (void)pthread_mutex_unlock(&SCTP_BASE_VAR(timer_mtx))
#define SCTP_TIMERQ_LOCK_INIT()    (void)pthread_mutex_init(&SCTP_BASE_VAR(timer_mtx), &SCTP_BASE_VAR(mtx_attr))
#define SCTP_TIMERQ_LOCK_DESTROY() (void)pthread_mutex_destroy(&SCTP_BASE_VAR(timer_mtx))

/* The type of upstream's queue head. Upstream applies TAILQ_INIT to it when the stack starts, which stores
 * NULL in tqh_first: that empties the heap, whose first member shares its place. */
struct calloutlist {
	union {
		struct cmt_timer_heap heap;
		struct cmt_timer_node *tqh_first;
	};
	struct cmt_timer_node **tqh_last; /* written by TAILQ_INIT only */
};

/* States as in BSD's callout(9): PENDING while it waits in the queue, ACTIVE from its start until it is
 * stopped or the callback deactivates it. */
#define SCTP_CALLOUT_ACTIVE        0x0002
#define SCTP_CALLOUT_PENDING       0x0004

struct sctp_callout {
	struct cmt_timer_node node; /* first: a node's address is its timer's */
	void *c_arg;
	void (*c_func)(void *);
	_Atomic int c_flags; /* the macros below touch it without the lock */
};
typedef struct sctp_callout sctp_os_timer_t;

/* A tick is a millisecond. */
uint32_t sctp_get_tick_count(void);

/* Makes a timer that is neither active nor pending. */
void sctp_os_timer_init(sctp_os_timer_t *tmr);

/* Calls fn(arg) once, `to_ticks` from now (at least 1), from sctp_handle_tick(); replaces what a pending
 * timer was to do. 1 if it was pending, else 0; without timer or function nothing happens. */
int sctp_os_timer_start(sctp_os_timer_t *tmr, uint32_t to_ticks, void (*fn)(void *), void *arg);

/* 1 if it was pending, else 0: it ran, is running, or never started. */
int sctp_os_timer_stop(sctp_os_timer_t *tmr);

/* Until it is due; 0 when it is not pending. */
uint32_t sctp_os_timer_left_ticks(const sctp_os_timer_t *tmr);

/* Advances the clock and runs what is due, in order of expiry, then of start. Callbacks run without the lock
 * and may start, stop and free any timer, their own included. */
void sctp_handle_tick(uint32_t elapsed_ticks);

/* A thread that advances the clock with CLOCK_MONOTONIC. */
void sctp_start_timer_thread(void);
void sctp_stop_timer_thread(void);

/* See usrsctp_cmt.h, which cannot be included together with internal headers. */
int64_t usrsctp_cmt_next_timeout(void);

#define SCTP_OS_TIMER_INIT            sctp_os_timer_init
#define SCTP_OS_TIMER_START           sctp_os_timer_start
#define SCTP_OS_TIMER_STOP            sctp_os_timer_stop
#define SCTP_OS_TIMER_STOP_DRAIN      sctp_os_timer_stop
#define SCTP_OS_TIMER_PENDING(tmr)    ((tmr)->c_flags & SCTP_CALLOUT_PENDING)
#define SCTP_OS_TIMER_ACTIVE(tmr)     ((tmr)->c_flags & SCTP_CALLOUT_ACTIVE)
#define SCTP_OS_TIMER_DEACTIVATE(tmr) ((tmr)->c_flags &= ~SCTP_CALLOUT_ACTIVE)

#endif
#endif
