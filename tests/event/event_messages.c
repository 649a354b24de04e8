/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of a connection: what they carry, and back pressure in both directions. */
#include "support/two.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGES     300
#define LARGE_BYTES  200000u
#define READ_BYTES   50000u
#define BULK_BYTES   4000000u
#define BULK_MESSAGE 1400u
#define BUFFER_BYTES 100000u

static uint8_t content(size_t at)
{
	return (uint8_t)(at * 7 + at / 251);
}

static void on_listener_arg(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	(void)listener;
	*(struct usrsctp_cmt_conn **)arg = conn;
}

struct side {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	size_t n, bytes, queued_max, calls, readable_min;
	unsigned refused;
	bool up, closed, peer_closed;
	size_t assembled; /* of the message that is being read */
};

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct side *s = arg;

	(void)conn;
	switch (event->type) {
	case USRSCTP_CMT_CONN_UP: s->up = true; break;
	case USRSCTP_CMT_CONN_CLOSED: s->closed = true; break;
	case USRSCTP_CMT_CONN_PEER_CLOSED: s->peer_closed = true; break;
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST: fail_msg("event %d, error %d", (int)event->type, event->error); break;
	default: return;
	}
	if (s->closed || s->peer_closed) {
		event_base_loopbreak(s->two->base);
	}
}

/* Listens, and returns when the other part has connected. */
static void accept_one(struct two *t, struct side *s)
{
	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_listener_arg, &s->conn));
	two_tell(t);
	while (s->conn == NULL) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
}

/* --- boundaries, stream, ppid, flags --- */

static size_t length_of(size_t i)
{
	return i % 50 == 7 ? LARGE_BYTES : 1 + i * 13 % 3000;
}

static uint16_t stream_of(size_t i)
{
	return (uint16_t)(i % 4);
}

/* Per stream in order; the number travels as the ppid. */
static void take_message(struct usrsctp_cmt_conn *conn, void *arg)
{
	static size_t next[4] = {0, 1, 2, 3};
	static uint8_t bytes[READ_BYTES];
	struct side *s = arg;
	struct usrsctp_cmt_message m;
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), &m)) > 0) {
		assert_true(m.stream_id < 4);
		assert_int_equal(m.ppid, next[m.stream_id]);
		assert_int_equal(m.flags & USRSCTP_CMT_MESSAGE_UNORDERED, 0);
		for (ssize_t i = 0; i < n; i++) {
			assert_int_equal(bytes[i], content(m.ppid + s->assembled + (size_t)i));
		}
		s->assembled += (size_t)n;
		if ((m.flags & USRSCTP_CMT_MESSAGE_PART) == 0) {
			assert_int_equal(s->assembled, length_of(m.ppid));
			s->assembled = 0;
			next[m.stream_id] += 4;
			s->n++;
		} else {
			assert_true(s->assembled < length_of(m.ppid));
		}
	}
	assert_int_equal(errno, EAGAIN);
}

static void accept_messages(struct two *t)
{
	struct side s = {.two = t};

	t->connection.rcvbuf_bytes = 2 * LARGE_BYTES;
	accept_one(t, &s);
	usrsctp_cmt_conn_setcb(s.conn, take_message, NULL, on_event, &s);
	assert_true(two_run(t, 20000));
	assert_int_equal(s.n, MESSAGES);
	two_close(t);
}

static void send_numbered(struct usrsctp_cmt_conn *conn, void *arg)
{
	static uint8_t bytes[LARGE_BYTES];
	struct side *s = arg;

	for (; s->n < MESSAGES; s->n++) {
		const struct usrsctp_cmt_message m = {.stream_id = stream_of(s->n), .ppid = (uint32_t)s->n};

		for (size_t i = 0; i < length_of(s->n); i++) {
			bytes[i] = content(s->n + i);
		}
		if (usrsctp_cmt_conn_write(conn, bytes, length_of(s->n), &m) != 0) {
			assert_int_equal(errno, EAGAIN);
			return;
		}
	}
	assert_int_equal(usrsctp_cmt_conn_shutdown(conn), 0);
	assert_int_equal(usrsctp_cmt_conn_write(conn, bytes, 1, NULL), -1);
	assert_int_equal(errno, EPIPE);
}

static void write_messages(struct two *t)
{
	struct side s = {.two = t};

	two_open(t);
	two_wait(t);
	s.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	assert_non_null(s.conn);
	assert_int_equal(usrsctp_cmt_conn_write(s.conn, "x", 1, NULL), -1);
	assert_int_equal(errno, ENOTCONN);
	usrsctp_cmt_conn_setcb(s.conn, NULL, send_numbered, on_event, &s);
	assert_true(two_run(t, 20000));
	assert_true(s.up && s.closed);
	assert_int_equal(usrsctp_cmt_conn_write(s.conn, "x", 1, NULL), -1);
	assert_int_equal(errno, EPIPE);
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void messages_keep_their_boundaries_streams_and_ppids(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, accept_messages, write_messages);
}

/* --- back pressure --- */

