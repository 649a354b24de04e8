/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A connection as a bufferevent: the application has one end of a bufferevent pair, this file serves the
 * other and carries data between it and the connection, in both directions only as fast as the far side
 * takes them. */
#include "conn.h"

#include <errno.h>
#include <stdlib.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>

#define MESSAGE_BYTES 16384

struct conn_bridge {
	struct usrsctp_cmt_conn *conn;
	struct bufferevent *inner, *outer;
	uint16_t stream_id;
	bool application_ended; /* it will write no more */
	bool told_end;          /* BEV_EVENT_EOF or BEV_EVENT_ERROR */
};

/* Data that the application does not take: beyond this the peer has to wait. */
static bool outer_is_full(const struct conn_bridge *bridge)
{
	return evbuffer_get_length(bufferevent_get_output(bridge->inner)) >= MESSAGE_BYTES;
}

/* --- from the connection --- */

static void tell_error(struct conn_bridge *bridge, int code)
{
	bridge->told_end = true;
	EVUTIL_SET_SOCKET_ERROR(code);
	bufferevent_trigger_event(bridge->outer, BEV_EVENT_ERROR | BEV_EVENT_READING, 0);
}

/* The room comes first: what was read and found none would be lost. */
static void on_data(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct conn_bridge *bridge = arg;
	struct evbuffer *to = bufferevent_get_output(bridge->inner);
	struct evbuffer_iovec room;
	ssize_t n;

	while (!bridge->told_end && !outer_is_full(bridge)) {
		if (evbuffer_reserve_space(to, MESSAGE_BYTES, &room, 1) != 1) {
			tell_error(bridge, ENOMEM);
			break;
		}
		n = usrsctp_cmt_conn_read(conn, room.iov_base, MESSAGE_BYTES, NULL);
		room.iov_len = n > 0 ? (size_t)n : 0;
		(void)evbuffer_commit_space(to, &room, 1);
		if (n <= 0) {
			return;
		}
	}
	usrsctp_cmt_conn_disable(conn, EV_READ); /* until on_inner_drained() */
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct conn_bridge *bridge = arg;

	(void)conn;
	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: bufferevent_trigger_event(bridge->outer, BEV_EVENT_CONNECTED, 0); break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_CLOSED:
		if (!bridge->told_end) {
			bridge->told_end = true;
			bufferevent_flush(bridge->inner, EV_WRITE, BEV_FINISHED);
		}
		break;
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST:
		EVUTIL_SET_SOCKET_ERROR(event->error);
		bufferevent_trigger_event(bridge->outer, BEV_EVENT_ERROR, 0);
		break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
}

static void on_inner_drained(struct bufferevent *inner, void *arg)
{
	const struct conn_bridge *bridge = arg;

	(void)inner;
	usrsctp_cmt_conn_enable(bridge->conn, EV_READ);
}

/* --- from the application --- */

static void on_room(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct conn_bridge *bridge = arg;
	struct evbuffer *from = bufferevent_get_input(bridge->inner);
	const struct usrsctp_cmt_message message = {.stream_id = bridge->stream_id};
	size_t len;

	while ((len = evbuffer_get_length(from)) > 0) {
		size_t part = len < MESSAGE_BYTES ? len : MESSAGE_BYTES;
		const uint8_t *bytes = evbuffer_pullup(from, (ev_ssize_t)part);

		if (bytes == NULL || usrsctp_cmt_conn_write(conn, bytes, part, &message) != 0) {
			return; /* no room: called again; lost: an event comes */
		}
		evbuffer_drain(from, part);
	}
	if (bridge->application_ended) {
		(void)usrsctp_cmt_conn_shutdown(conn);
	}
}

static void on_inner_data(struct bufferevent *inner, void *arg)
{
	struct conn_bridge *bridge = arg;

	(void)inner;
	on_room(bridge->conn, bridge);
}

static void on_inner_event(struct bufferevent *inner, short what, void *arg)
{
	struct conn_bridge *bridge = arg;

	if ((what & BEV_EVENT_EOF) != 0) {
		bridge->application_ended = true;
		on_inner_data(inner, bridge);
	}
}

/* --- life --- */

struct bufferevent *usrsctp_cmt_conn_bufferevent(struct usrsctp_cmt_conn *conn, uint16_t stream_id)
{
	struct conn_bridge *bridge = calloc(1, sizeof(*bridge));
	struct bufferevent *pair[2];

	if (conn->bridge != NULL || bridge == NULL || bufferevent_pair_new(conn->ev->base, 0, pair) != 0) {
		free(bridge);
		errno = conn->bridge != NULL ? EBUSY : ENOMEM;
		return NULL;
	}
	*bridge =
	    (struct conn_bridge){.conn = conn, .inner = pair[0], .outer = pair[1], .stream_id = stream_id};
	conn->bridge = bridge;
	bufferevent_setcb(bridge->inner, on_inner_data, on_inner_drained, on_inner_event, bridge);
	/* The pair takes no more from the application than this while the connection has no room. */
	bufferevent_setwatermark(bridge->inner, EV_READ, 0, MESSAGE_BYTES);
	bufferevent_enable(bridge->inner, EV_READ | EV_WRITE);
	bufferevent_enable(bridge->outer, EV_WRITE);
	usrsctp_cmt_conn_setcb(conn, on_data, on_room, on_event, bridge);
	return bridge->outer;
}

void conn_bridge_free(struct conn_bridge *bridge)
{
	if (bridge != NULL) {
		bufferevent_free(bridge->inner);
		free(bridge);
	}
}
