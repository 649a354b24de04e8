/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How connections come up and end, and what is said when something is wrong. */
#include "support/two.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 300000u

struct seen {
	struct two *two;
	struct usrsctp_cmt_conn *conn;
	unsigned count[16];
	int error;
	size_t bytes;
	bool free_in_callback;
};

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct seen *s = arg;

	assert_ptr_equal(conn, s->conn);
	s->count[event->type]++;
	s->error = event->error;
	switch (event->type) {
	case USRSCTP_CMT_CONN_CLOSED:
	case USRSCTP_CMT_CONN_PEER_CLOSED:
	case USRSCTP_CMT_CONN_FAILED:
	case USRSCTP_CMT_CONN_LOST:
		if (s->free_in_callback) {
			usrsctp_cmt_conn_free(conn);
			s->conn = NULL;
		}
		event_base_loopbreak(s->two->base);
		break;
	default: break;
	}
}

static void take(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct seen *s = arg;
	char bytes[4096];
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL)) > 0) {
		s->bytes += (size_t)n;
	}
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct seen *s = arg;

	(void)listener;
	s->conn = conn;
	usrsctp_cmt_conn_setcb(conn, take, NULL, on_event, s);
}

static void listen_for(struct two *t, struct seen *s)
{
	s->two = t;
	two_open(t);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &t->connection, on_accept, s));
	two_tell(t);
}

static void connect_to(struct two *t, struct seen *s, usrsctp_cmt_conn_data_cb *write_cb)
{
	s->two = t;
	s->conn = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	assert_non_null(s->conn);
	usrsctp_cmt_conn_setcb(s->conn, take, write_cb, on_event, s);
}

static void nothing(struct two *t)
{
	(void)t;
}

/* --- nobody there --- */

static void meet_refusal(struct two *t)
{
	struct seen s = {.free_in_callback = true};

	two_open(t);
	connect_to(t, &s, NULL);
	assert_true(two_run(t, 3000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_FAILED], 1);
	assert_int_equal(s.error, ECONNREFUSED);
	two_close(t);
}

static void a_closed_udp_port_fails_at_once(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nothing, meet_refusal);
}

/* A UDP socket that never answers. */
static void stay_mute(struct two *t)
{
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in in = *(struct sockaddr_in *)&t->own[0];
	char byte;

	in.sin_port = htons(USRSCTP_CMT_EVENT_UDP_PORT);
	in.sin_addr.s_addr = htonl(INADDR_ANY);
	assert_int_equal(bind(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	two_tell(t);
	assert_int_equal(read(t->from_other, &byte, 1), 0); /* until the other has ended */
	close(fd);
}

static void meet_silence(struct two *t)
{
	struct seen s = {.conn = NULL};

	two_open(t);
	two_wait(t);
	t->connection.connect_timeout_ms = 300;
	connect_to(t, &s, NULL);
	assert_false(two_run(t, 250));
	assert_true(two_run(t, 200));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_FAILED], 1);
	assert_int_equal(s.error, ETIMEDOUT);
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void silence_fails_after_the_timeout(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, stay_mute, meet_silence);
}

static void answer_without_listener(struct two *t)
{
	two_open(t);
	two_tell(t);
	assert_false(two_run(t, 1000));
	two_close(t);
}

static void meet_abort(struct two *t)
{
	struct seen s = {.conn = NULL};

	two_open(t);
	two_wait(t);
	connect_to(t, &s, NULL);
	assert_true(two_run(t, 900));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_FAILED], 1);
	assert_int_equal(s.error, ECONNREFUSED);
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void a_port_without_listener_refuses(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, answer_without_listener, meet_abort);
}

/* --- the end --- */

