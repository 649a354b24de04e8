/* SPDX-License-Identifier: BSD-3-Clause */
#include "server.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "options/shared_options.h"
#include "resource.h"

#define PROGRAM "cmt-streamd"
#define TICK_US 500000

struct server {
	const struct streamd_options *options;
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct usrsctp_cmt_listener *listener;
	struct event *tick;
	struct app_signals signals;
	struct client_env env;
	uint64_t stop_us; /* the grace ends; 0 = not told to stop */
	int exit_code;
};

static void on_say(const char *text, void *arg)
{
	const struct server *server = arg;

	if (!server->options->quiet) {
		app_complain(PROGRAM, "%s", text);
	}
}

static void on_empty(void *arg)
{
	const struct server *server = arg;

	if (server->stop_us != 0) {
		event_base_loopbreak(server->base);
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct server *server = arg;

	(void)listener;
	client_accept(&server->env, conn);
}

static unsigned count_requests(const struct server *server)
{
	unsigned n = 0;

	for (const struct client *c = server->env.clients; c != NULL; c = c->next) {
		n += c->n_requests;
	}
	return n;
}

static void end_now(struct server *server, const char *why)
{
	const unsigned n = count_requests(server);

	if (n > 0) {
		app_complain(PROGRAM, "%s: %u answer%s cut off", why, n, n == 1 ? " is" : "s are");
	}
	clients_abort(&server->env, "the server has shut down");
	event_base_loopbreak(server->base);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	clients_tick(&server->env, now_us);
	if (server->stop_us != 0 && now_us >= server->stop_us) {
		end_now(server, "--grace is over");
	}
}

static void stop(struct server *server)
{
	server->stop_us = app_wall_clock_us() + server->options->grace_us;
	usrsctp_cmt_listener_free(server->listener);
	server->listener = NULL;
	if (server->env.clients == NULL) {
		on_empty(server);
	} else {
		clients_stop(&server->env);
	}
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct server *server = arg;
	struct app_error error;

	(void)what;
	if (number == SIGHUP) {
		if (access_log_reopen(&server->env.log, &error) != 0) {
			app_complain(PROGRAM, "%s; the old one stays in use", error.text);
		}
	} else if (server->stop_us == 0) {
		stop(server);
	} else {
		end_now(server, "stopped by a second signal");
	}
}

static int add_events(struct server *server)
{
	server->tick = app_tick_new(server->base, TICK_US, on_tick, server);
	if (server->tick == NULL ||
	    app_signals_catch(&server->signals, server->base, on_signal, server) != 0) {
		return -1;
	}
	app_signals_add(&server->signals, SIGHUP);
	return 0;
}

static int open_all(struct server *server, struct app_error *error)
{
	const struct app_transport *transport = &server->options->transport;
	const struct app_listen listen = {
	    .base = server->base, .streams = MEDIA_STREAMS, .on_accept = on_accept, .arg = server};

	app_error_set(error, "no memory");
	if (server->base == NULL) {
		return -1;
	}
	server->env.root_fd = resource_root(server->options->directory, error);
	if (server->env.root_fd < 0 ||
	    access_log_open(&server->env.log, server->options->access_log, error) != 0 ||
	    app_transport_listen(transport, &listen, &server->ev, &server->listener, error) != 0 ||
	    monitor_new(&server->env.monitor, server->base, &transport->admin, PROGRAM, error) != 0) {
		return -1;
	}
	app_error_set(error, "no memory");
	return add_events(server);
}

static void close_all(struct server *server)
{
	clients_abort(&server->env, "the server has shut down");
	usrsctp_cmt_listener_free(server->listener);
	monitor_free(server->env.monitor);
	usrsctp_cmt_event_free(server->ev);
	app_signals_free(&server->signals);
	app_event_free(server->tick);
	if (server->base != NULL) {
		event_base_free(server->base);
	}
	access_log_close(&server->env.log);
	if (server->env.root_fd >= 0) {
		close(server->env.root_fd);
	}
}

int server_run(const struct streamd_options *options)
{
	struct server server = {.options = options,
	                        .base = event_base_new(),
	                        .exit_code = APP_EXIT_FAILED,
	                        .env = {.root_fd = -1,
	                                .max_clients = (unsigned)options->max_clients,
	                                .no_list = options->no_list,
	                                .metered = &options->transport.metered,
	                                .max_requests = (unsigned)options->max_requests,
	                                .budget = {.memory_bytes = options->memory_bytes,
	                                           .sndbuf_bytes = options->transport.sndbuf_bytes},
	                                .hello_timeout_us = options->hello_timeout_us,
	                                .idle_timeout_us = options->idle_timeout_us,
	                                .stall_timeout_us = options->stall_timeout_us,
	                                .say = on_say,
	                                .empty = on_empty,
	                                .arg = &server}};
	struct app_error error;

	server.env.base = server.base;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	app_raise_descriptor_limit();
	if (open_all(&server, &error) != 0) {
		app_complain(PROGRAM, "%s", error.text);
	} else {
		if (!options->quiet) {
			app_transport_say_where(PROGRAM, &options->transport, server.ev);
		}
		event_base_dispatch(server.base);
		server.exit_code = APP_EXIT_OK;
	}
	close_all(&server);
	return server.exit_code;
}
