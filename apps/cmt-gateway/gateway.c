/* SPDX-License-Identifier: BSD-3-Clause */
#include "gateway.h"

#include <signal.h>
#include <stdio.h>

#include <event2/event.h>

#include "http_server.h"
#include "link/link.h"
#include "loop/loop_events.h"
#include "monitor.h"
#include "options/shared_options.h"

#define PROGRAM  "cmt-gateway"
#define STEP_US  50000
#define GRACE_US 1000000 /* for answers that are nearly complete, and then for the bye */

enum gateway_state {
	GATEWAY_RUNNING,
	GATEWAY_FINISHING, /* no more requests are taken */
	GATEWAY_LEAVING    /* the server is told */
};

struct gateway {
	const struct gateway_options *options;
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct monitor *monitor; /* NULL = none */
	struct app_signals signals;
	struct event *step; /* step: looks whether the next state is reached */
	struct app_addresses peer;
	struct usrsctp_cmt_conn_config conn;
	struct link *link;
	struct http_server *server;
	enum gateway_state state;
	int steps;
};

static void say(const char *text, void *arg)
{
	const struct gateway *g = arg;

	if (!g->options->quiet) {
		app_complain(PROGRAM, "%s", text);
	}
}

static void on_left(void *arg)
{
	struct gateway *g = arg;

	event_base_loopbreak(g->base);
}

static void begin_leaving(struct gateway *g)
{
	g->state = GATEWAY_LEAVING;
	g->steps = 0;
	http_server_abort(g->server);
	link_leave(g->link);
}

static void on_step(evutil_socket_t fd, short what, void *arg)
{
	struct gateway *g = arg;
	const bool late = ++g->steps > GRACE_US / STEP_US;

	(void)fd;
	(void)what;
	if (g->state == GATEWAY_FINISHING && (late || !http_server_is_busy(g->server))) {
		begin_leaving(g);
	} else if (g->state == GATEWAY_LEAVING && late) {
		event_base_loopbreak(g->base);
	}
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct gateway *g = arg;

	(void)number;
	(void)what;
	if (g->state != GATEWAY_RUNNING) {
		return;
	}
	g->state = GATEWAY_FINISHING;
	http_server_stop(g->server);
	if (app_timer_start(g->step, STEP_US) != 0) {
		event_base_loopbreak(g->base);
	}
}

static int add_events(struct gateway *g)
{
	g->step = event_new(g->base, -1, EV_PERSIST, on_step, g);
	return g->step != NULL ? app_signals_catch(&g->signals, g->base, on_signal, g) : -1;
}

static int open_link(struct gateway *g, struct app_error *error)
{
	const struct gateway_options *o = g->options;
	const struct link_config config = {.base = g->base,
	                                   .monitor = g->monitor,
	                                   .ev = g->ev,
	                                   .peer = &g->peer,
	                                   .conn = &g->conn,
	                                   .max_requests = o->max_requests,
	                                   .window_bytes = o->window_bytes,
	                                   .pace_bps = o->pace_bps,
	                                   .burst_bytes = o->burst_bytes,
	                                   .retry_for_us = o->retry_for_us,
	                                   .timeout_us = o->timeout_us,
	                                   .idle_us = o->idle_us,
	                                   .say = say,
	                                   .left = on_left,
	                                   .arg = g};

	g->link = link_new(&config, error);
	return g->link != NULL ? 0 : -1;
}

static int open_server(struct gateway *g, struct app_error *error)
{
	const struct gateway_options *o = g->options;
	const struct http_server_config config = {.base = g->base,
	                                          .link = g->link,
	                                          .listen = o->listen,
	                                          .hosts = o->hosts,
	                                          .n_hosts = o->n_hosts,
	                                          .allow_origin = o->allow_origin,
	                                          .max_clients = o->max_clients,
	                                          .request_us = o->request_us,
	                                          .keep_alive_us = o->keep_alive_us,
	                                          .stall_us = o->stall_us,
	                                          .done = o->verbose ? say : NULL,
	                                          .arg = g};
	char address[APP_ADDRESS_TEXT_BYTES + 10], text[sizeof(address) + 40];

	g->server = http_server_new(&config, error);
	if (g->server == NULL) {
		return -1;
	}
	snprintf(text, sizeof(text), "listening on http://%s/",
	         http_server_address(g->server, address, sizeof(address)));
	say(text, g);
	return 0;
}

static int open_all(struct gateway *g, struct app_error *error)
{
	app_error_set(error, "no memory");
	if (g->base == NULL || add_events(g) != 0 ||
	    app_transport_peer(&g->options->transport, &g->peer, error) != 0) {
		return -1;
	}
	g->ev = app_transport_open(&g->options->transport, g->base, error);
	return g->ev != NULL &&
	               monitor_new(&g->monitor, g->base, &g->options->transport.admin, PROGRAM, error) == 0 &&
	               open_link(g, error) == 0
	           ? open_server(g, error)
	           : -1;
}

static void close_all(struct gateway *g)
{
	if (g->server != NULL) {
		http_server_abort(g->server);
	}
	http_server_free(g->server);
	link_free(g->link);
	monitor_free(g->monitor);
	usrsctp_cmt_event_free(g->ev);
	app_signals_free(&g->signals);
	app_event_free(g->step);
	if (g->base != NULL) {
		event_base_free(g->base);
	}
}

int gateway_run(const struct gateway_options *options)
{
	struct gateway g = {.options = options, .base = event_base_new()};
	struct app_error error;
	int status = APP_EXIT_FAILED;

	signal(SIGPIPE, SIG_IGN);
	app_raise_descriptor_limit();
	g.conn = app_transport_conn_config(&options->transport);
	if (open_all(&g, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
	} else {
		event_base_dispatch(g.base);
		status = APP_EXIT_OK;
	}
	close_all(&g);
	return status;
}