static void send_some(struct usrsctp_cmt_conn *conn, void *arg)
{
	static const char bytes[1000];
	struct seen *s = arg;

	for (; s->bytes < BYTES; s->bytes += sizeof(bytes)) {
		if (usrsctp_cmt_conn_write(conn, bytes, sizeof(bytes), NULL) != 0) {
			return;
		}
	}
	/* Leaves at once: what is queued must arrive all the same. */
	usrsctp_cmt_conn_free(conn);
	s->conn = NULL;
	event_base_loopbreak(s->two->base);
}

static void take_until_closed(struct two *t)
{
	struct seen s = {.free_in_callback = true};

	listen_for(t, &s);
	assert_true(two_run(t, 10000));
	two_tell(t);
	assert_int_equal(s.count[USRSCTP_CMT_CONN_PEER_CLOSED], 1);
	assert_int_equal(s.bytes, BYTES);
	two_close(t);
}

static void send_and_leave(struct two *t)
{
	struct seen s = {.conn = NULL};

	two_open(t);
	two_wait(t);
	connect_to(t, &s, send_some);
	assert_true(two_run(t, 10000));
	assert_int_equal(s.bytes, BYTES);
	/* usrsctp_cmt_event_free() ends also what is not through. */
	two_wait(t);
	two_close(t);
}

static uint16_t sctp_port(const struct usrsctp_cmt_conn *conn)
{
	struct sockaddr *addresses = NULL;
	uint16_t port;

	assert_true(usrsctp_getladdrs(usrsctp_cmt_conn_socket(conn), 0, &addresses) > 0);
	port = ntohs(((const struct sockaddr_in *)(const void *)addresses)->sin_port);
	usrsctp_freeladdrs(addresses);
	return port;
}

static void choose_ports(struct two *t)
{
	struct usrsctp_cmt_conn *first, *second;

	two_open(t);
	first = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	second = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	assert_non_null(first);
	assert_non_null(second);
	assert_int_equal(sctp_port(first), usrsctp_cmt_event_udp_port(t->ev));
	assert_int_not_equal(sctp_port(second), sctp_port(first));
	t->connection.local_port = 4000;
	second = usrsctp_cmt_conn_connect(t->ev, t->peer, TWO_ADDRESSES, &t->connection);
	assert_int_equal(sctp_port(second), 4000);
	two_close(t);
}

/* Else the peer could take two clients of one host for one that restarted. */
static void a_clients_sctp_port_is_as_unique_as_its_udp_port(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nothing, choose_ports);
}

static void a_freed_connection_still_delivers_what_was_written(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, take_until_closed, send_and_leave);
}

static void close_first(struct two *t)
{
	struct seen s = {.conn = NULL};

	listen_for(t, &s);
	while (s.conn == NULL) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
	assert_int_equal(usrsctp_cmt_conn_shutdown(s.conn), 0);
	assert_true(two_run(t, 5000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_CLOSED], 1);
	assert_int_equal(s.count[USRSCTP_CMT_CONN_PEER_CLOSED], 0);
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void close_second(struct two *t)
{
	struct seen s = {.conn = NULL};
	char byte;

	two_open(t);
	two_wait(t);
	connect_to(t, &s, NULL);
	assert_true(two_run(t, 5000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_UP], 1);
	assert_int_equal(s.count[USRSCTP_CMT_CONN_PEER_CLOSED], 1);
	assert_int_equal(usrsctp_cmt_conn_read(s.conn, &byte, 1, NULL), -1);
	assert_int_equal(errno, ENOTCONN);
	assert_int_equal(usrsctp_cmt_conn_shutdown(s.conn), 0);
	assert_true(two_run(t, 5000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_CLOSED], 1);
	usrsctp_cmt_conn_free(s.conn);
	two_close(t);
}

static void both_sides_are_told_that_it_is_closed(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, close_first, close_second);
}

static void abort_it(struct two *t)
{
	struct seen s = {.conn = NULL};

	listen_for(t, &s);
	while (s.conn == NULL) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
	assert_false(two_run(t, 100));
	usrsctp_cmt_conn_abort(s.conn);
	assert_false(two_run(t, 100));
	two_close(t);
}

