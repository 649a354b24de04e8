/* SPDX-License-Identifier: BSD-3-Clause
 *
 * session.h - one sender's transfer, from its first message to its end (docs/transfer-protocol.md).
 *
 * An idle session takes a few hundred bytes. */
#ifndef RECV_SESSION_H
#define RECV_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include <usrsctp_cmt_event.h>

#include "names.h"
#include "report.h"
#include "store.h"

struct session;
struct commits;
struct event_base;
struct monitor;

/* What all sessions share; outlives them. */
struct session_env {
	struct event_base *base;
	struct monitor *monitor; /* NULL = none */
	struct store *store;     /* NULL: to standard output */
	struct commits *commits; /* of `store` */
	struct names names;
	const char *single_name; /* -o: the one file's name; NULL = the sender's names */
	bool once, quiet, stats_json;
	FILE *stats_out;
	uint64_t timeout_us;
	unsigned transfers; /* begun: hello was accepted */
	const char *scheduler;
	uint32_t sndbuf_bytes, rcvbuf_bytes;
	struct session *sessions; /* all, newest first */
	/* Something the user should know; not with `quiet`. */
	void (*say)(const char *text, void *arg);
	/* A transfer that had begun has ended; `ok`: with everything in its place. */
	void (*ended)(bool ok, void *arg);
	void *arg;
};

/* Adds a session for `conn`, which it owns from here on. Without memory `conn` is dropped. */
void session_accept(struct session_env *env, struct usrsctp_cmt_conn *conn);

/* A few times a second: ends those that heard nothing for too long. */
void sessions_tick(struct session_env *env, uint64_t now_us);

/* Says of each what it waits for: queues, windows, paths. */
void sessions_say_state(const struct session_env *env);

/* Ends all for `reason` and keeps what arrived. */
void sessions_abort(struct session_env *env, const char *reason);

struct session_progress {
	uint64_t done_bytes, total_bytes;
	bool total_known;
	bool waits; /* for the sender's data: this side has room for them */
	struct usrsctp_cmt_conn *conn;
};

/* Of the session with a transfer in progress; false when none or several have one. */
bool sessions_progress(const struct session_env *env, struct session_progress *out);

#endif
