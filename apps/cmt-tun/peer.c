/* SPDX-License-Identifier: BSD-3-Clause */
#include "peer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "carry/warm_up.h"
#include "loop/loop_events.h"
#include "loop/wall_clock.h"
#include "report.h"

#define TICK_US      1000000u
#define SILENT_US    6000000u /* given up */
#define BUFFER_BYTES (TUN_LOOSE_HEADER_BYTES + INNER_MAX_BYTES + 1)

struct tun_peer {
	struct tun_peer_config config;
	struct tun_carrier *carrier; /* NULL: not open */
	struct event *tick;
	struct tun_warm_up warm_up;
	uint64_t heard_us; /* a message came last */
	bool up, ending;
	int error;          /* of a connection that failed */
	uint32_t mtu_bytes; /* largest inner packet that is sent; 0 = not open */
	char why[TUN_TEXT_MAX_BYTES + 80];
	size_t filled;
	uint8_t bytes[BUFFER_BYTES];
};

/* on_end() comes from the tick, where nothing of the peer is in use. */
static void end(struct tun_peer *peer, const char *why)
{
	if (!peer->ending) {
		peer->ending = true;
		(void)snprintf(peer->why, sizeof(peer->why), "%s", why);
		usrsctp_cmt_conn_disable(peer->config.conn, EV_READ);
		app_tick_change(peer->tick, 1);
	}
}

void tun_peer_say(struct tun_peer *peer, const struct tun_message *message)
{
	const struct usrsctp_cmt_message header = {.ppid = TUN_PPID_CONTROL};
	size_t len;
	char *const text = tun_message_encode(message, &len);

	/* What finds no room is a sign of life too few; the buffer is larger than all else can be. */
	if (text != NULL) {
		(void)usrsctp_cmt_conn_write(peer->config.conn, text, len, &header);
	}
	free(text);
}

void tun_peer_refuse(struct tun_peer *peer, const char *why)
{
	struct tun_message message = {.type = TUN_ERROR};

	tun_message_set_text(&message, why);
	tun_peer_say(peer, &message);
	end(peer, why);
}

/* --- reading --- */

static void on_control(struct tun_peer *peer)
{
	struct tun_message m;
	struct app_error error;
	char text[sizeof(peer->why)];

	if (tun_message_decode((const char *)peer->bytes, peer->filled, &m, &error) != 0) {
		tun_peer_refuse(peer, error.text);
		return;
	}
	switch (m.type) {
	case TUN_HELLO:
	case TUN_WELCOME: peer->config.events.on_message(peer, &m, peer->config.events.arg); break;
	case TUN_KEEP:
	case TUN_TYPES: break;
	case TUN_BYE:
	case TUN_ERROR:
		(void)snprintf(text, sizeof(text), "the other side says: %s", m.text);
		end(peer, text);
		break;
	}
}

