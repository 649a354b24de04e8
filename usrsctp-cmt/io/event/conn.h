/* SPDX-License-Identifier: BSD-3-Clause
 *
 * conn.h - a connection from inside: what the files conn*.c and listener.c share.
 *
 * The stack's upcall only puts a connection on the list of those to be served; the loop serves it: events and
 * data in the order in which they arrived, then room to write. */
#ifndef CMT_EVENT_CONN_H
#define CMT_EVENT_CONN_H

#include "event.h"

#include <usrsctp_cmt_keys.h>

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
	struct conn_capacity *capacity;        /* conn_capacity.c; NULL: nobody watches it */
	struct conn_bridge *bridge;            /* conn_bufferevent.c */
	struct conn_secure *secure;            /* conn_secure.c; NULL: in the clear */
	struct usrsctp_cmt_listener *listener; /* of one that is not up yet; NULL: ours, or forgotten */
	char reason[USRSCTP_CMT_REASON_BYTES]; /* why it failed or was lost; "" = the errno says it all */
};

/* A connection on `so`, which becomes its own; in state CONNECTING. NULL: ENOMEM, `so` closed. */
struct usrsctp_cmt_conn *conn_new(struct usrsctp_cmt_event *ev, struct socket *so);

/* A socket with all options of `config`, bound to all addresses on `port`. NULL with errno. */
struct socket *conn_socket_open(struct usrsctp_cmt_event *ev, const struct usrsctp_cmt_conn_config *config,
                                uint16_t port, bool listens);
int conn_config_check(const struct usrsctp_cmt_conn_config *config);
int conn_set_option(struct socket *so, int level, int option, const void *value, size_t len);
int conn_set_int(struct socket *so, int level, int option, uint32_t value);

/* What is left for chunks of an IP packet of `mtu_bytes`. */
uint32_t conn_chunk_bytes(const struct usrsctp_cmt_event *ev, int family, uint32_t mtu_bytes);

/* Sets the packet sizes of all paths; to be called before data are sent on new ones. */
void conn_set_mtus(const struct usrsctp_cmt_conn *conn);

/* Adds or removes one local address of an endpoint. */
void conn_socket_rebind(struct socket *so, const struct evio_local *local, bool add);

/* Ends the association at once if there still is one, and frees it. */
void conn_destroy(struct usrsctp_cmt_conn *conn);

/* It is given up unless it is up, or, once forgotten, ends by then. 0 or -1. */
int conn_limit(struct usrsctp_cmt_conn *conn, uint32_t ms);
void conn_limit_none(struct usrsctp_cmt_conn *conn);
int conn_limit_connecting(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_config *config);

/* --- listener.c --- */

/* One of its connections is up, or will not be: conn->reason. */
void listener_on_up(struct usrsctp_cmt_conn *conn);
void listener_on_refused(const struct usrsctp_cmt_conn *conn);

void conn_make_ready(struct usrsctp_cmt_conn *conn);
void conn_upcall(struct socket *so, void *arg, int flags);

/* Has the event told before anything else is read, and changes state accordingly. */
void conn_event(struct usrsctp_cmt_conn *conn, enum usrsctp_cmt_conn_event_type type, int error,
                const struct sockaddr *address);

void conn_bridge_free(struct conn_bridge *bridge);
void conn_capacity_free(struct conn_capacity *capacity);

/* --- conn_io.c --- */

enum conn_head { CONN_HEAD_NOTHING, CONN_HEAD_DATA, CONN_HEAD_EVENT };

/* What can be read next. An event is taken and is pending afterwards. */
enum conn_head conn_look(struct usrsctp_cmt_conn *conn);

/* Throws away what a forgotten connection still receives. */
void conn_discard(struct usrsctp_cmt_conn *conn);

#endif
