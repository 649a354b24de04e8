/* SPDX-License-Identifier: BSD-3-Clause */
#include "session_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <event2/event.h>

#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/assoc_state.h"

#define READS_PER_CALLBACK 64 /* then others have their turn */

static void enter_list(struct session *s)
{
	s->next = s->env->sessions;
	if (s->next != NULL) {
		s->next->previous = s;
	}
	s->env->sessions = s;
}

static void on_hello(struct session *s, const struct transfer_message *m)
{
	const struct transfer_message welcome = {
	    .type = TRANSFER_WELCOME, .has = TRANSFER_F_VERSION, .version = TRANSFER_VERSION};
	char peer[APP_ENCRYPTION_TEXT_BYTES];

	if (s->env->once && s->env->transfers > 0) {
		session_refuse(s, "this receiver accepts only one transfer (--once) and already has one");
		return;
	}
	s->env->transfers++;
	s->began = true;
	s->state = SESSION_RUNNING;
	s->resume = m->resume;
	s->total_bytes = (m->has & TRANSFER_F_BYTES) != 0 ? m->bytes : -1;
	s->msg_bytes = (uint32_t)m->msg_bytes;
	if (strlen(m->scheduler) < sizeof(s->peer_scheduler)) {
		app_printable(m->scheduler, s->peer_scheduler, sizeof(s->peer_scheduler));
	}
	session_send(s, &welcome);
	if (s->encryption.encrypted) {
		session_say(s, app_encryption_text(&s->encryption, peer));
	}
}

/* The answer takes the acknowledgement of the sender's last message along, which would be delayed otherwise,
 * and the end of the association with it. */
static void on_bye(struct session *s)
{
	const struct transfer_message bye = {.type = TRANSFER_BYE};

	if (s->offers != NULL || s->settling != NULL) {
		session_refuse(s, "the sender said bye with files still in transfer");
		return;
	}
	session_report(s);
	s->reported = true;
	s->state = SESSION_FINISHED;
	session_send(s, &bye);
}

static void on_error(struct session *s, const char *text)
{
	char told[TRANSFER_TEXT_MAX_BYTES + 20];

	snprintf(told, sizeof(told), "the sender says: %s", text);
	session_note_error(s, told);
	s->state = SESSION_OVER;
}

static void on_message(struct session *s, const struct transfer_message *m)
{
	char reason[100];

	if ((m->type == TRANSFER_HELLO) != (s->state == SESSION_GREETING) && m->type != TRANSFER_ERROR) {
		session_refuse(s, s->state == SESSION_GREETING ? "the first message must be hello"
		                                               : "only the first message may be hello");
		return;
	}
	if (s->state == SESSION_FINISHED) {
		session_refuse(s, "a message came after bye");
		return;
	}
	switch (m->type) {
	case TRANSFER_HELLO: on_hello(s, m); break;
	case TRANSFER_FOLDER:
	case TRANSFER_FILE:
	case TRANSFER_START:
	case TRANSFER_SKIP:
	case TRANSFER_END:
	case TRANSFER_CANCEL: session_on_file_message(s, m); break;
	case TRANSFER_BUSY: break;
	case TRANSFER_BYE: on_bye(s); break;
	case TRANSFER_ERROR: on_error(s, m->text); break;
	case TRANSFER_WELCOME:
	case TRANSFER_ANSWER:
	case TRANSFER_DONE:
	case TRANSFER_TYPES:
		snprintf(reason, sizeof(reason), "\"%s\" is not a message for a receiver",
		         transfer_type_name(m->type));
		session_refuse(s, reason);
		break;
	}
}

/* 0 = nothing left to read. */
static int read_one(struct session *s)
{
	struct transfer_message m;
	struct control_data data;
	struct app_error error;

	switch (control_read(&s->in, s->conn, &m, &data, &error)) {
	case CONTROL_NOTHING: return 0;
	case CONTROL_MESSAGE: on_message(s, &m); break;
	case CONTROL_DATA: session_on_data(s, &data); break;
	case CONTROL_WRONG: session_refuse(s, error.text); break;
	}
	s->heard_us = app_wall_clock_us();
	return 1;
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct session *s = arg;

	(void)conn;
	for (int i = 0; i < READS_PER_CALLBACK; i++) {
		if (s->state == SESSION_OVER || session_is_blocked(s) || read_one(s) == 0) {
			break;
		}
	}
	session_settle(s);
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct session *s = arg;

	if (app_outbox_flush(&s->out, conn) == 0) {
		session_update_reading(s);
	} else if (errno != EAGAIN) {
		session_note_error(s, "the connection was lost");
		s->state = SESSION_OVER;
	}
	session_settle(s);
}

