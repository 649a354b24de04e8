/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How connections begin and end, who is refused, and what is left behind: nothing.
 *
 * cost: 1 s */
#include "support/pair.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/two.h"

#define SHORT_WAIT_MS 50

/* --- to begin --- */

static void nobody_who_listens_refuses(void **state)
{
	struct pair p;

	(void)state;
	pair_init(&p);
	p.connecting.peer_udp_port = 9; /* nobody's */
	assert_fails(cmt_connect(&p.client, &p.connecting, PAIR_TIMEOUT_MS), ECONNREFUSED,
	             "cannot connect to " PAIR_ADDRESSES);
	assert_null(p.client);
}

static void who_does_not_answer_is_given_up(void **state)
{
	struct pair p, silent;

	(void)state;
	pair_init(&p);
	pair_init(&silent);
	pair_listen(&silent); /* takes packets of another SCTP port, and answers with ABORT */
	p.connecting.peer_udp_port = silent.connecting.peer_udp_port;
	p.connecting.port = PAIR_PORT + 1;
	assert_true(cmt_connect(&p.client, &p.connecting, SHORT_WAIT_MS) < 0);
	print_message("%s\n", cmt_reason());
	cmt_listener_close(silent.listener);
}

static void a_configuration_that_says_too_little_is_refused(void **state)
{
	struct pair p;

	(void)state;
	pair_init(&p);
	p.connecting.any_peer = false;
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EINVAL, "nobody is trusted");
	p.connecting.insecure = p.connecting.any_peer = true;
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EINVAL, "insecure, and yet");
	p.connecting.insecure = p.connecting.any_peer = false;
	p.connecting.peer_fingerprints = "sha256:12";
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EINVAL, "\"sha256:12\" is not a fingerprint");
	pair_init(&p);
	p.connecting.peer = "10.1.0.1,,10.2.0.1";
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EINVAL, "peer: \"\" is not an address");
	p.connecting.peer = "no such host";
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), ENOENT, "peer: \"no such host\"");
	p.connecting.peer = NULL;
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EINVAL, "peer: no address");
	pair_init(&p);
	p.connecting.local = "192.0.2.1";
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EADDRNOTAVAIL, "192.0.2.1");
	p.connecting.local = NULL;
	p.connecting.scheduler = "fastest";
	assert_fails(cmt_connect(&p.client, &p.connecting, 0), EINVAL, "no such scheduler");
	p.listening.port = 0;
	assert_fails(cmt_listen(&p.listener, &p.listening), EINVAL, "port: give the SCTP port");
	p.listening.size--;
	assert_fails(cmt_listen(&p.listener, &p.listening), EINVAL, "size");
}

static void two_listeners_share_a_udp_port(void **state)
{
	struct pair p, q;

	(void)state;
	pair_init(&p);
	pair_init(&q);
	q.listening.port = q.connecting.port = PAIR_PORT + 1;
	pair_open(&p);
	pair_open(&q);
	assert_int_equal(cmt_listener_udp_port(p.listener), cmt_listener_udp_port(q.listener));
	assert_worked(cmt_send(q.client, "x", 1, NULL, PAIR_TIMEOUT_MS));
	assert_int_equal(cmt_recv(q.server, &(char){0}, 1, NULL, PAIR_TIMEOUT_MS), 1);
	pair_close(&p);
	pair_close(&q);
}

/* --- keys --- */

static void the_fingerprint_of_the_listener_is_taken(void **state)
{
	char fingerprint[USRSCTP_CMT_FINGERPRINT_TEXT];
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	uint8_t expected[USRSCTP_CMT_FINGERPRINT_BYTES];
	struct pair p;

	(void)state;
	pair_init(&p);
	pair_listen(&p);
	assert_worked(cmt_listener_fingerprint(p.listener, fingerprint));
	p.connecting.any_peer = false;
	p.connecting.peer_fingerprints = fingerprint;
	pair_connect(&p);
	assert_worked(cmt_peer(p.client, &peer));
	assert_int_equal(usrsctp_cmt_fingerprint_parse(fingerprint, expected), 0);
	assert_memory_equal(peer.fingerprint, expected, sizeof(expected));
	pair_close(&p);
}

