/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A connection as a bufferevent: bytes, back pressure, the end, errors. */
#include "support/two.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#define TOTAL_BYTES  3000000u
#define BUFFER_BYTES 100000u
#define READ_HIGH    20000u

struct end {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	struct bufferevent *bev;
	size_t received;
	short events;
	int error;
};

static uint8_t content(size_t at)
{
	return (uint8_t)(at * 7 + at / 251);
}

static void on_event(struct bufferevent *bev, short what, void *arg)
{
	struct end *e = arg;

	(void)bev;
	e->events |= what;
	e->error = EVUTIL_SOCKET_ERROR();
	if (what != BEV_EVENT_CONNECTED) {
		event_base_loopbreak(e->two->base);
	}
}

static void take(struct bufferevent *bev, void *arg)
{
	struct end *e = arg;
	uint8_t bytes[READ_HIGH];
	size_t n;

	assert_true(evbuffer_get_length(bufferevent_get_input(bev)) <= READ_HIGH);
	while ((n = bufferevent_read(bev, bytes, sizeof(bytes))) > 0) {
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(bytes[i], content(e->received + i));
		}
		e->received += n;
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct end *e = arg;

	(void)listener;
	e->conn = conn;
	e->bev = usrsctp_cmt_conn_bufferevent(conn, 3);
	assert_non_null(e->bev);
	assert_null(usrsctp_cmt_conn_bufferevent(conn, 3));
	assert_int_equal(errno, EBUSY);
	bufferevent_setcb(e->bev, take, NULL, on_event, e);
	bufferevent_setwatermark(e->bev, EV_READ, 0, READ_HIGH);
}

static void free_end(struct end *e)
{
	usrsctp_cmt_conn_free(e->conn);
	bufferevent_free(e->bev);
}

static void listen_with(struct two *t, struct end *e)
{
	e->two = t;
	t->connection.rcvbuf_bytes = BUFFER_BYTES;
	t->connection.sndbuf_bytes = BUFFER_BYTES;
	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept, e));
	two_tell(t);
	while (e->conn == NULL) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
}

static void connect_with(struct two *t, struct end *e)
{
	e->two = t;
	t->connection.sndbuf_bytes = BUFFER_BYTES;
	two_open(t);
	two_wait(t);
	e->conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	e->bev = usrsctp_cmt_conn_bufferevent(e->conn, 3);
	assert_non_null(e->bev);
	bufferevent_setcb(e->bev, take, NULL, on_event, e);
	bufferevent_enable(e->bev, EV_READ | EV_WRITE);
}

/* --- a slow reader --- */

static void read_slowly(struct two *t)
{
	struct end e = {.conn = NULL};

	listen_with(t, &e);
	for (int tries = 0; tries < 100 && e.bev == NULL; tries++) {
		assert_false(two_run(t, 50));
	}
	assert_non_null(e.bev);
	assert_false(two_run(t, 500));
	assert_int_equal(e.received, 0); /* reading is not enabled */
	bufferevent_enable(e.bev, EV_READ);
	assert_true(two_run(t, 20000));
	assert_int_equal(e.events, BEV_EVENT_EOF | BEV_EVENT_READING);
	assert_int_equal(e.received, TOTAL_BYTES);
	free_end(&e);
	two_close(t);
}

static void write_everything(struct two *t)
{
	struct end e = {.conn = NULL};
	struct evbuffer *out;

	connect_with(t, &e);
	out = bufferevent_get_output(e.bev);
	for (size_t i = 0; i < TOTAL_BYTES; i++) {
		uint8_t byte = content(i);

		evbuffer_add(out, &byte, 1);
	}
	assert_false(two_run(t, 400));
	assert_int_equal(e.events, BEV_EVENT_CONNECTED);
	/* Two socket buffers and what the pair holds are gone, the rest waits here. */
	assert_in_range(evbuffer_get_length(out), TOTAL_BYTES - 4 * BUFFER_BYTES, TOTAL_BYTES - BUFFER_BYTES);
	while (evbuffer_get_length(out) > 0) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
	bufferevent_flush(e.bev, EV_WRITE, BEV_FINISHED);
	assert_true(two_run(t, 10000));
	assert_int_equal(e.events, BEV_EVENT_CONNECTED | BEV_EVENT_EOF | BEV_EVENT_READING);
	free_end(&e);
	two_close(t);
}

static void bytes_go_as_fast_as_they_are_read(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, read_slowly, write_everything);
}

/* --- errors --- */

static void nothing(struct two *t)
{
	(void)t;
}

static void meet_refusal(struct two *t)
{
	struct end e = {.two = t};

	two_open(t);
	e.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, 1, &t->connection);
	e.bev = usrsctp_cmt_conn_bufferevent(e.conn, 0);
	bufferevent_setcb(e.bev, take, NULL, on_event, &e);
	assert_true(two_run(t, 5000));
	assert_int_equal(e.events, BEV_EVENT_ERROR);
	assert_int_equal(e.error, ECONNREFUSED);
	free_end(&e);
	two_close(t);
}

static void a_refusal_is_an_error_event(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nothing, meet_refusal);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_go_as_fast_as_they_are_read),
	    cmocka_unit_test(a_refusal_is_an_error_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