/* The sender is gone without a bye, unless it had said that. */
static void on_gone(struct session *s, int code)
{
	const char *const known = usrsctp_cmt_conn_reason(s->conn);
	const char *const reason = known != NULL ? known : code != 0 ? strerror(code) : "";
	char text[400];

	if (s->state != SESSION_FINISHED && (s->began || s->error != NULL)) {
		snprintf(text, sizeof(text), "the connection was lost%s%s; what arrived is kept",
		         reason[0] != '\0' ? ": " : "", reason);
		session_note_error(s, text);
	}
	s->state = SESSION_OVER;
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct session *s = arg;

	switch (event->type) {
	case USRSCTP_CMT_CONN_PEER_CLOSED:
		if (s->state == SESSION_FINISHED && usrsctp_cmt_conn_shutdown(conn) == 0) {
			break;
		}
		on_gone(s, 0);
		break;
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST: on_gone(s, event->error); break;
	case USRSCTP_CMT_CONN_UP:
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
	session_settle(s);
}

static void on_pipe(int code, void *arg)
{
	struct session *s = arg;
	char text[100];

	s->waiting = false;
	session_update_reading(s);
	if (code != 0) {
		snprintf(text, sizeof(text), "cannot write to standard output: %s", strerror(code));
		session_refuse(s, text);
	}
	session_settle(s);
}

void session_accept(struct session_env *env, struct usrsctp_cmt_conn *conn)
{
	struct session *s = calloc(1, sizeof(*s));
	struct pipe_out *pipe = NULL;

	if (s != NULL && env->store == NULL) {
		pipe = pipe_out_new(env->base, STDOUT_FILENO, on_pipe, s);
	}
	if (s == NULL || (env->store == NULL && pipe == NULL)) {
		free(s);
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	*s = (struct session){.env = env, .conn = conn, .total_bytes = -1, .heard_us = app_wall_clock_us()};
	s->incoming = (struct incoming){.store = env->store, .pipe = pipe, .fd = -1};
	app_assoc_peer_text(usrsctp_cmt_conn_socket(conn), s->peer, sizeof(s->peer));
	app_encryption_read(conn, &s->encryption);
	enter_list(s);
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, s);
	monitor_add(env->monitor, conn, NULL);
}

static void say_line(const char *text, void *arg)
{
	session_say(arg, text);
}

static void say_state(struct session *s)
{
	app_assoc_state_say(usrsctp_cmt_conn_socket(s->conn), say_line, s);
}

void sessions_say_state(const struct session_env *env)
{
	for (struct session *s = env->sessions; s != NULL; s = s->next) {
		say_state(s);
	}
}

static void tick(struct session *s, uint64_t now_us)
{
	const struct transfer_message busy = {.type = TRANSFER_BUSY};
	char text[120];

	if (s->parked != NULL) {
		session_look_at_parked(s, now_us);
	}
	if (session_is_busy(s) || s->parked != NULL) {
		s->heard_us = now_us;
		if (s->out.first == NULL) {
			session_send(s, &busy);
		}
	} else if (now_us - s->heard_us > s->env->timeout_us) {
		snprintf(text, sizeof(text), "nothing heard for %llu s; what arrived is kept",
		         (unsigned long long)(s->env->timeout_us / 1000000));
		say_state(s);
		session_refuse(s, text);
	}
	session_settle(s);
}

void sessions_tick(struct session_env *env, uint64_t now_us)
{
	for (struct session *s = env->sessions, *next; s != NULL; s = next) {
		next = s->next;
		tick(s, now_us);
	}
}

void sessions_abort(struct session_env *env, const char *reason)
{
	for (struct session *s = env->sessions, *next; s != NULL; s = next) {
		next = s->next;
		session_refuse(s, reason);
		session_settle(s);
	}
}

bool sessions_progress(const struct session_env *env, struct session_progress *out)
{
	const struct session *only = env->sessions;

	if (only == NULL || only->next != NULL || only->state != SESSION_RUNNING) {
		return false;
	}
	*out =
	    (struct session_progress){.done_bytes = only->bytes + only->settled_bytes,
	                              .total_bytes = only->total_bytes > 0 ? (uint64_t)only->total_bytes : 0,
	                              .total_known = only->total_bytes >= 0,
	                              .waits = !session_is_blocked(only) && only->settling == NULL,
	                              .conn = only->conn};
	return true;
}
