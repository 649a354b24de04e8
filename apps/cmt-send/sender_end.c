/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a sender says to the receiver and to the user, and how it ends. */
#include "sender_parts.h"

#include <errno.h>
#include <string.h>

#include <event2/event.h>

#include "loop/wall_clock.h"
#include "monitor.h"

void sender_drop_source(struct sender *s)
{
	sha256_job_free(s->job);
	s->job = NULL;
	if (s->readable != NULL) {
		event_free(s->readable);
		s->readable = NULL;
	}
	source_close(&s->source);
	s->started = false;
}

void sender_end(struct sender *s)
{
	if (s->state == SENDER_OVER) {
		return;
	}
	if (s->state != SENDER_LEAVING && s->conn != NULL) {
		app_assoc_stats_read(usrsctp_cmt_conn_socket(s->conn), &s->report.assoc);
	}
	if (s->report.first_us != 0 && s->state != SENDER_LEAVING) {
		s->report.last_us = app_wall_clock_us();
	}
	s->report.stalled_us = monitor_watch_stalled_us(&s->watch);
	s->state = SENDER_OVER;
	sender_drop_source(s);
	event_del(s->tick);
	monitor_remove(s->config.monitor, s->conn);
	usrsctp_cmt_conn_free(s->conn);
	s->conn = NULL;
	s->config.ended(s, s->config.arg);
}

void sender_note(const struct sender *s, const char *text)
{
	if (s->config.note != NULL) {
		s->config.note(text, s->config.arg);
	}
}

void sender_note_error(struct sender *s, const char *text)
{
	s->config.say(text, s->config.arg);
	transfer_report_error(&s->report, text);
}

void sender_fail(struct sender *s, const char *text)
{
	struct transfer_message m = {.type = TRANSFER_ERROR};

	if (s->state == SENDER_OVER) {
		return;
	}
	sender_note_error(s, text);
	if (s->state == SENDER_GREETING || s->state == SENDER_RUNNING) {
		transfer_set_text(&m, text);
		(void)control_send(&s->out, s->conn, &m);
	}
	sender_end(s);
}

/* What happens to the connection after an errno. */
void sender_fail_lost(struct sender *s, int code)
{
	const char *const known = s->conn != NULL ? usrsctp_cmt_conn_reason(s->conn) : NULL;
	const char *const reason = known != NULL ? known : code != 0 ? strerror(code) : "";
	struct app_error error;
	char peer[300];

	app_error_set(&error, "the connection to %.100s was lost%s%s; send again with --resume to continue",
	              app_addresses_text(s->config.peer, peer, sizeof(peer)), reason[0] != '\0' ? ": " : "",
	              reason);
	sender_fail(s, error.text);
}

void sender_send(struct sender *s, const struct transfer_message *m)
{
	if (s->state != SENDER_OVER && control_send(&s->out, s->conn, m) != 0) {
		sender_fail_lost(s, errno == EPIPE ? 0 : errno);
	}
}
