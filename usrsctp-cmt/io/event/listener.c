/* SPDX-License-Identifier: BSD-3-Clause */
#include "conn.h"
#include "conn_secure.h"

#include <errno.h>
#include <stdlib.h>

#define BACKLOG 1024

struct usrsctp_cmt_listener {
	TAILQ_ENTRY(usrsctp_cmt_listener) in_all;
	struct usrsctp_cmt_event *ev;
	struct socket *so;
	bool is_ready;
	struct usrsctp_cmt_conn_config
	    config; /* of what it points to, the keys alone outlive the listener's making */
	usrsctp_cmt_accept_cb *fn;
	usrsctp_cmt_refused_cb *refused;
	void *arg;
};

static void upcall(struct socket *so, void *arg, int flags)
{
	struct usrsctp_cmt_listener *listener = arg;

	(void)so;
	(void)flags;
	listener->is_ready = true;
	evio_schedule(listener->ev);
}

struct usrsctp_cmt_listener *usrsctp_cmt_listen(struct usrsctp_cmt_event *ev, uint16_t port,
                                                const struct usrsctp_cmt_conn_config *config,
                                                usrsctp_cmt_accept_cb *fn, void *arg)
{
	struct usrsctp_cmt_listener *listener;
	struct socket *so;

	if (fn == NULL || port == 0 || conn_config_check(config) != 0) {
		errno = EINVAL;
		return NULL;
	}
	evio_use_link_local(ev);
	so = conn_socket_open(ev, config, port, true);
	if (so == NULL) {
		return NULL;
	}
	listener = calloc(1, sizeof(*listener));
	if (listener == NULL || usrsctp_listen(so, BACKLOG) != 0) {
		int error = listener == NULL ? ENOMEM : errno;

		free(listener);
		usrsctp_close(so);
		errno = error;
		return NULL;
	}
	*listener =
	    (struct usrsctp_cmt_listener){.ev = ev, .so = so, .config = *config, .fn = fn, .arg = arg};
	TAILQ_INSERT_TAIL(&ev->listeners, listener, in_all);
	usrsctp_set_upcall(so, upcall, listener);
	evio_schedule(ev);
	return listener;
}

void usrsctp_cmt_listener_free(struct usrsctp_cmt_listener *listener)
{
	struct usrsctp_cmt_conn *conn, *next;

	if (listener == NULL) {
		return;
	}
	for (conn = TAILQ_FIRST(&listener->ev->conns); conn != NULL; conn = next) {
		next = TAILQ_NEXT(conn, in_all);
		if (conn->listener == listener) {
			conn->listener = NULL;
			usrsctp_cmt_conn_abort(conn);
		}
	}
	TAILQ_REMOVE(&listener->ev->listeners, listener, in_all);
	usrsctp_set_upcall(listener->so, NULL, NULL);
	usrsctp_close(listener->so);
	evio_schedule(listener->ev);
	free(listener);
}

void evio_listeners_free_all(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_listener *listener;

	while ((listener = TAILQ_FIRST(&ev->listeners)) != NULL) {
		usrsctp_cmt_listener_free(listener);
	}
}

void evio_listeners_rebind(struct usrsctp_cmt_event *ev, const struct evio_local *local, bool add)
{
	struct usrsctp_cmt_listener *listener;

	TAILQ_FOREACH(listener, &ev->listeners, in_all)
	{
		conn_socket_rebind(listener->so, local, add);
	}
}

/* One connection that waits; false when there is none. The callback may free the listener. */
static bool accept_one(struct usrsctp_cmt_listener *listener)
{
	struct sockaddr_storage from;
	socklen_t len = sizeof(from);
	struct socket *so = usrsctp_accept(listener->so, (struct sockaddr *)&from, &len);
	struct usrsctp_cmt_conn *conn;

	if (so == NULL) {
		listener->is_ready = false;
		return false;
	}
	(void)usrsctp_set_non_blocking(so, 1);
	conn = conn_new(listener->ev, so);
	if (conn == NULL) {
		return true;
	}
	conn->listener = listener;
	if (listener->config.keys == NULL) {
		listener_on_up(conn);
		return true;
	}
	conn->secure = conn_secure_new(&listener->config);
	if (conn->secure == NULL || conn_limit_connecting(conn, &listener->config) != 0) {
		conn_destroy(conn);
		return true;
	}
	/* Its own COMM_UP begins the handshake. */
	conn_make_ready(conn);
	return true;
}

/* A COMM_UP that it has not read yet finds it up; data may be there already. */
void listener_on_up(struct usrsctp_cmt_conn *conn)
{
	struct usrsctp_cmt_listener *listener = conn->listener;

	conn->listener = NULL;
	conn->state = CONN_UP;
	conn_limit_none(conn);
	conn_set_mtus(conn);
	conn_make_ready(conn);
	listener->fn(listener, conn, listener->arg);
}

void listener_on_refused(const struct usrsctp_cmt_conn *conn)
{
	const struct usrsctp_cmt_listener *listener = conn->listener;
	struct sockaddr *peers = NULL;

	if (listener->refused == NULL || conn->reason[0] == '\0') {
		return;
	}
	if (usrsctp_getpaddrs(conn->so, 0, &peers) <= 0) {
		peers = NULL;
	}
	listener->refused(conn->listener, peers, conn->reason, listener->arg);
	if (peers != NULL) {
		usrsctp_freepaddrs(peers);
	}
}

void usrsctp_cmt_listener_setcb(struct usrsctp_cmt_listener *listener, usrsctp_cmt_refused_cb *refused)
{
	listener->refused = refused;
}

static struct usrsctp_cmt_listener *find_ready(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_listener *listener;

	TAILQ_FOREACH(listener, &ev->listeners, in_all)
	{
		if (listener->is_ready) {
			return listener;
		}
	}
	return NULL;
}

void evio_serve_listeners(struct usrsctp_cmt_event *ev)
{
	struct usrsctp_cmt_listener *listener;

	while ((listener = find_ready(ev)) != NULL) {
		(void)accept_one(listener);
	}
}
