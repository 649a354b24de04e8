/* SPDX-License-Identifier: BSD-3-Clause */
#include "link/link.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "link/link_parts.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "monitor.h"
#include "net/connect_error.h"
#include "options/shared_options.h"

#define TICK_US            100000
#define PAUSE_MIN_US       250000u
#define PAUSE_MAX_US       5000000u
#define CONNECT_TIMEOUT_MS 4000
#define HEARTBEAT_MS       1000 /* tells soon when the server was started anew and knows nothing of us */
#define READS_PER_CALLBACK 64   /* then others have their turn */

static void forget_connection(struct link *link)
{
	link->conn = NULL;
	link->state = LINK_DOWN;
	app_outbox_free(&link->out);
	media_in_free(&link->in);
	memset(link->streams, 0, sizeof(link->streams));
	link->n_streams = 0;
	link->n_used = 0;
	link->ending = false;
}

static void for_each_fetch_broken(struct link *link, bool wrong)
{
	for (struct fetch *f = TAILQ_FIRST(&link->fetches), *next; f != NULL; f = next) {
		next = TAILQ_NEXT(f, entry);
		fetch_broken(f, wrong);
	}
}

/* With `abort` what is queued is dropped. */
static void end_connection(struct link *link, bool abort)
{
	monitor_remove(link->config.monitor, link->conn);
	if (abort) {
		usrsctp_cmt_conn_abort(link->conn);
	} else {
		usrsctp_cmt_conn_free(link->conn);
	}
	forget_connection(link);
}

/* `link->why` says why. `wrong`: the server does not follow the protocol. */
static void lose(struct link *link, bool wrong)
{
	const bool was_leaving = link->state == LINK_LEAVING, was_expected = link->ending;
	char text[sizeof(link->why.text) + 40];

	end_connection(link, false);
	if (was_leaving) {
		link->config.left(link->config.arg);
		return;
	}
	link->retry_at_us = app_wall_clock_us() + link->pause_us;
	link->pause_us = link->pause_us * 2 < PAUSE_MAX_US ? link->pause_us * 2 : PAUSE_MAX_US;
	if (!link->complained && !was_expected) {
		snprintf(text, sizeof(text), "%s; trying again", link->why.text);
		link->config.say(text, link->config.arg);
		link->complained = true;
	}
	for_each_fetch_broken(link, wrong);
}

static char *peer_text(const struct link *link, char *out, size_t out_bytes)
{
	return app_addresses_text(link->config.peer, out, out_bytes);
}

static void lose_for(struct link *link, const char *what, const char *reason, bool wrong)
{
	char peer[APP_MAX_ADDRESSES * APP_ADDRESS_TEXT_BYTES];

	app_error_set(&link->why, "%s %.200s%s%s", what, peer_text(link, peer, sizeof(peer)),
	              reason[0] != '\0' ? ": " : "", reason);
	lose(link, wrong);
}

static void lose_attempt(struct link *link, int code)
{
	const bool raw = usrsctp_cmt_event_udp_port(link->config.ev) == 0;
	const struct app_connect_attempt attempt = {
	    .peer = link->config.peer,
	    .udp_port = raw ? 0 : link->config.conn->peer_udp_port,
	    .server = "cmt-streamd",
	    .in_the_clear = link->config.conn->keys == NULL,
	    .reason = link->conn != NULL ? usrsctp_cmt_conn_reason(link->conn) : NULL};

	app_connect_error(&attempt, code, &link->why);
	lose(link, false);
}

static void refuse(struct link *link, const char *reason)
{
	struct media_message m = {.type = MEDIA_ERROR};

	media_set_text(&m, reason);
	link_send(link, 0, &m);
	lose_for(link, "gave up the connection to", reason, true);
}