static void be_aborted(struct two *t)
{
	struct seen s = {.free_in_callback = true};

	two_open(t);
	two_wait(t);
	connect_to(t, &s, NULL);
	assert_true(two_run(t, 5000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_UP], 1);
	assert_int_equal(s.count[USRSCTP_CMT_CONN_LOST], 1);
	assert_int_equal(s.error, ECONNRESET);
	two_close(t);
}

static void an_abort_is_told_as_such(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, abort_it, be_aborted);
}

/* --- a peer that restarts --- */

enum { RESTARTING_PORT = 4000, RESTARTING_UDP_PORT = 9900, SAID_BYTES = 1000 };

static void be_restarted(struct two *t)
{
	struct seen s = {.free_in_callback = true};

	listen_for(t, &s);
	assert_true(two_run(t, 10000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_LOST], 1);
	assert_int_equal(s.error, ECONNRESET);
	assert_int_equal(s.bytes, SAID_BYTES);
	assert_true(two_run(t, 10000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_PEER_CLOSED], 1);
	assert_int_equal(s.bytes, 2 * SAID_BYTES);
	two_close(t);
}

static void say_something(struct usrsctp_cmt_conn *conn, void *arg)
{
	static const char bytes[SAID_BYTES];
	struct seen *s = arg;

	if (s->bytes == 0 && usrsctp_cmt_conn_write(conn, bytes, sizeof(bytes), NULL) == 0) {
		s->bytes = sizeof(bytes);
	}
}

static void connect_from_one_port(struct two *t, struct seen *s)
{
	t->config.udp_port = RESTARTING_UDP_PORT;
	t->connection.local_port = RESTARTING_PORT;
	two_open(t);
	connect_to(t, s, say_something);
}

static void wait_until_arrived(struct two *t, const struct seen *s)
{
	while (s->bytes == 0 || usrsctp_cmt_conn_queued(s->conn) > 0) {
		event_base_loop(t->base, EVLOOP_ONCE);
	}
}

/* Without a last word. */
static void say_and_die(struct two *t)
{
	struct seen s = {.conn = NULL};

	assert_int_equal(event_reinit(t->base), 0);
	connect_from_one_port(t, &s);
	wait_until_arrived(t, &s);
	_exit(0);
}

static void die_and_come_back(struct two *t)
{
	struct seen s = {.free_in_callback = true};
	int status = -1;
	pid_t first;
	char byte;

	assert_int_equal(read(t->from_other, &byte, 1), 1); /* it listens */
	first = fork();
	assert_true(first >= 0);
	if (first == 0) {
		say_and_die(t);
	}
	assert_int_equal(waitpid(first, &status, 0), first);
	assert_int_equal(status, 0);
	connect_from_one_port(t, &s);
	assert_true(two_run(t, 10000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_LOST], 1);
	s.bytes = 0;
	connect_to(t, &s, say_something);
	wait_until_arrived(t, &s);
	assert_int_equal(usrsctp_cmt_conn_shutdown(s.conn), 0);
	assert_true(two_run(t, 10000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_CLOSED], 1);
	two_close(t);
}

/* What the peer says after it restarted must not be taken for a part of what it said before. */
static void a_restart_ends_the_connection(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, be_restarted, die_and_come_back);
}

/* Everything is still open: freeing the back end must end it all, and leave no memory behind. */
static void leave_open(struct two *t)
{
	struct seen s = {.conn = NULL};

	listen_for(t, &s);
	assert_false(two_run(t, 300));
	assert_non_null(s.conn);
	two_close(t);
}

static void lose_the_server(struct two *t)
{
	struct seen s = {.conn = NULL};

	two_open(t);
	two_wait(t);
	connect_to(t, &s, NULL);
	assert_true(two_run(t, 5000));
	assert_int_equal(s.count[USRSCTP_CMT_CONN_LOST], 1);
	two_close(t); /* with the connection */
}

