/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the loop's thread does with a connection: moves messages between the queues and the stack. */
#include "connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#define FIRST_BYTES   4096u   /* room for a message of which nothing is known */
#define USUAL_MAX     262144u /* more is made only for messages that need it */
#define LEAST_BYTES   512u    /* what a read wants, so that it need not look first */
#define DISCARD_BYTES 65536

/* --- the end --- */

static void note_over(struct cmt_connection *c, int error, const char *reason)
{
	blk_lock();
	if (!c->is_over) {
		c->is_over = true;
		c->error = error;
		snprintf(c->reason, sizeof(c->reason), "%s",
		         reason != NULL ? reason : (error != 0 ? strerror(error) : ""));
		blk_queue_clear(&c->to_send);
	}
	blk_connection_changed(c);
	blk_unlock();
}

static void give_up(struct cmt_connection *c, int error, const char *reason)
{
	usrsctp_cmt_conn_abort(c->conn);
	c->conn = NULL;
	note_over(c, error, reason);
}

/* --- events --- */

static void keep_event(struct cmt_connection *c, const struct usrsctp_cmt_conn_event *event)
{
	blk_lock();
	if (c->n_events == BLK_EVENTS_MAX) {
		c->first_event = (c->first_event + 1) % BLK_EVENTS_MAX;
		c->n_events--;
	}
	c->events[(c->first_event + c->n_events++) % BLK_EVENTS_MAX] = *event;
	c->peer_closed = c->peer_closed || event->type == USRSCTP_CMT_CONN_PEER_CLOSED;
	blk_connection_changed(c);
	blk_unlock();
}

void blk_connection_note_up(struct cmt_connection *c)
{
	struct sctp_status status = {.sstat_assoc_id = 0};
	socklen_t len = sizeof(status);

	if (usrsctp_getsockopt(usrsctp_cmt_conn_socket(c->conn), IPPROTO_SCTP, SCTP_STATUS, &status, &len) ==
	    0) {
		c->streams_out = status.sstat_outstrms;
	}
	c->peer.size = sizeof(c->peer);
	c->is_encrypted = usrsctp_cmt_conn_peer(c->conn, &c->peer) == 0;
	blk_lock();
	c->is_up = true;
	blk_connection_changed(c);
	blk_unlock();
}

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct cmt_connection *c = arg;

	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: blk_connection_note_up(c); break;
	case USRSCTP_CMT_CONN_CLOSED: note_over(c, 0, NULL); break;
	case USRSCTP_CMT_CONN_FAILED: note_over(c, event->error, usrsctp_cmt_conn_reason(conn)); break;
	case USRSCTP_CMT_CONN_LOST:
		keep_event(c, event);
		note_over(c, event->error, usrsctp_cmt_conn_reason(conn));
		break;
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_PATH_UP:
	case USRSCTP_CMT_CONN_PATH_DOWN:
	case USRSCTP_CMT_CONN_PATH_ADDED:
	case USRSCTP_CMT_CONN_PATH_REMOVED: keep_event(c, event); break;
	}
}

/* --- sending --- */

/* Whoever waits is woken once for all messages that have moved: to wake a thread costs as much as a message.
 */
static void tell(struct cmt_connection *c)
{
	blk_lock();
	blk_connection_changed(c);
	blk_unlock();
}

/* There will be room, or the connection is lost, which is told in its turn. */
static void on_unsent(struct cmt_connection *c, int error)
{
	if (error == EPIPE) {
		blk_lock();
		c->is_deaf = true;
		blk_unlock();
	} else if (error != EAGAIN) {
		give_up(c, error, "the stack does not take a message");
	}
}

static void write_queued(struct cmt_connection *c)
{
	struct blk_message *m;

	for (;;) {
		blk_lock();
		m = blk_queue_head(&c->to_send);
		blk_unlock();
		if (m == NULL) {
			break;
		}
		if (usrsctp_cmt_conn_write(c->conn, m->bytes, m->len, &m->how) != 0) {
			on_unsent(c, errno);
			return;
		}
		blk_lock();
		(void)blk_queue_pop(&c->to_send);
		blk_unlock();
		free(m);
	}
	if (c->discards && !c->shut) {
		c->shut = true;
		(void)usrsctp_cmt_conn_shutdown(c->conn);
	}
}

static void send_queued(struct cmt_connection *c)
{
	write_queued(c);
	tell(c);
}

static void on_writable(struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)conn;
	send_queued(arg);
}

/* --- receiving --- */

static void discard(struct usrsctp_cmt_conn *conn)
{
	static uint8_t bytes[DISCARD_BYTES];

	while (usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL) > 0) {
	}
}

