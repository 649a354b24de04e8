/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a session says to its sender and to the user, and whether it listens. */
#include "session_parts.h"

#include <stdio.h>
#include <string.h>

#include <event2/event.h>

void session_send(struct session *s, const struct transfer_message *m)
{
	if (s->state != SESSION_OVER && control_send(&s->out, s->conn, m) != 0) {
		session_note_error(s, "the connection was lost");
		s->state = SESSION_OVER;
	} else if (s->state != SESSION_OVER && s->out.first != NULL) {
		session_update_reading(s);
	}
}

void session_say(const struct session *s, const char *text)
{
	char line[1000];

	if (!s->env->quiet) {
		snprintf(line, sizeof(line), "from %s: %s", s->peer, text);
		s->env->say(line, s->env->arg);
	}
}

void session_note_error(struct session *s, const char *text)
{
	session_say(s, text);
	if (s->error == NULL) {
		s->error = strdup(text);
	}
}

void session_refuse(struct session *s, const char *reason)
{
	struct transfer_message m = {.type = TRANSFER_ERROR};

	if (s->state == SESSION_OVER) {
		return;
	}
	session_note_error(s, reason);
	transfer_set_text(&m, reason);
	(void)control_send(&s->out, s->conn, &m);
	s->state = SESSION_OVER;
}

/* Whose answers do not get through is not listened to, or they would pile up. */
bool session_is_blocked(const struct session *s)
{
	return s->job != NULL || s->waiting || s->parked != NULL || s->out.first != NULL;
}

void session_update_reading(struct session *s)
{
	if (session_is_blocked(s)) {
		usrsctp_cmt_conn_disable(s->conn, EV_READ);
	} else {
		usrsctp_cmt_conn_enable(s->conn, EV_READ);
	}
}

bool session_is_busy(const struct session *s)
{
	return s->job != NULL || s->waiting || s->settling != NULL;
}

void session_done(struct session *s, int64_t id, enum transfer_verdict verdict, const char *text)
{
	struct transfer_message m = {
	    .type = TRANSFER_DONE, .has = TRANSFER_F_ID | TRANSFER_F_VERDICT, .id = id, .verdict = verdict};

	if (text != NULL) {
		session_note_error(s, text);
		transfer_set_text(&m, text);
	}
	session_send(s, &m);
}