static void another_fingerprint_is_refused_and_both_ends_hear_why(void **state)
{
	struct cmt_refused refused;
	struct pair p;

	(void)state;
	pair_init(&p);
	pair_listen(&p);
	assert_fails(cmt_next_refused(p.listener, &refused), EAGAIN, "nobody");
	p.connecting.any_peer = false;
	p.connecting.peer_fingerprints =
	    "sha256:0102030405060708091011121314151617181920212223242526272829303132";
	/* The end may overtake what the client has to say. */
	do {
		assert_fails(cmt_connect(&p.client, &p.connecting, PAIR_TIMEOUT_MS), EACCES,
		             "not the one that was asked for");
		usleep(SHORT_WAIT_MS * 1000);
	} while (cmt_next_refused(p.listener, &refused) != 0);
	print_message("%s\n", refused.reason);
	assert_non_null(strstr(refused.reason, "the peer refuses our certificate"));
	assert_true(refused.address.ss_family == AF_INET || refused.address.ss_family == AF_UNSPEC);
	assert_fails(cmt_accept(&p.server, p.listener, 0), EAGAIN, "");
	cmt_listener_close(p.listener);
}

static void a_passphrase_is_taken_and_another_is_not(void **state)
{
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	char fingerprint[USRSCTP_CMT_FINGERPRINT_TEXT];
	struct pair p;

	(void)state;
	pair_init(&p);
	p.connecting.any_peer = false;
	p.listening.passphrase = "a long passphrase of several words";
	p.connecting.passphrase = "another one";
	pair_listen(&p);
	assert_fails(cmt_listener_fingerprint(p.listener, fingerprint), ENOENT, "no certificate");
	assert_fails(cmt_connect(&p.client, &p.connecting, PAIR_TIMEOUT_MS), EACCES, "passphrase");
	p.connecting.passphrase = p.listening.passphrase;
	pair_connect(&p);
	assert_worked(cmt_peer(p.server, &peer));
	assert_true(peer.passphrase);
	pair_close(&p);
}

static void in_the_clear_only_where_both_say_so(void **state)
{
	struct usrsctp_cmt_peer peer = {.size = sizeof(peer)};
	struct pair p;

	(void)state;
	pair_init(&p);
	p.listening.insecure = true;
	pair_listen(&p);
	assert_fails(cmt_connect(&p.client, &p.connecting, PAIR_TIMEOUT_MS), EACCES, "offers no encryption");
	p.connecting.insecure = true;
	p.connecting.any_peer = false;
	pair_connect(&p);
	assert_fails(cmt_peer(p.client, &peer), ENOENT, "in the clear");
	pair_close(&p);
}

/* --- waiting --- */

static void who_waits_is_told_when_time_is_over(void **state)
{
	struct usrsctp_cmt_conn_event event;
	struct cmt_connection *another;
	struct pair p;
	char byte;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	assert_fails(cmt_accept(&another, p.listener, SHORT_WAIT_MS), ETIMEDOUT, "within 50 ms");
	assert_null(another);
	assert_fails(cmt_recv(p.client, &byte, 1, NULL, SHORT_WAIT_MS), ETIMEDOUT, "within 50 ms");
	while (cmt_next_event(p.client, &event, SHORT_WAIT_MS) == 0) {
	}
	assert_fails(cmt_next_event(p.client, &event, SHORT_WAIT_MS), ETIMEDOUT, "within 50 ms");
	pair_close(&p);
}

static void descriptors_tell_what_would_not_block(void **state)
{
	struct usrsctp_cmt_conn_event event;
	struct pair p;
	int accepting, receiving, events;
	char byte;

	(void)state;
	pair_init(&p);
	pair_listen(&p);
	accepting = cmt_listener_fd(p.listener);
	assert_worked(accepting);
	assert_false(pair_is_readable(accepting));
	assert_worked(cmt_connect(&p.client, &p.connecting, PAIR_TIMEOUT_MS));
	while (!pair_is_readable(accepting)) {
		usleep(1000);
	}
	assert_worked(cmt_accept(&p.server, p.listener, 0));
	assert_false(pair_is_readable(accepting));
	receiving = cmt_fd(p.server, CMT_READY_RECV);
	events = cmt_fd(p.server, CMT_READY_EVENT);
	assert_worked(receiving);
	assert_worked(events);
	assert_false(pair_is_readable(receiving));
	assert_worked(cmt_send(p.client, "x", 1, NULL, 0));
	assert_int_equal(cmt_recv(p.server, NULL, 0, NULL, PAIR_TIMEOUT_MS), 1);
	assert_true(pair_is_readable(receiving));
	assert_int_equal(cmt_recv(p.server, &byte, 1, NULL, 0), 1);
	assert_false(pair_is_readable(receiving));
	assert_worked(cmt_close(p.client, PAIR_TIMEOUT_MS));
	p.client = NULL;
	assert_int_equal(cmt_recv(p.server, &byte, 1, NULL, PAIR_TIMEOUT_MS), 0);
	assert_true(pair_is_readable(receiving));
	do {
		assert_true(pair_is_readable(events));
		assert_worked(cmt_next_event(p.server, &event, 0));
	} while (event.type != USRSCTP_CMT_CONN_PEER_CLOSED);
	assert_fails(cmt_next_event(p.server, &event, -1), ENOTCONN, "no more events");
	assert_fails(cmt_send(p.server, "x", 1, NULL, 0), EPIPE, "the peer has closed");
	pair_close(&p);
}

