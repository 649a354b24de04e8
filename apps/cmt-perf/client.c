/* SPDX-License-Identifier: BSD-3-Clause */
#include "client.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "net/connect_error.h"
#include "report.h"
#include "run.h"

#define PROGRAM      "cmt-perf"
#define STOP_WAIT_US 3000000u /* for the server's result after a signal */

struct client {
	const struct perf_options *options;
	const struct app_addresses *peer;
	struct event_base *base;
	struct flow_owner owner;
	struct app_signals signals;
	struct event *tick, *give_up;
	struct run run;
	struct report report;
	bool started, stopped;
	struct app_error error; /* "" = none */
	char host[PERF_HOST_TEXT_BYTES];
};

static void fail(struct client *c, const char *text)
{
	if (c->error.text[0] == '\0') {
		app_error_set(&c->error, "%s", text);
	}
	(void)event_base_loopbreak(c->base);
}

static void on_ready(struct client *c, const json_t *message)
{
	if (c->started) {
		return;
	}
	c->started = true;
	c->report.same_host = perf_same_host(c->host, perf_text(message, "host"));
	run_begin(&c->run);
	if (c->options->interval_us > 0 && app_timer_start(c->tick, c->options->interval_us) != 0) {
		fail(c, "no memory");
		return;
	}
	if (c->run.test.reverse) {
		flow_control(c->run.flows[0], json_pack("{s:s}", "type", "go"));
		return;
	}
	for (uint32_t i = 0; i < c->run.test.parallel; i++) {
		flow_start(c->run.flows[i], &c->run.test);
	}
}

static void on_control(struct flow *flow, const json_t *message, void *arg)
{
	struct client *const c = arg;
	const char *const type = perf_text(message, "type");
	struct app_error error;

	if (strcmp(type, "error") == 0) {
		app_error_set(&error, "the server says: %s", perf_text(message, "text"));
		fail(c, error.text);
	} else if (strcmp(type, "ready") == 0) {
		on_ready(c, message);
	} else if (strcmp(type, "end") == 0 && run_has_ended(&c->run)) {
		c->run.ended_us = app_wall_clock_us();
		flow_control(c->run.flows[0], json_pack("{s:s}", "type", "done"));
	} else if (strcmp(type, "result") == 0 && flow->index == 0) {
		c->report.remote = json_incref(json_object_get(message, "result"));
		(void)event_base_loopbreak(c->base);
	}
}

static void on_up(struct flow *flow, void *arg)
{
	const struct client *const c = arg;

	flow_control(flow, perf_hello(&c->run.test, flow->index));
}

static void on_sent(struct flow *flow, void *arg)
{
	struct client *const c = arg;

	(void)flow;
	if (run_was_sent(&c->run)) {
		c->run.ended_us = app_wall_clock_us();
	}
}

/* `conn`: which has failed; NULL: could not be made. */
static int cannot_connect(const struct client *c, const struct usrsctp_cmt_conn *conn, int code,
                          struct app_error *error)
{
	const struct app_transport *const t = &c->options->transport;
	const struct app_connect_attempt attempt = {.peer = c->peer,
	                                            .udp_port = t->raw ? 0 : t->peer_udp_port,
	                                            .server = "cmt-perf -s",
	                                            .in_the_clear = t->keys == NULL,
	                                            .reason =
	                                                conn != NULL ? usrsctp_cmt_conn_reason(conn) : NULL};

	return app_connect_error(&attempt, code, error);
}

static void on_lost(struct flow *flow, const char *text, void *arg)
{
	struct client *const c = arg;
	char peer[400];
	struct app_error error;

	if (flow->failed_error != 0) {
		cannot_connect(c, flow->conn, flow->failed_error, &error);
	} else {
		app_error_set(&error, "the connection to %s was lost: %s",
		              app_addresses_text(c->peer, peer, sizeof(peer)), text);
	}
	fail(c, error.text);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct client *const c = arg;

	(void)fd;
	(void)what;
	/* Afterwards only what is queued still leaves, and the end tells of it. */
	if (c->run.ended_us == 0) {
		run_read_paths(&c->run);
		report_interval(&c->report, &c->run);
	}
}

