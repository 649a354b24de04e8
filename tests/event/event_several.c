/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Several event back ends in a process, on loops of their own or on one. They have the addresses of the two
 * hosts, so that they can talk to each other. */
#include "support/two.h"

#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

#define BYTES         1000000u
#define MESSAGE_BYTES 1000u

/* One back end, with at most one connection. */
struct end {
	struct two two;
	struct usrsctp_cmt_conn *conn;
	unsigned count[16];
	size_t most, sent, received;
	struct end *further; /* whose connection the second one is that it accepts */
};

struct pair {
	struct end server, client;
};

static void on_event(struct usrsctp_cmt_conn *conn, const struct usrsctp_cmt_conn_event *event, void *arg)
{
	struct end *e = arg;

	assert_ptr_equal(conn, e->conn);
	e->count[event->type]++;
}

static void take(struct usrsctp_cmt_conn *conn, void *arg)
{
	struct end *e = arg;
	char bytes[4096];
	ssize_t n;

	while ((n = usrsctp_cmt_conn_read(conn, bytes, sizeof(bytes), NULL)) > 0)
		e->received += (size_t)n;
}

static void give(struct usrsctp_cmt_conn *conn, void *arg)
{
	static const char bytes[MESSAGE_BYTES];
	struct end *e = arg;

	while (e->sent < e->most && usrsctp_cmt_conn_write(conn, bytes, sizeof(bytes), NULL) == 0)
		e->sent += sizeof(bytes);
}

static void on_accept(struct usrsctp_cmt_listener *listener, struct usrsctp_cmt_conn *conn, void *arg)
{
	struct end *e = arg;

	(void)listener;
	if (e->conn != NULL)
		e = e->further;
	assert_non_null(e);
	assert_null(e->conn);
	e->conn = conn;
	usrsctp_cmt_conn_setcb(conn, take, NULL, on_event, e);
}

/* --- a pair --- */

static void serve(struct end *e)
{
	two_open(&e->two);
	assert_non_null(usrsctp_cmt_listen(e->two.ev, TWO_PORT, &e->two.connection, on_accept, e));
}

static void connect_to(struct end *e, size_t n_peer)
{
	e->most = BYTES;
	e->conn = usrsctp_cmt_conn_connect(e->two.ev, e->two.peer, n_peer, &e->two.connection);
	assert_non_null(e->conn);
	usrsctp_cmt_conn_setcb(e->conn, NULL, give, on_event, e);
}

/* Both from the part of one host: the server has the addresses of the other. */
static void prepare(struct pair *p, const struct two *t, struct event_base *servers)
{
	*p = (struct pair){.server.two = *t, .client.two = *t};
	memcpy(p->server.two.own, t->peer, sizeof(t->peer));
	p->server.two.base = servers;
	p->server.two.config.addresses = p->server.two.own;
	p->server.two.config.udp_port = USRSCTP_CMT_EVENT_UDP_PORT;
	p->client.two.config.addresses = p->client.two.own;
}

static void open_pair(struct pair *p)
{
	serve(&p->server);
	two_open(&p->client.two);
	connect_to(&p->client, TWO_ADDRESSES);
}

/* Until the server has `bytes`; time limits are those of the host's part. */
static void run_until_received(struct pair *p, size_t bytes)
{
	while (p->server.received < bytes) {
		event_base_loop(p->client.two.base, EVLOOP_NONBLOCK);
		event_base_loop(p->server.two.base, EVLOOP_NONBLOCK);
	}
}

static void use_two_loops(struct two *t)
{
	struct event_base *other = event_base_new();
	struct pair p;

	prepare(&p, t, other);
	open_pair(&p);
	run_until_received(&p, BYTES);
	assert_int_equal(p.server.received, BYTES);
	two_close(&p.client.two);
	while (p.server.count[USRSCTP_CMT_CONN_LOST] + p.server.count[USRSCTP_CMT_CONN_PEER_CLOSED] == 0)
		event_base_loop(other, EVLOOP_ONCE);
	two_close(&p.server.two);
	event_base_free(other);
}

static void nobody(struct two *t)
{
	(void)t;
}

static void two_loops_of_a_process_talk_to_each_other(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nobody, use_two_loops);
}

/* Each waits in its loop, and nothing else wakes it: what one does for the other must. */
static void use_one_loop(struct two *t)
{
	struct pair p;

	prepare(&p, t, t->base);
	open_pair(&p);
	while (p.server.received < BYTES)
		event_base_loop(t->base, EVLOOP_ONCE);
	assert_int_equal(p.server.received, BYTES);
	two_close(&p.server.two);
	while (p.client.count[USRSCTP_CMT_CONN_LOST] == 0)
		event_base_loop(t->base, EVLOOP_ONCE);
	two_close(&p.client.two);
}

