/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Threads that connect, send, abort, shut down and close all at once, in one stack in upstream's threaded
 * mode: its sockets reach each other over loopback addresses. Each test lasts STRESS_MS; under
 * ThreadSanitizer the first race ends it. The order of events is the machine's, what each thread does next
 * comes from a seed that is printed.
 *
 * cost: 5 s */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange_parts.h"

enum {
	STRESS_MS = 1200,
	CLIENTS = 4,
	ACCEPTORS = 2,
	MESSAGE_BYTES = 1400,
	MESSAGES_MAX = 200,
	TIME_LIMIT_S = 100,
	LISTENER_US = 20000,
	LISTENER_MAX_US = 2000000,
	UNANSWERED = 50,
	UNANSWERED_RTO_MS = 10,
	DISCARD_PORT = 9
};

struct stress {
	const char *scheduler;
	bool listener_comes_and_goes;
	bool nobody_answers;
};

struct stress_outcome {
	uint64_t connected, accepted, refused, received_bytes;
};

static struct host host;
static const struct stress *stress;
static struct exchange socket_kind; /* for exchange_socket() */
static atomic_bool over;
static _Atomic uint16_t
    port; /* of the listener; a new one each time, since what it leaves holds its port a while */
static atomic_ullong n_connected, n_accepted, n_refused, n_bytes;

static void abort_at_close(struct socket *so)
{
	const struct linger at_once = {.l_onoff = 1, .l_linger = 0};

	(void)usrsctp_setsockopt(so, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
}

/* Reads until the association ends, or `most` bytes have come. */
static void read_some(struct socket *so, uint64_t most)
{
	uint8_t buffer[4096];

	for (uint64_t got = 0; got < most;) {
		struct sctp_rcvinfo info;
		socklen_t info_bytes = sizeof(info);
		unsigned kind = 0;
		int flags = 0;
		ssize_t n =
		    usrsctp_recvv(so, buffer, sizeof(buffer), NULL, NULL, &info, &info_bytes, &kind, &flags);

		if (n <= 0)
			return;
		got += (uint64_t)n;
		atomic_fetch_add(&n_bytes, (unsigned long long)n);
	}
}

static void send_some(struct socket *so, unsigned messages)
{
	static const uint8_t message[MESSAGE_BYTES];

	for (unsigned i = 0; i < messages; i++) {
		if (usrsctp_sendv(so, message, sizeof(message), NULL, 0, NULL, 0, SCTP_SENDV_NOINFO, 0) < 0)
			return;
	}
}

/* --- who accepts ------------------------------------------------------------------------------------------
 */

struct acceptor {
	pthread_t thread;
	struct socket *listener;
	unsigned seed;
};

static void serve(struct socket *so, unsigned *seed)
{
	unsigned choice = (unsigned)rand_r(seed) % 5;

	atomic_fetch_add(&n_accepted, 1);
	read_some(so, choice == 0 ? 1 : choice == 1 || choice == 4 ? 20000 : UINT64_MAX);
	if (choice == 2)
		send_some(so, 3);
	if (choice == 4) {
		(void)usrsctp_shutdown(so, SHUT_RD);
		read_some(so, UINT64_MAX);
	}
	if (choice == 0)
		abort_at_close(so);
	usrsctp_close(so);
}

static void *accept_all(void *arg)
{
	struct acceptor *a = arg;
	struct socket *so;

	while (!atomic_load(&over)) {
		so = usrsctp_accept(a->listener, NULL, NULL);
		if (so == NULL)
			exchange_pause_us(200);
		else
			serve(so, &a->seed);
	}
	return NULL;
}

static struct socket *open_listener(void)
{
	struct socket *listener = exchange_socket(&socket_kind, &host, (uint16_t)(port + 1), NULL, NULL);

	REQUIRE(usrsctp_listen(listener, 8) == 0);
	port++;
	return listener;
}

/* Sockets that nobody accepts end with the listener. Where the machine has much else to do, listeners stay
 * longer until one was reached. */
static void *open_and_close_listeners(void *arg)
{
	struct acceptor *a = arg;
	unsigned longest_us = LISTENER_US;

	while (!atomic_load(&over)) {
		struct socket *so, *listener = open_listener();

		REQUIRE(usrsctp_set_non_blocking(listener, 1) == 0);
		exchange_pause_us((unsigned)rand_r(&a->seed) % longest_us);
		so = usrsctp_accept(listener, NULL, NULL);
		usrsctp_close(listener);
		if (so == NULL && n_accepted == 0 && longest_us < LISTENER_MAX_US)
			longest_us += longest_us / 8;
		if (so != NULL) {
			longest_us = LISTENER_US;
			REQUIRE(usrsctp_set_non_blocking(so, 0) == 0);
			serve(so, &a->seed);
		}
	}
	return NULL;
}

/* --- who connects -----------------------------------------------------------------------------------------
 */

struct client {
	pthread_t thread;
	unsigned seed;
};

/* Asks soon and not for long, through that UDP port. */
static void be_impatient(struct socket *so, uint16_t attempts, uint16_t rto_ms, uint16_t udp_port)
{
	struct sctp_initmsg impatient = {.sinit_max_attempts = attempts,
	                                 .sinit_max_init_timeo = (uint16_t)(2 * rto_ms)};
	struct sctp_rtoinfo rto = {.srto_initial = rto_ms, .srto_min = rto_ms / 2u, .srto_max = 2u * rto_ms};

	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_INITMSG, &impatient, sizeof(impatient)) == 0);
	REQUIRE(usrsctp_setsockopt(so, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)) == 0);
	exchange_set_peer_port(so, udp_port);
}

