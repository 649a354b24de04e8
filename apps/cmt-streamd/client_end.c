/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How a client ends: told why, or without another word. */
#include "client_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"

#define SAY_BYTES_MAX 700

void client_say(const struct client *c, const char *text)
{
	char line[SAY_BYTES_MAX];

	snprintf(line, sizeof(line), "%s: %s", c->name, text);
	c->env->say(line, c->env->arg);
}

void client_end_soon(struct client *c, uint64_t within_us)
{
	c->state = CLIENT_ENDING;
	c->deadline_us = within_us == UINT64_MAX ? UINT64_MAX : app_wall_clock_us() + within_us;
	c->owes_welcome = c->owes_bye = false;
	if (usrsctp_cmt_conn_shutdown(c->conn) != 0) {
		c->state = CLIENT_OVER;
	}
}

void client_refuse(struct client *c, const char *why)
{
	const struct usrsctp_cmt_message header = {.ppid = MEDIA_PPID_CONTROL};
	struct media_message m = {.type = MEDIA_ERROR};
	size_t len;
	char *text;

	if (c->state == CLIENT_OVER || c->state == CLIENT_ENDING) {
		return;
	}
	client_say(c, why);
	client_drop_requests(c, why);
	media_set_text(&m, why);
	text = media_encode(&m, &len);
	if (text != NULL) {
		(void)usrsctp_cmt_conn_write(c->conn, text, len, &header);
		free(text);
	}
	client_end_soon(c, CLIENT_LAST_WORDS_US);
}

void client_drop(struct client *c, const char *why)
{
	client_drop_requests(c, why);
	c->state = CLIENT_OVER;
}

void client_say_bye(struct client *c)
{
	if (c->state == CLIENT_SERVED || c->state == CLIENT_GREETING) {
		c->state = CLIENT_LEAVING;
		c->owes_bye = true;
	}
}

static void leave_list(struct client *c)
{
	struct client_env *env = c->env;

	if (c->next != NULL) {
		c->next->previous = c->previous;
	}
	if (c->previous != NULL) {
		c->previous->next = c->next;
	} else {
		env->clients = c->next;
	}
	if (c->counted) {
		env->n_clients--;
	} else {
		env->n_refused--;
	}
}

void client_settle(struct client *c)
{
	struct client_env *env = c->env;

	if (c->state == CLIENT_LEAVING && c->n_requests == 0 && !c->owes_bye) {
		client_end_soon(c, UINT64_MAX);
	}
	if (c->state != CLIENT_OVER) {
		return;
	}
	client_drop_requests(c, "the connection was lost");
	env->budget.queued_bytes -= c->queued_bytes;
	leave_list(c);
	monitor_remove(env->monitor, c->conn);
	usrsctp_cmt_conn_abort(c->conn);
	media_in_free(&c->in);
	app_event_free(c->timer);
	free(c);
	if (env->clients == NULL) {
		env->empty(env->arg);
	}
}
