/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A loop that gets no more memory: the stack's timers go on, and no byte is lost without a word. */
#include "support/two.h"

#include <errno.h>
#include <stdlib.h>
#include <event2/bufferevent.h>

#define MESSAGES      50u
#define LATE_US       700000 /* all is there, and nothing comes any more */
#define MESSAGE_BYTES 1400u
#define TIMERS        1000u /* more than libevent has room for at first */
#define BEFORE_BYTES  500000u

/* libevent's. */
static bool none_left;

static void *allocate(size_t bytes)
{
	return none_left ? NULL : malloc(bytes);
}

static void *allocate_again(void *old, size_t bytes)
{
	return none_left ? NULL : realloc(old, bytes);
}

static uint8_t content(size_t at)
{
	return (uint8_t)(at * 7 + at / 251);
}

struct side {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	struct bufferevent *bev;
	struct event *timers[TIMERS];
	size_t n, bytes;
	short events;
	int error;
};

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	const struct side *s = arg;

	(void)conn;
	if (event->type == USRSCTP_CMT_CONN_CLOSED || event->type == USRSCTP_CMT_CONN_PEER_CLOSED ||
	    event->type == USRSCTP_CMT_CONN_LOST) {
		event_base_loopbreak(s->two->base);
	}
}

/* --- timers --- */

static void on_nothing(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	(void)arg;
}

/* Takes every place in libevent's heap of timers. */
static void take_all_places(struct side *s)
{
	const struct timeval never = {.tv_sec = 3600};

	none_left = true;
	for (size_t i = 0; i < TIMERS; i++) {
		if (event_add(s->timers[i], &never) != 0) {
			return;
		}
	}
	fail_msg("there was room for %u timers", TIMERS);
}

static void take_message(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct side *s = arg;
	uint8_t bytes[MESSAGE_BYTES];

	while (usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL) > 0) {
		s->n++;
	}
}

/* The stack has to be told: by a timer, too. */
static void on_late(evutil_socket_t fd, short what, void *arg)
{
	struct side *s = arg;

	(void)fd;
	(void)what;
	assert_int_equal(s->n, 0);
	take_all_places(s);
	usrsctp_cmt_conn_enable(s->conn, EV_READ);
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct side *s = arg;

	(void)listener;
	s->conn = conn;
	usrsctp_cmt_conn_setcb(conn, take_message, NULL, on_event, s);
	usrsctp_cmt_conn_disable(conn, EV_READ);
}

static void receive_without_memory(struct two *t)
{
	const struct timeval late = {.tv_usec = LATE_US};
	struct side *s = calloc(1, sizeof(*s));
	struct event *timer;

	assert_non_null(s);
	s->two = t;
	two_open(t);
	timer = evtimer_new(t->base, on_late, s);
	for (size_t i = 0; i < TIMERS; i++) {
		s->timers[i] = evtimer_new(t->base, on_nothing, s);
	}
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept, s));
	two_tell(t);
	while (s->conn == NULL) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
	assert_int_equal(event_add(timer, &late), 0);
	(void)event_base_dispatch(t->base);
	none_left = false;
	assert_int_equal(s->n, MESSAGES);
	event_free(timer);
	for (size_t i = 0; i < TIMERS; i++) {
		event_free(s->timers[i]);
	}
	usrsctp_cmt_conn_free(s->conn);
	two_close(t);
	free(s);
}

static void send_messages(struct usrsctp_cmt_conn *conn, void *arg)
{
	static const uint8_t message[MESSAGE_BYTES];
	struct side *s = arg;

	while (s->n < MESSAGES) {
		if (usrsctp_cmt_conn_write(conn, message, sizeof(message), NULL) != 0) {
			return;
		}
		s->n++;
	}
	(void)usrsctp_cmt_conn_shutdown(conn);
}

static void send_to_it(struct two *t)
{
	struct side s = {.two = t};

	two_open(t);
	two_wait(t);
	s.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	usrsctp_cmt_conn_setcb(s.conn, NULL, send_messages, on_event, &s);
	assert_true(two_run(t, 20000));
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void an_association_goes_on_when_there_is_no_memory_for_timers(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, receive_without_memory, send_to_it);
}

/* --- a bufferevent --- */

static void take(struct bufferevent *bev, void *arg)
{
	struct side *s = arg;
	uint8_t bytes[4096];
	size_t n;

	while ((n = bufferevent_read(bev, bytes, sizeof(bytes))) > 0) {
		for (size_t i = 0; i < n; i++) {
			assert_int_equal(bytes[i], content(s->bytes + i));
		}
		s->bytes += n;
	}
	none_left = s->bytes >= BEFORE_BYTES;
}

static void on_bev_event(struct bufferevent *bev, short what, void *arg)
{
	struct side *s = arg;

	(void)bev;
	s->events |= what;
	s->error = EVUTIL_SOCKET_ERROR();
	event_base_loopbreak(s->two->base);
}

static void on_accept_bev(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct side *s = arg;

	(void)listener;
	s->conn = conn;
	s->bev = usrsctp_cmt_conn_bufferevent(conn, 0);
	assert_non_null(s->bev);
	bufferevent_setcb(s->bev, take, NULL, on_bev_event, s);
	bufferevent_enable(s->bev, EV_READ);
}

static void read_until_there_is_no_memory(struct two *t)
{
	struct side s = {.two = t};

	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept_bev, &s));
	two_tell(t);
	(void)event_base_dispatch(t->base);
	none_left = false;
	assert_int_equal(s.events, BEV_EVENT_ERROR | BEV_EVENT_READING);
	assert_int_equal(s.error, ENOMEM);
	assert_true(s.bytes >= BEFORE_BYTES);
	usrsctp_cmt_conn_abort(s.conn);
	bufferevent_free(s.bev);
	two_close(t);
}

static void send_bytes(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct side *s = arg;
	uint8_t message[MESSAGE_BYTES];

	for (;;) {
		for (size_t i = 0; i < sizeof(message); i++) {
			message[i] = content(s->bytes + i);
		}
		if (usrsctp_cmt_conn_write(conn, message, sizeof(message), NULL) != 0) {
			return;
		}
		s->bytes += sizeof(message);
	}
}

static void send_without_end(struct two *t)
{
	struct side s = {.two = t};

	two_open(t);
	two_wait(t);
	s.conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	usrsctp_cmt_conn_setcb(s.conn, NULL, send_bytes, on_event, &s);
	assert_true(two_run(t, 20000));
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void a_bufferevent_without_memory_says_so_and_loses_nothing_before(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, read_until_there_is_no_memory, send_without_end);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_association_goes_on_when_there_is_no_memory_for_timers),
	    cmocka_unit_test(a_bufferevent_without_memory_says_so_and_loses_nothing_before),
	};

	event_set_mem_functions(allocate, allocate_again, free);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
