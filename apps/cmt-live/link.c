/* SPDX-License-Identifier: BSD-3-Clause */
#include "link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/connect_error.h"
#include "options/path_costs.h"
#include "options/path_needs.h"
#include "repair_code.h"
#include "text/units.h"

#define PROGRAM "cmt-live"

#define TICK_US            100000u
#define STATUS_US          400000u
#define STATUS_REPAIR_US   200000u /* the sender goes by it */
#define STATUS_LIFETIME_MS 1000u
#define RETRY_US           500000u
#define CONNECT_TIMEOUT_MS 5000u
#define HELLO_US           3000000u /* from the connection to the end of the handshake */
#define GONE_US            1500000u /* silent for so long: somebody else may call */
#define SILENT_US          5000000u /* given up */
#define RECOVERY_ROUNDS    3u
#define RECOVERY_MAX_US    1500000u
#define BUFFER_BYTES       (LIVE_MAX_MESSAGE_BYTES + 1)

struct link {
	struct event_base *base;
	struct usrsctp_cmt_event *ev;
	const struct live_options *options;
	struct link_events events;
	struct app_addresses peer;
	struct usrsctp_cmt_listener *listener;
	struct usrsctp_cmt_conn *conn;
	struct monitor *monitor; /* NULL = none */
	struct event *tick;
	bool up, ready, resting;
	bool repairs;       /* REPAIR may be sent, or come */
	bool finishing;     /* shutting down: behind END, which one side sent */
	bool ended;         /* the peer's END has come */
	uint64_t since_us;  /* when the present state began: no connection, or not ready */
	uint64_t heard_us;  /* a message came last */
	uint64_t status_us; /* sent last */
	uint64_t call_us;   /* no earlier than that */
	uint32_t latency_ms;
	uint64_t abandoned_before; /* on earlier connections */
	struct link_stats stats;
	struct app_path_needs needs;
	char said[sizeof(struct app_error)];
	size_t filled;
	uint8_t bytes[BUFFER_BYTES];
};

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* Once: calls that fail one after the other fail for the same reason. */
static void say(struct link *l, const char *text)
{
	if ((!l->options->quiet || l->options->host != NULL) && strcmp(l->said, text) != 0) {
		live_say(l->options, "%s", text);
	}
	(void)snprintf(l->said, sizeof(l->said), "%s", text);
}

static void tell_host(const struct link *l, bool up)
{
	if (l->options->host != NULL) {
		l->options->host->on_connection(up, l->options->host->arg);
	}
}

static uint64_t abandoned_now(struct link *l)
{
	struct sctp_prstatus status = {.sprstat_policy = SCTP_PR_SCTP_TTL};
	socklen_t len = sizeof(status);

	if (l->conn == NULL || usrsctp_getsockopt(usrsctp_cmt_conn_socket(l->conn), IPPROTO_SCTP,
	                                          SCTP_PR_ASSOC_STATUS, &status, &len) != 0) {
		return 0;
	}
	l->stats.abandoned_unsent = status.sprstat_abandoned_unsent;
	return status.sprstat_abandoned_unsent + status.sprstat_abandoned_sent;
}

const struct link_stats *link_stats(struct link *l)
{
	if (l->conn != NULL && l->up) {
		const uint64_t abandoned = l->abandoned_before + abandoned_now(l);

		/* Each side tells the other twice a second that it is alive. */
		monitor_watch_look(&l->stats.watch, usrsctp_cmt_conn_socket(l->conn), l->ready,
		                   app_wall_clock_us());
		l->stats.abandoned = abandoned > l->stats.abandoned ? abandoned : l->stats.abandoned;
	}
	return &l->stats;
}

char *link_state(const struct link *l, char out[LINK_STATE_BYTES])
{
	const uint64_t stalled_us = monitor_watch_stalled_us(&l->stats.watch);
	char time[40];

	if (!link_is_ready(l)) {
		snprintf(out, LINK_STATE_BYTES, "no connection");
	} else if (stalled_us > 0) {
		snprintf(out, LINK_STATE_BYTES, "stalled for %s",
		         app_format_duration(stalled_us, time, sizeof(time)));
	} else {
		snprintf(out, LINK_STATE_BYTES, "up");
	}
	return out;
}