static void greet(struct link *link)
{
	struct media_message hello = {
	    .type = MEDIA_HELLO, .has = MEDIA_M_VERSION | MEDIA_M_AGENT, .version = MEDIA_VERSION};
	struct sctp_paddrparams heartbeat = {.spp_flags = SPP_HB_ENABLE, .spp_hbinterval = HEARTBEAT_MS};
	struct sctp_status status = {0};
	socklen_t len = sizeof(status);
	uint16_t n = 0;

	app_release_text("cmt-gateway", hello.agent, sizeof(hello.agent));
	heartbeat.spp_address.ss_family = AF_INET;
	(void)usrsctp_setsockopt(usrsctp_cmt_conn_socket(link->conn), IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS,
	                         &heartbeat, sizeof(heartbeat));
	if (usrsctp_getsockopt(usrsctp_cmt_conn_socket(link->conn), IPPROTO_SCTP, SCTP_STATUS, &status,
	                       &len) == 0) {
		n = status.sstat_instrms < status.sstat_outstrms ? status.sstat_instrms
		                                                 : status.sstat_outstrms;
	}
	if (n < 2) {
		refuse(link, "the association has no stream for requests");
		return;
	}
	link->n_streams = n < MEDIA_STREAMS ? n : MEDIA_STREAMS;
	link->state = LINK_GREETING;
	link->heard_us = app_wall_clock_us();
	link_send(link, 0, &hello);
}

static void on_welcome(struct link *link, const struct media_message *m)
{
	char text[400], peer[300];

	link->state = LINK_UP;
	link->max_used = (unsigned)m->requests_max < link->config.max_requests ? (unsigned)m->requests_max
	                                                                       : link->config.max_requests;
	link->pause_us = PAUSE_MIN_US;
	link->complained = false;
	link->on_demand = link->config.idle_us > 0;
	link->used_us = app_wall_clock_us();
	snprintf(text, sizeof(text), "connected to %s", peer_text(link, peer, sizeof(peer)));
	link->config.say(text, link->config.arg);
	link_start_fetches(link);
}

/* The server goes on with what it has begun, then shuts the association down. It says so too when nobody has
 * wanted anything for long: no reason to come back before somebody does, and none to speak of. */
static void on_bye(struct link *link, const struct media_message *m)
{
	char text[MEDIA_TEXT_MAX_BYTES + 100];

	link->ending = true;
	link->on_demand = link->on_demand || !link_is_wanted(link);
	if (link->state == LINK_UP && link_is_wanted(link) && !link->complained) {
		snprintf(text, sizeof(text), "the server closes the connection%s%s",
		         (m->has & MEDIA_M_TEXT) != 0 ? ": " : "",
		         (m->has & MEDIA_M_TEXT) != 0 ? m->text : "");
		link->config.say(text, link->config.arg);
		link->complained = true;
	}
}

/* On stream 0. False when the connection is over. */
static bool take_own(struct link *link, const struct media_message *m)
{
	char reason[100];

	if (m->type == MEDIA_WELCOME && link->state == LINK_GREETING) {
		on_welcome(link, m);
		return true;
	}
	if (m->type == MEDIA_ERROR) {
		lose_for(link, "refused by", m->text, true);
		return false;
	}
	if (m->type == MEDIA_BYE) {
		on_bye(link, m);
		return true;
	}
	snprintf(reason, sizeof(reason), "the server sent \"%s\" at the wrong time",
	         media_message_name(m->type));
	refuse(link, reason);
	return false;
}

