/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session.h - what both sides' main loops share: signals, status lines, the end. */
#ifndef LIVE_SESSION_H
#define LIVE_SESSION_H

#include <jansson.h>

#include "link.h"
#include "loop/loop_events.h"
#include "options.h"
#include "srt_pipe.h"

struct session {
	const struct live_options *options;
	struct link *link; /* NULL = not yet */
	struct event_base *base;
	struct app_signals signals;
	struct event *interval;
	void (*on_signal)(void *arg);
	/* A line about what has happened since the last one; JSON for --stats, which begins with
	 * {"role", "latency_ms", "connections"} and ends with "paths". */
	void (*status_line)(void *arg);
	void *arg;
	int status; /* exit */
	bool has_srt;
	struct srt_pipe_stats srt;
};

/* `on_signal`, `status_line` and `arg` are set. 0, or -1 without memory. */
int session_begin(struct session *s, const struct live_options *options, struct event_base *base);

/* `timer` fires in `us`; without memory the program ends. */
void session_wait(struct session *s, struct event *timer, uint64_t us);

/* It is over, the exit status is `status`: the loop ends, or the host is told. */
void session_end(struct session *s, int status);

/* Keeps what `pipe` has counted until now; NULL: nothing happens. */
void session_look_at_srt(struct session *s, struct srt_pipe *pipe);

/* For status lines, behind session_look_at_srt(): "  srt: no peer"; "" when there is none. Returns `out`. */
#define SESSION_SRT_BYTES 80
char *session_srt_text(const struct session *s, char out[SESSION_SRT_BYTES]);

/* What --stats json prints: `own` (taken over), and what the link tells. The caller's; NULL without memory.
 */
json_t *session_stats(const struct session *s, json_t *own, struct link *link);

/* Prints it; it is taken over. */
void session_print_stats(const struct session *s, json_t *stats);

void session_free(struct session *s);

#endif
