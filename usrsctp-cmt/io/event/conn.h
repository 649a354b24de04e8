/* SPDX-License-Identifier: BSD-3-Clause
 *
 * conn.h - a connection from inside: what conn.c, conn_io.c, conn_bufferevent.c and listener.c share.
 *
 * The stack's upcall only puts a connection on the list of those to be served; the loop serves it: events and
 * data in the order in which they arrived, then room to write. */
#ifndef CMT_EVENT_CONN_H
#define CMT_EVENT_CONN_H

#include "event.h"

enum conn_state {
	CONN_CONNECTING,
	CONN_UP,
	CONN_PEER_CLOSED, /* everything was read; we may still send, or our shutdown is under way */
	CONN_OVER         /* CLOSED, FAILED or LOST was told: nothing comes any more */
};

struct usrsctp_cmt_conn {
	TAILQ_ENTRY(usrsctp_cmt_conn) in_all, in_ready;
	struct usrsctp_cmt_event *ev;
	struct socket *so;
	enum conn_state state;
	bool is_ready;      /* on the list of those to be served */
	bool shutting_down; /* by us */
	bool forgotten;     /* by the application: what comes is thrown away */
	bool freed;         /* while it is being served */
	bool serving;
	bool drained;    /* the last read found nothing */
	bool wants_room; /* a write was refused, or none was asked for yet */
	short enabled;
	struct usrsctp_cmt_conn_event pending; /* type 0 = none; told before anything else is read */
	usrsctp_cmt_conn_data_cb *read_cb, *write_cb;
	usrsctp_cmt_conn_event_cb *event_cb;
	void *arg;
	size_t read_low, write_low;
	struct event *timer;       /* for a connection to come up, or a forgotten one to end; NULL = none */
	union evio_address *peers; /* whom we connect to, until it is up */
	size_t n_peers, n_refused;
	int refused_error;
	struct conn_bridge *bridge; /* conn_bufferevent.c */
};

/* A connection on `so`, which becomes its own; in state CONNECTING. NULL: ENOMEM, `so` closed. */
struct usrsctp_cmt_conn *conn_new(struct usrsctp_cmt_event *ev, struct socket *so);

/* A socket with all options of `config`, bound to all addresses on `port`. NULL with errno. */
struct socket *conn_socket_open(struct usrsctp_cmt_event *ev, const struct usrsctp_cmt_conn_config *config,
                                uint16_t port);
int conn_config_check(const struct usrsctp_cmt_conn_config *config);

/* Adds or removes one local address of an endpoint. */
void conn_socket_rebind(struct socket *so, const struct evio_local *local, bool add);

void conn_make_ready(struct usrsctp_cmt_conn *conn);
void conn_upcall(struct socket *so, void *arg, int flags);

/* Has the event told before anything else is read, and changes state accordingly. */
void conn_event(struct usrsctp_cmt_conn *conn, enum usrsctp_cmt_conn_event_type type, int error,
                const struct sockaddr *address);

void conn_bridge_free(struct conn_bridge *bridge);

/* --- conn_io.c --- */

enum conn_head { CONN_HEAD_NOTHING, CONN_HEAD_DATA, CONN_HEAD_EVENT };

/* What can be read next. An event is taken and is pending afterwards. */
enum conn_head conn_look(struct usrsctp_cmt_conn *conn);

/* Throws away what a forgotten connection still receives. */
void conn_discard(struct usrsctp_cmt_conn *conn);

#endif