static struct socket *connect_once(void)
{
	struct socket *so = exchange_socket(&socket_kind, &host, 0, NULL, NULL);
	struct sockaddr_in peer[HOST_MAX_ADDRESSES];

	be_impatient(so, 2, 100, host.udp_port[0]);
	memcpy(peer, host.addresses, sizeof(peer));
	for (int i = 0; i < host.n_addresses; i++)
		peer[i].sin_port = htons(port);
	if (usrsctp_connectx(so, (struct sockaddr *)peer, host.n_addresses, NULL) == 0)
		return so;
	usrsctp_close(so);
	return NULL;
}

/* Leaves messages for peers that never answer, and closes when their INITs are sent again: the associations
 * go on without the socket. */
static void leave(void)
{
	struct socket *so = usrsctp_socket(AF_INET, SOCK_SEQPACKET, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	struct sockaddr_in peer = host.addresses[0];

	REQUIRE(so != NULL);
	be_impatient(so, 10, UNANSWERED_RTO_MS, DISCARD_PORT);
	for (uint16_t i = 1; i <= UNANSWERED; i++) {
		peer.sin_port = htons(i);
		REQUIRE(usrsctp_sendv(so, "left", 4, (struct sockaddr *)&peer, 1, NULL, 0, SCTP_SENDV_NOINFO,
		                      0) == 4);
	}
	exchange_pause_us(UNANSWERED_RTO_MS * 1000);
	usrsctp_close(so);
	atomic_fetch_add(&n_refused, UNANSWERED);
}

static void live(struct client *c)
{
	unsigned choice = (unsigned)rand_r(&c->seed) % 5;
	struct socket *so = connect_once();

	if (so == NULL) {
		atomic_fetch_add(&n_refused, 1);
		return;
	}
	atomic_fetch_add(&n_connected, 1);
	if (choice != 0)
		send_some(so, (unsigned)rand_r(&c->seed) % MESSAGES_MAX);
	if (choice == 1 || choice == 2)
		abort_at_close(so);
	if (choice == 3) {
		(void)usrsctp_shutdown(so, SHUT_WR);
		read_some(so, UINT64_MAX);
	}
	usrsctp_close(so);
}

static void *connect_all(void *arg)
{
	while (!atomic_load(&over)) {
		if (stress->nobody_answers)
			leave();
		else
			live(arg);
	}
	return NULL;
}

/* --- both -------------------------------------------------------------------------------------------------
 */

static void run_threads(const void *job, void *outcome)
{
	struct stress_outcome *o = outcome;
	struct acceptor acceptors[ACCEPTORS];
	struct client clients[CLIENTS];
	struct socket *listener = NULL;
	unsigned n_acceptors;

	stress = job;
	socket_kind.scheduler = stress->scheduler;
	port = EXCHANGE_PORT;
	(void)alarm(TIME_LIMIT_S);
	host_prepare(&host);
	usrsctp_init(host.udp_port[0], NULL, NULL);
	n_acceptors = stress->nobody_answers ? 0 : stress->listener_comes_and_goes ? 1 : ACCEPTORS;
	if (!stress->listener_comes_and_goes && !stress->nobody_answers) {
		listener = open_listener();
		REQUIRE(usrsctp_set_non_blocking(listener, 1) == 0);
	}
	for (unsigned i = 0; i < n_acceptors; i++) {
		acceptors[i] = (struct acceptor){.listener = listener, .seed = i + 1};
		REQUIRE(pthread_create(&acceptors[i].thread, NULL,
		                       listener != NULL ? accept_all : open_and_close_listeners,
		                       &acceptors[i]) == 0);
	}
	for (unsigned i = 0; i < CLIENTS; i++) {
		clients[i].seed = 100 + i;
		REQUIRE(pthread_create(&clients[i].thread, NULL, connect_all, &clients[i]) == 0);
	}
	exchange_pause_us(STRESS_MS * 1000);
	while (!stress->nobody_answers && (n_connected == 0 || n_accepted == 0))
		exchange_pause_us(10000); /* a machine that has much else to do */
	atomic_store(&over, true);
	for (unsigned i = 0; i < CLIENTS; i++)
		REQUIRE(pthread_join(clients[i].thread, NULL) == 0);
	for (unsigned i = 0; i < n_acceptors; i++)
		REQUIRE(pthread_join(acceptors[i].thread, NULL) == 0);
	if (listener != NULL)
		usrsctp_close(listener);
	exchange_finish();
	*o = (struct stress_outcome){.connected = n_connected,
	                             .accepted = n_accepted,
	                             .refused = n_refused,
	                             .received_bytes = n_bytes};
}

static struct stress_outcome run(struct stress job)
{
	struct stress_outcome o;

	isolate_run(run_threads, &job, &o, sizeof(o));
	print_message("%llu connected, %llu accepted, %llu refused, %llu bytes\n",
	              (unsigned long long)o.connected, (unsigned long long)o.accepted,
	              (unsigned long long)o.refused, (unsigned long long)o.received_bytes);
	assert_true(job.nobody_answers || (o.connected > 0 && o.accepted > 0));
	return o;
}

static void associations_come_and_go_in_all_ways_with_arrival(void **state)
{
	(void)state;
	run((struct stress){.scheduler = "arrival"});
}

/* It waits, so that its timer is set when an association ends. */
static void associations_come_and_go_in_all_ways_with_lcm(void **state)
{
	(void)state;
	run((struct stress){.scheduler = "lcm"});
}

static void associations_come_and_go_in_all_ways_without_cmt(void **state)
{
	(void)state;
	run((struct stress){.scheduler = NULL});
}

static void a_listener_closes_while_associations_arrive(void **state)
{
	(void)state;
	run((struct stress){.scheduler = "arrival", .listener_comes_and_goes = true});
}

static void *read_all(void *so)
{
	read_some(so, UINT64_MAX);
	return NULL;
}

static void shut_reading_under_a_reader(const void *job, void *outcome)
{
	struct socket *listener, *client, *so;
	pthread_t reader;

	(void)job;
	(void)outcome;
	port = EXCHANGE_PORT;
	(void)alarm(TIME_LIMIT_S);
	host_prepare(&host);
	usrsctp_init(host.udp_port[0], NULL, NULL);
	listener = open_listener();
	client = connect_once();
	REQUIRE(client != NULL);
	so = usrsctp_accept(listener, NULL, NULL);
	REQUIRE(so != NULL);
	REQUIRE(pthread_create(&reader, NULL, read_all, so) == 0);
	exchange_pause_us(50000);
	REQUIRE(usrsctp_shutdown(so, SHUT_RD) == 0);
	REQUIRE(pthread_join(reader, NULL) == 0);
	usrsctp_close(so);
	usrsctp_close(client);
	usrsctp_close(listener);
	exchange_finish();
}

static void who_waits_for_data_is_told_that_none_will_be_read(void **state)
{
	char nothing;

	(void)state;
	isolate_run(shut_reading_under_a_reader, NULL, &nothing, sizeof(nothing));
}

static void sockets_close_while_their_inits_are_sent_again(void **state)
{
	(void)state;
	assert_true(run((struct stress){.nobody_answers = true}).refused > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sockets_close_while_their_inits_are_sent_again),
	    cmocka_unit_test(associations_come_and_go_in_all_ways_with_arrival),
	    cmocka_unit_test(associations_come_and_go_in_all_ways_with_lcm),
	    cmocka_unit_test(associations_come_and_go_in_all_ways_without_cmt),
	    cmocka_unit_test(a_listener_closes_while_associations_arrive),
	    cmocka_unit_test(who_waits_for_data_is_told_that_none_will_be_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