/* False when there is nothing left to read, or the connection is over. */
static bool read_one(struct link *link)
{
	struct app_error error;
	struct media_read read;
	const enum media_got got = media_read(&link->in, link->conn, &read, &error);
	int rc = 0;

	if (got == MEDIA_GOT_NOTHING) {
		return false;
	}
	link->heard_us = app_wall_clock_us();
	if (got == MEDIA_GOT_MESSAGE && read.stream_id == 0) {
		return take_own(link, &read.message);
	}
	if (got != MEDIA_GOT_WRONG) {
		rc = link_take(link, &read, got == MEDIA_GOT_DATA, &error);
	}
	if (got == MEDIA_GOT_WRONG || rc != 0) {
		refuse(link, error.text);
		return false;
	}
	return true;
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct link *link = arg;

	(void)conn;
	for (int i = 0; i < READS_PER_CALLBACK; i++) {
		if (!read_one(link)) {
			return;
		}
	}
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct link *link = arg;

	(void)app_outbox_flush(&link->out, conn);
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct link *link = arg;
	const char *const known = usrsctp_cmt_conn_reason(conn);
	const char *const reason = known != NULL ? known : event->error != 0 ? strerror(event->error) : "";

	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: greet(link); break;
	case USRSCTP_CMT_CONN_FAILED: lose_attempt(link, event->error); break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_LOST: lose_for(link, "lost the connection to", reason, false); break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

/* 0, or -1 with errno. */
static int connect_now(struct link *link)
{
	struct usrsctp_cmt_conn_config conn = *link->config.conn;

	conn.streams_out = MEDIA_STREAMS;
	conn.streams_in_max = MEDIA_STREAMS;
	conn.connect_timeout_ms = CONNECT_TIMEOUT_MS;
	link->conn =
	    usrsctp_cmt_conn_connect(link->config.ev, link->config.peer->list, link->config.peer->n, &conn);
	if (link->conn == NULL) {
		return -1;
	}
	link->state = LINK_CONNECTING;
	usrsctp_cmt_conn_setcb(link->conn, on_readable, on_writable, on_event, link);
	monitor_add(link->config.monitor, link->conn, NULL);
	return 0;
}

static void leave(struct link *link)
{
	static const struct media_message bye = {.type = MEDIA_BYE};

	if (link->state == LINK_UP) {
		link_send(link, 0, &bye);
	}
}

static void tick_down(struct link *link, uint64_t now_us)
{
	if (now_us >= link->retry_at_us && (!link->on_demand || link_is_wanted(link)) &&
	    connect_now(link) != 0) {
		lose_attempt(link, errno);
	}
}

static void tick_up(struct link *link, uint64_t now_us)
{
	if (!TAILQ_EMPTY(&link->fetches)) {
		link->used_us = now_us;
	}
	if (link->state == LINK_UP && !link_awaits(link)) {
		link->heard_us = now_us;
	}
	if (now_us > link->heard_us + link->config.timeout_us) {
		lose_for(link, "no answer from", "silent for too long", false);
	} else if (link->config.idle_us > 0 && now_us > link->used_us + link->config.idle_us) {
		leave(link);
		end_connection(link, false);
	} else {
		link_start_fetches(link);
	}
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct link *link = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	switch (link->state) {
	case LINK_DOWN: tick_down(link, now_us); break;
	case LINK_GREETING:
	case LINK_UP: tick_up(link, now_us); break;
	case LINK_CONNECTING:
	case LINK_LEAVING: break;
	}
	for (struct fetch *f = TAILQ_FIRST(&link->fetches), *next; f != NULL; f = next) {
		next = TAILQ_NEXT(f, entry);
		fetch_tick(f, now_us);
	}
}

struct link *link_new(const struct link_config *config, struct app_error *error)
{
	struct link *link = calloc(1, sizeof(*link));

	app_error_set(error, "no memory");
	if (link == NULL) {
		return NULL;
	}
	link->config = *config;
	link->on_demand = config->idle_us > 0;
	link->pause_us = PAUSE_MIN_US;
	app_error_set(&link->why, "the server did not answer in time");
	TAILQ_INIT(&link->fetches);
	link->tick = app_tick_new(config->base, TICK_US, on_tick, link);
	if (link->tick == NULL) {
		link_free(link);
		return NULL;
	}
	if (!link->on_demand && connect_now(link) != 0 && errno == EINVAL) {
		app_error_set(error, "cannot start to connect: %s", strerror(EINVAL));
		link_free(link);
		return NULL;
	}
	return link;
}

void link_leave(struct link *link)
{
	leave(link);
	if (link->conn == NULL || link->state != LINK_UP || usrsctp_cmt_conn_shutdown(link->conn) != 0) {
		end_connection(link, true);
		link->config.left(link->config.arg);
		return;
	}
	link->state = LINK_LEAVING;
}

void link_free(struct link *link)
{
	if (link == NULL) {
		return;
	}
	end_connection(link, true);
	app_event_free(link->tick);
	free(link);
}
