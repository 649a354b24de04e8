/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pipe_out.h - standard output that may be slow: a pipe whose reader takes its time must not stop the event
 * loop, or the association would die. */
#ifndef APP_PIPE_OUT_H
#define APP_PIPE_OUT_H

#include <stdbool.h>
#include <stddef.h>

struct event_base;
struct pipe_out;

/* Everything is written (`code` 0), or cannot be (an errno). */
typedef void pipe_out_cb(int code, void *arg);

/* NULL without memory. `fn` is called from the loop. */
struct pipe_out *pipe_out_new(struct event_base *base, int fd, pipe_out_cb *fn, void *arg);

/* Takes all of it. 0 = written, 1 = the rest is kept and `fn` will be called; until then nothing may be
 * written. -1 with errno. */
int pipe_out_write(struct pipe_out *out, const void *bytes, size_t len);

/* Drops what is kept. NULL: nothing happens. */
void pipe_out_free(struct pipe_out *out);

#endif