static void freeing_the_back_end_ends_what_is_open(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, leave_open, lose_the_server);
}

/* --- what is refused --- */

static void expect_no_back_end(struct two *t, const struct usrsctp_cmt_event_config *config, int error,
                               const char *text)
{
	char said[256] = "";

	assert_null(usrsctp_cmt_event_new(t->base, config, said, sizeof(said)));
	assert_int_equal(errno, error);
	assert_string_equal(said, text);
}

static void try_bad_configurations(struct two *t)
{
	struct usrsctp_cmt_event_config config = t->config;
	struct sockaddr_storage foreign = t->own[0];
	struct sockaddr_in in = *(struct sockaddr_in *)&t->own[0];
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	((struct sockaddr_in *)&foreign)->sin_addr.s_addr = inet_addr("192.0.2.1");
	config.addresses = &foreign;
	config.n_addresses = 1;
	expect_no_back_end(t, &config, EADDRNOTAVAIL,
	                   "cannot bind 192.0.2.1: address not on this host (have 127.0.0.1, ::1)");
	config = t->config;
	in.sin_port = htons(9899);
	assert_int_equal(bind(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	config.udp_port = 9899;
	expect_no_back_end(t, &config, EADDRINUSE, "cannot bind 127.0.1.2: UDP port 9899 is in use there");
	close(fd);
	config.mtu_max_bytes = 100;
	expect_no_back_end(t, &config, EINVAL, "mtu_max_bytes is not in 576 .. 65535");
	config.size = 8;
	expect_no_back_end(t, &config, EINVAL, "the configuration's size is not that of this version");
	two_open(t);
}

static void expect_no_connection(struct two *t, size_t n_peer, int error)
{
	assert_null(usrsctp_cmt_conn_connect(t->ev, t->peer, n_peer, &t->connection));
	assert_int_equal(errno, error);
}

static void try_bad_calls(struct two *t)
{
	struct usrsctp_cmt_conn_config good;

	try_bad_configurations(t);
	good = t->connection;
	expect_no_connection(t, 0, EINVAL);
	t->connection.scheduler = "fastest";
	expect_no_connection(t, 1, EINVAL);
	t->connection.scheduler = "arrival";
	t->connection.scheduler_options = "speed=9";
	expect_no_connection(t, 1, EINVAL);
	t->connection = good;
	((struct sockaddr_in *)&t->peer[1])->sin_port = htons(1);
	expect_no_connection(t, 2, EINVAL);
	((struct sockaddr_in *)&t->peer[1])->sin_family = AF_UNIX;
	expect_no_connection(t, 2, EINVAL);
	assert_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &good, NULL, NULL));
	assert_int_equal(errno, EINVAL);
	assert_non_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &good, on_accept, NULL));
	assert_null(usrsctp_cmt_listen(t->ev, TWO_PORT, &good, on_accept, NULL));
	assert_int_equal(errno, EADDRINUSE);
	two_close(t);
	two_open(t); /* and all of it can be had again */
	two_close(t);
}

static void what_cannot_be_is_refused_with_a_reason(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nothing, try_bad_calls);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_closed_udp_port_fails_at_once),
	    cmocka_unit_test(silence_fails_after_the_timeout),
	    cmocka_unit_test(a_port_without_listener_refuses),
	    cmocka_unit_test(a_freed_connection_still_delivers_what_was_written),
	    cmocka_unit_test(a_clients_sctp_port_is_as_unique_as_its_udp_port),
	    cmocka_unit_test(both_sides_are_told_that_it_is_closed),
	    cmocka_unit_test(an_abort_is_told_as_such),
	    cmocka_unit_test(a_restart_ends_the_connection),
	    cmocka_unit_test(freeing_the_back_end_ends_what_is_open),
	    cmocka_unit_test(what_cannot_be_is_refused_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