static void two_back_ends_share_a_loop(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nobody, use_one_loop);
}

/* --- what is each one's own --- */

static void only_address(struct end *e, const struct sockaddr_storage *address)
{
	e->two.config.addresses = address;
	e->two.config.n_addresses = 1;
}

static bool is_from(const struct usrsctp_cmt_conn *conn, const struct sockaddr_storage *address)
{
	struct sockaddr *addresses = NULL;
	const struct sockaddr_in *in;
	const int n = usrsctp_getladdrs(usrsctp_cmt_conn_socket(conn), 0, &addresses);
	bool is;

	in = (const struct sockaddr_in *)(const void *)addresses;
	is = n == 1 && in->sin_addr.s_addr == ((const struct sockaddr_in *)address)->sin_addr.s_addr;
	usrsctp_freeladdrs(addresses);
	return is;
}

/* Two listeners on one SCTP port, each on another address; clients reach the one that they name. */
static void use_one_port_twice(struct two *t)
{
	struct pair first, second;

	prepare(&first, t, t->base);
	prepare(&second, t, t->base);
	only_address(&first.server, &first.server.two.own[0]);
	only_address(&second.server, &second.server.two.own[1]);
	only_address(&first.client, &first.client.two.own[0]);
	only_address(&second.client, &second.client.two.own[1]);
	second.client.two.peer[0] = t->peer[1];
	serve(&first.server);
	serve(&second.server);
	two_open(&first.client.two);
	two_open(&second.client.two);
	connect_to(&first.client, 1);
	run_until_received(&first, BYTES);
	assert_null(second.server.conn);
	connect_to(&second.client, 1);
	run_until_received(&second, BYTES);
	assert_true(is_from(first.client.conn, &t->own[0]));
	assert_true(is_from(second.client.conn, &t->own[1]));
	assert_true(is_from(second.server.conn, &t->peer[1]));
	assert_int_equal(first.server.received, BYTES);
	two_close(&first.client.two);
	two_close(&first.server.two);
	two_close(&second.server.two);
	two_close(&second.client.two);
}

static void each_has_its_addresses_and_ports(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nobody, use_one_port_twice);
}

/* The one that began the stack goes while the others' transfer is under way, and its own too. */
static void end_one_of_three(struct two *t)
{
	struct end first = {.two = *t}, accepted = {.conn = NULL};
	struct pair p;

	first.two.config.addresses = first.two.own;
	two_open(&first.two);
	prepare(&p, t, t->base);
	p.server.further = &accepted;
	open_pair(&p);
	p.client.most = BYTES / 2;
	run_until_received(&p, 1);
	connect_to(&first, TWO_ADDRESSES);
	while (accepted.received == 0)
		event_base_loop(t->base, EVLOOP_ONCE);
	two_close(&first.two);
	p.client.most = BYTES;
	give(p.client.conn, &p.client);
	run_until_received(&p, BYTES);
	assert_int_equal(p.server.received, BYTES);
	assert_int_equal(accepted.count[USRSCTP_CMT_CONN_LOST], 1);
	two_open(&first.two);
	two_close(&p.client.two);
	two_close(&p.server.two);
	two_close(&first.two);
}

static void one_ends_while_another_transfers(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nobody, end_one_of_three);
}

/* --- what cannot be shared --- */

static void *open_elsewhere(void *arg)
{
	struct two *t = arg;
	char said[256] = "";

	assert_null(usrsctp_cmt_event_new(t->base, &t->config, said, sizeof(said)));
	assert_int_equal(errno, EBUSY);
	assert_string_equal(said, "the stack of this process runs in another thread, on usrsctp_init(), or "
	                          "in virtual time");
	return NULL;
}

static void try_another_thread(struct two *t)
{
	struct two other = *t;
	pthread_t thread;

	other.config.addresses = other.own;
	other.base = event_base_new();
	two_open(t);
	assert_int_equal(pthread_create(&thread, NULL, open_elsewhere, &other), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	two_close(t);
	two_open(&other); /* the same thread may */
	two_close(&other);
	event_base_free(other.base);
}

static void threads_cannot_share_the_stack(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, nobody, try_another_thread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(two_loops_of_a_process_talk_to_each_other),
	    cmocka_unit_test(two_back_ends_share_a_loop),
	    cmocka_unit_test(each_has_its_addresses_and_ports),
	    cmocka_unit_test(one_ends_while_another_transfers),
	    cmocka_unit_test(threads_cannot_share_the_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
