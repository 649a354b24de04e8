/* SPDX-License-Identifier: BSD-3-Clause */
#include "link_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "net/connect_error.h"
#include "options/path_costs.h"

#define PROGRAM "cmt-live"

#define TICK_US            100000u
#define STATUS_US          400000u
#define STATUS_REPAIR_US   200000u /* the sender goes by it */
#define STATUS_LIFETIME_MS 1000u
#define CONNECT_TIMEOUT_MS 5000u
#define HELLO_US           3000000u /* from the connection to the end of the handshake */
#define GONE_US            1500000u /* silent for so long: somebody else may call */
#define SILENT_US          5000000u /* given up */

void link_rest(struct link *l)
{
	l->resting = true;
}

static void on_up(struct link *l)
{
	struct live_message hello = {
	    .type = LIVE_HELLO, .latency_ms = l->options->latency_ms, .repair = link_wants_repair(l)};

	l->up = true;
	app_encryption_read(l->conn, &l->stats.encryption);
	l->stats.watch = (struct monitor_watch){.now.at_us = 0};
	l->since_us = l->heard_us = app_wall_clock_us();
	if (l->options->sends) {
		l->events.hello(&hello, l->events.arg);
		(void)link_send_control(l, &hello);
	}
}

static void say_cannot_connect(struct link *l, int code)
{
	const struct app_transport *const t = &l->options->transport;
	const struct app_connect_attempt attempt = {
	    .peer = &l->peer,
	    .udp_port = t->raw ? 0 : t->peer_udp_port,
	    .server = "a cmt-live that listens (cmt://)",
	    .in_the_clear = t->keys == NULL,
	    .reason = l->conn != NULL ? usrsctp_cmt_conn_reason(l->conn) : NULL};
	struct app_error why, text;

	app_connect_error(&attempt, code, &why);
	app_error_set(&text, "%s; connecting again", why.text);
	link_say(l, text.text);
}

static void on_end(struct link *l, const struct usrsctp_cmt_conn_event *event)
{
	const char *const reason = usrsctp_cmt_conn_reason(l->conn);
	struct app_error text;

	/* Shutting down comes behind all data; CLOSED follows. */
	if (l->ended && event->type == USRSCTP_CMT_CONN_PEER_CLOSED) {
		l->finishing = true;
		l->since_us = app_wall_clock_us();
		(void)usrsctp_cmt_conn_shutdown(l->conn);
		return;
	}
	if (l->finishing) {
		link_go_down(l, true, l->ended);
		return;
	}
	if (event->type == USRSCTP_CMT_CONN_FAILED) {
		say_cannot_connect(l, event->error);
	} else if (reason != NULL || event->error != 0) {
		app_error_set(&text, "the connection was lost: %s",
		              reason != NULL ? reason : strerror(event->error));
		link_say(l, text.text);
	} else {
		link_say(l, "the other side has closed the connection");
	}
	link_go_down(l, event->type != USRSCTP_CMT_CONN_PEER_CLOSED, false);
}

static void heed_costs(struct link *l)
{
	struct app_assoc_stats stats;

	if (l->conn != NULL && l->options->transport.metered.n > 0) {
		app_assoc_stats_read(usrsctp_cmt_conn_socket(l->conn), &stats);
		app_path_costs_set(usrsctp_cmt_conn_socket(l->conn), &l->options->transport.metered, &stats);
	}
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct link *const l = arg;

	(void)conn;
	switch (event->type) {
	case USRSCTP_CMT_CONN_UP:
		on_up(l);
		heed_costs(l);
		break;
	case USRSCTP_CMT_CONN_CLOSED: link_go_down(l, true, true); break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST: on_end(l, event); break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: heed_costs(l); break;
	}
}

static void adopt(struct link *l, struct usrsctp_cmt_conn *conn)
{
	l->conn = conn;
	l->needs = (struct app_path_needs){.rate_bps = 0};
	l->since_us = app_wall_clock_us();
	usrsctp_cmt_conn_setcb(conn, link_on_readable, NULL, on_event, l);
	monitor_add(l->monitor, conn, NULL);
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct link *const l = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)listener;
	if (l->resting || (l->conn != NULL && (now_us - l->heard_us < GONE_US || l->finishing))) {
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	if (l->conn != NULL) {
		link_say(l,
		         "the other side has fallen silent and another caller is waiting: switching to it");
		link_go_down(l, true, false);
	}
	l->said[0] = '\0'; /* of somebody else */
	adopt(l, conn);
	on_up(l);
	heed_costs(l);
}