static void on_give_up(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	fail(arg, "stopped by a signal; the server's result did not come");
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
	struct client *const c = arg;

	(void)number;
	(void)what;
	if (!c->started || c->stopped || app_timer_start(c->give_up, STOP_WAIT_US) != 0) {
		fail(c, "stopped by a signal");
		return;
	}
	c->stopped = true;
	if (c->run.test.reverse) {
		flow_control(c->run.flows[0], json_pack("{s:s}", "type", "stop"));
		return;
	}
	for (uint32_t i = 0; i < c->run.test.parallel; i++) {
		flow_stop(c->run.flows[i]);
	}
}

static int add_events(struct client *c)
{
	c->tick = event_new(c->base, -1, EV_PERSIST, on_tick, c);
	c->give_up = evtimer_new(c->base, on_give_up, c);
	return c->tick != NULL && c->give_up != NULL ? app_signals_catch(&c->signals, c->base, on_signal, c)
	                                             : -1;
}

static int connect_all(struct client *c, struct usrsctp_cmt_event *ev)
{
	const struct usrsctp_cmt_conn_config config = app_transport_conn_config(&c->options->transport);

	for (uint32_t i = 0; i < c->run.test.parallel; i++) {
		struct usrsctp_cmt_conn *const conn =
		    usrsctp_cmt_conn_connect(ev, c->peer->list, c->peer->n, &config);

		if (conn == NULL) {
			return cannot_connect(c, NULL, errno, &c->error);
		}
		c->run.flows[i] = flow_new(c->base, conn, &c->owner);
		if (c->run.flows[i] == NULL) {
			return app_error_set(&c->error, "no memory");
		}
		c->run.flows[i]->index = i;
	}
	return 0;
}

/* Names the test for the server. */
static void choose_id(char id[PERF_ID_TEXT_BYTES])
{
	uint8_t bytes[(PERF_ID_TEXT_BYTES - 1) / 2];
	const ssize_t n = getrandom(bytes, sizeof(bytes), 0);

	for (size_t i = 0; i < sizeof(bytes) && n == (ssize_t)sizeof(bytes); i++) {
		(void)snprintf(id + 2 * i, 3, "%02x", bytes[i]);
	}
}

static void close_client(struct client *c)
{
	run_free(&c->run, c->report.remote == NULL);
	report_free(&c->report);
	app_signals_free(&c->signals);
	app_event_free(c->tick);
	app_event_free(c->give_up);
}

int client_run(const struct perf_options *options, const struct app_addresses *peer, struct event_base *base,
               struct usrsctp_cmt_event *ev, struct monitor *monitor)
{
	struct client c = {.options = options, .peer = peer, .base = base, .run = {.test = options->test}};
	int status;

	c.owner = (struct flow_owner){.on_control = on_control,
	                              .on_up = on_up,
	                              .on_sent = on_sent,
	                              .on_lost = on_lost,
	                              .latency = &c.run.latency,
	                              .rtt = &c.run.rtt,
	                              .monitor = monitor,
	                              .arg = &c};
	c.report = (struct report){.options = options, .peer = peer};
	perf_host(c.host);
	(void)snprintf(c.run.test.host, sizeof(c.run.test.host), "%s", c.host);
	choose_id(c.run.test.id);
	if (add_events(&c) != 0) {
		app_error_set(&c.error, "no memory");
	} else if (connect_all(&c, ev) == 0) {
		(void)event_base_dispatch(base);
	}
	run_read_paths(&c.run);
	report_end(&c.report, &c.run, c.started, c.error.text);
	if (c.error.text[0] != '\0') {
		app_complain(PROGRAM, "%s", c.error.text);
	}
	status = c.error.text[0] == '\0' ? APP_EXIT_OK : APP_EXIT_FAILED;
	close_client(&c);
	return status;
}
