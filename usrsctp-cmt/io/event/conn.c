/* SPDX-License-Identifier: BSD-3-Clause */
#include "conn.h"
#include "conn_secure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define CONNECT_TIMEOUT_MS 30000
#define LINGER_TIMEOUT_MS  30000

/* --- life --- */

struct usrsctp_cmt_conn *conn_new(struct usrsctp_cmt_event *ev, struct socket *so)
{
	struct usrsctp_cmt_conn *conn = calloc(1, sizeof(*conn));

	if (conn == NULL) {
		usrsctp_close(so);
		errno = ENOMEM;
		return NULL;
	}
	conn->ev = ev;
	conn->so = so;
	conn->state = CONN_CONNECTING;
	conn->enabled = EV_READ | EV_WRITE;
	conn->wants_room = true;
	TAILQ_INSERT_TAIL(&ev->conns, conn, in_all);
	usrsctp_set_upcall(so, conn_upcall, conn);
	return conn;
}

static void make_unready(struct usrsctp_cmt_conn *conn)
{
	if (conn->is_ready) {
		conn->is_ready = false;
		TAILQ_REMOVE(&conn->ev->ready, conn, in_ready);
		conn->ev->n_ready--;
	}
}

void conn_limit_none(struct usrsctp_cmt_conn *conn)
{
	if (conn->timer != NULL) {
		event_free(conn->timer);
		conn->timer = NULL;
	}
}

