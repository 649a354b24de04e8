/* SPDX-License-Identifier: BSD-3-Clause */
#include "server.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "commits.h"
#include "display.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "options/shared_options.h"
#include "session.h"
#include "transfer_name.h"

#define PROGRAM   "cmt-recv"
#define TICK_US   250000 /* the shortest timeout of the other side is a second */
#define LINGER_US 300000 /* for the last words to a sender, with --once */

struct server {
	const struct recv_options *options;
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	struct usrsctp_cmt_listener *listener;
	struct event *tick, *linger;
	struct app_signals signals;
	struct store store;
	struct session_env env;
	struct transfer_display display;
	struct monitor_watch watch; /* of the only transfer */
	const struct usrsctp_cmt_conn *watched;
	int exit_code;
};

static void end_soon(struct server *server, int exit_code)
{
	server->exit_code = exit_code;
	if (app_timer_start(server->linger, LINGER_US) != 0) {
		event_base_loopbreak(server->base);
	}
}

static void on_lingered(evutil_socket_t fd, short what, void *arg)
{
	const struct server *server = arg;

	(void)fd;
	(void)what;
	event_base_loopbreak(server->base);
}

static void on_say(const char *text, void *arg)
{
	struct server *server = arg;

	transfer_display_end(&server->display);
	app_complain(PROGRAM, "%s", text);
}

static void on_ended(bool ok, void *arg)
{
	struct server *server = arg;

	if (server->options->once) {
		end_soon(server, ok ? APP_EXIT_OK : APP_EXIT_FAILED);
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct server *server = arg;

	(void)listener;
	session_accept(&server->env, conn);
}

static void show(struct server *server, const struct session_progress *p, uint64_t now_us)
{
	if (server->watched != p->conn) {
		server->watch = (struct monitor_watch){.now.at_us = 0};
		server->watched = p->conn;
	}
	monitor_watch_look(&server->watch, usrsctp_cmt_conn_socket(p->conn), p->waits, now_us);
	transfer_display_show(&server->display,
	                      &(struct transfer_progress){.done_bytes = p->done_bytes,
	                                                  .total_bytes = p->total_bytes,
	                                                  .total_known = p->total_known,
	                                                  .watch = &server->watch},
	                      now_us);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct server *server = arg;
	struct session_progress p;
	uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	sessions_tick(&server->env, now_us);
	if (!server->options->quiet && sessions_progress(&server->env, &p)) {
		show(server, &p, now_us);
	} else {
		server->watched = NULL;
		transfer_display_end(&server->display);
	}
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct server *server = arg;

	(void)what;
	if (number == SIGUSR1) {
		sessions_say_state(&server->env);
		return;
	}
	sessions_abort(&server->env, "the receiver was stopped; what arrived is kept");
	end_soon(server, server->options->once ? APP_EXIT_FAILED : APP_EXIT_OK);
}

/* -o DIR/FILE: the folder of the file and its name in there. */
static int open_store(struct server *server, struct app_error *error)
{
	const struct recv_options *o = server->options;
	const char *slash = o->output != NULL ? strrchr(o->output, '/') : NULL;
	char folder[PATH_MAX];

	if (o->output != NULL && strcmp(o->output, "-") == 0) {
		server->env.single_name = "-";
		return 0;
	}
	if (o->output == NULL) {
		server->env.store = &server->store;
		return store_open(&server->store, o->directory != NULL ? o->directory : ".", error);
	}
	snprintf(folder, sizeof(folder), "%.*s", slash != NULL ? (int)(slash - o->output) + 1 : 1,
	         slash != NULL ? o->output : ".");
	server->env.single_name = slash != NULL ? slash + 1 : o->output;
	if (transfer_name_check(server->env.single_name, error) != 0 ||
	    store_open(&server->store, folder, error) != 0) {
		return -1;
	}
	server->env.store = &server->store;
	return 0;
}

static int add_events(struct server *server)
{
	server->tick = app_tick_new(server->base, TICK_US, on_tick, server);
	server->linger = evtimer_new(server->base, on_lingered, server);
	if (server->tick == NULL || server->linger == NULL ||
	    app_signals_catch(&server->signals, server->base, on_signal, server) != 0) {
		return -1;
	}
	app_signals_add(&server->signals, SIGUSR1);
	return 0;
}

static void close_all(struct server *server)
{
	commits_free(server->env.commits);
	usrsctp_cmt_listener_free(server->listener);
	monitor_free(server->env.monitor);
	usrsctp_cmt_event_free(server->ev);
	app_signals_free(&server->signals);
	app_event_free(server->tick);
	app_event_free(server->linger);
	if (server->base != NULL) {
		event_base_free(server->base);
	}
	if (server->env.store != NULL) {
		store_close(server->env.store);
	}
}

int server_run(const struct recv_options *options)
{
	struct server server = {.options = options,
	                        .base = event_base_new(),
	                        .store = {.root_fd = -1, .overwrite = options->overwrite},
	                        .display = transfer_display_start("receiving"),
	                        .exit_code = APP_EXIT_FAILED};
	const struct app_listen listen = {.base = server.base, .on_accept = on_accept, .arg = &server};
	struct app_error error = {"no memory"};

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	app_raise_descriptor_limit();
	server.env = (struct session_env){
	    .base = server.base,
	    .once = options->once,
	    .quiet = options->quiet,
	    .stats_json = options->stats_json,
	    .stats_out = options->output != NULL && strcmp(options->output, "-") == 0 ? stderr : stdout,
	    .timeout_us = options->timeout_us,
	    .scheduler = options->transport.scheduler,
	    .sndbuf_bytes = options->transport.sndbuf_bytes,
	    .rcvbuf_bytes = options->transport.rcvbuf_bytes,
	    .say = on_say,
	    .ended = on_ended,
	    .arg = &server};
	if (server.base == NULL || open_store(&server, &error) != 0 ||
	    app_transport_listen(&options->transport, &listen, &server.ev, &server.listener, &error) != 0 ||
	    (server.env.store != NULL &&
	     (server.env.commits = commits_new(server.base, server.env.store)) == NULL) ||
	    monitor_new(&server.env.monitor, server.base, &options->transport.admin, PROGRAM, &error) != 0 ||
	    add_events(&server) != 0) {
		app_complain(PROGRAM, "%s", error.text);
	} else {
		if (!options->quiet) {
			app_transport_say_where(PROGRAM, &options->transport, server.ev);
		}
		event_base_dispatch(server.base);
		sessions_abort(&server.env, "the receiver has shut down");
	}
	close_all(&server);
	return server.exit_code;
}