static void *receive_one(void *arg)
{
	static ssize_t result;
	char byte;

	result = cmt_recv(arg, &byte, 1, NULL, -1);
	return &result;
}

static void to_close_wakes_who_waits(void **state)
{
	struct pair p;
	pthread_t receiver;
	void *result;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	assert_int_equal(pthread_create(&receiver, NULL, receive_one, p.client), 0);
	usleep(20000);
	assert_worked(cmt_close(p.client, PAIR_TIMEOUT_MS));
	p.client = NULL;
	assert_int_equal(pthread_join(receiver, &result), 0);
	assert_int_equal(*(ssize_t *)result, -ECANCELED);
	pair_close(&p);
}

static void to_close_waits_for_who_does_not_receive_as_long_as_it_is_told(void **state)
{
	static uint8_t bytes[PAIR_BULK_BYTES];
	struct pair p;

	(void)state;
	pair_init(&p);
	p.listening.rcvbuf_bytes = 200000;
	pair_open(&p);
	assert_true(pair_fill(p.client) < PAIR_BULK_MAX);
	assert_fails(cmt_close(p.client, SHORT_WAIT_MS), ETIMEDOUT, "the connection was aborted");
	while (cmt_recv(p.server, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS) > 0) {
	}
	assert_fails(cmt_recv(p.server, bytes, sizeof(bytes), NULL, PAIR_TIMEOUT_MS), ECONNRESET, "");
	(void)cmt_close(p.server, 0);
	cmt_listener_close(p.listener);
}

/* --- what is known --- */

static void paths_and_options_can_be_asked_for(void **state)
{
	struct sctp_cmt_path_stats paths[SCTP_CMT_MAX_PATHS];
	struct sctp_cmt_stats stats = {.size = sizeof(stats)};
	struct sctp_rtoinfo rto = {.srto_initial = 500, .srto_max = 2000, .srto_min = 100};
	socklen_t len = sizeof(stats);
	struct pair p;
	int n = 0;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	for (int i = 0; i < 1000 && n < 2; i++) {
		n = cmt_paths(p.client, paths, SCTP_CMT_MAX_PATHS);
		assert_worked(n);
		usleep(5000);
	}
	assert_int_equal(n, 2);
	assert_worked(cmt_getsockopt(p.client, IPPROTO_SCTP, SCTP_CMT_STATS, &stats, &len));
	assert_worked(cmt_setsockopt(p.client, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)));
	assert_fails(cmt_getsockopt(p.client, IPPROTO_SCTP, 0x7fff, &stats, &len), ENOPROTOOPT,
	             "socket option");
	assert_worked(cmt_close(p.server, PAIR_TIMEOUT_MS));
	p.server = NULL;
	assert_int_equal(cmt_recv(p.client, paths, 1, NULL, PAIR_TIMEOUT_MS), 0);
	pair_close(&p);
}

/* --- what is left --- */

static unsigned threads(void)
{
	DIR *tasks = opendir("/proc/self/task");
	unsigned n = 0;

	while (readdir(tasks) != NULL) {
		n++;
	}
	closedir(tasks);
	return n - 2; /* . and .. */
}

static void the_thread_ends_with_the_last_connection(void **state)
{
	const unsigned before = threads();
	struct pair p;

	(void)state;
	for (int round = 0; round < 3; round++) {
		pair_init(&p);
		pair_open(&p);
		assert_int_equal(threads(), before + 1);
		pair_close(&p);
		assert_int_equal(threads(), before);
	}
}

static void who_was_not_accepted_goes_with_the_listener(void **state)
{
	struct pair p;
	char byte;

	(void)state;
	pair_init(&p);
	pair_listen(&p);
	assert_worked(cmt_connect(&p.client, &p.connecting, PAIR_TIMEOUT_MS));
	assert_worked(cmt_listener_fd(p.listener));
	while (!pair_is_readable(cmt_listener_fd(p.listener))) {
		usleep(1000);
	}
	cmt_listener_close(p.listener);
	assert_fails(cmt_recv(p.client, &byte, 1, NULL, PAIR_TIMEOUT_MS), ECONNRESET, "");
	assert_fails(cmt_close(p.client, PAIR_TIMEOUT_MS), ECONNRESET, "");
}