/* Room to read into; false: no memory. */
static bool make_room(struct cmt_connection *c)
{
	struct blk_message *larger;
	size_t bytes = c->incoming_bytes;

	if (c->incoming == NULL) {
		bytes = c->usual_bytes != 0 ? c->usual_bytes : FIRST_BYTES;
	} else if (bytes - c->incoming->len < LEAST_BYTES) {
		bytes *= 2;
	} else {
		return true;
	}
	larger = realloc(c->incoming, sizeof(*larger) + bytes);
	if (larger == NULL) {
		return false;
	}
	if (c->incoming == NULL) {
		larger->len = 0;
	}
	c->incoming = larger;
	c->incoming_bytes = bytes;
	return true;
}

/* The message is whole: hands it over, no larger than it is. */
static void hand_over(struct cmt_connection *c)
{
	struct blk_message *m = c->incoming;

	c->incoming = NULL;
	if (c->incoming_bytes > c->usual_bytes && c->incoming_bytes <= USUAL_MAX) {
		c->usual_bytes = c->incoming_bytes;
	}
	if (m->len < c->incoming_bytes / 2) {
		struct blk_message *smaller = realloc(m, sizeof(*m) + m->len);

		m = smaller != NULL ? smaller : m;
	}
	blk_lock();
	blk_queue_reserve(&c->received, m->len);
	blk_queue_push(&c->received, m);
	blk_unlock();
}

/* A part of another message: the peer gave the one before up (RFC 3758), whose rest never comes. */
static bool belongs(const struct blk_message *m, const struct usrsctp_cmt_message *how)
{
	return m->len == 0 || (m->how.stream_id == how->stream_id && m->how.ppid == how->ppid &&
	                       ((m->how.flags ^ how->flags) & USRSCTP_CMT_MESSAGE_UNORDERED) == 0);
}

/* One part; false: there is none, or the connection was given up. */
static bool read_part(struct cmt_connection *c)
{
	struct usrsctp_cmt_message how;
	ssize_t n;

	if (!make_room(c)) {
		give_up(c, ENOMEM, "no memory for a message");
		return false;
	}
	n = usrsctp_cmt_conn_read(c->conn, c->incoming->bytes + c->incoming->len,
	                          c->incoming_bytes - c->incoming->len, &how);
	if (n <= 0) {
		return false;
	}
	if (!belongs(c->incoming, &how)) {
		memmove(c->incoming->bytes, c->incoming->bytes + c->incoming->len, (size_t)n);
		c->incoming->len = 0;
	}
	c->incoming->len += (size_t)n;
	if (c->incoming->len > c->message_max_bytes) {
		give_up(c, EMSGSIZE, "the peer has sent a message that is larger than message_max_bytes");
		return false;
	}
	c->incoming->how = how;
	c->incoming->how.flags &= (uint16_t)~USRSCTP_CMT_MESSAGE_PART;
	if ((how.flags & USRSCTP_CMT_MESSAGE_PART) == 0) {
		hand_over(c);
	}
	return true;
}

static void on_readable(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct cmt_connection *c = arg;
	bool is_full;

	if (c->discards) {
		discard(conn);
		return;
	}
	do {
		blk_lock();
		is_full = c->received.is_full;
		blk_unlock();
	} while (!is_full && read_part(c));
	if (is_full) {
		usrsctp_cmt_conn_disable(conn, EV_READ);
	}
	tell(c);
}

/* --- life --- */

/* There is something to send, room for what comes, or the connection is being closed. */
static void on_work(struct blk_work *work)
{
	struct cmt_connection *c =
	    (struct cmt_connection *)(void *)((char *)work - offsetof(struct cmt_connection, work));
	bool is_full, is_over;

	blk_lock();
	c->discards = c->closing;
	is_full = c->received.is_full;
	is_over = c->is_over;
	blk_unlock();
	if (c->conn == NULL || is_over) {
		return;
	}
	if (c->discards || !is_full) {
		usrsctp_cmt_conn_enable(c->conn, EV_READ);
	}
	send_queued(c);
}

void blk_connection_attach(struct cmt_connection *c, struct usrsctp_cmt_conn *conn)
{
	c->conn = conn;
	c->work.fn = on_work;
	usrsctp_cmt_conn_setcb(conn, on_readable, on_writable, on_event, c);
}

void blk_connection_detach(struct cmt_connection *c)
{
	bool is_over;

	blk_lock();
	blk_work_cancel(&c->work);
	is_over = c->is_over;
	blk_unlock();
	if (is_over) {
		usrsctp_cmt_conn_free(c->conn);
	} else {
		usrsctp_cmt_conn_abort(c->conn);
	}
	c->conn = NULL;
	free(c->incoming);
	c->incoming = NULL;
	blk_back_end_release(c->back_end);
	c->back_end = NULL;
	blk_security_release(c->security);
	c->security = NULL;
}
