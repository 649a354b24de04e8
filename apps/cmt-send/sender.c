/* SPDX-License-Identifier: BSD-3-Clause */
#include "sender_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/assoc_state.h"
#include "net/connect_error.h"

#define TICK_US            250000u /* the shortest timeout of the other side is a second */
#define CONNECT_TIMEOUT_US 30000000u
#define TELL_OF_WAITING_US 1000000u
#define LEAVE_US           5000000u /* the receiver has heard the bye: no reason to wait longer */

static void greet(struct sender *s)
{
	const struct entries *e = s->config.entries;
	struct transfer_message hello = {.type = TRANSFER_HELLO,
	                                 .has = TRANSFER_F_VERSION | TRANSFER_F_FILES | TRANSFER_F_RESUME |
	                                        TRANSFER_F_MSG_BYTES | TRANSFER_F_SCHEDULER,
	                                 .version = TRANSFER_VERSION,
	                                 .files = (int64_t)e->files,
	                                 .bytes = (int64_t)e->bytes,
	                                 .msg_bytes = s->config.msg_bytes,
	                                 .resume = s->config.resume};

	if (e->bytes_known) {
		hello.has |= TRANSFER_F_BYTES;
	}
	snprintf(hello.scheduler, sizeof(hello.scheduler), "%s", s->config.conn->scheduler);
	s->state = SENDER_GREETING;
	s->progress_us = app_wall_clock_us();
	sender_send(s, &hello);
}

void sender_go(struct sender *s)
{
	if (s->state == SENDER_HELD) {
		greet(s);
	}
}

static void on_message(struct sender *s, const struct transfer_message *m)
{
	struct app_error error;

	if (m->type == TRANSFER_ERROR) {
		app_error_set(&error, "the receiver says: %s", m->text);
		sender_note_error(s, error.text);
		sender_end(s);
	} else if (m->type == TRANSFER_WELCOME && s->state == SENDER_GREETING) {
		s->state = SENDER_RUNNING;
	} else if (m->type == TRANSFER_ANSWER && s->state == SENDER_RUNNING) {
		sender_on_answer(s, m);
	} else if (m->type == TRANSFER_DONE && s->state == SENDER_RUNNING) {
		sender_on_done(s, m);
	} else if (m->type != TRANSFER_BUSY && !(m->type == TRANSFER_BYE && s->state == SENDER_LEAVING)) {
		app_error_set(&error, "the receiver sent \"%s\" at the wrong time",
		              transfer_type_name(m->type));
		sender_fail(s, error.text);
	}
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct sender *s = arg;
	struct transfer_message m;
	struct control_data data;
	struct app_error error;
	bool more = true;

	(void)conn;
	while (more && s->state != SENDER_OVER) {
		s->progress_us = app_wall_clock_us();
		switch (control_read(&s->in, s->conn, &m, &data, &error)) {
		case CONTROL_NOTHING: more = false; break;
		case CONTROL_MESSAGE: on_message(s, &m); break;
		case CONTROL_DATA: sender_fail(s, "the receiver sent data"); break;
		case CONTROL_WRONG: sender_fail(s, error.text); break;
		}
	}
	sender_pump(s);
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)conn;
	sender_pump(arg);
}

/* What refuses us says so in two packets on any paths: the second, which ends the association, may come
 * first. */
static const char *reason_of(const struct sender *s)
{
	const char *const reason = s->conn != NULL ? usrsctp_cmt_conn_reason(s->conn) : NULL;

	return reason == NULL && s->state == SENDER_GREETING && s->config.conn->keys != NULL
	           ? "the receiver ended the connection at once; it says there whether it refuses this sender"
	           : reason;
}

static int cannot_connect(const struct sender *s, int code, struct app_error *error)
{
	const bool raw = usrsctp_cmt_event_udp_port(s->config.ev) == 0;
	const struct app_connect_attempt attempt = {.peer = s->config.peer,
	                                            .udp_port = raw ? 0 : s->config.conn->peer_udp_port,
	                                            .server = "cmt-recv",
	                                            .in_the_clear = s->config.conn->keys == NULL,
	                                            .reason = reason_of(s)};

	return app_connect_error(&attempt, code, error);
}

static void fail_connect(struct sender *s, int code)
{
	struct app_error error;

	cannot_connect(s, code, &error);
	sender_fail(s, error.text);
}

static void on_up(struct sender *s)
{
	s->state = SENDER_HELD;
	app_encryption_read(s->conn, &s->report.encryption);
	if (s->config.connected != NULL) {
		s->config.connected(s, s->config.arg);
	}
	if (!s->config.hold) {
		sender_go(s);
	}
}