/* Ends the association at once if there still is one. */
void conn_destroy(struct usrsctp_cmt_conn *conn)
{
	const struct linger now = {.l_onoff = 1, .l_linger = 0};

	make_unready(conn);
	TAILQ_REMOVE(&conn->ev->conns, conn, in_all);
	conn_limit_none(conn);
	conn_capacity_free(conn->capacity);
	conn_bridge_free(conn->bridge);
	conn_secure_free(conn->secure);
	free(conn->peers);
	usrsctp_set_upcall(conn->so, NULL, NULL);
	(void)conn_set_option(conn->so, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	usrsctp_close(conn->so);
	free(conn);
}

static void give_up(evutil_socket_t fd, short what, void *arg)
{
	struct usrsctp_cmt_conn *conn = arg;
	struct usrsctp_cmt_event *ev = conn->ev;

	(void)fd;
	(void)what;
	evio_enter(ev);
	if (conn->forgotten) {
		conn_destroy(conn);
	} else if (conn->state == CONN_CONNECTING) {
		conn_secure_note_timeout(conn);
		conn_event(conn, USRSCTP_CMT_CONN_FAILED, ETIMEDOUT, NULL);
	}
	evio_leave(ev);
}

int conn_limit(struct usrsctp_cmt_conn *conn, uint32_t ms)
{
	const struct timeval wait = {.tv_sec = (time_t)(ms / 1000),
	                             .tv_usec = (suseconds_t)(ms % 1000) * 1000};

	conn_limit_none(conn);
	conn->timer = evtimer_new(conn->ev->base, give_up, conn);
	return conn->timer != NULL ? event_add(conn->timer, &wait) : -1;
}

int conn_limit_connecting(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_config *config)
{
	return conn_limit(conn,
	                  config->connect_timeout_ms != 0 ? config->connect_timeout_ms : CONNECT_TIMEOUT_MS);
}

static int connect_all(struct usrsctp_cmt_conn *conn)
{
	uint8_t packed[EVIO_ADDRESSES_MAX * sizeof(struct sockaddr_in6)];
	uint8_t *at = packed;

	for (size_t i = 0; i < conn->n_peers; i++) {
		memcpy(at, &conn->peers[i], evio_address_len(&conn->peers[i].any));
		at += evio_address_len(&conn->peers[i].any);
	}
	if (usrsctp_connectx(conn->so, (const struct sockaddr *)(const void *)packed, (int)conn->n_peers,
	                     NULL) != 0 &&
	    errno != EINPROGRESS) {
		return -1;
	}
	return 0;
}

static bool peers_are_valid(const struct sockaddr_storage *peer, size_t n)
{
	uint16_t port;

	if (n == 0 || n > EVIO_ADDRESSES_MAX || peer == NULL) {
		return false;
	}
	port = evio_address_port((const struct sockaddr *)&peer[0]);
	for (size_t i = 0; i < n; i++) {
		if ((peer[i].ss_family != AF_INET && peer[i].ss_family != AF_INET6) ||
		    evio_address_port((const struct sockaddr *)&peer[i]) != port) {
			return false;
		}
	}
	return port != 0;
}

/* A client's UDP port is its own on this host, as long as the kernel chose it. An SCTP port of the same
 * number keeps processes apart whom the peer would otherwise take for one association that restarts: all that
 * it looks at is addresses and SCTP ports (RFC 9260, section 5.2). */
static struct socket *client_socket(struct usrsctp_cmt_event *ev,
                                    const struct usrsctp_cmt_conn_config *config)
{
	if (config->local_port == 0 && ev->config.transport == USRSCTP_CMT_EVENT_UDP &&
	    ev->config.udp_port == 0) {
		struct socket *so = conn_socket_open(ev, config, ev->udp_port, false);

		if (so != NULL || errno != EADDRINUSE) {
			return so;
		}
	}
	return conn_socket_open(ev, config, config->local_port, false);
}

struct usrsctp_cmt_conn *usrsctp_cmt_conn_connect(struct usrsctp_cmt_event *ev,
                                                  const struct sockaddr_storage *peer, size_t n_peer,
                                                  const struct usrsctp_cmt_conn_config *config)
{
	struct usrsctp_cmt_conn *conn;
	struct socket *so;

	if (conn_config_check(config) != 0 || !peers_are_valid(peer, n_peer)) {
		errno = EINVAL;
		return NULL;
	}
	for (size_t i = 0; i < n_peer; i++) {
		if (evio_address_scope((const struct sockaddr *)&peer[i]) != 0) {
			evio_use_link_local(ev);
		}
	}
	so = client_socket(ev, config);
	if (so == NULL) {
		return NULL;
	}
	conn = conn_new(ev, so);
	if (conn == NULL) {
		return NULL;
	}
	conn->peers = calloc(n_peer, sizeof(*conn->peers));
	conn->secure = config->keys != NULL ? conn_secure_new(config) : NULL;
	if (conn->peers == NULL || (config->keys != NULL && conn->secure == NULL)) {
		conn_destroy(conn);
		errno = ENOMEM;
		return NULL;
	}
	conn->n_peers = n_peer;
	for (size_t i = 0; i < n_peer; i++) {
		const struct sockaddr *address = (const struct sockaddr *)&peer[i];

		evio_address_copy(&conn->peers[i], address, evio_address_port(address));
	}
	if (conn_limit_connecting(conn, config) != 0 || connect_all(conn) != 0) {
		int error = errno;

		conn_destroy(conn);
		errno = error;
		return NULL;
	}
	evio_schedule(ev);
	return conn;
}

static void end(struct usrsctp_cmt_conn *conn)
{
	if (conn->serving) {
		conn->freed = true;
	} else {
		conn_destroy(conn);
	}
}

void usrsctp_cmt_conn_abort(struct usrsctp_cmt_conn *conn)
{
	if (conn != NULL) {
		struct usrsctp_cmt_event *ev = conn->ev;

		end(conn);
		evio_schedule(ev);
	}
}

void usrsctp_cmt_conn_free(struct usrsctp_cmt_conn *conn)
{
	if (conn == NULL) {
		return;
	}
	conn_capacity_free(conn->capacity);
	conn->capacity = NULL;
	conn_bridge_free(conn->bridge);
	conn->bridge = NULL;
	usrsctp_cmt_conn_setcb(conn, NULL, NULL, NULL, NULL);
	if (conn->state == CONN_CONNECTING || conn->state == CONN_OVER ||
	    conn_limit(conn, LINGER_TIMEOUT_MS) != 0) {
		usrsctp_cmt_conn_abort(conn);
		return;
	}
	conn->forgotten = true;
	(void)usrsctp_cmt_conn_shutdown(conn);
	conn_make_ready(conn);
}

void evio_conns_free_all(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_conn *conn;

	while ((conn = TAILQ_FIRST(&ev->conns)) != NULL) {
		conn_destroy(conn);
	}
}

int usrsctp_cmt_conn_shutdown(struct usrsctp_cmt_conn *conn)
{
	if (conn->state == CONN_CONNECTING || conn->state == CONN_OVER) {
		errno = ENOTCONN;
		return -1;
	}
	if (conn->shutting_down) {
		return 0;
	}
	conn->shutting_down = true;
	if (usrsctp_shutdown(conn->so, SHUT_WR) != 0) {
		/* The peer was first and its shutdown is complete. */
		conn_event(conn, USRSCTP_CMT_CONN_CLOSED, 0, NULL);
	}
	conn_make_ready(conn);
	return 0;
}

/* --- what happens to it --- */

void conn_make_ready(struct usrsctp_cmt_conn *conn)
{
	if (!conn->is_ready) {
		conn->is_ready = true;
		conn->ev->n_ready++;
		TAILQ_INSERT_TAIL(&conn->ev->ready, conn, in_ready);
		evio_schedule(conn->ev);
	}
}

void conn_upcall(struct socket *so, void *arg, int flags)
{
	(void)so;
	(void)flags;
	conn_make_ready(arg);
}

/* The application has not got it yet, and never will if that is its end. A peer that is refused for its keys
 * hears why, in an alert, before the association ends. */
static void end_unseen(struct usrsctp_cmt_conn *conn, enum usrsctp_cmt_conn_event_type type, int error)
{
	if (type != USRSCTP_CMT_CONN_FAILED && type != USRSCTP_CMT_CONN_LOST) {
		return;
	}
	listener_on_refused(conn);
	conn->listener = NULL;
	if (error == EACCES) {
		conn->state = CONN_UP;
		usrsctp_cmt_conn_free(conn);
		return;
	}
	conn->state = CONN_OVER;
	conn->forgotten = true;
	conn_make_ready(conn);
}

void conn_event(struct usrsctp_cmt_conn *conn, enum usrsctp_cmt_conn_event_type type, int error,
                const struct sockaddr *address)
{
	if (conn->state == CONN_OVER) {
		return;
	}
	if (conn->listener != NULL) {
		end_unseen(conn, type, error);
		return;
	}
	conn->pending =
	    (struct usrsctp_cmt_conn_event){.size = sizeof(conn->pending), .type = type, .error = error};
	if (address != NULL && (address->sa_family == AF_INET || address->sa_family == AF_INET6)) {
		memcpy(&conn->pending.address, address, evio_address_len(address));
	}
	switch (type) {
	case USRSCTP_CMT_CONN_UP:
		conn->state = CONN_UP;
		conn_set_mtus(conn);
		break;
	case USRSCTP_CMT_CONN_PEER_CLOSED: conn->state = CONN_PEER_CLOSED; break;
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST: conn->state = CONN_OVER; break;
	case USRSCTP_CMT_CONN_PATH_ADDED: conn_set_mtus(conn); break;
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_REMOVED: break;
	}
	if (conn->state != CONN_CONNECTING && !conn->forgotten) {
		conn_limit_none(conn);
		free(conn->peers);
		conn->peers = NULL;
		conn->n_peers = 0;
	}
	conn_make_ready(conn);
}

void evio_conns_refused(struct usrsctp_cmt_event *ev, const struct sockaddr *to, int error)
{
	struct usrsctp_cmt_conn *conn;

	TAILQ_FOREACH(conn, &ev->conns, in_all)
	{
		for (size_t i = conn->n_refused; i < conn->n_peers; i++) {
			union evio_address swap = conn->peers[i];

			if (!evio_address_equal(&swap.any, to)) {
				continue;
			}
			conn->peers[i] = conn->peers[conn->n_refused];
			conn->peers[conn->n_refused++] = swap;
			conn->refused_error = error;
		}
		/* Only a hint, and only while nothing was heard of the peer: anybody can send ICMP. */
		if (conn->n_peers > 0 && conn->n_refused == conn->n_peers) {
			conn_event(conn, USRSCTP_CMT_CONN_FAILED, conn->refused_error, NULL);
		}
	}
}

/* --- serving --- */

static void tell_event(struct usrsctp_cmt_conn *conn)
{
	struct usrsctp_cmt_conn_event event = conn->pending;

	conn->pending.type = 0;
	if (conn->event_cb != NULL) {
		conn->event_cb(conn, &event, conn->arg);
	}
}

static void serve_reading(struct usrsctp_cmt_conn *conn)
{
	enum conn_head head = CONN_HEAD_EVENT;

	while (head == CONN_HEAD_EVENT && !conn->freed) {
		if (conn->pending.type != 0) {
			tell_event(conn);
			continue;
		}
		head = conn->state == CONN_PEER_CLOSED && !conn->shutting_down ? CONN_HEAD_NOTHING
		                                                               : conn_look(conn);
	}
	if (head != CONN_HEAD_DATA || conn->freed || (conn->enabled & EV_READ) == 0 ||
	    conn->read_cb == NULL ||
	    (conn->read_low > 1 && usrsctp_cmt_conn_readable(conn) < conn->read_low)) {
		return;
	}
	conn->read_cb(conn, conn->arg);
	if (!conn->freed && (conn->pending.type != 0 || !conn->drained)) {
		conn_make_ready(conn);
	}
}

static size_t write_low(const struct usrsctp_cmt_conn *conn)
{
	int buffer = 0;
	socklen_t len = sizeof(buffer);

	if (conn->write_low != 0 || usrsctp_getsockopt(conn->so, SOL_SOCKET, SO_SNDBUF, &buffer, &len) != 0) {
		return conn->write_low;
	}
	return (size_t)buffer / 2;
}

static void serve_writing(struct usrsctp_cmt_conn *conn)
{
	if (conn->freed || !conn->wants_room || conn->write_cb == NULL || (conn->enabled & EV_WRITE) == 0 ||
	    conn->shutting_down || (conn->state != CONN_UP && conn->state != CONN_PEER_CLOSED) ||
	    usrsctp_cmt_conn_queued(conn) > write_low(conn)) {
		return;
	}
	conn->wants_room = false;
	conn->write_cb(conn, conn->arg);
}

static void serve(struct usrsctp_cmt_conn *conn)
{
	conn->serving = true;
	evio_refresh_time(conn->ev); /* the callbacks before may have taken long */
	if (conn->secure != NULL) {
		conn_secure_on_room(conn);
	}
	if (conn->forgotten) {
		conn_discard(conn);
		conn->freed = conn->freed || conn->state == CONN_OVER;
	} else {
		serve_reading(conn);
		serve_writing(conn);
	}
	conn->serving = false;
	if (conn->freed) {
		conn_destroy(conn);
	}
}

void evio_serve_ready(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_conn *conn;

	/* As many as there are now: who is ready again waits for the next round of the loop. */
	for (unsigned n = ev->n_ready; n > 0 && (conn = TAILQ_FIRST(&ev->ready)) != NULL; n--) {
		make_unready(conn);
		serve(conn);
	}
}

/* --- settings --- */

void usrsctp_cmt_conn_setcb(struct usrsctp_cmt_conn *conn, usrsctp_cmt_conn_data_cb *read_cb,
                            usrsctp_cmt_conn_data_cb *write_cb, usrsctp_cmt_conn_event_cb *event_cb,
                            void *arg)
{
	conn->read_cb = read_cb;
	conn->write_cb = write_cb;
	conn->event_cb = event_cb;
	conn->arg = arg;
	conn_make_ready(conn);
}

void usrsctp_cmt_conn_enable(struct usrsctp_cmt_conn *conn, short events)
{
	conn->enabled |= events;
	conn_make_ready(conn);
}

void usrsctp_cmt_conn_disable(struct usrsctp_cmt_conn *conn, short events)
{
	conn->enabled &= (short)~events;
}

int usrsctp_cmt_conn_setwatermarks(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_watermarks *marks)
{
	if (marks == NULL || marks->size != sizeof(*marks)) {
		errno = EINVAL;
		return -1;
	}
	if (marks->write_high != 0 &&
	    conn_set_int(conn->so, SOL_SOCKET, SO_SNDBUF,
	                 marks->write_high > INT32_MAX ? INT32_MAX : (uint32_t)marks->write_high) != 0) {
		return -1;
	}
	conn->read_low = marks->read_low;
	conn->write_low = marks->write_low;
	conn_make_ready(conn);
	return 0;
}

struct socket *usrsctp_cmt_conn_socket(const struct usrsctp_cmt_conn *conn)
{
	return conn->so;
}
