/* SPDX-License-Identifier: BSD-3-Clause
 *
 * connection.h - a connection from inside: what the loop's thread does (connection_loop.c) and what the
 * others do (connection.c, messages.c, inquiries.c). */
#ifndef CMT_BLOCKING_CONNECTION_H
#define CMT_BLOCKING_CONNECTION_H

#include <usrsctp_cmt_blocking.h>

#include "back_end.h"
#include "queue.h"
#include "ready.h"
#include "runtime.h"
#include "security.h"

#define BLK_EVENTS_MAX        64
#define BLK_READY_KINDS       3
#define BLK_SNDBUF_BYTES      1048576u
#define BLK_MESSAGE_MAX_BYTES 16777216u

struct cmt_connection {
	/* The loop's thread; `conn` is NULL before and after. */
	struct usrsctp_cmt_conn *conn;
	struct blk_back_end *back_end;
	struct blk_security *security;
	struct blk_message *incoming; /* as far as it was read; NULL = none */
	size_t incoming_bytes;        /* room in it */
	size_t usual_bytes;           /* room that the next message probably wants */
	bool discards;                /* is being closed: what comes is thrown away */
	bool shut;

	/* Set before anybody else sees it. */
	size_t message_max_bytes, sndbuf_bytes;
	uint16_t streams_out; /* once it is up */
	bool is_encrypted;
	struct usrsctp_cmt_peer peer;

	/* The lock. */
	pthread_cond_t changed;
	struct blk_work work;
	TAILQ_ENTRY(cmt_connection) waiting; /* to be accepted */
	unsigned callers;                    /* in a function of this connection */
	bool is_up, peer_closed, is_over;
	bool is_deaf; /* the stack takes nothing more: lost, which is told behind what is still to be received
	               */
	bool closing; /* by cmt_close() */
	int error;    /* is_over: an errno; 0 = in good order */
	char reason[USRSCTP_CMT_REASON_BYTES];
	struct blk_queue to_send, received;
	struct usrsctp_cmt_conn_event events[BLK_EVENTS_MAX]; /* a ring */
	unsigned first_event, n_events;
	struct blk_ready ready[BLK_READY_KINDS]; /* enum cmt_ready */
};

/* --- life --- */

/* Not connected, without anything of the loop's. NULL: no memory. */
struct cmt_connection *blk_connection_new(const struct cmt_config *config);
void blk_connection_free(struct cmt_connection *c);

/* A caller comes in: 0, or -errno with the reason. blk_connection_leave() lets the lock go. */
int blk_connection_enter(struct cmt_connection *c);
void blk_connection_leave(struct cmt_connection *c);

/* With the lock held: brings descriptors up to date and wakes whoever waits. */
void blk_connection_changed(struct cmt_connection *c);

/* Fails with what the connection was lost with. */
int blk_connection_fail(const struct cmt_connection *c);

/* Until `changed`; 0, or -EAGAIN, -ETIMEDOUT. The lock is held. */
int blk_connection_wait(struct cmt_connection *c, int timeout_ms, const struct blk_deadline *deadline);

/* Of config, as the event library has it; `keys` are whose the caller says. */
void blk_connection_settings(struct usrsctp_cmt_conn_config *out, const struct cmt_config *config,
                             struct usrsctp_cmt_keys *keys);

/* --- by the loop's thread --- */

/* `conn` is its own from here on, and calls back. */
void blk_connection_attach(struct cmt_connection *c, struct usrsctp_cmt_conn *conn);
/* It has become up. */
void blk_connection_note_up(struct cmt_connection *c);
/* Ends what is left of the association, and lets go of everything of the loop's. */
void blk_connection_detach(struct cmt_connection *c);

#endif
