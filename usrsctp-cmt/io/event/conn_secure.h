/* SPDX-License-Identifier: BSD-3-Clause
 *
 * conn_secure.h - a connection that is encrypted: the handshakes for its keys, the first before it is up, the
 * others under load (usrsctp_cmt_keys.h; draft-porfiri-tsvwg-sctp-dtls-handshake). Callers: conn.c,
 * conn_io.c, listener.c. */
#ifndef CMT_EVENT_CONN_SECURE_H
#define CMT_EVENT_CONN_SECURE_H

#include "conn.h"

#include <usrsctp_cmt_keys.h>

struct conn_secure;

/* For a socket that is not bound yet: what is offered. 0 or -1 with errno. */
int conn_secure_offer(struct socket *so, const struct usrsctp_cmt_conn_config *config, bool server);

/* NULL with ENOMEM. */
struct conn_secure *conn_secure_new(const struct usrsctp_cmt_conn_config *config);
void conn_secure_free(struct conn_secure *secure); /* NULL: nothing */

enum conn_secure_state {
	CONN_SECURE_NOT,     /* it cannot become up: see the reason */
	CONN_SECURE_WAITING, /* for the peer */
	CONN_SECURE_YES      /* or the peer has nothing to offer, and need not */
};

/* The association is up: the first handshake begins. */
enum conn_secure_state conn_secure_begin(struct usrsctp_cmt_conn *conn);

/* A piece of a message of key management, with the last one `whole`. */
enum conn_secure_state conn_secure_take(struct usrsctp_cmt_conn *conn, const void *bytes, size_t n,
                                        bool whole);

/* There may be room again for a message that waits. */
void conn_secure_on_room(struct usrsctp_cmt_conn *conn);

/* It takes too long. */
void conn_secure_note_timeout(struct usrsctp_cmt_conn *conn);

/* The stack gave the association up, or never began it; `cause`: of an ABORT, 0 = none. */
void conn_secure_note_cause(struct usrsctp_cmt_conn *conn, uint16_t cause);

#endif