static void a_forked_child_is_told_that_it_has_no_loop(void **state)
{
	struct pair p;
	pid_t child;
	int status;

	(void)state;
	pair_init(&p);
	pair_open(&p);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		struct cmt_connection *another;
		const bool told = cmt_send(p.client, "x", 1, NULL, -1) == -EOWNERDEAD &&
		                  cmt_close(p.client, -1) == -EOWNERDEAD &&
		                  cmt_connect(&another, &p.connecting, -1) == -EOWNERDEAD;

		_exit(told ? 0 : 1);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	pair_close(&p);
}

/* --- a peer that vanishes --- */

static void serve_until_killed(struct two *t)
{
	struct cmt_config config = {
	    .size = sizeof(config), .local = PAIR_ADDRESSES, .port = PAIR_PORT, .insecure = true};
	struct cmt_listener *listener;
	struct cmt_connection *c;

	assert_worked(cmt_listen(&listener, &config));
	two_tell(t);
	assert_worked(cmt_accept(&c, listener, PAIR_TIMEOUT_MS));
	assert_int_equal(cmt_recv(c, &(char){0}, 1, NULL, PAIR_TIMEOUT_MS), 1);
	two_tell(t);
	_exit(0); /* without a word: the kernel closes the sockets, and no ABORT leaves */
}

static void send_to_who_vanishes(struct two *t)
{
	struct sctp_rtoinfo rto = {.srto_initial = 100, .srto_max = 100, .srto_min = 100};
	struct sctp_assocparams limits = {.sasoc_asocmaxrxt = 3};
	ssize_t result;
	struct cmt_connection *c;
	struct pair p;
	char byte;

	pair_init(&p);
	p.connecting.insecure = true;
	p.connecting.any_peer = false;
	assert_int_equal(read(t->from_other, &byte, 1), 1);
	assert_worked(cmt_connect(&c, &p.connecting, PAIR_TIMEOUT_MS));
	assert_worked(cmt_setsockopt(c, IPPROTO_SCTP, SCTP_RTOINFO, &rto, sizeof(rto)));
	assert_worked(cmt_setsockopt(c, IPPROTO_SCTP, SCTP_ASSOCINFO, &limits, sizeof(limits)));
	assert_worked(cmt_send(c, "x", 1, NULL, -1));
	assert_int_equal(read(t->from_other, &byte, 1), 1);
	do { /* the first may still be acknowledged */
		assert_worked(cmt_send(c, "y", 1, NULL, -1));
		result = cmt_recv(c, &byte, 1, NULL, SHORT_WAIT_MS);
	} while (result == -ETIMEDOUT && strstr(cmt_reason(), "within") != NULL);
	assert_fails(result, ETIMEDOUT, "");
	assert_fails(cmt_send(c, "z", 1, NULL, -1), ETIMEDOUT, "");
	assert_fails(cmt_close(c, -1), ETIMEDOUT, "");
}

static void a_peer_that_vanishes_is_lost(void **state)
{
	(void)state;
	two_hosts(TWO_LOOPBACK, serve_until_killed, send_to_who_vanishes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_who_listens_refuses),
	    cmocka_unit_test(who_does_not_answer_is_given_up),
	    cmocka_unit_test(a_configuration_that_says_too_little_is_refused),
	    cmocka_unit_test(two_listeners_share_a_udp_port),
	    cmocka_unit_test(the_fingerprint_of_the_listener_is_taken),
	    cmocka_unit_test(another_fingerprint_is_refused_and_both_ends_hear_why),
	    cmocka_unit_test(a_passphrase_is_taken_and_another_is_not),
	    cmocka_unit_test(in_the_clear_only_where_both_say_so),
	    cmocka_unit_test(who_waits_is_told_when_time_is_over),
	    cmocka_unit_test(descriptors_tell_what_would_not_block),
	    cmocka_unit_test(to_close_wakes_who_waits),
	    cmocka_unit_test(to_close_waits_for_who_does_not_receive_as_long_as_it_is_told),
	    cmocka_unit_test(paths_and_options_can_be_asked_for),
	    cmocka_unit_test(the_thread_ends_with_the_last_connection),
	    cmocka_unit_test(who_was_not_accepted_goes_with_the_listener),
	    cmocka_unit_test(a_forked_child_is_told_that_it_has_no_loop),
	    cmocka_unit_test(a_peer_that_vanishes_is_lost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