char *link_paths(const struct link *l, char out[MONITOR_WATCH_TEXT_BYTES])
{
	out[0] = '\0';
	return link_is_ready(l) ? monitor_watch_text(&l->stats.watch, out) : out;
}

bool link_is_ready(const struct link *l)
{
	return l->ready && !l->finishing;
}

bool link_is_connected(const struct link *l)
{
	return l->conn != NULL;
}

uint32_t link_latency_ms(const struct link *l)
{
	return l->latency_ms;
}

bool link_repairs(const struct link *l)
{
	return l->ready && l->repairs;
}

static bool wants_repair(const struct link *l)
{
	return l->options->repair && repair_code_available();
}

static int write_message(struct link *l, const void *bytes, size_t len,
                         const struct usrsctp_cmt_message *message)
{
	if (l->conn == NULL) {
		return -1;
	}
	if (usrsctp_cmt_conn_write(l->conn, bytes, len, message) == 0) {
		return 1;
	}
	return errno == EAGAIN ? 0 : -1;
}

/* SCTP must live to see that a chunk is lost, send it again and hear of that: what is given up before, it can
 * only pass by FORWARD-TSN, one gap for each round trip, and then stands still at some percents of loss. */
static uint32_t recovery_ms(const struct link *l)
{
	const struct app_assoc_stats *const stats = &l->stats.watch.now.stats;
	uint32_t srtt_us = 0;

	for (size_t i = 0; i < stats->n_paths; i++) {
		if (stats->paths[i].state == SCTP_CMT_PATH_ACTIVE) {
			srtt_us = larger(srtt_us, stats->paths[i].srtt_us);
		}
	}
	srtt_us = srtt_us < RECOVERY_MAX_US / RECOVERY_ROUNDS ? srtt_us : RECOVERY_MAX_US / RECOVERY_ROUNDS;
	return RECOVERY_ROUNDS * srtt_us / 1000;
}

int link_send(struct link *l, const void *bytes, size_t len, uint32_t lifetime_ms)
{
	const struct usrsctp_cmt_message message = {.flags = USRSCTP_CMT_MESSAGE_UNORDERED,
	                                            .ppid = LIVE_PPID,
	                                            .lifetime_ms =
	                                                larger(larger(lifetime_ms, recovery_ms(l)), 1)};

	return write_message(l, bytes, len, &message);
}

static int send_control(struct link *l, const struct live_message *control)
{
	const struct usrsctp_cmt_message message = {.ppid = LIVE_PPID};
	uint8_t bytes[LIVE_MAX_CONTROL_BYTES];

	return write_message(l, bytes, live_message_encode(control, bytes), &message);
}

int link_finish(struct link *l, uint32_t seq)
{
	const int sent = send_control(l, &(struct live_message){.type = LIVE_END, .seq = seq});

	if (sent == 1) {
		(void)link_stats(l);
		l->finishing = true;
		l->since_us = app_wall_clock_us();
		(void)usrsctp_cmt_conn_shutdown(l->conn);
	}
	return sent;
}

/* Forgets the connection, at once or when what is queued has left. */
static void drop(struct link *l, bool at_once)
{
	(void)link_stats(l);
	l->abandoned_before = l->stats.abandoned;
	monitor_remove(l->monitor, l->conn);
	if (at_once) {
		usrsctp_cmt_conn_abort(l->conn);
	} else {
		usrsctp_cmt_conn_free(l->conn);
	}
	l->conn = NULL;
	l->up = l->ready = l->finishing = l->ended = l->stats.told = false;
	l->filled = 0;
	l->since_us = app_wall_clock_us();
	l->call_us = l->since_us + RETRY_US;
}