static void take(struct tun_peer *peer, uint32_t ppid, uint64_t now_us)
{
	peer->heard_us = now_us;
	if (ppid == TUN_PPID_CONTROL) {
		on_control(peer);
	} else if (peer->carrier == NULL) {
		return; /* packets may overtake WELCOME */
	} else if (tun_carrier_receive(peer->carrier, ppid, peer->bytes, peer->filled, now_us) != 0) {
		tun_peer_refuse(peer, "a message came that is none of a tunnel");
	}
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct tun_peer *const peer = arg;
	const uint64_t now_us = app_wall_clock_us();

	while (!peer->ending) {
		struct usrsctp_cmt_message message = {.flags = 0};
		const ssize_t len = usrsctp_cmt_conn_read(conn, peer->bytes + peer->filled,
		                                          BUFFER_BYTES - peer->filled, &message);

		if (len <= 0) {
			break; /* an event tells of failures */
		}
		peer->filled += (size_t)len;
		if ((message.flags & USRSCTP_CMT_MESSAGE_PART) == 0) {
			take(peer, message.ppid, now_us);
			peer->filled = 0;
		} else if (peer->filled == BUFFER_BYTES) {
			tun_peer_refuse(peer, "a message came that is too large");
		}
	}
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct tun_peer *const peer = arg;
	const char *const reason = usrsctp_cmt_conn_reason(conn);

	switch (event->type) {
	case USRSCTP_CMT_CONN_UP:
		peer->up = true;
		peer->heard_us = app_wall_clock_us();
		tun_warm_up(&peer->warm_up);
		peer->config.events.on_up(peer, peer->config.events.arg);
		break;
	case USRSCTP_CMT_CONN_FAILED: peer->error = reason == NULL ? event->error : 0; /* fall through */
	case USRSCTP_CMT_CONN_LOST: end(peer, reason != NULL ? reason : strerror(event->error)); break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_CLOSED: end(peer, "the other side has closed the connection"); break;
	case USRSCTP_CMT_CONN_PATH_UP:
		if (peer->up) {
			tun_warm_up(&peer->warm_up);
		}
		break;
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

/* --- life --- */

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct tun_peer *const peer = arg;
	const uint64_t now_us = app_wall_clock_us();

	(void)fd;
	(void)what;
	if (peer->up && !peer->ending && now_us - peer->heard_us > SILENT_US) {
		end(peer, "the other side has fallen silent");
	}
	if (peer->ending) {
		peer->config.events.on_end(peer, peer->why, peer->config.events.arg);
		return;
	}
	if (peer->carrier != NULL) {
		peer->mtu_bytes = tun_carrier_look_at_size(peer->carrier);
		tun_carrier_push(peer->carrier, now_us);
		tun_peer_say(
		    peer, &(struct tun_message){.type = TUN_KEEP, .has = TUN_M_MTU, .mtu = peer->mtu_bytes});
	}
}

struct tun_peer *tun_peer_new(const struct tun_peer_config *config)
{
	struct tun_peer *const peer = calloc(1, sizeof(*peer));

	if (peer == NULL || (peer->tick = app_tick_new(config->base, TICK_US, on_tick, peer)) == NULL) {
		free(peer);
		return NULL;
	}
	peer->config = *config;
	peer->up = config->is_up;
	tun_warm_up_init(&peer->warm_up, config->base, config->conn);
	peer->heard_us = app_wall_clock_us();
	usrsctp_cmt_conn_setcb(config->conn, on_readable, NULL, on_event, peer);
	if (peer->up) {
		tun_warm_up(&peer->warm_up);
	}
	return peer;
}

static void end_timers(struct tun_peer *peer)
{
	tun_carrier_free(peer->carrier);
	app_event_free(peer->tick);
	tun_warm_up_end(&peer->warm_up);
}

void tun_peer_free(struct tun_peer *peer, const char *why)
{
	struct tun_message message = {.type = TUN_BYE};

	if (peer == NULL) {
		return;
	}
	if (why != NULL && peer->up && !peer->ending) {
		tun_message_set_text(&message, why);
		tun_peer_say(peer, &message);
	}
	end_timers(peer);
	usrsctp_cmt_conn_free(peer->config.conn);
	free(peer);
}

void tun_peer_abort(struct tun_peer *peer)
{
	end_timers(peer);
	usrsctp_cmt_conn_abort(peer->config.conn);
	free(peer);
}

int tun_peer_open(struct tun_peer *peer)
{
	struct tun_carrier_config config = {.base = peer->config.base,
	                                    .conn = peer->config.conn,
	                                    .settings = peer->config.settings,
	                                    .accepts = peer->config.events.accepts,
	                                    .deliver = peer->config.events.deliver,
	                                    .arg = peer->config.events.arg};

	if (getrandom(&config.seed, sizeof(config.seed), 0) != (ssize_t)sizeof(config.seed)) {
		config.seed = app_wall_clock_us();
	}
	peer->carrier = tun_carrier_new(&config);
	if (peer->carrier == NULL) {
		return -1;
	}
	peer->mtu_bytes = tun_carrier_look_at_size(peer->carrier);
	return 0;
}

bool tun_peer_is_open(const struct tun_peer *peer)
{
	return peer->carrier != NULL && !peer->ending;
}

void tun_peer_send(struct tun_peer *peer, uint8_t *bytes, const struct inner_packet *p, uint64_t now_us)
{
	if (tun_peer_is_open(peer)) {
		tun_carrier_send(peer->carrier, bytes, p, now_us);
	}
}

void tun_peer_push(struct tun_peer *peer, uint64_t now_us)
{
	if (tun_peer_is_open(peer)) {
		tun_carrier_push(peer->carrier, now_us);
	}
}

uint32_t tun_peer_mtu_bytes(const struct tun_peer *peer)
{
	return peer->mtu_bytes;
}

int tun_peer_error(const struct tun_peer *peer)
{
	return peer->error;
}

struct usrsctp_cmt_conn *tun_peer_conn(const struct tun_peer *peer)
{
	return peer->config.conn;
}

struct tun_carrier_stats tun_peer_stats(const struct tun_peer *peer)
{
	return peer->carrier != NULL ? tun_carrier_stats(peer->carrier)
	                             : (struct tun_carrier_stats){.sent_pkts = 0};
}

json_t *tun_peer_figures(void *peer)
{
	const struct tun_carrier_stats stats = tun_peer_stats(peer);
	json_t *const all = tun_report_figures(&stats);

	(void)json_object_set_new(all, "queue_packets", json_integer((json_int_t)stats.queue.pkts));
	(void)json_object_set_new(all, "queue_bytes", json_integer((json_int_t)stats.queue.bytes));
	return all;
}