/* 0 or an errno. */
static int call(struct link *l)
{
	struct usrsctp_cmt_conn_config config = app_transport_conn_config(&l->options->transport);
	struct usrsctp_cmt_conn *conn;
	int code;

	config.connect_timeout_ms = CONNECT_TIMEOUT_MS;
	conn = usrsctp_cmt_conn_connect(l->ev, l->peer.list, l->peer.n, &config);
	if (conn != NULL) {
		adopt(l, conn);
		return 0;
	}
	code = errno;
	if (code != EINVAL) {
		say_cannot_connect(l, code);
	}
	l->call_us = app_wall_clock_us() + LINK_RETRY_US;
	return code;
}

static void send_status(struct link *l, uint64_t now_us)
{
	struct live_message message = {.type = LIVE_STATUS, .repair = l->repairs && !l->options->sends};
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES];

	if (now_us - l->status_us < (message.repair ? STATUS_REPAIR_US : STATUS_US)) {
		return;
	}
	l->status_us = now_us;
	l->events.status(&message.status, l->events.arg);
	(void)link_send(l, bytes, live_message_encode(&message, bytes), STATUS_LIFETIME_MS);
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct link *const l = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	(void)link_stats(l);
	if (l->finishing) {
		if (now_us - l->since_us > SILENT_US) {
			link_go_down(l, true, l->ended);
		}
	} else if (l->ready) {
		heed_costs(l);
		send_status(l, now_us);
		if (now_us - l->heard_us > SILENT_US) {
			link_say(l, "the other side has fallen silent");
			link_go_down(l, true, false);
		}
	} else if (l->up && now_us - l->since_us > HELLO_US) {
		link_refuse(l, l->options->sends
		                   ? "the other side does not answer HELLO"
		                   : "the other side does not send: one of the two needs cmt:// as TO");
	} else if (l->conn == NULL && l->listener == NULL && !l->resting && now_us >= l->call_us) {
		(void)call(l);
	}
	if (!l->ready && !l->resting && l->options->timeout_us != 0 &&
	    now_us - l->since_us > l->options->timeout_us) {
		l->events.on_give_up(l->events.arg);
	}
}

static int find_peer(struct link *l, struct app_error *error)
{
	const struct endpoint *const cmt = l->options->sends ? &l->options->to : &l->options->from;
	struct app_error reason;

	return app_addresses_add(&l->peer, cmt->hosts, l->options->transport.port, true, &reason) == 0
	           ? 0
	           : app_error_set(error, "%s: %s", cmt->text, reason.text);
}

static int begin(struct link *l, struct app_error *error)
{
	const struct usrsctp_cmt_conn_config config = app_transport_conn_config(&l->options->transport);

	l->tick = app_tick_new(l->base, TICK_US, on_tick, l);
	if (l->tick == NULL) {
		return app_error_set(error, "no memory");
	}
	if (!l->options->listens) {
		if (find_peer(l, error) != 0) {
			return -1;
		}
		if (call(l) == EINVAL) {
			return app_error_set(error, "cannot start to connect: %s", strerror(EINVAL));
		}
		return 0;
	}
	l->listener = usrsctp_cmt_listen(l->ev, l->options->transport.port, &config, on_accept, l);
	if (l->listener == NULL) {
		app_transport_listen_error(&l->options->transport, errno, error);
		return -1;
	}
	app_secure_tell_refused(l->options->transport.keys, l->listener);
	if (!l->options->quiet) {
		app_transport_say_where(PROGRAM, &l->options->transport, l->ev);
	}
	return 0;
}

struct link *link_new(struct event_base *base, struct usrsctp_cmt_event *ev,
                      const struct live_options *options, const struct link_events *events,
                      struct app_error *error)
{
	struct link *const l = calloc(1, sizeof(*l));

	if (l == NULL) {
		app_error_set(error, "no memory");
		return NULL;
	}
	l->base = base;
	l->ev = ev;
	l->options = options;
	l->events = *events;
	l->latency_ms = options->latency_ms;
	l->since_us = app_wall_clock_us();
	if (monitor_new(&l->monitor, base, &options->transport.admin, PROGRAM, error) != 0 ||
	    begin(l, error) != 0) {
		link_free(l, NULL);
		return NULL;
	}
	return l;
}

void link_free(struct link *l, const char *why)
{
	if (l == NULL) {
		return;
	}
	if (l->conn != NULL) {
		if (why != NULL && l->up) {
			struct live_message message = {.type = LIVE_REFUSE};

			(void)snprintf(message.text, sizeof(message.text), "%s", why);
			(void)link_send_control(l, &message);
		}
		link_drop(l, why == NULL);
	}
	usrsctp_cmt_listener_free(l->listener);
	monitor_free(l->monitor);
	app_event_free(l->tick);
	free(l);
}