/* A receiver that refuses us says so when we have already taken it: for the user no connection came about. */
static void on_lost(struct sender *s, int code)
{
	if (s->state == SENDER_LEAVING) {
		sender_end(s);
	} else if (s->state == SENDER_GREETING && reason_of(s) != NULL) {
		fail_connect(s, code);
	} else {
		sender_fail_lost(s, code);
	}
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct sender *s = arg;

	(void)conn;
	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: on_up(s); break;
	case USRSCTP_CMT_CONN_FAILED: fail_connect(s, event->error); break;
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_LOST:
	case USRSCTP_CMT_CONN_PEER_CLOSED: on_lost(s, event->error); break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

void sender_say_state(const struct sender *s)
{
	if (s->conn != NULL) {
		app_assoc_state_say(usrsctp_cmt_conn_socket(s->conn), s->config.say, s->config.arg);
	}
}

/* A receiver that has to compare what it has, or to find out whether an earlier sender of that file still
 * lives, lets one wait. */
static void tell_of_waiting(struct sender *s, uint64_t now_us)
{
	struct app_error text;

	if (!sender_awaits_answer(s)) {
		s->asked_us = 0;
	} else if (s->asked_us == 0) {
		s->asked_us = now_us;
	} else if (now_us - s->asked_us >= TELL_OF_WAITING_US && !s->told_of_waiting) {
		s->told_of_waiting = true;
		app_error_set(&text,
		              "%.300s: waiting for the receiver, which is comparing its copy or still holds "
		              "an earlier transfer of this file",
		              s->config.entries->list[s->turn].name);
		sender_note(s, text.text);
	}
}

/* The receiver waits for us, and should know that we are alive. */
static bool is_own_turn(const struct sender *s)
{
	return s->job != NULL || (s->readable != NULL && usrsctp_cmt_conn_queued(s->conn) == 0);
}

/* How long the receiver may be silent. An end before it has heard the bye would be an error there, even
 * though it has everything. */
static uint64_t patience_us(const struct sender *s)
{
	const bool heard_bye = s->state == SENDER_LEAVING && usrsctp_cmt_conn_queued(s->conn) == 0;

	return heard_bye && s->config.timeout_us > LEAVE_US ? LEAVE_US : s->config.timeout_us;
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	const struct transfer_message busy = {.type = TRANSFER_BUSY};
	struct sender *s = arg;
	uint64_t now_us = app_wall_clock_us(), acked_bytes;
	struct app_error error;

	(void)fd;
	(void)what;
	if (s->state == SENDER_CONNECTING || s->state == SENDER_HELD) {
		return;
	}
	monitor_watch_look(&s->watch, usrsctp_cmt_conn_socket(s->conn), false, now_us);
	tell_of_waiting(s, now_us);
	acked_bytes = s->written_bytes - usrsctp_cmt_conn_queued(s->conn);
	if (s->state == SENDER_RUNNING && is_own_turn(s)) {
		s->progress_us = now_us;
		if (s->out.first == NULL) {
			sender_send(s, &busy);
		}
		return;
	}
	if (acked_bytes != s->acked_bytes) {
		s->acked_bytes = acked_bytes;
		s->progress_us = now_us;
	}
	if (now_us - s->progress_us <= patience_us(s)) {
		return;
	}
	if (s->state == SENDER_LEAVING) {
		sender_end(s);
	} else {
		app_error_set(
		    &error,
		    "the receiver has been silent for %llu s; send again with --resume to continue, "
		    "or allow longer with --timeout",
		    (unsigned long long)(s->config.timeout_us / 1000000));
		sender_say_state(s);
		sender_fail(s, error.text);
	}
}

static int start(struct sender *s, struct app_error *error)
{
	struct usrsctp_cmt_conn_config conn = *s->config.conn;
	uint64_t connect_us =
	    s->config.timeout_us < CONNECT_TIMEOUT_US ? s->config.timeout_us : CONNECT_TIMEOUT_US;

	s->standings = calloc(s->config.entries->n + 1, sizeof(*s->standings));
	s->tick = app_tick_new(s->config.base, TICK_US, on_tick, s);
	if (s->standings == NULL || s->tick == NULL) {
		return app_error_set(error, "no memory");
	}
	conn.connect_timeout_ms = (uint32_t)(connect_us / 1000);
	s->conn = usrsctp_cmt_conn_connect(s->config.ev, s->config.peer->list, s->config.peer->n, &conn);
	if (s->conn == NULL) {
		return cannot_connect(s, errno, error);
	}
	usrsctp_cmt_conn_setcb(s->conn, on_readable, on_writable, on_event, s);
	monitor_add(s->config.monitor, s->conn,
	            s->config.entries->n > 0 ? s->config.entries->list[0].name : NULL);
	return 0;
}

struct sender *sender_new(const struct sender_config *config, struct app_error *error)
{
	struct sender *s = calloc(1, sizeof(*s));

	if (s == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	*s = (struct sender){.config = *config, .source = {.fd = -1}};
	s->report = (struct transfer_report){.scheduler = config->conn->scheduler,
	                                     .msg_bytes = config->msg_bytes,
	                                     .sndbuf_bytes = config->conn->sndbuf_bytes,
	                                     .rcvbuf_bytes = config->conn->rcvbuf_bytes};
	if (start(s, error) != 0) {
		sender_free(s);
		return NULL;
	}
	return s;
}

void sender_free(struct sender *s)
{
	if (s == NULL) {
		return;
	}
	sender_drop_source(s);
	app_event_free(s->tick);
	monitor_remove(s->config.monitor, s->conn);
	usrsctp_cmt_conn_free(s->conn);
	app_outbox_free(&s->out);
	control_in_free(&s->in);
	for (size_t i = 0; s->standings != NULL && i < s->config.entries->n; i++) {
		free(s->standings[i].answer);
	}
	free(s->standings);
	free(s);
}

void sender_abort(struct sender *s, const char *reason)
{
	sender_fail(s, reason);
}

const struct transfer_report *sender_report(const struct sender *s)
{
	return &s->report;
}

uint64_t sender_done_bytes(const struct sender *s)
{
	uint64_t queued = s->conn != NULL ? usrsctp_cmt_conn_queued(s->conn) : 0;

	return s->settled_bytes + (s->written_bytes > queued ? s->written_bytes - queued : 0);
}

const struct monitor_watch *sender_watch(const struct sender *s)
{
	return &s->watch;
}
