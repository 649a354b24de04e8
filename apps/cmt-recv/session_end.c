/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a session ends: its report, and all that it holds. */
#include "session_parts.h"

#include <stdlib.h>
#include <string.h>

#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/assoc_state.h"
#include "watch.h"

void session_report(const struct session *s)
{
	struct transfer_report r = {.bytes = s->bytes,
	                            .files = s->files,
	                            .files_there = s->files_there,
	                            .resumed_at_bytes = s->resumed_at_bytes,
	                            .first_us = s->first_us,
	                            .last_us = s->last_us,
	                            .corrupt = s->corrupt,
	                            .scheduler = s->env->scheduler,
	                            .msg_bytes = s->msg_bytes,
	                            .sndbuf_bytes = s->env->sndbuf_bytes,
	                            .rcvbuf_bytes = s->env->rcvbuf_bytes,
	                            .encryption = s->encryption};
	char text[200];

	if (app_wall_clock_us() - s->heard_us >= MONITOR_STALLED_US) {
		r.stalled_us = app_wall_clock_us() - s->heard_us;
	}
	memcpy(r.peer_scheduler, s->peer_scheduler, sizeof(r.peer_scheduler));
	if (s->error != NULL) {
		transfer_report_error(&r, s->error);
	}
	app_assoc_stats_read(usrsctp_cmt_conn_socket(s->conn), &r.assoc);
	if (s->env->stats_json) {
		transfer_report_json(&r, s->env->stats_out);
	}
	session_say(s, transfer_report_text(&r, text, sizeof(text)));
}

static void leave_list(struct session *s)
{
	if (s->next != NULL) {
		s->next->previous = s->previous;
	}
	if (s->previous != NULL) {
		s->previous->next = s->next;
	} else {
		s->env->sessions = s->next;
	}
}

void session_settle(struct session *s)
{
	if (s->state != SESSION_OVER) {
		return;
	}
	session_drop_offers(s);
	if (s->began && !s->reported) {
		session_report(s);
	}
	leave_list(s);
	if (s->began) {
		s->env->ended(s->error == NULL, s->env->arg);
	}
	monitor_remove(s->env->monitor, s->conn);
	usrsctp_cmt_conn_free(s->conn);
	app_outbox_free(&s->out);
	control_in_free(&s->in);
	free(s->error);
	free(s);
}
