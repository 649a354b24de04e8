/* SPDX-License-Identifier: BSD-3-Clause */
#include "client_parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/path_stats.h"

#define REFUSED_MAX 64 /* who are told why; the others are aborted */

/* --- callbacks --- */

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct client *c = arg;

	(void)conn;
	client_read(c);
	client_settle(c);
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct client *c = arg;

	(void)conn;
	client_pump(c);
	client_settle(c);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct client *c = arg;

	(void)conn;
	switch (event->type) {
	case USRSCTP_CMT_CONN_PEER_CLOSED:
		client_drop_requests(c, "the client has gone away");
		if (c->state != CLIENT_ENDING && c->state != CLIENT_OVER) {
			client_end_soon(c, CLIENT_LAST_WORDS_US);
		}
		break;
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST: client_drop(c, "the connection was lost"); break;
	case USRSCTP_CMT_CONN_UP:
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
	client_settle(c);
}

/* --- how it begins --- */

static void enter_list(struct client *c)
{
	struct client_env *env = c->env;

	c->counted = env->n_clients < env->max_clients;
	if (c->counted) {
		env->n_clients++;
	} else {
		env->n_refused++;
	}
	c->next = env->clients;
	if (c->next != NULL) {
		c->next->previous = c;
	}
	env->clients = c;
}

void client_accept(struct client_env *env, struct usrsctp_cmt_conn *conn)
{
	const bool full = env->n_clients >= env->max_clients && env->n_refused >= REFUSED_MAX;
	const uint64_t now_us = app_wall_clock_us();
	struct client *c = full ? NULL : calloc(1, sizeof(*c));
	char text[100];

	if (c == NULL) {
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	*c = (struct client){
	    .env = env, .conn = conn, .heard_us = now_us, .moved_us = now_us, .deadline_us = UINT64_MAX};
	TAILQ_INIT(&c->requests);
	app_assoc_peer_text(usrsctp_cmt_conn_socket(conn), c->name, sizeof(c->name));
	enter_list(c);
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, c);
	monitor_add(env->monitor, conn, NULL);
	if (!c->counted) {
		snprintf(text, sizeof(text),
		         "the server has reached its limit of %u clients; try again later", env->max_clients);
		client_refuse(c, text);
		client_settle(c);
	}
}

/* --- time --- */

static void seconds_text(char *out, size_t out_bytes, const char *what, uint64_t us)
{
	snprintf(out, out_bytes, "%s for %llu s", what, (unsigned long long)(us / 1000000));
}

/* Nothing was said, sent or acknowledged for long. */
static void on_idle(struct client *c)
{
	char text[100];

	seconds_text(text, sizeof(text), "no requests", c->env->idle_timeout_us);
	for (struct request *r = TAILQ_FIRST(&c->requests); r != NULL; r = TAILQ_NEXT(r, in_client)) {
		request_stop(r, text);
	}
	client_say_bye(c);
	client_pump(c);
}

static void tick(struct client *c, uint64_t now_us)
{
	const struct client_env *env = c->env;
	char text[100];

	client_look_at_queue(c, now_us);
	if (now_us >= c->deadline_us) {
		client_drop(c, "the connection was lost");
	} else if (c->queued_bytes > 0 && now_us > c->moved_us + env->stall_timeout_us) {
		seconds_text(text, sizeof(text), "the client acknowledged nothing", env->stall_timeout_us);
		client_say(c, text);
		client_drop(c, text);
	} else if (c->state == CLIENT_GREETING && now_us > c->heard_us + env->hello_timeout_us) {
		seconds_text(text, sizeof(text), "no hello", env->hello_timeout_us);
		client_refuse(c, text);
	} else if (c->queued_bytes == 0 &&
	           now_us > (c->heard_us > c->moved_us ? c->heard_us : c->moved_us) + env->idle_timeout_us) {
		on_idle(c);
	}
	client_settle(c);
}

void clients_tick(struct client_env *env, uint64_t now_us)
{
	for (struct client *c = env->clients, *next; c != NULL; c = next) {
		next = c->next;
		tick(c, now_us);
	}
}

void clients_stop(struct client_env *env)
{
	env->stopping = true;
	for (struct client *c = env->clients, *next; c != NULL; c = next) {
		next = c->next;
		client_say_bye(c);
		client_pump(c);
		client_settle(c);
	}
}

void clients_abort(struct client_env *env, const char *why)
{
	for (struct client *c = env->clients, *next; c != NULL; c = next) {
		next = c->next;
		client_drop(c, why);
		client_settle(c);
	}
}