static void take_bulk(struct usrsctp_cmt_conn *conn, void *arg)
{
	static uint8_t bytes[READ_BYTES];
	struct side *s = arg;
	size_t readable = usrsctp_cmt_conn_readable(conn);
	ssize_t n;

	if (s->calls == 0 || readable < s->readable_min) {
		s->readable_min = readable;
	}
	s->calls++;
	while ((n = usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			assert_int_equal(bytes[i], content((s->bytes + (size_t)i) % BULK_MESSAGE));
		}
		s->bytes += (size_t)n;
	}
}

static void send_bulk(struct usrsctp_cmt_conn *conn, void *arg)
{
	uint8_t bytes[BULK_MESSAGE];
	struct side *s = arg;
	size_t queued = usrsctp_cmt_conn_queued(conn);

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = content(i);
	}
	s->calls++;
	if (s->calls > 1) {
		assert_true(queued <= s->readable_min); /* here: the low mark */
	}
	while (s->bytes < BULK_BYTES) {
		if (usrsctp_cmt_conn_write(conn, bytes, sizeof(bytes), NULL) != 0) {
			assert_int_equal(errno, EAGAIN);
			s->refused++;
			break;
		}
		s->bytes += sizeof(bytes);
		queued = usrsctp_cmt_conn_queued(conn);
		if (queued > s->queued_max) {
			s->queued_max = queued;
		}
	}
	if (s->bytes >= BULK_BYTES) {
		(void)usrsctp_cmt_conn_shutdown(conn);
	}
}

static void read_late(struct two *t)
{
	struct side s = {.two = t};

	t->connection.rcvbuf_bytes = BUFFER_BYTES;
	accept_one(t, &s);
	usrsctp_cmt_conn_setcb(s.conn, take_bulk, NULL, on_event, &s);
	usrsctp_cmt_conn_disable(s.conn, EV_READ);
	two_wait(t); /* until the writer is stuck */
	assert_int_equal(s.calls, 0);
	assert_in_range(usrsctp_cmt_conn_readable(s.conn), BUFFER_BYTES / 2, BUFFER_BYTES * 5 / 4);
	usrsctp_cmt_conn_enable(s.conn, EV_READ);
	assert_true(two_run(t, 20000));
	assert_int_equal(s.bytes, (BULK_BYTES + BULK_MESSAGE - 1) / BULK_MESSAGE * BULK_MESSAGE);
	two_close(t);
}

static void write_until_stuck(struct two *t)
{
	const struct usrsctp_cmt_watermarks marks = {
	    .size = sizeof(marks), .write_low = BUFFER_BYTES / 4, .write_high = BUFFER_BYTES};
	struct side s = {.two = t, .readable_min = BUFFER_BYTES / 4};
	size_t stuck_at;

	two_open(t);
	two_wait(t);
	s.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, 1, &t->connection);
	usrsctp_cmt_conn_setcb(s.conn, NULL, send_bulk, on_event, &s);
	assert_int_equal(usrsctp_cmt_conn_setwatermarks(s.conn, &marks), 0);
	assert_false(two_run(t, 1000));
	stuck_at = s.bytes;
	assert_in_range(stuck_at, BUFFER_BYTES, BUFFER_BYTES * 5 / 2);
	assert_false(two_run(t, 300));
	assert_int_equal(s.bytes, stuck_at);
	two_tell(t);
	assert_true(two_run(t, 20000));
	assert_true(s.refused > 5);
	assert_in_range(s.queued_max, BUFFER_BYTES / 2, BUFFER_BYTES * 5 / 4);
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void a_reader_that_pauses_stops_the_writer(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, read_late, write_until_stuck);
}

static void read_in_large_steps(struct two *t)
{
	const struct usrsctp_cmt_watermarks marks = {.size = sizeof(marks), .read_low = 30000};
	struct side s = {.two = t};

	accept_one(t, &s);
	usrsctp_cmt_conn_setcb(s.conn, take_bulk, NULL, on_event, &s);
	assert_int_equal(usrsctp_cmt_conn_setwatermarks(s.conn, &marks), 0);
	assert_true(two_run(t, 20000));
	assert_true(s.readable_min >= 30000); /* the last one: SIZE_MAX, the association has ended */
	assert_int_equal(s.bytes, (BULK_BYTES + BULK_MESSAGE - 1) / BULK_MESSAGE * BULK_MESSAGE);
	two_close(t);
}

static void write_all(struct two *t)
{
	struct side s = {.two = t, .readable_min = SIZE_MAX};

	two_open(t);
	two_wait(t);
	s.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	usrsctp_cmt_conn_setcb(s.conn, NULL, send_bulk, on_event, &s);
	assert_true(two_run(t, 20000));
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void a_low_mark_gathers_data_and_the_rest_comes_at_the_end(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, read_in_large_steps, write_all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(messages_keep_their_boundaries_streams_and_ppids),
	    cmocka_unit_test(a_reader_that_pauses_stops_the_writer),
	    cmocka_unit_test(a_low_mark_gathers_data_and_the_rest_comes_at_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
