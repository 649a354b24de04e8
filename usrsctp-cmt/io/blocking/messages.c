/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages out and in. What is copied is copied without the lock. */
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "reason.h"

static int canceled(void)
{
	return blk_fail(ECANCELED, "the connection is being closed");
}

/* --- out --- */

static int check_message(const struct cmt_connection *c, size_t len,
                         const struct usrsctp_cmt_message *message)
{
	if (len == 0) {
		return blk_fail(EINVAL, "an empty message: SCTP has none");
	}
	if (len > c->sndbuf_bytes) {
		return blk_fail(EMSGSIZE, "a message of %zu bytes; sndbuf_bytes is %zu", len,
		                c->sndbuf_bytes);
	}
	if (message != NULL && message->stream_id >= c->streams_out) {
		return blk_fail(EINVAL, "stream %u; there are %u, from 0 on", message->stream_id,
		                c->streams_out);
	}
	return 0;
}

static bool sends_no_more(const struct cmt_connection *c)
{
	return c->peer_closed || c->is_over || c->is_deaf;
}

/* Room in the queue; 0 or why not. The lock is held. */
static int reserve(struct cmt_connection *c, size_t len, int timeout_ms)
{
	const struct blk_deadline deadline = blk_deadline_in(timeout_ms);
	int result = 0;

	while (result == 0 && c->to_send.is_full && !c->closing && !sends_no_more(c)) {
		result = blk_connection_wait(c, timeout_ms, &deadline);
	}
	if (c->closing) {
		return canceled();
	}
	if (c->is_over) {
		return blk_connection_fail(c);
	}
	if (sends_no_more(c)) {
		return blk_fail(EPIPE, c->peer_closed ? "the peer has closed the connection"
		                                      : "the connection is lost; to receive says why");
	}
	if (result == 0) {
		blk_queue_reserve(&c->to_send, len);
		blk_connection_changed(c);
	}
	return result;
}

int cmt_send(struct cmt_connection *connection, const void *data, size_t len,
             const struct usrsctp_cmt_message *message, int timeout_ms)
{
	struct cmt_connection *c = connection;
	struct blk_message *m;
	int result = check_message(c, len, message);

	if (result == 0) {
		result = blk_connection_enter(c);
	}
	if (result != 0) {
		return result;
	}
	result = reserve(c, len, timeout_ms);
	if (result != 0) {
		blk_connection_leave(c);
		return result;
	}
	blk_unlock();
	m = malloc(sizeof(*m) + len);
	if (m != NULL) {
		m->how = message != NULL ? *message : (struct usrsctp_cmt_message){.stream_id = 0};
		m->len = len;
		memcpy(m->bytes, data, len);
	}
	blk_lock();
	if (m == NULL) {
		blk_queue_give_back(&c->to_send, len);
		result = blk_fail(ENOMEM, "no memory for a message of %zu bytes", len);
	} else {
		blk_queue_push(&c->to_send, m);
		blk_work_add(&c->work);
	}
	blk_connection_leave(c);
	return result;
}

/* --- in --- */

/* A message is there: 1; or it never will be: 0 or why not. The lock is held. */
static int await_message(struct cmt_connection *c, int timeout_ms)
{
	const struct blk_deadline deadline = blk_deadline_in(timeout_ms);
	int result = 0;

	while (result == 0 && blk_queue_head(&c->received) == NULL && !c->closing && !c->peer_closed &&
	       !c->is_over) {
		result = blk_connection_wait(c, timeout_ms, &deadline);
	}
	if (c->closing) {
		return canceled();
	}
	if (blk_queue_head(&c->received) != NULL) {
		return 1;
	}
	if (c->peer_closed || (c->is_over && c->error == 0)) {
		return 0;
	}
	return c->is_over ? blk_connection_fail(c) : result;
}

static struct blk_message *take(struct cmt_connection *c)
{
	const bool was_full = c->received.is_full;
	struct blk_message *m = blk_queue_pop(&c->received);

	if (was_full && !c->received.is_full) {
		blk_work_add(&c->work);
	}
	blk_connection_changed(c);
	return m;
}

ssize_t cmt_recv(struct cmt_connection *connection, void *buffer, size_t size,
                 struct usrsctp_cmt_message *message, int timeout_ms)
{
	struct cmt_connection *c = connection;
	struct blk_message *m = NULL;
	ssize_t result = blk_connection_enter(c);

	if (result != 0) {
		return result;
	}
	result = await_message(c, timeout_ms);
	if (result == 1) {
		const struct blk_message *head = blk_queue_head(&c->received);

		if (message != NULL) {
			*message = head->how;
		}
		result = (ssize_t)head->len;
		if (buffer != NULL && head->len > size) {
			result =
			    blk_fail(EMSGSIZE, "the message has %zu bytes, the buffer %zu", head->len, size);
		} else if (buffer != NULL) {
			m = take(c);
		}
	}
	blk_connection_leave(c);
	if (m != NULL) {
		memcpy(buffer, m->bytes, m->len);
		free(m);
	}
	return result;
}
