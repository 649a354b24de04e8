/* SPDX-License-Identifier: BSD-3-Clause
 *
 * loop.h - the thread in which the stack runs, with its event loop: one for all elements of a process,
 * because the back ends of a process belong to one thread (docs/packets.md).
 *
 * It is there while somebody has it acquired, and takes no signals. Any thread but the loop's own. */
#ifndef CMT_GST_LOOP_H
#define CMT_GST_LOOP_H

#include <event2/event.h>
#include <glib.h>

/* FALSE without memory, threads or descriptors. */
gboolean cmt_loop_acquire(void);
void cmt_loop_release(void);

/* Calls `fn` in the loop's thread, and returns when it has returned. Acquired. */
typedef void cmt_loop_fn(struct event_base *base, gpointer arg);
void cmt_loop_call(cmt_loop_fn *fn, gpointer arg);

#endif