static void go_down(struct link *l, bool at_once, bool finished)
{
	const bool was_ready = l->ready;

	if (l->conn == NULL) {
		return;
	}
	drop(l, at_once);
	if (was_ready) {
		tell_host(l, false);
		l->events.on_down(finished, l->events.arg);
	}
}

void link_rest(struct link *l)
{
	l->resting = true;
}

void link_close(struct link *l)
{
	go_down(l, false, false);
}

static void refuse(struct link *l, const char *why)
{
	struct live_message message = {.type = LIVE_REFUSE};

	(void)snprintf(message.text, sizeof(message.text), "%s", why);
	(void)send_control(l, &message);
	say(l, why);
	go_down(l, false, false);
}

static void on_capacity(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_capacity_change *change,
                        void *arg)
{
	const struct link *const l = arg;

	(void)conn;
	l->events.on_capacity(change, l->events.arg);
}

static void become_ready(struct link *l, const struct live_message *hello)
{
	const bool tell = l->options->listens && l->stats.encryption.encrypted;
	char text[500], paths[200], peer[APP_ENCRYPTION_TEXT_BYTES];

	(void)link_stats(l);
	(void)snprintf(text, sizeof(text), "connected to %s, latency %u ms%s%s",
	               app_assoc_stats_peer(&l->stats.watch.now.stats, paths, sizeof(paths)), l->latency_ms,
	               tell ? "; it is " : "", tell ? app_encryption_text(&l->stats.encryption, peer) : "");
	l->said[0] = '\0';
	say(l, text);
	l->ready = true;
	l->stats.connections++;
	tell_host(l, true);
	if (l->events.on_capacity != NULL) {
		(void)usrsctp_cmt_conn_watch_capacity(l->conn, l->latency_ms, on_capacity, l);
	}
	l->events.on_ready(l->latency_ms, hello, l->events.arg);
}

static void on_hello(struct link *l, const struct live_message *hello)
{
	if (l->options->sends) {
		refuse(l, "both sides send: one of the two needs cmt:// as FROM");
		return;
	}
	if (l->ready) {
		refuse(l, "a second HELLO came");
		return;
	}
	l->latency_ms = larger(l->options->latency_ms, hello->latency_ms);
	l->repairs = hello->repair && wants_repair(l);
	if (send_control(l, &(struct live_message){.type = LIVE_WELCOME,
	                                           .latency_ms = l->latency_ms,
	                                           .repair = l->repairs}) == 1) {
		become_ready(l, hello);
	}
}

/* Why what a sender sends must not come now; NULL: it may. */
static const char *why_unwanted(const struct link *l, enum live_type type)
{
	if (l->options->sends) {
		return "data came from the side that receives";
	}
	if (!l->ready) {
		return "data came before HELLO";
	}
	return type == LIVE_REPAIR && !l->repairs ? "repair came that was not agreed on" : NULL;
}

static void on_message(struct link *l, const struct live_message *message)
{
	const char *wrong;
	struct app_error text;

	switch (message->type) {
	case LIVE_HELLO: on_hello(l, message); return;
	case LIVE_WELCOME:
		if (!l->options->sends || l->ready || message->latency_ms < l->options->latency_ms) {
			refuse(l, "an invalid WELCOME came");
			return;
		}
		l->latency_ms = message->latency_ms;
		l->repairs = message->repair && wants_repair(l);
		become_ready(l, NULL);
		return;
	case LIVE_STATUS:
		l->stats.peer = message->status;
		l->stats.told = true;
		return;
	case LIVE_REFUSE:
		app_error_set(&text, "the other side says: %s", message->text);
		say(l, text.text);
		go_down(l, true, false);
		return;
	case LIVE_DATA:
	case LIVE_REPAIR:
	case LIVE_END:
		wrong = why_unwanted(l, message->type);
		if (wrong != NULL) {
			refuse(l, wrong);
			return;
		}
		l->ended = l->ended || message->type == LIVE_END;
		l->events.on_message(message, l->events.arg);
		return;
	}
}

