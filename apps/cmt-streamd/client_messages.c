/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a client says. */
#include "client_parts.h"

#include <stdio.h>

#include "loop/wall_clock.h"
#include "monitor.h"

#define READS_PER_TURN 64 /* then others have theirs */

static void on_hello(struct client *c, const struct media_message *m)
{
	c->state = CLIENT_SERVED;
	c->owes_welcome = true;
	app_printable(m->agent, c->agent, sizeof(c->agent));
}

static void on_request(struct client *c, uint16_t stream_id, const struct media_message *m, uint64_t now_us)
{
	const struct request_refusal ending = {503, "the server is shutting down"},
	                             too_many = {429, "more requests at once than this server allows"},
	                             no_list = {404, "no such file"};
	const struct request_refusal *refusal = NULL;
	struct request *r;
	char text[100];

	if (client_find_request(c, stream_id) != NULL) {
		snprintf(text, sizeof(text),
		         "a request came on stream %u before the answer to the last one had ended",
		         stream_id);
		client_refuse(c, text);
		return;
	}
	if (c->said_bye) {
		client_refuse(c, "a request came after bye");
		return;
	}
	if (c->state == CLIENT_LEAVING) {
		refusal = &ending;
	} else if (c->n_requests >= c->env->max_requests) {
		refusal = &too_many;
	} else if (c->env->no_list && media_is_list(m->path)) {
		refusal = &no_list;
	}
	r = request_new(c->env->root_fd, stream_id, m, refusal, now_us);
	if (r == NULL) {
		client_refuse(c, "no memory");
	} else {
		monitor_add(c->env->monitor, c->conn, m->path);
		client_add_request(c, r);
	}
}

/* A window or the end of one: they may cross the end of the answer. */
static void on_steering(const struct client *c, uint16_t stream_id, const struct media_message *m)
{
	struct request *r = client_find_request(c, stream_id);

	if (r != NULL && m->type == MEDIA_WINDOW) {
		request_widen(r, (uint64_t)m->window_bytes);
	} else if (r != NULL) {
		request_stop(r, "cancelled");
	}
}

static void on_bye(struct client *c)
{
	client_say_bye(c);
	c->said_bye = true;
}

/* Its own reason, which is its business. */
static void on_error(struct client *c, const char *text)
{
	char told[MEDIA_TEXT_MAX_BYTES + 20], printable[MEDIA_TEXT_MAX_BYTES + 1];

	snprintf(told, sizeof(told), "the client says: %s",
	         app_printable(text, printable, sizeof(printable)));
	client_refuse(c, told);
}

static bool is_in_place(const struct client *c, uint16_t stream_id, const struct media_message *m,
                        struct app_error *error)
{
	const bool of_request =
	    m->type == MEDIA_REQUEST || m->type == MEDIA_WINDOW || m->type == MEDIA_CANCEL;

	if ((m->type == MEDIA_HELLO) != (c->state == CLIENT_GREETING) && m->type != MEDIA_ERROR) {
		app_error_set(error, "%s",
		              c->state == CLIENT_GREETING ? "the first message must be hello"
		                                          : "only the first message may be hello");
		return false;
	}
	if (of_request != (stream_id != 0)) {
		app_error_set(error, "\"%s\" came on stream %u", media_message_name(m->type), stream_id);
		return false;
	}
	return true;
}

static void on_message(struct client *c, uint16_t stream_id, const struct media_message *m)
{
	struct app_error error;

	if (!is_in_place(c, stream_id, m, &error)) {
		client_refuse(c, error.text);
		return;
	}
	switch (m->type) {
	case MEDIA_HELLO: on_hello(c, m); break;
	case MEDIA_REQUEST: on_request(c, stream_id, m, c->heard_us); break;
	case MEDIA_WINDOW:
	case MEDIA_CANCEL: on_steering(c, stream_id, m); break;
	case MEDIA_BYE: on_bye(c); break;
	case MEDIA_ERROR: on_error(c, m->text); break;
	case MEDIA_WELCOME:
	case MEDIA_ANSWER:
	case MEDIA_END:
	case MEDIA_TYPES:
		app_error_set(&error, "\"%s\" is not a message for a server", media_message_name(m->type));
		client_refuse(c, error.text);
		break;
	}
}

/* 0 = nothing left to read. */
static int read_one(struct client *c)
{
	static struct media_read got;
	struct app_error error;

	switch (media_read(&c->in, c->conn, &got, &error)) {
	case MEDIA_GOT_NOTHING: return 0;
	case MEDIA_GOT_MESSAGE:
		c->heard_us = app_wall_clock_us();
		on_message(c, got.stream_id, &got.message);
		break;
	case MEDIA_GOT_DATA: client_refuse(c, "clients must not send body data"); break;
	case MEDIA_GOT_WRONG: client_refuse(c, error.text); break;
	}
	return 1;
}

/* What is still said when all is over. */
static void swallow(const struct client *c)
{
	static char buffer[MEDIA_DATA_MAX_BYTES];

	for (int i = 0; i < READS_PER_TURN; i++) {
		if (usrsctp_cmt_conn_read(c->conn, buffer, sizeof(buffer), NULL) < 0) {
			return;
		}
	}
}

void client_read(struct client *c)
{
	for (int i = 0; i < READS_PER_TURN && c->state < CLIENT_ENDING; i++) {
		if (read_one(c) == 0) {
			break;
		}
	}
	if (c->state == CLIENT_ENDING) {
		swallow(c);
	}
	client_pump(c);
}
