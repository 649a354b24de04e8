/* SPDX-License-Identifier: BSD-3-Clause
 *
 * runtime.h - the hidden thread with its loop, and the one lock of this library.
 *
 * What belongs to the stack (struct usrsctp_cmt_conn and the like) is touched by the loop's thread alone;
 * what both sides see, by whoever holds the lock. It is held for a moment only: never while the stack is
 * entered, memory is copied, or somebody waits for anything but a condition. */
#ifndef CMT_BLOCKING_RUNTIME_H
#define CMT_BLOCKING_RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <time.h>

struct event_base;

/* --- life: a user is a connection or a listener --- */

/* One user more; the first starts the thread. 0, or -errno with the reason. */
int blk_runtime_acquire(void);
/* The same by the loop's thread, which has a user already. The lock is held. */
void blk_runtime_retain(void);
/* One user less. By the loop's thread only while there is another. The last one, never the loop's thread,
 * ends the thread. */
void blk_runtime_release(void);

/* 0; or, in a process that was forked from that of the thread, -EOWNERDEAD with the reason. */
int blk_runtime_check(void);

/* For the loop's thread. */
struct event_base *blk_runtime_base(void);

/* --- the lock --- */

void blk_lock(void);
void blk_unlock(void);

struct blk_deadline {
	bool never;
	struct timespec at;
};

struct blk_deadline blk_deadline_in(int timeout_ms);
int blk_cond_init(pthread_cond_t *cond);
/* With the lock held; false when the deadline has passed. */
bool blk_wait(pthread_cond_t *cond, const struct blk_deadline *deadline);

/* --- work for the loop --- */

/* Runs `fn` in the loop's thread, without the lock, and returns when it has. Not for that thread itself. */
void blk_call(void (*fn)(void *arg), void *arg);

/* Something that the loop is to look after when it gets round to it. */
struct blk_work {
	TAILQ_ENTRY(blk_work) entry;
	bool is_queued;
	void (*fn)(struct blk_work *work); /* in the loop's thread, without the lock */
};

/* With the lock held. Work that is queued already is run once. */
void blk_work_add(struct blk_work *work);
void blk_work_cancel(struct blk_work *work);

#endif