static void take(struct link *l, uint32_t ppid)
{
	struct live_message message;

	l->heard_us = app_wall_clock_us();
	if (ppid != LIVE_PPID || live_message_decode(l->bytes, l->filled, &message) != 0) {
		refuse(l, "an invalid message came: is it another program, or another version?");
		return;
	}
	on_message(l, &message);
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct link *const l = arg;

	while (l->conn == conn) {
		struct usrsctp_cmt_message message = {.flags = 0};
		const ssize_t len =
		    usrsctp_cmt_conn_read(conn, l->bytes + l->filled, BUFFER_BYTES - l->filled, &message);

		if (len <= 0) {
			return; /* an event tells of failures */
		}
		l->filled += (size_t)len;
		if ((message.flags & USRSCTP_CMT_MESSAGE_PART) == 0) {
			take(l, message.ppid);
			l->filled = 0;
		} else if (l->filled == BUFFER_BYTES) {
			refuse(l, "a message came that is too large");
		}
	}
}

static void on_up(struct link *l)
{
	struct live_message hello = {
	    .type = LIVE_HELLO, .latency_ms = l->options->latency_ms, .repair = wants_repair(l)};

	l->up = true;
	app_encryption_read(l->conn, &l->stats.encryption);
	l->stats.watch = (struct monitor_watch){.now.at_us = 0};
	l->since_us = l->heard_us = app_wall_clock_us();
	if (l->options->sends) {
		l->events.hello(&hello, l->events.arg);
		(void)send_control(l, &hello);
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
	say(l, text.text);
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
		go_down(l, true, l->ended);
		return;
	}
	if (event->type == USRSCTP_CMT_CONN_FAILED) {
		say_cannot_connect(l, event->error);
	} else if (reason != NULL || event->error != 0) {
		app_error_set(&text, "the connection was lost: %s",
		              reason != NULL ? reason : strerror(event->error));
		say(l, text.text);
	} else {
		say(l, "the other side has closed the connection");
	}
	go_down(l, event->type != USRSCTP_CMT_CONN_PEER_CLOSED, false);
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
	case USRSCTP_CMT_CONN_CLOSED: go_down(l, true, true); break;
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
	usrsctp_cmt_conn_setcb(conn, on_readable, NULL, on_event, l);
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
		say(l, "the other side has fallen silent and another caller is waiting: switching to it");
		go_down(l, true, false);
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
	l->call_us = app_wall_clock_us() + RETRY_US;
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
			go_down(l, true, l->ended);
		}
	} else if (l->ready) {
		heed_costs(l);
		send_status(l, now_us);
		if (now_us - l->heard_us > SILENT_US) {
			say(l, "the other side has fallen silent");
			go_down(l, true, false);
		}
	} else if (l->up && now_us - l->since_us > HELLO_US) {
		refuse(l, l->options->sends
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
			(void)send_control(l, &message);
		}
		drop(l, why == NULL);
	}
	usrsctp_cmt_listener_free(l->listener);
	monitor_free(l->monitor);
	app_event_free(l->tick);
	free(l);
}

void link_tell_needed(struct link *l, uint64_t rate_bps, uint64_t in_us, uint64_t now_us)
{
	if (l->conn != NULL) {
		app_path_needs_tell(&l->needs, &l->options->transport.metered,
		                    usrsctp_cmt_conn_socket(l->conn), rate_bps, in_us, now_us);
	}
}

void link_load(const struct link *l, size_t *unsent_bytes, uint64_t *rate_bps)
{
	struct app_assoc_stats stats = {.n_paths = 0};

	*rate_bps = 0;
	*unsent_bytes = 0;
	if (l->conn == NULL) {
		return;
	}
	app_assoc_stats_read(usrsctp_cmt_conn_socket(l->conn), &stats);
	for (size_t i = 0; i < stats.n_paths; i++) {
		*rate_bps += stats.paths[i].state == SCTP_CMT_PATH_ACTIVE ? stats.paths[i].rate_bps : 0;
	}
	*unsent_bytes = (size_t)stats.all.unsent_bytes;
}
